// Ledgers and run records with something wrong in them: no good line is lost, no bad one counted, and every command about the run
// says what it found.
import { rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Corpus, loadCorpus } from "../../src/corpus/load.ts";
import { examineRun } from "../../src/harness/doctor.ts";
import { readState } from "../../src/harness/resume.ts";
import { firstDamage } from "../../src/ledgers/damage.ts";
import { readRecords } from "../../src/ledgers/reader.ts";
import { readRunRecord } from "../../src/ledgers/record.ts";
import { attemptEventSchema, resultSchema } from "../../src/ledgers/schema.ts";
import { parseLocal } from "../../src/ledgers/strict.ts";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { makeSoundRun, type SoundRun } from "../support/sound-run.ts";
import { FILES, KEYS, VALUES } from "./documents.ts";
import { beginning, fuzz, product, refused, said, type Verdict } from "./fuzz.ts";
import { documentLike, linesLike } from "./mutations.ts";
import { own, same } from "./opinions.ts";
import { type Ledger, recordsOf } from "./records.ts";

interface Case {
  readonly ledger: Ledger;
  readonly bytes: Buffer;
}

const LEDGERS: readonly Ledger[] = ["results", "attempts"];
const SCHEMAS = { results: resultSchema, attempts: attemptEventSchema } as const;

function ledgerCases(run: SoundRun): fc.Arbitrary<Case> {
  return fc.oneof(
    ...LEDGERS.map((ledger) =>
      linesLike(run.lines(`${ledger}.jsonl`)).map((bytes): Case => ({ ledger, bytes })),
    ),
  );
}

function nastyCases(run: SoundRun): Case[] {
  const line = run.lines("results.jsonl")[0] ?? "";
  const made = [
    ...VALUES.map((value) => line.replace('"finish_reason":"stop"', () => `"finish_reason":${value}`)),
    ...VALUES.map((value) => line.replace('"images_sent":0', () => `"images_sent":${value}`)),
    ...KEYS.map((key) => line.replace('"status"', () => `${JSON.stringify(key)}:{"polluted":1},"status"`)),
  ];
  return [
    ...LEDGERS.flatMap((ledger) => FILES.map(({ make }) => ({ ledger, bytes: make() }))),
    ...made.map((text): Case => ({ ledger: "results", bytes: Buffer.from(`${text}\n${line}\n`) })),
  ];
}

const describe = ({ ledger, bytes }: Case): string => `${ledger} ${beginning(bytes, 4000)}`;

/** What a command about the run says, when it does not go on. */
async function refusal(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await product(work);
    return false;
  } catch (error) {
    refused(error);
    return true;
  }
}

async function restored<T>(
  run: SoundRun,
  before: ReadonlyMap<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    for (const [file, text] of before) run.write(file, text);
    for (const file of before.keys()) {
      for (const end of ["damaged", "torn"]) rmSync(run.path(`${file}.${end}`), { force: true });
    }
  }
}

const FILES_OF_RUN = ["run.json", "selection.jsonl", "results.jsonl", "attempts.jsonl"];
const contents = (run: SoundRun): Map<string, string> =>
  new Map(FILES_OF_RUN.map((file) => [file, run.read(file)]));

const examine = (run: SoundRun, corpus: Corpus, dryRun: boolean) =>
  examineRun({
    workspace: run.workspace,
    runId: "run",
    corpus,
    dryRun,
    onProgress: () => {},
    signal: new AbortController().signal,
  });

test("every good line of a ledger is read, and no other", async () => {
  const run = await makeSoundRun();
  const corpus = await loadCorpus(run.workspace);
  const rows = new Set(corpus.rows.map(({ id }) => id));
  const before = contents(run);
  await fuzz<Case>({
    name: "ledgers",
    documents: nastyCases(run),
    generated: ledgerCases(run),
    short: 60,
    long: 3500,
    describe,
    run: ({ ledger, bytes }) =>
      restored(run, before, async (): Promise<Verdict> => {
        const file = run.path(`${ledger}.jsonl`);
        writeFileSync(file, bytes);
        const opinion = recordsOf(bytes, ledger);
        const good = new Map<number, unknown>();
        const damage: string[] = [];
        const bad: number[] = [];
        await product(async () => {
          const records = readRecords(file, SCHEMAS[ledger], {
            parse: parseLocal,
            onDamaged: ({ line, message }) => {
              bad.push(line);
              damage.push(message);
            },
          });
          for await (const { line, record } of records) good.set(line, record);
        });
        expect([...good.keys()], "lines that are records").toEqual([...opinion.good.keys()]);
        expect(bad, "lines that are none").toEqual(opinion.bad);
        for (const [line, record] of good) {
          for (const name of ["run_id", "row_id", "status", "number"]) {
            expect(same(own(record, name), own(opinion.good.get(line), name)), `${line}: ${name}`).toBe(true);
          }
        }
        // What stands in the run for the commands about it: of another run, of a row that the corpus does not have.
        const strange = [...opinion.good.values()].some(
          (record) => !rows.has(own(record, "row_id") as string),
        );
        const others = [...opinion.good.values()].some((record) => own(record, "run_id") !== "run");
        const first = await product(() => firstDamage(run.folder, (row) => rows.has(row)));
        const broken = bad.length > 0 || (ledger === "results" && strange);
        expect(first !== null, "damage").toBe(broken);
        if (first !== null) said([first.message]);
        const stops = await refusal(() => readState(run.folder, "run", rows, true));
        // Who resumes looks at less, but never goes on over what is no record of the run.
        if (!stops && opinion.bad.some((line) => !isReadable(bytes, line)))
          throw new Error("resumed over damage");
        const dry = await product(() => examine(run, corpus, true));
        if ((bad.length > 0 || others || (ledger === "results" && strange)) && dry.findings.length === 0) {
          throw new Error("bench doctor finds nothing");
        }
        said([...damage, ...dry.findings.map(({ message }) => message), "-"]);
        return broken ? "refused" : "accepted";
      }),
  });
});

/** Whether a line is JSON at all. */
function isReadable(bytes: Buffer, line: number): boolean {
  try {
    JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split("\n")[line - 1] ?? "",
    );
    return true;
  } catch {
    return false;
  }
}

test("what the doctor mends is read by resume, by score and by the views", async () => {
  const run = await makeSoundRun();
  const corpus = await loadCorpus(run.workspace);
  const rows = new Set(corpus.rows.map(({ id }) => id));
  const before = contents(run);
  await fuzz<Case>({
    name: "ledgers, mended and in the views",
    documents: nastyCases(run).filter((_, at) => at % 60 === 0),
    generated: ledgerCases(run),
    short: 1,
    long: 80,
    describe,
    // A database is opened for each.
    limitMs: 20_000,
    run: ({ ledger, bytes }) =>
      restored(run, before, async (): Promise<Verdict> => {
        writeFileSync(run.path(`${ledger}.jsonl`), bytes);
        const opinion = recordsOf(bytes, ledger);
        // Before anything is mended, the views read the good lines and count the others.
        const notices: string[] = [];
        const damaged = await counted(run, notices);
        said([...notices, "-"]);
        if (
          opinion.bad.length > 0 &&
          damaged < opinion.bad.filter((line) => !isReadable(bytes, line)).length
        ) {
          throw new Error(`the views count ${damaged} damaged lines, there are ${opinion.bad.length}`);
        }
        await product(() => examine(run, corpus, false));
        expect(await counted(run, [])).toBe(0);
        await readState(run.folder, "run", rows, true);
        expect(await firstDamage(run.folder, (row) => rows.has(row))).toBeNull();
        return opinion.bad.length > 0 ? "refused" : "accepted";
      }),
  });
});

async function counted(run: SoundRun, notices: string[]): Promise<number> {
  const notify = (message: string): void => void notices.push(message);
  const warehouse = await product(() => Warehouse.open(run.workspace, { notify }));
  try {
    const [row] = await warehouse.rows<{ n: number | null }>("SELECT sum(damaged_lines)::INT AS n FROM runs");
    await warehouse.rows("SELECT count(*)::INT AS n FROM answers");
    await warehouse.rows("SELECT count(*)::INT AS n FROM attempts");
    return row?.n ?? 0;
  } finally {
    warehouse.close();
  }
}

test("a run record is one, or what is wrong with it is said in a few words", async () => {
  const run = await makeSoundRun();
  const corpus = await loadCorpus(run.workspace);
  const before = contents(run);
  await fuzz<Buffer>({
    name: "run.json",
    documents: FILES.map(({ make }) => make()),
    generated: documentLike([run.read("run.json")]),
    short: 60,
    long: 3000,
    describe: (bytes) => beginning(bytes, 3000),
    run: (bytes) =>
      restored(run, before, async (): Promise<Verdict> => {
        writeFileSync(run.path("run.json"), bytes);
        const record = await product(() => readRunRecord(run.path("run.json")));
        const dry = await product(() => examine(run, corpus, true));
        said([...dry.findings.map(({ message }) => message), "-"]);
        if (record === null) throw new Error("is not there");
        if (typeof record === "string") return said([record]);
        expect(["running", "interrupted", "completed", "completed_with_errors"]).toContain(record.status);
        expect([record.schema_version, typeof record.config.model_id, typeof record.id]).toEqual([
          1,
          "string",
          "string",
        ]);
        return "accepted";
      }),
  });
});
