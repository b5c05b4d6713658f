// The results of the report that have files of their own.
import { plainRows } from "../warehouse/formats.ts";
import type { FileSource } from "./site-files.ts";

/** A result, and the name of its files without the ending, as data/site.json says it. */
export interface RunFile {
  readonly run: string;
  readonly file: string;
}

/** All on the active corpus, by id. */
export async function runList({ snapshot }: Pick<FileSource, "snapshot">): Promise<readonly RunFile[]> {
  const result = await snapshot.query(
    "SELECT run_id, left(sha256(run_id), 16) AS file FROM runs WHERE current_corpus ORDER BY run_id",
  );
  const list: RunFile[] = [];
  for await (const rows of plainRows(result)) {
    for (const row of rows) list.push({ run: String(row.get("run_id")), file: String(row.get("file")) });
  }
  return list;
}
