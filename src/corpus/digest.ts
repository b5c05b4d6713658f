// The digest that freezes a corpus: the SHA-256 of the canonical JSON of the list of all rows.
import { createHash } from "node:crypto";
import { canonicalJson } from "../answers/canonical.ts";
import { canonicalLine } from "../answers/canonical-line.ts";
import { type Json, parseJson } from "../answers/json.ts";

/** Takes the rows of a corpus one by one, in file order, so that none has to stay in memory. */
export class DigestWriter {
  readonly #hash = createHash("sha256");
  #before = "[";

  /** @throws {CanonicalError} for a row that has no canonical form; the digest is then of the other rows. */
  add(row: Json): void {
    this.#add(canonicalJson(row));
  }

  /**
   * Takes the line of a row, for less work than its parsed form where the line is a usual one.
   *
   * @throws {JsonError} when it is not JSON; {@link CanonicalError} as {@link add}.
   */
  addLine(text: string): void {
    this.#add(canonicalLine(text) ?? canonicalJson(parseJson(text)));
  }

  #add(text: string): void {
    this.#hash.update(this.#before).update(text, "utf8");
    this.#before = ",";
  }

  /** Lower-case hex; nothing can be added afterwards. */
  hex(): string {
    // Nothing was written yet for a corpus without rows.
    return this.#hash.update(this.#before === "[" ? "[]" : "]").digest("hex");
  }
}

/**
 * Lower-case hex SHA-256 of the canonical JSON list of `rows`, in file order.
 *
 * @throws {CanonicalError} for the first row that has no canonical form.
 */
export function corpusDigest(rows: Iterable<Json>): string {
  const digest = new DigestWriter();
  for (const row of rows) digest.add(row);
  return digest.hex();
}
