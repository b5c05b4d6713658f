// Whatever happens to the bytes of a ledger: afterwards every reader accepts the run, what was not touched is still there,
// and every other byte stands in a file beside.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Corpus, loadCorpus } from "../../src/corpus/load.ts";
import { examineRun } from "../../src/harness/doctor.ts";
import type { Diagnosis } from "../../src/harness/doctor-report.ts";
import { readState } from "../../src/harness/resume.ts";
import { RowStates } from "../../src/harness/row-states.ts";
import { firstDamage } from "../../src/ledgers/damage.ts";
import { open } from "../support/query.ts";
import { asideLines, bytesByLine, makeSoundRun, type SoundRun } from "../support/sound-run.ts";
import { byteChange, type Splice, spliced, spliceOf } from "../support/splices.ts";

const LEDGERS = ["results.jsonl", "attempts.jsonl", "selection.jsonl"] as const;

/** A change of one of the ledgers. */
const mutation = fc
  .tuple(fc.constantFrom(...LEDGERS), byteChange)
  .map(([file, change]) => ({ file, ...change }));
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

/** Lines of a file that a splice did not come near: what follows directly may have been glued to something. */
function untouched(before: Buffer, { start, remove }: Splice): string[] {
  const kept: string[] = [];
  let offset = 0;
  for (const line of bytesByLine(before).lines) {
    const end = offset + line.length + 1;
    if (end <= start || offset > start + remove) kept.push(line);
    offset = end;
  }
  return kept;
}

/** Each of `part` is in `whole`, as often. */
function missing(part: readonly string[], whole: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of whole) left.set(line, (left.get(line) ?? 0) + 1);
  return part.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** What the lines of a selection say: a blank more in one of them changes nothing. */
const rowsIn = (lines: readonly string[]): unknown[] =>
  lines.map((line) => (JSON.parse(line) as { row_id: unknown }).row_id);

const examine = (run: SoundRun, corpus: Corpus): Promise<Diagnosis> =>
  examineRun({
    workspace: run.workspace,
    runId: "run",
    corpus,
    dryRun: false,
    onProgress: () => {},
    signal: new AbortController().signal,
  });

async function check(run: SoundRun, corpus: Corpus, change: Mutation, views: boolean): Promise<void> {
  const before = new Map([...LEDGERS, "run.json"].map((file) => [file, readFileSync(run.path(file))]));
  try {
    const original = before.get(change.file) ?? Buffer.alloc(0);
    const splice = spliceOf(original, change);
    const broken = spliced(original, splice);
    writeFileSync(run.path(change.file), broken);
    const first = await examine(run, corpus);

    // Nothing is lost: every line is in the ledger or beside it, byte for byte.
    const after = bytesByLine(readFileSync(run.path(change.file)));
    const aside = asideLines(run.path(change.file)).map((bytes) => bytes.toString("latin1"));
    const torn = `${run.path(change.file)}.torn`;
    const tail = existsSync(torn) ? readFileSync(torn).toString("latin1").slice(0, -1) : "";
    const was = bytesByLine(broken);
    expect(tail).toBe(was.tail);
    expect(after.tail).toBe("");
    const now = [...after.lines, ...aside];
    expect(missing(was.lines, now)).toEqual([]);
    if (change.file !== "selection.jsonl") {
      expect(now).toHaveLength(was.lines.length);
      expect(missing(untouched(original, splice), after.lines)).toEqual([]);
      // What stays keeps its order; a line goes or stays whatever stands around it.
      expect(after.lines).toEqual(was.lines.filter((line) => !aside.includes(line)));
    } else expect(rowsIn(after.lines)).toEqual(rowsIn(bytesByLine(original).lines));
    for (const [file, bytes] of before) {
      if (file !== change.file && file !== "run.json") expect(readFileSync(run.path(file))).toEqual(bytes);
    }

    // Every reader goes on with it.
    const rows = new Set(corpus.rows.map(({ id }) => id));
    await readState(run.folder, "run", new RowStates([...rows]), true);
    expect(await firstDamage(run.folder, (row) => rows.has(row))).toBeNull();
    if (views) {
      const { rows: query, warehouse } = await open(run);
      expect(await query("SELECT damaged_lines FROM runs")).toEqual([{ damaged_lines: 0 }]);
      expect(await query("SELECT count(*)::INT AS n FROM answers")).toEqual([{ n: first.rows.finished }]);
      expect(await query("SELECT count(*)::INT AS n FROM attempts")).toEqual([{ n: first.attempts.calls }]);
      warehouse.close();
    }

    // A second examination finds only what was left on purpose.
    const second = await examine(run, corpus);
    expect(second.findings.filter(({ action }) => action !== "left")).toEqual([]);
    expect(second.findings).toHaveLength(first.findings.filter(({ action }) => action === "left").length);
  } finally {
    for (const [file, bytes] of before) {
      writeFileSync(run.path(file), bytes);
      rmSync(`${run.path(file)}.damaged`, { force: true });
      rmSync(`${run.path(file)}.torn`, { force: true });
    }
  }
}

test("any change of bytes: resume and `score` accept what is left, and nothing is lost", async () => {
  const run = await makeSoundRun();
  const corpus = await loadCorpus(run.workspace);
  await fc.assert(
    fc.asyncProperty(mutation, (change) => check(run, corpus, change, false)),
    { numRuns: 100 },
  );
});

test("any change of bytes: the views count exactly what was said to be whole", async () => {
  const run = await makeSoundRun();
  const corpus = await loadCorpus(run.workspace);
  await fc.assert(
    fc.asyncProperty(mutation, (change) => check(run, corpus, change, true)),
    { numRuns: 20 },
  );
});
