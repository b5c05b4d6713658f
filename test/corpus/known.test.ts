// What is remembered of a large corpus: bytes that were checked are not checked again, any other bytes are.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { loadCorpus } from "../../src/corpus/load.ts";
import { type OpenedCorpus, openCorpus, openCorpusFile } from "../../src/corpus/open.ts";
import { wholeRow } from "../../src/corpus/row-file.ts";
import { CheckError, UserError } from "../../src/errors.ts";
import { openWorkspace } from "../../src/workspace.ts";
import { makeScratch } from "../support/scratch.ts";

/** A little more than 8 MiB, from where on a corpus is large. */
const ROWS = 9600;
const scratch = makeScratch(ROWS, 2);
afterAll(() => scratch.remove());
const workspace = openWorkspace({ root: scratch.root, cwd: scratch.root, env: {} });
const folder = join(scratch.root, "data", "corpus", "load");
const cases = join(folder, "cases.jsonl");
const manifest = join(folder, "manifest.json");
const pointer = join(scratch.root, "data", "corpus", "current.json");
const note = join(scratch.root, "runs", ".known-corpus.json");
const originals = [cases, manifest, pointer].map((path) => [path, readFileSync(path)] as const);

afterEach(() => {
  rmSync(join(scratch.root, "runs"), { recursive: true, force: true });
  for (const [path, bytes] of originals) writeFileSync(path, bytes);
});

/** Opens the corpus and waits for its last word and the note. */
async function opened(mayWrite = true): Promise<OpenedCorpus> {
  const found = await openCorpus(workspace, mayWrite);
  await found.verified;
  await found.noted;
  return found;
}

function noteNow(): Record<string, unknown> {
  return JSON.parse(readFileSync(note, "utf8"));
}

it("notes the digest of what was checked, and gives the same rows with the note as without", async () => {
  const first = await opened();
  expect(noteNow()).toMatchObject({
    rows: ROWS,
    cases_bytes: readFileSync(cases).length,
    cases_sha256: createHash("sha256").update(readFileSync(cases)).digest("hex"),
    corpus_sha256: first.corpus.sha256,
  });
  const second = await opened();
  const loaded = await loadCorpus(workspace);
  for (const { corpus } of [first, second]) {
    expect(corpus.rows).toHaveLength(ROWS);
    expect([...(corpus.words ?? [])].sort()).toEqual(["decision", "first", "other", "second", "third"]);
    for (const at of [0, 1, 4321, ROWS - 1]) {
      const [row, expected] = [corpus.rows[at], loaded.rows[at]];
      if (row === undefined || expected === undefined) return expect.unreachable("a row");
      expect([row.id, row.task, row.category]).toEqual([expected.id, expected.task, expected.category]);
      expect(row.title).toBe(expected.title);
      const whole = wholeRow(row);
      expect(whole).toEqual(expected);
      expect(whole.state).toEqual(expected.state);
      expect([row.source, row.provenance]).toEqual([expected.source, expected.provenance]);
    }
  }
  const { corpus } = await openCorpusFile(workspace);
  expect(corpus).toMatchObject({ rowCount: ROWS, sha256: loaded.sha256, rows: [] });
});

it("uses the note: what it says of exactly these bytes is not asked again", async () => {
  await opened();
  // A manifest that froze other rows, and a note that says that they were checked against it.
  const text = readFileSync(manifest, "utf8").replace(
    /"sha256":"[0-9a-f]{64}"/,
    `"sha256":"${"0".repeat(64)}"`,
  );
  writeFileSync(manifest, text);
  await expect(opened()).rejects.toThrow("the manifest froze 0000");
  const keys = (value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, item]) => [key, keys(item)]),
        )
      : value;
  const canonical = createHash("sha256")
    .update(JSON.stringify(keys(JSON.parse(text))))
    .digest("hex");
  writeFileSync(
    note,
    JSON.stringify({ ...noteNow(), manifest_sha256: canonical, corpus_sha256: "0".repeat(64) }),
  );
  expect((await opened()).corpus.rows).toHaveLength(ROWS);
});

it.each<[string, () => void]>([
  ["another version of the program", () => writeNote({ harness: "0.0.1" })],
  ["another format", () => writeNote({ format: 2 })],
  ["another number of rows", () => writeNote({ rows: 3 })],
  ["another digest of the bytes", () => writeNote({ cases_sha256: "0".repeat(64) })],
  ["another size", () => writeNote({ cases_bytes: 12 })],
  ["half a note", () => writeFileSync(note, readFileSync(note).subarray(0, 100))],
  ["no JSON", () => writeFileSync(note, "\u0000")],
  ["a list", () => writeFileSync(note, "[]")],
])("a note with %s is done without, and written anew", async (_, change) => {
  await opened();
  const before = noteNow();
  change();
  expect((await opened()).corpus.rows).toHaveLength(ROWS);
  expect(noteNow()).toEqual(before);
});

function writeNote(change: Record<string, unknown>): void {
  writeFileSync(note, JSON.stringify({ ...noteNow(), ...change }));
}

it("finds other rows of the same size and time, and says so as always", async () => {
  await opened();
  const bytes = readFileSync(cases);
  const time = new Date(1_700_000_000_000);
  utimesSync(cases, time, time);
  const at = bytes.indexOf("A short record");
  bytes[at] = "B".charCodeAt(0);
  writeFileSync(cases, bytes);
  utimesSync(cases, time, time);
  await expect(opened()).rejects.toThrow(/the rows have the digest [0-9a-f]{64}, the manifest froze/);
});

it("finds another manifest, and a pointer to another version", async () => {
  await opened();
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"T-7":', '"T-x":'));
  await expect(opened()).rejects.toThrow('"T-7" is not among the manifest');
  writeFileSync(manifest, originals[1]?.[1] ?? "");
  writeFileSync(pointer, '{"path":"data/corpus/load/cases.jsonl","version":"2.0.0"}');
  await expect(opened()).rejects.toThrow('says "2.0.0", the manifest says "1.0.0"');
});

it("does not give rows of a file that was changed after it was checked", async () => {
  const [row] = (await opened()).corpus.rows;
  if (row === undefined) return expect.unreachable("a row");
  expect(wholeRow(row).question.gold).toBe("second");
  const [, second] = (await opened()).corpus.rows;
  if (second === undefined) return expect.unreachable("a row");
  writeFileSync(cases, readFileSync(cases, "utf8").replace("Row 1", "Row 2"));
  expect(() => wholeRow(second)).toThrow(CheckError);
  expect(() => second.question).toThrow('the corpus was changed after it was checked (row "row-0000001")');
});

it("writes nothing where nothing may be written, and does without where nothing can be", async () => {
  await opened(false);
  expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  await (await openCorpusFile(workspace)).verified;
  expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  writeFileSync(join(scratch.root, "runs"), "a file");
  await opened();
  expect(readFileSync(join(scratch.root, "runs"), "utf8")).toBe("a file");
});

it("takes a file that went away for what it is", async () => {
  await opened();
  rmSync(cases);
  await expect(opened()).rejects.toThrow(UserError);
});
