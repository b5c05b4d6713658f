// `npm run bench`: every measure, as a table. `npm run bench -- startup pairs` runs two, `-- --list` names all, `-- --try` takes small
// sizes and `-- --rounds 1` few rounds to see that the programs work, `-- --write` puts the table of all that was measured last
// into the document.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Measure } from "./catalogue.ts";
import { isMet } from "./figures.ts";
import { circumstances } from "./machine.ts";
import { circumstancesText, keep, kept, type Taken } from "./record.ts";
import { endChildrenWithUs, projectRoot } from "./support.ts";
import { tableOf, withTable } from "./table.ts";

const DOCUMENT = join(projectRoot, "docs", "performance.md");
const KEPT = join(projectRoot, ".cache", "bench");

const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean" },
    try: { type: "boolean" },
    rounds: { type: "string" },
    write: { type: "boolean" },
  },
});
// Before the measures are loaded: they ask for their sizes once.
if (options.try) process.env.DECISION_BENCH_TRY = "1";
if (options.rounds !== undefined) process.env.DECISION_BENCH_ROUNDS = String(roundsOf(options.rounds));
const { MEASURES } = await import("./catalogue.ts");
const { trying } = await import("./sizes.ts");
const names = MEASURES.map(({ name }) => name);
const unknown = asked.filter((name) => !names.includes(name));

if (options.list) {
  for (const { name, about } of MEASURES) console.log(`${name.padEnd(14)} ${about}`);
} else if (unknown.length > 0) {
  console.error(`no such measure: ${unknown.join(", ")}; there are ${names.join(", ")}`);
  process.exitCode = 2;
} else if (options.write && trying) {
  console.error("figures of small sizes or other rounds are not written into the document");
  process.exitCode = 2;
} else {
  process.exitCode = (await measureAll(
    MEASURES.filter(({ name }) => asked.length === 0 || asked.includes(name)),
  ))
    ? 0
    : 1;
}

function roundsOf(text: string): number {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds is a whole number from 1 on, not ${text}`);
  return rounds;
}

/** Whether all ran to their end and met their limits. What there is is printed in any case. */
async function measureAll(measures: readonly Measure[]): Promise<boolean> {
  // Whatever is made goes into one folder, gigabytes of it, which goes with this program however that ends.
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-measures-"));
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  endChildrenWithUs();
  // What is measured is what the sources say now.
  execFileSync(process.execPath, [join(projectRoot, "scripts", "build.mjs")], { stdio: ["ignore", 2, 2] });
  const taken: Taken[] = [];
  const failed: string[] = [];
  for (const { name, take } of measures) {
    console.error(`measuring ${name} …`);
    const begun = performance.now();
    try {
      const at = circumstances();
      const one = { name, circumstances: at, lines: await take() };
      taken.push(one);
      if (!trying) keep(KEPT, one);
    } catch (error) {
      failed.push(name);
      console.error(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
    console.error(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  }
  if (trying) console.log("\nSmall sizes or other rounds: these figures say only that the programs work.");
  console.log(`\n${textOf(taken)}\n`);
  if (options.write) {
    const text = textOf(kept(KEPT, names));
    writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, "utf8"), text));
    console.error("written to docs/performance.md");
  }
  const missed = taken.flatMap(({ lines }) => lines).filter((line) => isMet(line) === false);
  if (failed.length > 0) console.error(`failed: ${failed.join(", ")}`);
  if (missed.length > 0) console.error(`limits not met: ${missed.map(({ what }) => what).join("; ")}`);
  return failed.length === 0 && missed.length === 0;
}

function textOf(taken: readonly Taken[]): string {
  return `${circumstancesText(taken)}\n\n${tableOf(taken.flatMap(({ lines }) => lines))}`;
}
