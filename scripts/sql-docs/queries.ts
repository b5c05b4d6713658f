// The worked queries: `docs/queries/*.sql`, each with the result that it gives over the workspace of the tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../../src/commands/context.ts";
import { runQuery } from "../../src/commands/sql-query.ts";
import { packageRoot, type Workspace } from "../../src/workspace.ts";

/** A worked query as its file says it. */
export interface WorkedQuery {
  /** File name without `.sql`. */
  readonly name: string;
  /** Line one of the comment that the file opens with. */
  readonly question: string;
  /** The rest of the comment, on one line. */
  readonly notes: string;
  /** The statement, without that comment. */
  readonly sql: string;
}

/** The order in which a reader meets them. */
const ORDER = [
  "quality-overview",
  "categories-side-by-side",
  "compare-two",
  "better-tasks",
  "disagreements",
  "missed-by-all",
  "hardest-rows",
  "sure-and-wrong",
  "accuracy-at-coverage",
  "threshold-for-risk",
  "confusions",
  "label-habits",
  "gold-position",
  "cheapest-of-the-best",
  "cost-per-correct",
  "slowest-rows",
  "error-kinds",
  "cured-by-retry",
];

/** @throws {Error} when a file is in no place of the order, or does not open with its question. */
export function workedQueries(): WorkedQuery[] {
  const folder = join(packageRoot, "docs", "queries");
  const names = readdirSync(folder).map((file) => file.replace(/\.sql$/, ""));
  const lost = names.filter((name) => !ORDER.includes(name));
  if (lost.length > 0)
    throw new Error(`docs/queries has files without a place in the order: ${lost.join(", ")}`);
  return ORDER.map((name) => {
    const lines = readFileSync(join(folder, `${name}.sql`), "utf8")
      .trimEnd()
      .split("\n");
    const first = lines.findIndex((line) => !line.startsWith("-- "));
    const [question, ...notes] = lines.slice(0, first).map((line) => line.slice(3));
    if (question === undefined) throw new Error(`docs/queries/${name}.sql does not open with its question`);
    return { name, question, notes: notes.join(" "), sql: lines.slice(first).join("\n") };
  });
}

/** The section about them, with results as `bench sql` shows them. */
export async function querySections(workspace: Workspace): Promise<string> {
  const sections = [
    "## Worked queries\n",
    "Each is a file under [queries](queries) (`npx bench sql -f docs/queries/<name>.sql` in a checkout). The results are those over the",
    "small workspace of the project's tests, six made-up results over 427 rows, so put your own run ids in their place. A – is NULL.\n",
  ];
  for (const { name, question, notes, sql } of workedQueries()) {
    const shown = await shownResult(sql, workspace);
    sections.push(
      `### ${question}\n`,
      ...(notes === "" ? [] : [`${notes}\n`]),
      `[queries/${name}.sql](queries/${name}.sql)\n`,
      `\`\`\`sql\n${sql}\n\`\`\`\n`,
      `\`\`\`\n${shown}\`\`\`\n`,
    );
  }
  return sections.join("\n");
}

async function shownResult(sql: string, workspace: Workspace): Promise<string> {
  let shown = "";
  const context: Context = {
    cwd: workspace.root,
    env: {},
    stdin: process.stdin,
    stdout: {
      write: (text) => {
        shown += text;
        return true;
      },
    },
    stderr: process.stderr,
    workspace: async () => workspace,
    interrupt: new AbortController().signal,
    exitCode: 0,
  };
  await runQuery(sql, { format: "table" }, context);
  return shown;
}
