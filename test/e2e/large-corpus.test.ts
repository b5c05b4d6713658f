// A corpus that is large enough to be digested on a thread of its own: everything holds as for a small one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bench } from "../support/bench.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let scratch: Scratch;
let cases: string;
let sound: string;
beforeAll(() => {
  scratch = makeScratch(7000);
  cases = join(scratch.root, "data", "corpus", "load", "cases.jsonl");
  sound = readFileSync(cases, "utf8");
  expect(sound.length).toBeGreaterThan(8 * 1024 * 1024);
});
afterAll(() => scratch.remove());

it("is verified, and found out when one letter, one key or one number is not as it was", async () => {
  const verified = await bench(scratch.root, ["corpus", "verify"]);
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.stdout).toContain("is sound: 7000 rows");

  const falsified: [string, string, string][] = [
    ['"record":6999', '"record":6998', "the manifest froze"],
    [
      '"id":"row-0003000"',
      '"id":"row-0003000","id":"row-0003000"',
      'cases.jsonl:3001: is not JSON: the key "id"',
    ],
    ['"amount":0.7', '"amount":1e999', "is too large for a double"],
  ];
  for (const [from, to, words] of falsified) {
    expect(sound).toContain(from);
    writeFileSync(cases, sound.replace(from, to));
    const verify = await bench(scratch.root, ["corpus", "verify"]);
    expect(verify.code).toBe(1);
    expect(verify.stdout).toContain(words);
    const run = await bench(scratch.root, ["run", "--model", "bench"], {
      DECISION_BENCH_BASE_URL: "http://127.0.0.1:9/v1",
    });
    expect(run.code, run.stderr).toBe(2);
    expect(run.stderr).toContain(words);
    expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  }
  writeFileSync(cases, sound);
}, 120_000);
