// The digest that freezes a corpus: the SHA-256 of the canonical JSON of the list of all rows.
import { createHash } from "node:crypto";
import { CanonicalError, canonicalJson } from "../answers/canonical.ts";
import type { Json } from "../answers/json.ts";

/**
 * Lower-case hex SHA-256 of the canonical JSON list of `rows`, in file order.
 *
 * @param refuse is told every row (its index from 0) that has no canonical form; the digest is then of the other rows.
 * @throws {CanonicalError} for the first such row when there is no `refuse`.
 */
export function corpusDigest(
  rows: Iterable<Json>,
  refuse: (index: number, error: CanonicalError) => void = (_, error) => {
    throw error;
  },
): string {
  const hash = createHash("sha256");
  let index = 0;
  let before = "[";
  for (const row of rows) {
    try {
      const text = canonicalJson(row);
      hash.update(before).update(text, "utf8");
      before = ",";
    } catch (error) {
      if (!(error instanceof CanonicalError)) throw error;
      refuse(index, error);
    }
    index += 1;
  }
  // Nothing was written yet for a corpus without rows.
  return hash.update(before === "[" ? "[]" : "]").digest("hex");
}
