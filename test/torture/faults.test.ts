// Endpoints at their worst: every fault that a server can have, at random, in one run; then the same command with
// `--retry-errors` against a server that has been mended, until every row has its answer.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Course, LONG } from "./course.ts";
import { ANSWERS, bigAnswer, busy, FAILURES, type Fault, OVERSIZED, REFUSALS, STALLS } from "./faults.ts";
import { PEAK_MEMORY } from "./preloads.ts";
import { scenario } from "./scenario.ts";

const ROUNDS = LONG ? 10 : 1;

const good = (): Fault => ANSWERS["right answer"] as Fault;

/** Runs against the faults, then against a mended server, and hands both to the judge. */
async function ruinAndMend(course: Course, fault: (row: string) => Fault) {
  course.begin();
  course.fault = fault;
  const ruined = await course.finish();
  expect(ruined.code, ruined.stderr).toBe(0);
  const first = course.judge();
  course.fault = good;
  course.timeoutS = 60;
  course.know({ retriesErrors: true });
  const mended = await course.finish({ args: ["--retry-errors"] });
  expect(mended.code, mended.stderr).toBe(0);
  expect(course.judge().answers).toEqual({ ok: course.truth.size });
  return first;
}

scenario("every fault of an endpoint", 60, async (stage) => {
  const course = await stage.course("mix", 160, 80);
  course.maxAttempts = 2;
  const kinds = [ANSWERS, REFUSALS, FAILURES].flatMap((faults) => Object.values(faults));
  const seen = new Set<Fault>();
  for (; stage.lasts(ROUNDS); stage.rounds += 1) {
    let next = 0;
    const { answers } = await ruinAndMend(course, () => {
      // Every kind once, then any.
      const at = next < kinds.length ? next : Math.floor(course.random() * kinds.length);
      next += 1;
      seen.add(kinds[at] as Fault);
      return kinds[at] as Fault;
    });
    expect(Object.keys(answers).length).toBeGreaterThan(8);
  }
  expect(seen.size).toBe(kinds.length);
  await course.recount(true);
  stage.note = `${kinds.length} kinds`;
});

scenario("stalls at every stage", 25, async (stage) => {
  const course = await stage.course("stalls", 30, 30);
  course.maxAttempts = 2;
  const kinds = Object.values(STALLS);
  for (; stage.lasts(Math.ceil(ROUNDS / 4)); stage.rounds += 1) {
    course.timeoutS = 3;
    const stalled = new Set<string>();
    const { answers } = await ruinAndMend(course, (row) => {
      const number = Number(row.slice(-2));
      // A third of the rows stalls twice, a third once.
      if (number % 3 === 0 || (number % 3 === 1 && !stalled.has(row))) {
        stalled.add(row);
        return kinds[Math.floor(number / 3) % kinds.length] as Fault;
      }
      return good();
    });
    expect(answers).toEqual({ ok: 20, transport_error: 10 });
  }
  await course.recount();
});

scenario("storms of 429 with Retry-After", 30, async (stage) => {
  const course = await stage.course("storm", 60, 60);
  course.maxAttempts = 3;
  for (; stage.lasts(Math.ceil(ROUNDS / 4)); stage.rounds += 1) {
    const calls = new Map<string, number>();
    const storms: readonly (() => Fault)[] = [
      () => busy({ "retry-after": "0" }, false),
      () => busy({ "retry-after": "1" }, false),
      () => busy({ "retry-after": "2.5" }, false),
      () => busy({ "retry-after-ms": "2100" }, false),
      () => busy({ "retry-after": "-1" }, false),
      () => busy({ "retry-after": "soon" }, false),
      () => busy({ "retry-after": new Date(Date.now() + 3000).toUTCString() }, false),
      () => busy({ "retry-after": "Sun, 01 Mar 2020 12:00:20 GMT" }, false),
      () => busy({ "retry-after": "61" }, true),
      () => busy({ "retry-after": new Date(Date.now() + 3_600_000).toUTCString() }, true),
    ];
    const { answers } = await ruinAndMend(course, (row) => {
      const call = (calls.get(row) ?? 0) + 1;
      calls.set(row, call);
      const storm = storms[Number(row.slice(-2)) % storms.length] as () => Fault;
      // One row of three is refused twice.
      return call === 1 || (call === 2 && Number(row.slice(-2)) % 3 === 0) ? storm() : good();
    });
    // The two long waits end their rows, and nobody waits for them.
    expect(answers).toEqual({ ok: 48, 429: 12 });
  }
  await course.recount();
});

/** A shorter form shares its machine with other tests. */
const BIG = LONG ? 64 : 4;

scenario(`${BIG} answers of 5 MB at once, and bodies over the limit`, 200, async (stage) => {
  const course = await stage.course("big", BIG + 2, BIG + 2);
  course.timeoutS = 300;
  const peak = join(course.root, "peak");
  const big = bigAnswer(5_000_000);
  for (; stage.lasts(1); stage.rounds += 1) {
    course.begin();
    course.fault = (row) => (Number(row.slice(-2)) < BIG ? big : OVERSIZED);
    const ended = await course.finish({ env: { NODE_OPTIONS: PEAK_MEMORY, BENCH_TEST_PEAK: peak } });
    expect(ended.code, ended.stderr).toBe(0);
    expect(course.judge().answers).toEqual({ ok: BIG, invalid_transport_output: 2 });
    const megabytes = Math.round(Number(readFileSync(peak, "utf8")) / 1024);
    stage.note = `${megabytes} MB at the peak`;
    // All bodies are 320 MB; what is made of them for answer, raw answer and ledger must not be kept many times over.
    expect(megabytes).toBeLessThan(3000);
    course.know({ retriesErrors: true });
    course.fault = good;
    await course.finish({ args: ["--retry-errors"] });
    expect(course.judge().answers).toEqual({ ok: BIG + 2 });
    await course.recount();
    rmSync(course.folder, { recursive: true });
    course.forget();
  }
});
