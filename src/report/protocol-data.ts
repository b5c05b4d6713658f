// What the page about the protocol and the SQL console show word for word: the prompt, the SQL files, and the questions
// that the documentation answers in SQL. All of it is read from where it is used, so that a page cannot say another thing.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type PromptTexts, promptTexts } from "../answers/prompt.ts";
import { type SqlFile, sqlFiles } from "../warehouse/views.ts";
import { packageRoot } from "../workspace.ts";

/** A question of `docs/queries/` with its answer in SQL. */
export interface ExampleQuery {
  /** File name without `.sql`. */
  readonly name: string;
  /** The question: its first line. */
  readonly title: string;
  readonly sql: string;
}

/** What the pages ask of the views, word for word. */
export interface PageQuery {
  /** The file of the site that holds the answer, or a file for each of many. */
  readonly file: string;
  readonly text: string;
}

/** What `data/protocol.json` holds. */
export interface ProtocolData {
  readonly prompt: PromptTexts;
  readonly sql: readonly SqlFile[];
  readonly queries: readonly ExampleQuery[];
  readonly pages: readonly PageQuery[];
}

/** @param files what is asked for the files that no data loader makes. */
export function protocolData(files: readonly PageQuery[]): ProtocolData {
  return {
    prompt: promptTexts(),
    sql: sqlFiles(),
    queries: exampleQueries(),
    pages: [...loaders(), ...files],
  };
}

function loaders(): PageQuery[] {
  const folder = join(packageRoot, "reports", "data");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json.js"))
    .sort()
    .map((name) => ({
      file: `data/${name.slice(0, -".js".length)}`,
      text: readFileSync(join(folder, name), "utf8").trimEnd(),
    }));
}

function exampleQueries(): ExampleQuery[] {
  const folder = join(packageRoot, "docs", "queries");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), "utf8").trimEnd();
      const name = file.slice(0, -".sql".length);
      return { name, title: /^-- (.+)/.exec(sql)?.[1] ?? name, sql };
    });
}
