// Ledgers and run records with something wrong in them: no good line is lost, no bad one counted, and every command about the run
// says what it found.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadCorpus } from "../../src/corpus/load.ts";
import { readState } from "../../src/harness/resume.ts";
import { RowStates } from "../../src/harness/row-states.ts";
import { firstDamage } from "../../src/ledgers/damage.ts";
import { readRecords } from "../../src/ledgers/reader.ts";
import { readRunRecord } from "../../src/ledgers/record.ts";
import { parseLocal } from "../../src/ledgers/strict.ts";
import { makeSoundRun } from "../support/sound-run.ts";
import {
  type Case,
  contents,
  describe,
  examine,
  isReadable,
  ledgerCases,
  nastyCases,
  restored,
  SCHEMAS,
} from "./broken-runs.ts";
import { FILES } from "./documents.ts";
import { beginning, fuzz, product, refused, said, type Verdict } from "./fuzz.ts";
import { documentLike } from "./mutations.ts";
import { own, same } from "./opinions.ts";
import { recordsOf } from "./records.ts";

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
    long: 3000,
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
        const stops = await refusal(() => readState(run.folder, "run", new RowStates([...rows]), true));
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
