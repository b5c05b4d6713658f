// The results that come with the project: sound, and the same again for anyone who runs the baselines.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../../src/workspace.ts";
import { bench } from "../support/bench.ts";

const BASELINES = ["baseline-lexical", "baseline-uniform"];
const root = mkdtempSync(join(tmpdir(), "decision-bench-baselines-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The lines of a result without what a clock says. */
function linesOf(at: string, model: string): unknown[] {
  const text = readFileSync(join(at, "results/bench-v4", model, "predictions.jsonl"), "utf8");
  const isClock = (key: string): boolean => key === "latency_ms" || key === "duration_ms";
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line, (key, value) => (isClock(key) ? undefined : value)) as unknown);
}

/** Every figure about the answers. */
function figuresOf(at: string, model: string): unknown {
  const text = readFileSync(join(at, "results/bench-v4", model, "scores.json"), "utf8");
  const { overall, by_category, by_task, calibration } = JSON.parse(text);
  return { overall, by_category, by_task, calibration };
}

test("what is published of bench-v4 is sound, full, and of the frozen corpus", async () => {
  const { code, stdout, stderr } = await bench(packageRoot, ["validate", "results/bench-v4"]);
  expect(`${stdout}${stderr}`).toContain("sound");
  expect(code).toBe(0);
  const lock = JSON.parse(readFileSync(join(packageRoot, "data/corpus/LOCK.json"), "utf8"));
  const leaderboard = JSON.parse(
    readFileSync(join(packageRoot, "results/bench-v4/leaderboard.json"), "utf8"),
  );
  expect(JSON.stringify(leaderboard)).toContain(lock["bench-v4"].sha256);
  for (const model of BASELINES) {
    const metadata = JSON.parse(
      readFileSync(join(packageRoot, "results/bench-v4", model, "metadata.json"), "utf8"),
    );
    expect(metadata).toMatchObject({
      corpus: { version: lock["bench-v4"].version, sha256: lock["bench-v4"].sha256 },
      coverage: { full: true, rows_error: 0 },
      harness: { git_dirty: false },
    });
  }
});

test("the baselines give the published answers again, and the published figures", async () => {
  for (const folder of ["config", "data/corpus"]) {
    cpSync(join(packageRoot, folder), join(root, folder), { recursive: true });
  }
  expect((await bench(root, ["run", "--model", BASELINES.join(","), "--jobs", "8"])).code).toBe(0);
  for (const run of readdirSync(join(root, "runs")).filter((name) => name.startsWith("baseline-"))) {
    expect((await bench(root, ["publish", run])).code).toBe(0);
  }
  for (const model of BASELINES) {
    const again = linesOf(root, model);
    expect(again.length).toBeGreaterThanOrEqual(1000);
    expect(again).toEqual(linesOf(packageRoot, model));
    expect(figuresOf(root, model)).toEqual(figuresOf(packageRoot, model));
    expect(figuresOf(root, model)).toMatchObject({ overall: { rows: again.length } });
  }
});
