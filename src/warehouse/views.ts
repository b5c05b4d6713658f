// Finds the versioned SQL and says which views it defines. The package brings it; a workspace never does.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../workspace.ts";
import type { SourceTable } from "./sources.ts";

/** The version of the analysis that this program computes with. */
export const ANALYSIS_VERSION = "v1";

/** The versions that the package brings, the present one among them. */
export function analysisVersions(): string[] {
  return readdirSync(join(packageRoot, "sql")).filter((name) => /^v\d+$/.test(name));
}

/** One file of `sql/<version>/<stage>/`. */
export interface SqlFile {
  /** File name without `.sql`; of a view or a table macro, its name. */
  readonly name: string;
  readonly stage: string;
  /** A view, a macro that gives rows, or macros that give a value. */
  readonly kind: "view" | "table macro" | "macros";
  readonly sql: string;
}

/** The files of a version in the order in which they must run: by stage, then by name. */
export function sqlFiles(version: string = ANALYSIS_VERSION): SqlFile[] {
  const root = join(packageRoot, "sql", version);
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .flatMap((stage) =>
      readdirSync(join(root, stage))
        .filter((file) => file.endsWith(".sql"))
        .sort()
        .map((file) => {
          const sql = readFileSync(join(root, stage, file), "utf8");
          return { name: file.slice(0, -".sql".length), stage, kind: kindOf(sql), sql };
        }),
    );
}

function kindOf(sql: string): SqlFile["kind"] {
  if (/^CREATE VIEW /m.test(sql)) return "view";
  return /^CREATE MACRO .*\) AS TABLE$/m.test(sql) ? "table macro" : "macros";
}

/** What a query may need read before it runs. */
export interface Needs {
  readonly corpus: boolean;
  /** The long texts of the corpus. */
  readonly texts: boolean;
  readonly runs: boolean;
  readonly draws: boolean;
}

/**
 * Which sources the text of a query needs. Every mention of a view or table macro counts, in a comment or a text too:
 * reading too much costs time, reading too little would be a wrong answer. Names that a query puts together itself need
 * all.
 */
export function needsOf(sql: string, files: readonly SqlFile[]): Needs {
  const everything = /\bquery(_table)?\b|\bledger\b|\b(export|copy\s+from)\s+database\b/i.test(sql);
  const words = new Set(sql.toLowerCase().match(/[a-z0-9_]+/g) ?? []);
  const named = files
    .filter(({ name, kind }) => kind !== "macros" && words.has(name))
    .map(({ name }) => name);
  const drawing = namesOver("draws", files);
  const telling = namesOver("corpus_texts", files);
  const runs = everything || named.some((name) => name !== "corpus_rows" && name !== "corpus_texts");
  return {
    runs,
    corpus: runs || named.length > 0,
    texts: everything || named.some((name) => telling.has(name)),
    draws: everything || named.some((name) => drawing.has(name)),
  };
}

/** What stands on a table of the schema `ledger`, at first or at second hand. */
function namesOver(table: SourceTable, files: readonly SqlFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  // A file reads earlier ones only.
  for (const { name, sql } of files) {
    const code = sql.replace(/^--.*$/gm, "");
    if (
      new RegExp(`\\bledger\\.${table}\\b`).test(code) ||
      [...names].some((other) => new RegExp(`\\b${other}\\b`).test(code))
    ) {
      names.add(name);
    }
  }
  return names;
}
