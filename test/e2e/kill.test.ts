// kill -9 at random moments, with the ledgers cut in between, and then the same command. The files are judged by a reader
// of this test's own, not by the harness.
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import seedrandom from "seedrandom";
import { expect, it } from "vitest";
import { bench, startBench, until } from "../support/bench.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { makeScratch } from "../support/scratch.ts";

const ROWS = 240;
const KILLS = 14;

/** The complete lines of a ledger, each parsed; throws for a line that is two records glued together, or half of one. */
function wholeLines(file: string): Record<string, unknown>[] {
  const text = readFileSync(file, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Cuts a file at a random byte of its last record, as a power cut may; now and then only the line feed. */
function cut(file: string, random: () => number): void {
  const bytes = readFileSync(file);
  if (bytes.length === 0) return;
  const end = bytes.at(-1) === 10 ? bytes.length - 1 : bytes.length;
  const start = bytes.subarray(0, end).lastIndexOf(10) + 1;
  truncateSync(file, start + Math.floor(random() * (end - start + 1)));
}

it(`survives ${KILLS} kills at random moments: one result a row, nothing lost, glued or called again`, async () => {
  const seed = process.env.BENCH_TEST_SEED ?? String(Date.now());
  const random = seedrandom(seed);
  const endpoint = await startEndpoint((request) => ({ delayMs: 10 + (request.text.length % 7) * 5 }));
  const scratch = makeScratch(ROWS);
  const env = { DECISION_BENCH_BASE_URL: endpoint.baseUrl };
  const run = ["run", "--model", "bench", "--jobs", "8", "--run-id", "killed"];
  const folder = join(scratch.root, "runs", "killed");
  const results = join(folder, "results.jsonl");
  const attempts = join(folder, "attempts.jsonl");
  const finished = new Map<string, string>();
  const rowOf = (text: string): string =>
    `row-${String(/\\*"record\\*":(\d+)/.exec(text)?.[1]).padStart(7, "0")}`;
  try {
    let killed = 0;
    for (let round = 0; killed < KILLS && round < 4 * KILLS; round += 1) {
      const seen = endpoint.requests.length;
      const running = startBench(scratch.root, run, env);
      // Some are killed before the first call, most while calls are under way.
      if (random() < 0.2) await new Promise((resolve) => setTimeout(resolve, random() * 300));
      else {
        await until(() => endpoint.requests.length > seen || running.child.exitCode !== null, "a call");
        await new Promise((resolve) => setTimeout(resolve, random() * 120));
      }
      running.child.kill("SIGKILL");
      const { signal } = await running.ended;
      if (signal === "SIGKILL") killed += 1;
      for (const request of endpoint.requests.slice(seen)) {
        expect(
          finished.has(rowOf(request.text)),
          `seed ${seed}: ${rowOf(request.text)} was called again`,
        ).toBe(false);
      }
      try {
        readFileSync(results);
      } catch {
        continue; // Killed before the folder was there.
      }
      if (random() < 0.6) cut(results, random);
      if (random() < 0.6) cut(attempts, random);
      // What is whole now must stay as it is to the end.
      finished.clear();
      for (const record of wholeLines(results)) finished.set(String(record.row_id), JSON.stringify(record));
    }
    expect(killed).toBeGreaterThanOrEqual(10);
    const before = endpoint.requests.length;
    const last = await bench(scratch.root, run, env);
    expect(last, `seed ${seed}`).toMatchObject({ code: 0 });
    for (const request of endpoint.requests.slice(before)) {
      expect(finished.has(rowOf(request.text)), `seed ${seed}`).toBe(false);
    }

    const records = wholeLines(results);
    expect(readFileSync(results).at(-1)).toBe(10);
    expect(records.map((record) => String(record.row_id)).sort(), `seed ${seed}`).toEqual(
      Array.from({ length: ROWS }, (_, index) => `row-${String(index).padStart(7, "0")}`),
    );
    for (const record of records) {
      const earlier = finished.get(String(record.row_id));
      if (earlier !== undefined) expect(JSON.stringify(record)).toBe(earlier);
    }
    const starts = wholeLines(attempts).filter((event) => event.event === "started");
    const ids = starts.map((event) => event.attempt_id);
    expect(new Set(ids).size).toBe(ids.length);
    const run1 = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as { status: string };
    expect(run1.status).toBe("completed");
    const sql = await bench(
      scratch.root,
      ["sql", "--format", "json", "select count(*) as n from answers where status = 'ok'"],
      env,
    );
    expect(JSON.parse(sql.stdout)).toEqual([{ n: ROWS }]);
  } finally {
    await endpoint.close();
    scratch.remove();
  }
}, 180_000);

it("ends with file and line at damage in the middle, and leaves every byte", async () => {
  const endpoint = await startEndpoint();
  const scratch = makeScratch(6);
  const env = { DECISION_BENCH_BASE_URL: endpoint.baseUrl };
  try {
    const run = ["run", "--model", "bench", "--run-id", "damaged"];
    await bench(scratch.root, run, env);
    const file = join(scratch.root, "runs", "damaged", "results.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    lines[2] = `${lines[2]?.slice(0, 40)}${lines[3]}`;
    writeFileSync(file, lines.join("\n"));
    const before = readFileSync(file);
    const calls = endpoint.requests.length;
    const again = await bench(scratch.root, run, env);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("runs/damaged/results.jsonl:3");
    expect(readFileSync(file)).toEqual(before);
    expect(endpoint.requests).toHaveLength(calls);
    const score = await bench(scratch.root, ["score", "damaged"], env);
    expect(score.code).toBe(1);
    expect(score.stderr).toContain("results.jsonl:3");
    const runs = await bench(scratch.root, ["runs", "--json"], env);
    expect(JSON.parse(runs.stdout)).toMatchObject({ runs: [{ damaged_lines: 1 }] });
  } finally {
    await endpoint.close();
    scratch.remove();
  }
});
