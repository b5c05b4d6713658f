// Corpora through the built binary: killed at any moment an import leaves a whole corpus or none, and what was run on one
// corpus is never taken for a result of another.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bench, startBench, until } from "../support/bench.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let scratch: Scratch;
let other: Scratch;
beforeEach(() => {
  scratch = makeScratch(12);
  other = makeScratch(3_000);
  const model = {
    id: "base",
    label: "Base",
    provider: "baseline",
    model: "base",
    request: { method: "uniform", seed: 1 },
  };
  writeFileSync(
    join(scratch.root, "config/models.json"),
    JSON.stringify({ schema_version: 1, models: [model] }),
  );
});
afterEach(() => {
  scratch.remove();
  other.remove();
});

const run = (...args: string[]) => bench(scratch.root, args);
const plain = (): string[] =>
  readdirSync(join(scratch.root, "data/corpus")).filter((name) => !name.startsWith("."));

it("an import that is killed leaves a whole corpus under its name, or none", async () => {
  expect((await run("corpus", "import", other.root, "--as", "whole")).code).toBe(0);
  let absent = 0;
  for (let round = 0; round < 8; round += 1) {
    const name = `killed-${round}`;
    const { child, ended } = startBench(scratch.root, ["corpus", "import", other.root, "--as", name]);
    const isBegun = (): boolean =>
      readdirSync(join(scratch.root, "data/corpus")).some((entry) => entry.includes(name));
    // From the first byte that is written on, at any moment until about when it is done.
    await until(isBegun, "the import to begin");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40 * round));
    child.kill("SIGKILL");
    await ended;
    if (!plain().includes(name)) {
      absent += 1;
      continue;
    }
    expect((await run("corpus", "use", name)).code, name).toBe(0);
  }
  expect(absent).toBeGreaterThan(0);
  expect((await run("corpus", "use", "whole")).code).toBe(0);
});

it("runs of another corpus stay, are marked, and are never compared; a suite of the same name is told by its digest", async () => {
  expect((await run("run", "--model", "base", "--run-id", "before")).code).toBe(0);
  const published = join(scratch.root, "results/load/base");
  mkdirSync(published, { recursive: true });
  writeFileSync(join(published, "metadata.json"), "{}");
  const kept = readFileSync(join(scratch.root, "runs/before/results.jsonl"));

  writeFileSync(
    join(scratch.root, "rows.csv"),
    "instructions,state,options,gold\nWhich?,It drips.,yes|no,yes\nWhich?,It is dry.,yes|no,no\n",
  );
  expect((await run("corpus", "pack", "rows.csv", "--suite", "mine")).code).toBe(0);
  const used = await run("corpus", "use", "mine");
  expect(used.stdout).toContain("Of other corpora: local runs 1, published results 0;");
  expect((await run("run", "--model", "base", "--run-id", "after")).code).toBe(0);
  const marks = async (): Promise<unknown[]> => {
    const { runs } = JSON.parse((await run("runs", "--json")).stdout) as { runs: Record<string, unknown>[] };
    return runs.map((one) => [one.run_id, one.suite, one.current_corpus]).sort();
  };
  expect(await marks()).toEqual([
    ["after", "mine", true],
    ["before", "load", false],
  ]);
  expect((await run("runs")).stdout).toMatch(/^before .*completed, another corpus/m);
  const compared = await run("compare", "before", "after");
  expect([compared.code, compared.stderr]).toEqual([
    1,
    expect.stringContaining("runs on different corpora are not compared"),
  ]);

  // The same suite with other rows: an older corpus was moved away, and a new one stands under its name.
  renameSync(join(scratch.root, "data/corpus/mine"), join(other.root, "mine"));
  writeFileSync(
    join(scratch.root, "rows.csv"),
    "instructions,state,options,gold\nWhich?,It is wet.,yes|no,yes\n",
  );
  expect(
    (await run("corpus", "pack", "rows.csv", "--suite", "mine", "--version", "2.0.0", "--use")).code,
  ).toBe(0);
  expect((await run("run", "--model", "base", "--run-id", "newer")).code).toBe(0);
  expect(await marks()).toEqual([
    ["after", "mine", false],
    ["before", "load", false],
    ["newer", "mine", true],
  ]);
  const same = await run("compare", "after", "newer");
  expect([same.code, same.stderr]).toEqual([
    1,
    expect.stringMatching(/different corpora.*mine 1\.0\.0.*mine 2\.0\.0/),
  ]);
  // A run is not resumed over other rows than those it was begun with.
  const resumed = await run("run", "--model", "base", "--run-id", "after");
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining("corpus_sha256")]);
  const refused = await run("corpus", "import", join(other.root, "mine"));
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--as mine-2")]);
  expect(readFileSync(join(scratch.root, "runs/before/results.jsonl"))).toEqual(kept);
  expect(existsSync(join(published, "metadata.json"))).toBe(true);

  // Renamed, the same rows are a corpus of their own: also these two are never compared.
  expect((await run("corpus", "import", join(other.root, "mine"), "--as", "was-mine")).code).toBe(0);
  expect((await run("corpus", "use", "was-mine")).code).toBe(0);
  expect((await run("run", "--model", "base", "--run-id", "renamed")).code).toBe(0);
  expect((await run("compare", "after", "renamed")).code).toBe(1);
  expect((await marks()).filter((one) => (one as unknown[])[2] === true)).toEqual([
    ["renamed", "was-mine", true],
  ]);
});

it("pack lists every problem as text and as JSON, and needs a known form", async () => {
  writeFileSync(
    join(scratch.root, "rows.csv"),
    "instructions,state,options,gold\nW,s,yes|no,maybe\nW,s,yes,yes\n",
  );
  const shown = await run("corpus", "pack", "rows.csv", "--suite", "mine");
  expect(shown.code).toBe(1);
  expect(shown.stdout).toBe("");
  expect(shown.stderr.split("\n")).toEqual([
    'rows.csv:2: gold: "maybe" is not one of the options "yes", "no"',
    'rows.csv:3: options: expected two or more options, found "yes"',
    "bench: 2 problems in rows.csv: nothing was written",
    "",
  ]);
  const json = await run("corpus", "pack", "rows.csv", "--suite", "mine", "--json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    written: false,
    sha256: null,
    problem_count: 2,
    problems: [{ line: 2, field: "gold" }, { line: 3 }],
  });
  cpSync(join(scratch.root, "rows.csv"), join(scratch.root, "rows.xlsx"));
  expect((await run("corpus", "pack", "rows.xlsx", "--suite", "mine")).code).toBe(2);
  expect((await run("corpus", "pack", "none.csv", "--suite", "mine")).code).toBe(2);
  expect((await run("corpus", "pack", "rows.csv")).code).toBe(2);
  expect((await run("corpus", "pack", "rows.csv", "--suite", "x", "--check", "--use")).code).toBe(2);
  rmSync(join(scratch.root, "rows.xlsx"));
  expect(plain()).toEqual(["current.json", "load"]);
  const list = await run("corpus", "list");
  expect(list.stdout).toMatch(/^\* +load +load +1\.0\.0/m);
});
