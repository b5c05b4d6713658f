// The records of a person's file, whichever of the two forms it has.
import { open } from "node:fs/promises";
import { isJsonObject, type Json, JsonError, parseJson } from "../../answers/json.ts";
import { readBatches } from "../../ledgers/reader.ts";
import { isBlank, notJson } from "../digest-file.ts";
import { csvRecords, type Read } from "./csv.ts";

export type Format = "csv" | "jsonl";

/** The records of the file at `path`, in order, and what is wrong where one is none. */
export async function* recordsOf(path: string, format: Format): AsyncGenerator<Read, void> {
  if (await isUtf16(path)) {
    const how = format === "csv" ? "save the table as “CSV UTF-8”" : "save it as UTF-8";
    yield { line: 1, field: "", message: `is UTF-16: ${how}` };
    return;
  }
  yield* format === "csv" ? csvRecords(path) : jsonRecords(path);
}

async function isUtf16(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && [0xfeff, 0xfffe].includes(buffer.readUInt16BE(0));
  } finally {
    await file.close();
  }
}

async function* jsonRecords(path: string): AsyncGenerator<Read, void> {
  let lines = 0;
  for await (const batch of readBatches(path, { wholeTail: true })) {
    for (const { line, text: raw, problem } of batch) {
      const text = line === 1 ? raw.replace(/^\ufeff/, "") : raw;
      if (problem === null && isBlank(text)) continue;
      lines += 1;
      const value = problem === null ? parsed(text) : `is ${problem}`;
      if (typeof value === "string") yield { line, field: "", message: value };
      else if (isJsonObject(value.json)) yield { line, fields: value.json };
      else yield { line, field: "", message: "expected an object: one row on each line" };
    }
  }
  if (lines === 0) yield { line: 1, field: "", message: "is empty: expected one object on each line" };
}

function parsed(text: string): { json: Json } | string {
  try {
    return { json: parseJson(text) };
  } catch (error) {
    if (error instanceof JsonError) return notJson(error);
    throw error;
  }
}
