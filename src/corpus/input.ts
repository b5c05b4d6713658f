// What a model sees of a row, built by an allowlist: nothing is ever removed from a row, the named parts are taken.
import { createHash } from "node:crypto";
import { stringifyJson, type Writable } from "../answers/json.ts";
import type { CorpusRow } from "./schema.ts";

/** The public input of a row: `state`, and of its question `id`, `type`, `instructions` and the options in shown order. */
export function publicInput(row: CorpusRow): Writable {
  const { question } = row;
  return {
    state: row.state,
    questions: [
      {
        id: question.id,
        type: question.type,
        instructions: question.instructions,
        options: new Map(question.options.map((option) => [option.label, option.description])),
      },
    ],
  };
}

/** Lower-case hex SHA-256 of the public input as it is sent (order of options included). */
export function inputDigest(row: CorpusRow): string {
  return createHash("sha256")
    .update(stringifyJson(publicInput(row)), "utf8")
    .digest("hex");
}
