// The short cut of a resume agrees with JSON.parse about every line that it takes, and takes the lines that the harness
// writes: else a million of them would be parsed after all, and nobody would notice but by the clock.
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type UsualAttempt,
  type UsualResult,
  usualAttempt,
  usualResult,
} from "../../src/harness/usual-line.ts";
import { type Bench, makeBench, outcome, ScriptedProvider } from "../support/harness.ts";

let bench: Bench;
beforeEach(() => {
  bench = makeBench(3);
});
afterEach(() => bench.cleanup());

interface Event {
  readonly event: string;
  readonly attempt_id: string;
  readonly run_id: string;
  readonly row_id: string;
  readonly cost_usd?: number | null;
}

function attemptOf(line: string): UsualAttempt {
  const event = JSON.parse(line) as Event;
  return {
    runId: event.run_id,
    row: event.row_id,
    attemptId: event.attempt_id,
    costUsd: event.cost_usd ?? 0,
  };
}

function resultOf(line: string): UsualResult {
  const result = JSON.parse(line) as { correct: boolean; status: string; attempts: [Event] };
  expect(result.status).toBe("ok");
  expect(result.attempts).toHaveLength(1);
  const [event] = result.attempts;
  expect(event.event).toBe("finished");
  const { run_id: runId, row_id: row } = result as unknown as Event;
  expect([event.run_id, event.row_id]).toEqual([runId, row]);
  return { ...attemptOf(JSON.stringify(event)), correct: result.correct };
}

/** The lines of both ledgers of a run whose texts hold what has to be escaped. */
async function lines(): Promise<{ results: string[]; attempts: string[] }> {
  const { runId } = await bench.run({
    provider: new ScriptedProvider((row) =>
      outcome({
        outputText: `{"a": "\\u2028\u2028 ${row.id} \\ \n"}`,
        reportedCostUsd: row.id === "r-002" ? null : 0.000125,
        costSource: "usage.cost",
        resolvedModel: 'model "x"',
      }),
    ),
  });
  const of = (file: "results.jsonl" | "attempts.jsonl") =>
    bench.lines(runId, file).map((record) => JSON.stringify(record));
  return { results: of("results.jsonl"), attempts: of("attempts.jsonl") };
}

it("takes every line that the harness writes about a valid answer", async () => {
  const { results, attempts } = await lines();
  expect(results).toHaveLength(3);
  expect(attempts).toHaveLength(6);
  for (const line of results) expect(usualResult(line)).toEqual(resultOf(line));
  for (const line of attempts) expect(usualAttempt(line)).toEqual(attemptOf(line));
});

it("leaves results without a valid answer, with several attempts or with attempts of another row to the parser", async () => {
  const [line = ""] = (await lines()).results;
  expect(usualResult(line)).not.toBeNull();
  const record = JSON.parse(line) as { attempts: Record<string, unknown>[] };
  const [attempt = {}] = record.attempts;
  for (const change of [
    { status: "500" },
    { error: "x" },
    { attempts: [attempt, attempt] },
    { attempts: [] },
    { attempts: [{ ...attempt, row_id: "r-009" }] },
    { attempts: [{ ...attempt, run_id: "other" }] },
    { output_text: "x".repeat(30_000) },
  ]) {
    expect(usualResult(JSON.stringify({ ...record, ...change })), JSON.stringify(change)).toBeNull();
  }
});

it("never takes a line that JSON.parse refuses, or reads otherwise", async () => {
  const { results, attempts } = await lines();
  const spliced = (line: string) =>
    fc
      .record({
        at: fc.nat(line.length),
        drop: fc.nat(3),
        add: fc.oneof(
          fc.string({ maxLength: 3, unit: "binary" }),
          fc.constantFrom(
            '"',
            "\\",
            "\\u",
            "\\ud800",
            "}",
            "]",
            ",",
            "1",
            "e",
            "-",
            ".",
            "null",
            "\u0000",
            "\u2028",
            "0",
          ),
        ),
      })
      .map(({ at, drop, add }) => line.slice(0, at) + add + line.slice(at + drop));
  let taken = 0;
  fc.assert(
    fc.property(fc.constantFrom(...results).chain(spliced), (line) => {
      const usual = usualResult(line);
      if (usual === null) return;
      taken += 1;
      expect(usual).toEqual(resultOf(line));
    }),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...attempts).chain(spliced), (line) => {
      const usual = usualAttempt(line);
      if (usual === null) return;
      taken += 1;
      expect(usual).toEqual(attemptOf(line));
    }),
    { numRuns: 3000 },
  );
  // Changes inside a text stay usual.
  expect(taken).toBeGreaterThan(100);
});
