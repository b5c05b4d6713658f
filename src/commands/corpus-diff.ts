// What `bench corpus diff` does and prints.
import { basename, resolve } from "node:path";
import { type Contents, namedContents } from "../corpus/contents.ts";
import {
  type Change,
  type Changes,
  type CorpusDiff,
  diffCorpora,
  differing,
  type Side,
} from "../corpus/diff.ts";
import { visible } from "../output.ts";
import type { Context } from "./context.ts";
import { write, writeJson } from "./output.ts";
import { renderTable, shorten } from "./table.ts";

/**
 * Compares two corpora; exit code 1 when they differ.
 *
 * @throws {UserError} when one is not there or not sound.
 */
export async function compareCorpora(
  context: Context,
  names: readonly [a: string, b: string],
  { limit, json }: { readonly limit: number; readonly json?: boolean },
): Promise<void> {
  const workspace = await context.workspace();
  const contentsOf = (side: "A" | "B", name: string): Promise<Contents> => {
    const folder = resolve(context.cwd, name);
    // An absolute path names places of this machine.
    const said = `${side} (${visible(basename(folder))})`;
    return namedContents(workspace, name, { folder, said, signal: context.interrupt });
  };
  const a = await contentsOf("A", names[0]);
  const b = await contentsOf("B", names[1]);
  const diff = diffCorpora(a, b, limit);
  if (!diff.same) context.exitCode = 1;
  if (json === true) await writeJson(context, diff);
  else await write(context.stdout, diffText(diff), context.interrupt);
}

/** The comparison for people. */
export function diffText(diff: CorpusDiff): string {
  const { a, b, manifest, rows, tasks, categories, pictures } = diff;
  if (diff.same) return `the same: ${visible(sideText(a))}\n`;
  const counts = renderTable(
    [
      { head: "" },
      { head: "only in A", align: "right" },
      { head: "changed", align: "right" },
      { head: "only in B", align: "right" },
    ],
    Object.entries({ rows, tasks, categories, pictures }).map(([kind, { removed, changed, added }]) => [
      kind,
      ...[removed, changed, added].map(String),
    ]),
  );
  const lines: string[] = [];
  if (a.suite !== b.suite) {
    lines.push("Every row names its suite: that alone makes another digest, and is not listed.");
  }
  if (rows.reordered) {
    lines.push("The rows that both have stand in another order: that alone makes another digest.");
  }
  if (manifest.field_count > 0) {
    lines.push(`manifest.json differs in: ${fieldsText(manifest.fields, manifest.field_count)}`);
  }
  if (rows.fields.length > 0) {
    const fields = rows.fields.map((one) => `${one.field} ${one.rows}`);
    lines.push(`Fields that differ, with the number of rows: ${fields.join(", ")}`);
  }
  const notes = lines.length === 0 ? "" : `\n${lines.map((line) => `${visible(line)}\n`).join("")}`;
  const lists = Object.entries({ row: rows, task: tasks, category: categories, picture: pictures });
  return (
    `A ${visible(sideText(a))}\nB ${visible(sideText(b))}\n\n${counts}${notes}` +
    lists.map(([kind, changes]) => listText(kind, changes)).join("")
  );
}

function sideText({ suite, version, sha256, rows }: Side): string {
  return `${suite} ${version}: ${rows} rows, digest ${sha256}`;
}

const WORDS: Readonly<Record<Change["change"], string>> = {
  removed: "only in A",
  changed: "changed",
  added: "only in B",
};

function listText(kind: string, changes: Changes): string {
  const { listed } = changes;
  const more = differing(changes) - listed.length;
  // With --limit 0 the counts above say it all.
  if (listed.length === 0) return "";
  const table = renderTable(
    [{ head: "" }, { head: kind }, { head: "fields" }],
    listed.map(({ change, id, fields, field_count }) => [
      WORDS[change],
      shorten(id, MOST_CHARACTERS),
      fieldsText(fields, field_count),
    ]),
  );
  return `\n${table}${more > 0 ? `… and ${more} more\n` : ""}`;
}

/** Of an id on a line; in JSON it is whole. */
const MOST_CHARACTERS = 80;

function fieldsText(fields: readonly string[], count: number): string {
  const more = count - fields.length;
  return `${fields.join(", ")}${more > 0 ? ` … and ${more} more` : ""}`;
}
