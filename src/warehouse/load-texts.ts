// Fills `ledger.corpus_texts`, most of a corpus and on no figure's way: read when a query first names it.
import type { DuckDBConnection } from "@duckdb/node-api";
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../answers/json.ts";
import { isBlank } from "../corpus/digest-file.ts";
import type { CorpusFile } from "../corpus/load.ts";
import { InterruptedError, UserError } from "../errors.ts";
import { readBatches } from "../ledgers/reader.ts";
import { insert } from "./load.ts";

/**
 * Puts the texts of the active corpus, whose rows are in `ledger.corpus_rows` already, into `ledger.corpus_texts`. They are
 * read here and not by DuckDB, which would write numbers of a state in a form of its own.
 *
 * @throws {UserError} when the file is not of the corpus whose rows are there; {@link InterruptedError} when it was stopped.
 */
export async function loadCorpusTexts(
  connection: DuckDBConnection,
  corpus: CorpusFile,
  signal?: AbortSignal,
): Promise<void> {
  const reader = await connection.runAndReadAll("SELECT sha256 FROM ledger.corpus");
  if (reader.getRows()[0]?.[0] !== corpus.sha256) {
    throw new UserError("the active corpus is another one than a moment ago: ask again");
  }
  let found = 0;
  for await (const batch of readBatches(corpus.path, { wholeTail: true })) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    const rows = [];
    for (const { text, problem } of batch) {
      // The file was checked before: a problem can only be new, and is found by the number of rows.
      if (problem === null && !isBlank(text)) rows.push(textsOf(parseJson(text) as JsonObject));
    }
    found += rows.length;
    await insert(connection, "corpus_texts", rows);
  }
  if (found !== corpus.rowCount)
    throw new Error(`${found} of the ${corpus.rowCount} rows of the corpus were read`);
}

/** The columns of a row, every one of them, in the order of the table. */
function textsOf(row: JsonObject): Record<string, Json> {
  const member = (object: Json | undefined, name: string): Json =>
    (isJsonObject(object) ? object.get(name) : null) ?? null;
  const list = (name: string): Json[] => (member(row, name) as Json[] | null) ?? [];
  const [question] = list("questions");
  const state = member(row, "state");
  const license = member(member(row, "source"), "license");
  return {
    row_id: member(row, "id"),
    state: typeof state === "string" ? state : stringifyJson(state),
    ask: member(question, "ask"),
    instructions: member(question, "instructions"),
    rationale: member(question, "rationale"),
    note: member(row, "note"),
    summary: member(row, "summary"),
    source: stringifyJson(member(row, "source")),
    license: typeof license === "string" ? license : null,
    provenance: member(row, "provenance"),
    tags: list("tags"),
    images: list("assets").map(
      (asset) => new Map(["path", "media_type", "alt"].map((name) => [name, member(asset, name)])),
    ),
  };
}
