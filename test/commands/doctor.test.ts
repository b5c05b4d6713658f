import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { acquireLock } from "../../src/lock.ts";
import { allFiles } from "../support/bench.ts";
import { bench } from "../support/commands.ts";
import { asideLines, makeSoundRun, type SoundRun } from "../support/sound-run.ts";
import { finished, makeWorkspace, result, started } from "../support/workspace.ts";

interface Document {
  readonly whole: boolean;
  readonly findings: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly field: string;
    readonly message: string;
    readonly action: string;
  }[];
  readonly notes: readonly { readonly file: string; readonly message: string }[];
  readonly files: readonly { readonly file: string; readonly lines: number; readonly damaged: number }[];
  readonly moved: readonly { readonly file: string; readonly to: string; readonly lines: number }[];
  readonly rows: Readonly<Record<string, number | null>>;
  readonly attempts: Readonly<Record<string, number>>;
  readonly next: { readonly command: string | null; readonly message: string };
}

async function doctor(run: SoundRun, ...options: string[]): Promise<Document & { readonly code: number }> {
  const done = await bench(run, ["doctor", "run", "--json", ...options]);
  if (done.error !== undefined) throw done.error;
  return { ...(JSON.parse(done.stdout) as Document), code: done.exitCode };
}

/** `file:line field: message (action)` of every finding, files without their folder. */
function found({ findings }: Document): string[] {
  return findings.map(
    ({ file, line, field, message, action }) =>
      `${file.replace("runs/run/", "")}:${line ?? ""} ${field}: ${message} (${action})`,
  );
}

test("a sound run: nothing is found, nothing is written but the lock", async () => {
  const run = await makeSoundRun();
  const before = allFiles(run.folder);
  const document = await doctor(run);
  expect(document).toMatchObject({
    code: 0,
    whole: true,
    findings: [],
    notes: [],
    moved: [],
    rows: { selected: 6, finished: 6, errors: 0, superseded_results: 0 },
    attempts: { calls: 6, incomplete: 0 },
    next: { command: "bench score run" },
  });
  for (const [path, text] of before) expect(readFileSync(path, "utf8")).toBe(text);
  expect((await bench(run, ["score", "run"])).error).toBeUndefined();
});

const result1 = (change: object) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...change });

test.each<[string, string, (text: string) => string | Uint8Array, string]>([
  ["not JSON", "results.jsonl", (text) => text.slice(0, 70), "not JSON"],
  ["an empty line", "results.jsonl", () => "", "an empty line"],
  ["NUL bytes", "results.jsonl", () => "\0".repeat(300), "only NUL bytes"],
  ["NUL bytes and a record", "attempts.jsonl", (text) => `\0\0${text}`, "not JSON"],
  ["a byte order mark", "results.jsonl", (text) => `\ufeff${text}`, "begins with a byte order mark"],
  ["a byte order mark", "attempts.jsonl", (text) => `\ufeff${text}`, "begins with a byte order mark"],
  ["another shape", "results.jsonl", result1({ correct: "yes" }), "expected boolean"],
  ["a negative time", "results.jsonl", result1({ duration_ms: -1 }), "expected number to be >=0"],
  [
    "a negative time of a call",
    "attempts.jsonl",
    (text) => text.replace(/^.*$/, finished({ id: "x", row: "a-1", ms: -5 })),
    "duration_ms: ",
  ],
  ["another kind of event", "attempts.jsonl", result1({ event: "paused" }), "event: "],
  [
    "half a surrogate pair",
    "results.jsonl",
    (text) => text.replace('"stop"', '"\\ud800"'),
    "half a surrogate pair",
  ],
  ["a key twice", "results.jsonl", (text) => text.replace("{", '{"row_id":"a-1",'), '"row_id" stands twice'],
  [
    "a label twice",
    "results.jsonl",
    (text) => text.replace('{"yes":1', '{"yes":1,"yes":1'),
    '"yes" stands twice',
  ],
  [
    "a count with a point",
    "results.jsonl",
    (text) => text.replace('"images_sent":0,"answer"', '"images_sent":0.0,"answer"'),
    "expected plain digits",
  ],
  ["a count of 16 digits", "attempts.jsonl", result1({ number: 1234567890123456 }), "number: "],
  ["another run", "results.jsonl", result1({ run_id: "other" }), 'belongs to run "other"'],
  ["another run", "attempts.jsonl", result1({ run_id: "other" }), 'belongs to run "other"'],
  [
    "a row of nowhere",
    "results.jsonl",
    result1({ row_id: "__proto__" }),
    'row "__proto__" is not in the corpus',
  ],
  ["two records in one line", "results.jsonl", (text) => text + text, "not JSON"],
  ["no selection", "selection.jsonl", () => "{}", "row_id: "],
])("damage: %s in %s is found, moved and redone by no reader", async (_, file, change, words) => {
  const run = await makeSoundRun();
  const [first = "", second = "", ...others] = run.lines(file);
  run.write(file, [String(change(first)), second, ...others]);
  const broken = run.read(file).split("\n")[0] ?? "";
  const dry = await doctor(run, "--dry-run");
  expect(dry.code).toBe(1);
  expect(dry.findings[0]).toMatchObject({ file: `runs/run/${file}`, line: 1, action: "would_move" });
  expect(existsSync(`${run.path(file)}.damaged`)).toBe(false);
  const document = await doctor(run);
  expect(document.code).toBe(1);
  expect(document.findings[0]).toMatchObject({ file: `runs/run/${file}`, line: 1, action: "moved" });
  const { field, message } = document.findings[0] ?? { field: "", message: "" };
  expect(`${field}: ${message}`).toContain(words);
  expect(asideLines(run.path(file)).map(String)).toEqual([broken]);
  expect(run.lines(file).filter((line) => line !== first)).toEqual([second, ...others]);
  expect((await doctor(run)).findings).toEqual([]);
  expect((await bench(run, ["score", "run"])).error).toBeUndefined();
});

test("damage: bytes that are no text, and a line that is too long", async () => {
  const run = await makeSoundRun();
  const noText = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d, 0x0a]);
  const before = readFileSync(run.path("results.jsonl"));
  const long = Buffer.alloc(64 * 1024 * 1024 + 5, "é");
  run.write("results.jsonl", Buffer.concat([noText, before, long, Buffer.from("\n")]));
  const document = await doctor(run);
  expect(found(document)).toEqual([
    "results.jsonl:1 : not UTF-8 (moved)",
    "results.jsonl:8 : longer than 67108864 bytes (moved)",
  ]);
  expect(readFileSync(run.path("results.jsonl"))).toEqual(before);
  const aside = asideLines(run.path("results.jsonl"));
  expect(aside[0]).toEqual(noText.subarray(0, -1));
  expect(aside[1]?.equals(long)).toBe(true);
});

test.each(["results.jsonl", "attempts.jsonl", "selection.jsonl"])(
  "an unfinished last line of %s goes to .torn",
  async (file) => {
    const run = await makeSoundRun();
    const last = run.lines(file).at(-1) ?? "";
    run.write(file, run.read(file).slice(0, -10));
    const count = run.lines(file).length;
    const document = await doctor(run);
    expect(document.findings[0]).toMatchObject({
      file: `runs/run/${file}`,
      line: count + 1,
      action: "moved",
    });
    expect(document.moved[0]).toEqual({
      file: `runs/run/${file}`,
      to: `runs/run/${file}.torn`,
      lines: 1,
      bytes: last.length - 9,
    });
    expect(run.read(`${file}.torn`)).toBe(`${last.slice(0, -9)}\n`);
    // A selection is found again; records are made again by the run.
    expect(run.lines(file)).toHaveLength(file === "selection.jsonl" ? 6 : count);
    expect((await doctor(run)).code).toBe(0);
  },
);

test.each<[string, (record: Record<string, unknown>) => object, string]>([
  ["gold", () => ({ gold: "no", correct: false }), 'gold: is "no", the corpus says "yes"'],
  [
    "correct",
    () => ({ correct: false }),
    'correct: is false, but the label is "yes", gold is "yes" and status "ok"',
  ],
  ["the digest", () => ({ input_sha256: "0".repeat(64) }), "input_sha256: is not the digest"],
  [
    "a label",
    ({ answer }) => ({ correct: false, answer: { ...(answer as object), label: "maybe" } }),
    'answer.label: is "maybe", which is no option of the row',
  ],
  [
    "a sum",
    ({ answer }) => ({ answer: { ...(answer as object), probabilities: { yes: 0.9, no: 0 } } }),
    "answer.probabilities: add up to 0.9, expected 1",
  ],
  [
    "an option too many",
    ({ answer }) => ({ answer: { ...(answer as object), probabilities: { yes: 1, no: 0, toString: 0 } } }),
    'answer.probabilities: has "toString", which the row has no option for',
  ],
  [
    "an option too few",
    ({ answer }) => ({ answer: { ...(answer as object), probabilities: { yes: 1 } } }),
    'answer.probabilities: has no share for "no"',
  ],
  [
    "the largest share",
    ({ answer }) => ({ answer: { ...(answer as object), label_is_argmax: false } }),
    "answer.label_is_argmax: is false, the probabilities say true",
  ],
  [
    "no answer",
    () => ({ answer: null, correct: false }),
    "answer: is null, expected an answer with the status ok",
  ],
  ["a picture", () => ({ images_sent: 1 }), "images_sent: is 1, the row has 0 pictures"],
  ["a time", () => ({ ended_at: "yesterday" }), 'ended_at: is "yesterday", expected a time'],
  ["no call", () => ({ attempts: [] }), "attempts: is empty"],
  [
    "a call of another row",
    ({ attempts }) => ({ attempts: [{ ...(attempts as object[])[0], row_id: "b-1" }] }),
    'attempts[0].row_id: is "b-1", the result is of row "a-1"',
  ],
  [
    "another end of the call",
    ({ attempts }) => ({ attempts: [{ ...(attempts as object[])[0], duration_ms: 7 }] }),
    "attempts[0]: the finished event of this attempt at attempts.jsonl:2 says something else",
  ],
  [
    "a cost below 0",
    ({ attempts }) => ({ attempts: [{ ...(attempts as object[])[0], cost_usd: -1 }] }),
    "attempts[0].cost_usd: is -1",
  ],
])("falsehood: %s in a result is told and left, since readers count the line", async (_, change, words) => {
  const run = await makeSoundRun();
  run.edit("results.jsonl", 1, (text) => {
    const record = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify({ ...record, ...change(record) });
  });
  const before = run.read("results.jsonl");
  const document = await doctor(run);
  expect(document.code).toBe(1);
  expect(document.findings.map(({ field, message }) => `${field}: ${message}`).join("\n")).toContain(words);
  for (const finding of document.findings) {
    expect(finding).toMatchObject({ file: "runs/run/results.jsonl", line: 1, action: "left" });
  }
  expect(run.read("results.jsonl")).toBe(before);
  expect(document.moved).toEqual([]);
});

test("falsehood: what the events of one call say does not fit", async () => {
  const run = await makeSoundRun();
  const spec = { id: "a-1-1", row: "a-1" };
  run.append(
    "attempts.jsonl",
    [
      started({ id: "x", row: "a-2", number: 2 }),
      finished({ id: "x", row: "a-3", number: 3 }),
      finished({ ...spec, ms: 1 }),
      started({ id: "y", row: "elsewhere" }),
      started({ id: "z", row: "a-1", number: 0 }),
    ]
      .map((line) => `${line}\n`)
      .join(""),
  );
  expect(found(await doctor(run))).toEqual([
    'attempts.jsonl:14 row_id: is "a-3", the same attempt at line 13 says "a-2" (left)',
    "attempts.jsonl:14 number: is 3, the same attempt at line 13 says 2 (left)",
    "attempts.jsonl:15 : another finished event of this attempt, on line 2, says something else; this one counts (left)",
    'attempts.jsonl:16 row_id: row "elsewhere" is not selected in this run; the call is counted (left)',
    "attempts.jsonl:17 number: is 0, numbers begin with 1 (left)",
    "results.jsonl:1 attempts[0]: the finished event of this attempt at attempts.jsonl:15 says something else; that one counts (left)",
  ]);
});

test("what is legal is noted: later results, calls that only a result has, repeated events, calls without an end", async () => {
  const run = await makeSoundRun();
  const [, secondStart = "", secondEnd = "", ...others] = run.lines("attempts.jsonl").slice(1);
  run.write("attempts.jsonl", [
    secondEnd,
    secondEnd,
    ...others,
    started({ id: "open", row: "a-1", number: 2 }),
  ]);
  run.append("results.jsonl", `${run.lines("results.jsonl")[0]}\n`);
  expect(secondStart).toContain("started");
  const document = await doctor(run);
  expect(document).toMatchObject({
    code: 0,
    rows: { finished: 6, superseded_results: 1 },
    attempts: { calls: 7, incomplete: 1 },
  });
  expect(document.notes.map(({ message }) => message)).toEqual([
    "1 result is replaced by a later one of the same row, as --retry-errors does",
    "1 event stands here a second time, word for word; each is counted once",
    "1 finished call has no started event; they are counted",
    "1 call stands here and not in attempts.jsonl; the union of both is counted",
  ]);
});

test("run.json: a status that the ledgers belie is written anew, with the old text beside", async () => {
  const run = await makeSoundRun();
  const old = run.read("run.json");
  run.write("results.jsonl", run.lines("results.jsonl").slice(0, 4));
  const document = await doctor(run);
  expect(found(document)).toEqual([
    'run.json: status: is "completed", but 4 of 6 selected rows have a result and 0 of these are errors, so it has to be "interrupted" (mended)',
  ]);
  expect(JSON.parse(run.read("run.json"))).toEqual({
    ...(JSON.parse(old) as object),
    status: "interrupted",
    completed_at: null,
  });
  expect(asideLines(run.path("run.json")).map(String)).toEqual([old]);
  expect(document.next.command).toMatch(/^bench run --model model-x --run-id run$/);
  expect((await doctor(run)).code).toBe(0);
});

test("run.json: running, and no process is at it", async () => {
  const run = await makeSoundRun();
  const record = JSON.parse(run.read("run.json")) as object;
  run.write("run.json", JSON.stringify({ ...record, status: "running" }));
  const document = await doctor(run);
  expect(document.code).toBe(0);
  expect(document.notes[0]?.message).toContain("`bench run` goes on with it");
});

test.each<[string, (run: SoundRun) => void, string]>([
  [
    "missing",
    (run) => rmSync(run.path("run.json")),
    "is not there: bring it back from a copy, it cannot be made again",
  ],
  ["torn", (run) => run.write("run.json", run.read("run.json").slice(0, 100)), "is not JSON"],
  ["of another shape", (run) => run.write("run.json", "{}"), "is no run: "],
  [
    "a folder",
    (run) => {
      rmSync(run.path("run.json"));
      mkdirSync(run.path("run.json"));
    },
    "is not a file",
  ],
])("run.json %s: the ledgers tell what they can, and nothing is made up", async (_, spoil, words) => {
  const run = await makeSoundRun();
  spoil(run);
  run.append("results.jsonl", "{broken\n");
  run.append(
    "results.jsonl",
    `${result1({ run_id: "other", row_id: "b-9" })(run.lines("results.jsonl")[0] ?? "")}\n`,
  );
  const document = await doctor(run);
  expect(document.findings[0]?.message).toContain(words);
  // Whose records these are cannot be said without it, so only what is no record goes.
  expect(asideLines(run.path("results.jsonl")).map(String)).toEqual(["{broken"]);
  expect(document.rows).toMatchObject({ selected: null, finished: 7 });
  expect(document.next.command).toBeNull();
  const notes = document.notes.map(({ message }) => message).join("\n");
  expect(notes).toContain(
    "7 rows with a result; 6 rows in selection.jsonl; 6 calls; begun from 2026-11-01T10:00:01.000Z",
  );
  expect(notes).toContain('records of run "run", "other"');
  expect(notes).toContain("it cannot be made again");
});

test("run.json of another run, or a folder that was renamed: no line is taken for a stranger's", async () => {
  const run = await makeSoundRun();
  const record = JSON.parse(run.read("run.json")) as { config: { selected_rows: object } };
  const config = { ...record.config, selected_rows: { count: 1, sha256: "0".repeat(64) } };
  run.write("run.json", JSON.stringify({ ...record, id: "other", config }));
  const before = run.read("results.jsonl");
  const document = await doctor(run);
  expect(found(document)).toEqual([
    'run.json: id: is "other", the folder is called "run": give the folder its name back, or bring back its own run.json (left)',
  ]);
  expect(run.read("results.jsonl")).toBe(before);
});

test("run.json with a key twice is told", async () => {
  const run = await makeSoundRun();
  run.write("run.json", run.read("run.json").replace("{", '{"id":"run",'));
  expect(found(await doctor(run)).join()).toContain('the key "id" stands twice');
});

test("the selection is found again by the digest, and what it held beside is kept", async () => {
  const run = await makeSoundRun();
  const original = run.read("selection.jsonl");
  rmSync(run.path("selection.jsonl"));
  expect(found(await doctor(run))).toEqual([
    "selection.jsonl: : is not there; the digest there proves which they are (mended)",
  ]);
  expect(run.read("selection.jsonl")).toBe(original);
  run.write("selection.jsonl", ['{"row_id":"a-2"}', '{"row_id":"a-2"}', '{"row_id":"zz"}', "x"]);
  await doctor(run);
  expect(run.read("selection.jsonl")).toBe(original);
  expect(asideLines(run.path("selection.jsonl")).map(String)).toEqual([
    '{"row_id":"a-2"}',
    '{"row_id":"zz"}',
    "x",
  ]);
  expect((await doctor(run)).code).toBe(0);
});

test("a part of the corpus is found again too, and a result of another row does not count", async () => {
  const run = await makeSoundRun();
  const { selectionOf } = await import("../../src/harness/freeze.ts");
  const record = JSON.parse(run.read("run.json")) as { config: object };
  const config = { ...record.config, selected_rows: selectionOf(["b-1", "b-2", "b-3"]) };
  run.write("run.json", JSON.stringify({ ...record, config }));
  run.write("results.jsonl", run.lines("results.jsonl").slice(3));
  run.write("attempts.jsonl", run.lines("attempts.jsonl").slice(6));
  rmSync(run.path("selection.jsonl"));
  const document = await doctor(run);
  expect(run.lines("selection.jsonl")).toEqual(['{"row_id":"b-1"}', '{"row_id":"b-2"}', '{"row_id":"b-3"}']);
  expect(document.rows).toMatchObject({ selected: 3, finished: 3 });
  run.append("results.jsonl", `${result({ row: "a-1", gold: "yes", label: "yes" })}\n`);
  expect(found(await doctor(run))).toEqual([
    'results.jsonl:4 row_id: row "a-1" is not selected in this run (moved)',
  ]);
  run.write("results.jsonl", run.lines("results.jsonl").slice(1));
  expect((await doctor(run)).next.command).toBe("bench run --model model-x --category beta --run-id run");
});

test("a selection that cannot be proven is left, and no row is taken for a stranger's", async () => {
  const run = await makeSoundRun();
  const record = JSON.parse(run.read("run.json")) as { config: object };
  const config = { ...record.config, selected_rows: { count: 6, sha256: "0".repeat(64) } };
  run.write("run.json", JSON.stringify({ ...record, config }));
  const before = run.read("results.jsonl");
  expect(found(await doctor(run))).toEqual([
    "selection.jsonl: : holds 6 whole lines that are not the 6 rows of run.json; `bench run` with the options of the first time writes it anew (left)",
  ]);
  expect(run.read("results.jsonl")).toBe(before);
});

test("a run about another corpus: rows and right answers are not judged", async () => {
  const run = await makeSoundRun();
  const record = JSON.parse(run.read("run.json")) as { config: object };
  run.write(
    "run.json",
    JSON.stringify({ ...record, config: { ...record.config, corpus_sha256: "0".repeat(64) } }),
  );
  run.edit("results.jsonl", 1, result1({ gold: "no", correct: false }));
  const document = await doctor(run);
  expect(document.code).toBe(0);
  expect(document.notes[0]?.message).toContain("rows and right answers were not checked");
});

test("links, pipes, folders and files that may not be read are told, and nothing is mended through them", async () => {
  const run = await makeSoundRun();
  renameSync(run.path("results.jsonl"), join(run.root, "elsewhere.jsonl"));
  symlinkSync(join(run.root, "elsewhere.jsonl"), run.path("results.jsonl"));
  expect((await doctor(run)).code).toBe(0);
  run.append("results.jsonl", "{broken\n");
  const before = readFileSync(join(run.root, "elsewhere.jsonl"), "utf8");
  expect(found(await doctor(run))).toEqual([
    expect.stringMatching(/^results.jsonl:7 : not JSON.*\(left\)$/),
    "results.jsonl: : is a link, and nothing is mended through one: put the file itself here (left)",
  ]);
  expect(readFileSync(join(run.root, "elsewhere.jsonl"), "utf8")).toBe(before);
  rmSync(join(run.root, "elsewhere.jsonl"));
  rmSync(run.path("attempts.jsonl"));
  execFileSync("mkfifo", [run.path("attempts.jsonl")]);
  rmSync(run.path("selection.jsonl"));
  mkdirSync(run.path("selection.jsonl"));
  expect(found(await doctor(run))).toEqual([
    "selection.jsonl: : is not a file: move it away (left)",
    "selection.jsonl: : holds 0 whole lines that are not the 6 rows of run.json; `bench run` with the options of the first time writes it anew (left)",
    "attempts.jsonl: : is not a file: move it away (left)",
    "results.jsonl: : is a link to nothing: bring back what it points to (left)",
  ]);
});

test.skipIf(process.getuid?.() === 0)("a file that may not be read is told", async () => {
  const run = await makeSoundRun();
  chmodSync(run.path("results.jsonl"), 0);
  expect(found(await doctor(run))).toEqual([
    "results.jsonl: : cannot be read (EACCES): make it readable (left)",
  ]);
});

test("a missing ledger is told; an empty one is a run that has just begun", async () => {
  const run = await makeSoundRun();
  const record = JSON.parse(run.read("run.json")) as object;
  run.write("run.json", JSON.stringify({ ...record, status: "interrupted" }));
  run.write("results.jsonl", "");
  run.write("attempts.jsonl", "");
  expect((await doctor(run)).code).toBe(0);
  rmSync(run.path("results.jsonl"));
  expect(found(await doctor(run))).toEqual([
    "results.jsonl: : is not there: bring it back, or its records are lost; `bench run` begins it anew (left)",
  ]);
});

test("leftovers are noted and left", async () => {
  const run = await makeSoundRun();
  mkdirSync(join(run.root, "runs", ".new-run-4711"));
  run.write("raw/e1.jsonl", '{"a":1}\n{"b"');
  run.write("notes.txt", "mine");
  run.write(".4711-abc.tmp", run.read("run.json"));
  const document = await doctor(run);
  expect(document.code).toBe(0);
  expect(document.notes.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    "runs/run: .4711-abc.tmp was left by a killed process; it may be deleted",
    'runs/run: "notes.txt" is no file of a run; nothing reads it',
    "runs/.new-run-4711: a run folder that a killed process did not finish; the next run removes it",
    "runs/run/raw: 1 file ends with an unfinished line; raw answers are read by nobody, so it stays",
  ]);
  rmSync(run.path("run.json"));
  const notes = (await doctor(run)).notes.map(({ message }) => message);
  expect(notes).toContain(".4711-abc.tmp is a whole run.json that a killed process did not put in its place");
});

test("a run that a living process writes is refused, also in a dry run", async () => {
  const run = await makeSoundRun();
  const lock = await acquireLock(run.path("lock"), { what: "run run", place: "runs/run/lock" });
  run.append("results.jsonl", "{broken\n");
  for (const options of [[], ["--dry-run"]]) {
    const { error } = await bench(run, ["doctor", "run", ...options]);
    expect(error).toBeInstanceOf(UserError);
    expect(error?.message).toContain("is locked by process");
  }
  expect(existsSync(run.path("results.jsonl.damaged"))).toBe(false);
  await lock.release();
  expect((await doctor(run)).code).toBe(1);
});

test("no such run, and a published one", async () => {
  const { error } = await bench(makeWorkspace(), ["doctor", "nope"]);
  expect(error).toBeInstanceOf(UserError);
  expect(error?.message).toContain('there is no run "nope"');
});

test("a dry run writes nothing at all", async () => {
  const run = await makeSoundRun();
  run.append("results.jsonl", "{broken\n{torn");
  rmSync(run.path("selection.jsonl"));
  const before = allFiles(run.root);
  const document = await doctor(run, "--dry-run");
  expect(document).toMatchObject({ code: 1, moved: [], next: { command: "bench doctor run" } });
  expect(allFiles(run.root)).toEqual(before);
});

test("the text for people", async () => {
  const run = await makeSoundRun();
  run.edit("results.jsonl", 2, (text) => text.slice(0, 90));
  run.edit("results.jsonl", 3, result1({ gold: "yes\u001b[2J", correct: false }));
  run.append("attempts.jsonl", `${started({ id: "open", row: "a-1", number: 2 })}\n{"event":"sta`);
  run.write("notes.txt", "mine");
  const dry = await bench(run, ["doctor", "run", "--dry-run"]);
  const mended = await bench(run, ["doctor", "run"]);
  const again = await bench(run, ["doctor", "run"]);
  await expect(
    `$ bench doctor run --dry-run\n${dry.stdout}\n$ bench doctor run\n${mended.stdout}\n$ bench doctor run\n${again.stdout}`,
  ).toMatchFileSnapshot("../fixtures/golden/doctor.txt");
  writeFileSync(run.path("results.jsonl"), Array.from({ length: 70 }, (_, i) => `{${i}\n`).join(""));
  expect((await bench(run, ["doctor", "run"])).stdout).toContain(
    "… and 20 more findings (--json lists up to 10,000)",
  );
});
