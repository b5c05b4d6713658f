// Finds the versioned SQL and says which views it defines. The package brings it; a workspace never does.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../workspace.ts";

/** The version of the analysis that this program computes with. */
export const ANALYSIS_VERSION = "v1";

/** One file of `sql/<version>/<stage>/`. */
export interface SqlFile {
  /** File name without `.sql`; of a view, the view's name. */
  readonly name: string;
  readonly stage: string;
  readonly sql: string;
}

/** The files of a version in the order in which they must run: by stage, then by name. */
export function sqlFiles(version: string = ANALYSIS_VERSION): SqlFile[] {
  const root = join(packageRoot, "sql", version);
  return readdirSync(root)
    .sort()
    .flatMap((stage) =>
      readdirSync(join(root, stage))
        .filter((file) => file.endsWith(".sql"))
        .sort()
        .map((file) => ({
          name: file.slice(0, -".sql".length),
          stage,
          sql: readFileSync(join(root, stage, file), "utf8"),
        })),
    );
}

/** What a query may need read before it runs. */
export interface Needs {
  readonly corpus: boolean;
  readonly runs: boolean;
}

/**
 * Which sources the text of a query needs. Every mention of a view counts, in a comment or a text too: reading too
 * much costs time, reading too little would be a wrong answer. Names that a query puts together itself need all.
 */
export function needsOf(sql: string, views: readonly string[]): Needs {
  const everything = /\bquery(_table)?\b|\bledger\b|\b(export|copy\s+from)\s+database\b/i.test(sql);
  const words = new Set(sql.toLowerCase().match(/[a-z0-9_]+/g) ?? []);
  const named = views.filter((view) => words.has(view));
  const runs = everything || named.some((view) => view !== "corpus_rows");
  return { runs, corpus: runs || named.length > 0 };
}
