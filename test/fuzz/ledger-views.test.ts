// Ledgers with something wrong in them in the views, before and after the doctor mended them.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadCorpus } from "../../src/corpus/load.ts";
import { readState } from "../../src/harness/resume.ts";
import { RowStates } from "../../src/harness/row-states.ts";
import { firstDamage } from "../../src/ledgers/damage.ts";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { makeSoundRun, type SoundRun } from "../support/sound-run.ts";
import {
  type Case,
  contents,
  describe,
  examine,
  isReadable,
  ledgerCases,
  nastyCases,
  restored,
} from "./broken-runs.ts";
import { fuzz, product, said, type Verdict } from "./fuzz.ts";
import { recordsOf } from "./records.ts";

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
    long: 40,
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
        await readState(run.folder, "run", new RowStates([...rows]), true);
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
