// What one extraction is: a package, the files read, and a function that turns them into facts. The list of all of
// them is in index.ts; one file a domain holds the functions.
import { createHash } from "node:crypto";
import { compareCodePoints } from "../../src/answers/canonical.ts";
import type { Writable } from "../../src/answers/json.ts";
import type { PackageReference, UnpackedPackage } from "./packages.ts";

/** One fact: an id that is unique in its file, and what was taken. */
export interface Fact {
  readonly id: string;
  readonly [field: string]: Writable;
}

/** Everything that is taken from one package. */
export interface Extraction extends PackageReference {
  readonly id: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly attribution: string;
  /** What is known of the rights in the data, where they are not those of the package. */
  readonly rights?: string;
  readonly taken: string;
  /** Fact file → facts. `installed` gives another package of the list where one set limits the other. */
  readonly extract: (unpacked: UnpackedPackage, installed: Installed) => Promise<Record<string, Fact[]>>;
}

/** Opens another package of the list by its source id. */
export type Installed = (sourceId: string) => UnpackedPackage;

/** The first `count` facts in SHA-256 order of their ids: a sample that does not depend on the order of the source. */
export function sample(facts: readonly Fact[], count: number): Fact[] {
  const digest = (fact: Fact): string => createHash("sha256").update(fact.id, "utf8").digest("hex");
  return facts
    .map((fact) => ({ fact, digest: digest(fact) }))
    .sort((a, b) => compareCodePoints(a.digest, b.digest))
    .slice(0, count)
    .map((entry) => entry.fact);
}
