// `bench corpus diff` through the built binary: exit codes, both outputs, and how a corpus is named.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bench } from "../support/bench.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch(12);
});
afterEach(() => scratch.remove());
const run = (...args: string[]) => bench(scratch.root, args);

it("says 0 for the same, 1 for a difference and 2 for what cannot be compared", async () => {
  cpSync(join(scratch.root, "data/corpus/load"), join(scratch.root, "copy"), { recursive: true });
  const same = await run("corpus", "diff", "load", "copy");
  expect([same.code, same.stderr]).toEqual([0, ""]);
  expect(same.stdout).toMatch(/^the same: load 1\.0\.0: 12 rows, digest [0-9a-f]{64}\n$/);

  const head = "id,instructions,state,options,gold\n";
  writeFileSync(
    join(scratch.root, "one.csv"),
    `${head}r1,Which?,It drips.,yes|no,yes\nr2,Which?,It is dry.,yes|no,no\nr3,Which?,It is wet.,yes|no,yes\n`,
  );
  writeFileSync(
    join(scratch.root, "two.csv"),
    `${head}r1,Which?,It drips.,yes|no,no\nr2,Which?,It is dry.,yes|no,no\nr4,Which?,It is hot.,yes|no,yes\n`,
  );
  for (const name of ["one", "two"]) {
    expect((await run("corpus", "pack", `${name}.csv`, "--suite", name)).code).toBe(0);
  }
  const shown = await run("corpus", "diff", "one", "data/corpus/two");
  expect([shown.code, shown.stderr]).toEqual([1, ""]);
  expect(shown.stdout).toMatch(/^A one 1\.0\.0: 3 rows, digest [0-9a-f]{64}\nB two 1\.0\.0: 3 rows/);
  expect(shown.stdout).toMatch(/^rows +1 +2 +1$/m);
  expect(shown.stdout).toMatch(/^only in A +r3$/m);
  expect(shown.stdout).toContain("\nEvery row names its suite: ");
  expect(shown.stdout).toMatch(/^changed +r1 .*questions\[0\]\.gold/m);
  expect(shown.stdout).toMatch(/^changed +r2 +provenance, source$/m);
  expect(shown.stdout).toMatch(/^only in B +r4$/m);

  const json = await run("corpus", "diff", "one", "two", "--json", "--limit", "1");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    same: false,
    a: { suite: "one", version: "1.0.0", rows: 3 },
    rows: { removed: 1, changed: 2, added: 1, listed: [{ change: "changed", id: "r1" }] },
  });
  expect((await run("corpus", "diff", "one", "two", "--limit", "1")).stdout).toContain("\n… and 3 more\n");

  // The same rows under another name: what their manifests say differs, and no row.
  expect((await run("corpus", "import", "data/corpus/one", "--as", "three")).code).toBe(0);
  const renamed = await run("corpus", "diff", "one", "three");
  expect(renamed.code).toBe(1);
  expect(renamed.stdout).toMatch(/^rows +0 +0 +0$/m);
  expect(renamed.stdout).toContain("\nEvery row names its suite: ");

  const cases = join(scratch.root, "copy/cases.jsonl");
  writeFileSync(cases, readFileSync(cases, "utf8").split("\n").slice(1).join("\n"));
  const unsound = await run("corpus", "diff", "load", "./copy");
  expect([unsound.code, unsound.stdout]).toEqual([2, ""]);
  expect(unsound.stderr).toContain("B (copy): cases.jsonl: the rows have the digest");
  const none = await run("corpus", "diff", "load", "nowhere");
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no corpus "nowhere"')]);
  expect((await run("corpus", "diff", "load")).code).toBe(2);
  expect((await run("corpus", "diff", "--help")).stdout).toContain("exit 1 when anything does");
});
