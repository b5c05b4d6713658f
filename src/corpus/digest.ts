// The digest that freezes a corpus: the SHA-256 of the canonical JSON of the list of all rows.
import { createHash } from "node:crypto";
import { canonicalJson } from "../answers/canonical.ts";
import type { Json } from "../answers/json.ts";

/**
 * Lower-case hex SHA-256 of the canonical JSON list of `rows`, in file order.
 *
 * @throws {CanonicalError} for a row that has no canonical form; `onRow` tells which one is being read.
 */
export function corpusDigest(rows: readonly Json[], onRow?: (index: number) => void): string {
  const hash = createHash("sha256");
  hash.update("[");
  rows.forEach((row, index) => {
    onRow?.(index);
    if (index > 0) hash.update(",");
    hash.update(canonicalJson(row), "utf8");
  });
  hash.update("]");
  return hash.digest("hex");
}
