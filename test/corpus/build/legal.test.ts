// The rules of the legal tasks, checked by hand and, where the answer is computed, by other code than the builder's.
import { join } from "node:path";
import { expect, test } from "vitest";
import { familyOf, licenseRating } from "../../../src/corpus/build/legal/license-rating.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { packageRoot } from "../../../src/workspace.ts";

const facts = openSources(join(packageRoot, "data"));

test("families of licence identifiers", () => {
  expect(["BSD-3-Clause", "MIT", "OLDAP-2.0.1", "0BSD"].map(familyOf)).toEqual([
    "BSD",
    "MIT",
    "OLDAP",
    "0BSD",
  ]);
});

test("well-known licences have the ratings that the council publishes", () => {
  const golds = new Map(licenseRating.candidates(facts).map(({ key, gold }) => [key, gold]));
  expect(
    ["MIT", "Apache-2.0", "BSD-3-Clause", "Zlib", "WTFPL", "Beerware"].map((id) => golds.get(id)),
  ).toEqual(["silver", "silver", "bronze", "bronze", "lead", "lead"]);
  expect(golds.has("BlueOak-1.0.0")).toBe(false);
});
