// The judge is judged: a sound run has no breach, and every way to break it is found, by its name.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Course } from "./course.ts";
import { type Breach, judge } from "./judge.ts";
import { compareStandings, standingOf } from "./standing.ts";

let course: Course;
let folder = "";
let sound = "";
beforeAll(async () => {
  course = await Course.open("judge", 6, 2);
  course.begin();
  const ended = await course.finish();
  expect(ended.code, ended.stderr).toBe(0);
  folder = course.folder;
  sound = join(course.root, "sound");
  cpSync(folder, sound, { recursive: true });
});
afterAll(() => course.close());

/** The breaches of the run as this leaves it. */
function broken(change: (edit: (file: string, how: (text: string) => string | Uint8Array) => void) => void) {
  rmSync(folder, { recursive: true });
  cpSync(sound, folder, { recursive: true });
  const before = standingOf(folder);
  change((file, how) => writeFileSync(join(folder, file), how(readFileSync(join(folder, file), "utf8"))));
  const { breaches } = judge(folder, course.truth, { ...course.rule, asked: course.asked });
  return { judged: kinds(breaches), moment: kinds(compareStandings(folder, before, standingOf(folder))) };
}

const kinds = (breaches: readonly Breach[]): string[] =>
  [...new Set(breaches.map(({ kind }) => kind))].sort();
const lines = (text: string): string[] => text.trimEnd().split("\n");
const text = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

it("finds nothing in a sound run", async () => {
  expect(broken(() => {})).toEqual({ judged: [], moment: [] });
  course.judge();
  await course.recount(true);
  expect(course.breaches).toEqual([]);
});

const R = "results.jsonl";
const A = "attempts.jsonl";
const CASES: readonly (readonly [string, Breach["kind"], string, (text: string) => string | Uint8Array])[] = [
  ["a result that is gone", "lost", R, (all) => text(lines(all).slice(1))],
  ["a result that is there twice", "doubled", R, (all) => text([...lines(all), lines(all)[0] ?? ""])],
  ["two results on one line", "glued", R, (all) => all.replace("}\n{", "}{")],
  ["half a result before another", "glued", R, (all) => text([`{"run_id":"run-1","row${lines(all)[0]}`])],
  ["a last record without its end", "wrong", R, (all) => all.slice(0, -1)],
  ["a result of another row", "wrong", R, (all) => all.replaceAll("row-0000002", "row-0000099")],
  ["another gold", "wrong", R, (all) => all.replace('"gold":"second"', '"gold":"first"')],
  [
    "another verdict",
    "wrong",
    R,
    (all) => all.replace(/"correct":(true|false)/, (_, was) => `"correct":${was !== "true"}`),
  ],
  ["another status", "wrong", R, (all) => all.replaceAll('"status":"ok"', '"status":"500"')],
  ["half a pair", "wrong", R, (all) => all.replace('"finish_reason":"stop"', '"finish_reason":"\\ud800"')],
  ["a byte that is no UTF-8", "wrong", R, (all) => Buffer.from(all.replace("stop", "st\u00f6p"), "latin1")],
  ["a duration below zero", "wrong", R, (all) => all.replace(/"duration_ms":/, '"duration_ms":-')],
  [
    "a time that is none",
    "wrong",
    A,
    (all) => all.replace(/"started_at":"[^"]*"/, '"started_at":"Invalid Date"'),
  ],
  [
    "a key that stands twice",
    "glued",
    A,
    (all) => all.replace('"event":"started",', '"event":"started","event":"started",'),
  ],
  ["a call without a start", "lost", A, (all) => text(lines(all).slice(1))],
  ["a call that is there twice", "doubled", A, (all) => text([...lines(all), lines(all)[0] ?? ""])],
  ["a call under another number", "wrong", A, (all) => all.replaceAll('"number":1', '"number":2')],
  [
    "an answer of another request",
    "wrong",
    A,
    (all) => all.replace(/"input_tokens":\d+/, '"input_tokens":4711'),
  ],
  ["another selection", "wrong", "selection.jsonl", (all) => text(lines(all).reverse())],
  ["a run that never ended", "wrong", "run.json", (all) => all.replace('"completed"', '"running"')],
  ["a lock that is held", "wrong", "lock/1.json", (all) => all.replace("true", "false")],
];

describe("finds", () => {
  it.each(CASES)("%s", (_, kind, file, how) => {
    expect(broken((edit) => edit(file, how)).judged).toContain(kind);
  });

  it("an answer that is on record twice", () => {
    const both = broken((edit) => {
      for (const file of [R, A])
        edit(file, (all) => all.replaceAll('"input_tokens":1,', '"input_tokens":2,'));
    });
    expect(both.judged).not.toEqual([]);
  });

  it("a draft that was left", () => {
    expect(broken(() => writeFileSync(join(folder, ".1-x.tmp"), "")).judged).toEqual(["wrong"]);
  });

  it("a raw answer that is gone", () => {
    expect(broken(() => rmSync(join(folder, "raw"), { recursive: true })).judged).toEqual(["lost"]);
  });

  it("a call that the endpoint heard and nobody wrote down", () => {
    const asked = [...course.asked, { ...(course.asked[0] ?? expect.fail()), serial: 99 }];
    broken(() => {});
    const { breaches } = judge(folder, course.truth, { ...course.rule, asked });
    expect(kinds(breaches)).toEqual(["doubled", "lost"]);
  });

  it("a ledger that is not what it was", () => {
    expect(broken((edit) => edit(R, (all) => text(lines(all).slice(0, -1)))).moment).toEqual(["lost"]);
    expect(broken((edit) => edit(A, (all) => all.replace("started", "Started"))).moment).toEqual(["lost"]);
    expect(broken((edit) => edit(R, (all) => `${all}{"run_id"`)).moment).toEqual([]);
  });

  it("a torn end that was not moved aside", () => {
    const write = (name: string, all: string): void => writeFileSync(join(folder, name), all);
    broken((edit) => edit(R, (all) => `${all}{"run_id":"run-1","ro`));
    const torn = standingOf(folder);
    const whole = readFileSync(join(sound, R), "utf8");
    write(R, whole);
    expect(kinds(compareStandings(folder, torn, standingOf(folder)))).toEqual(["lost"]);
    write(`${R}.torn`, '{"run_id":"run-1","r\n');
    expect(kinds(compareStandings(folder, torn, standingOf(folder)))).toEqual(["lost"]);
    write(`${R}.torn`, '{"run_id":"run-1","ro\n');
    expect(compareStandings(folder, torn, standingOf(folder))).toEqual([]);
  });
});
