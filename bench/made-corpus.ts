// A made corpus of any number of rows, in a workspace of its own, written line by line so that a million rows need no
// memory. Everything follows from the row's number.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DigestWriter } from "../src/corpus/digest.ts";
import { Lines, type Scratch } from "../test/support/scratch.ts";

/** The options of every row, in the order in which a model sees them. */
export const LABELS = ["second", "other", "first", "third"] as const;

/** How the rows of a corpus are spread. Task number t belongs to category t modulo `categories`. */
export interface Layout {
  readonly suite: string;
  readonly rows: number;
  readonly tasks: number;
  readonly categories: number;
  /** The number of a row's task. */
  readonly taskOf: (index: number) => number;
}

export interface MadeCorpus extends Scratch {
  readonly sha256: string;
  /** Bytes of cases.jsonl. */
  readonly bytes: number;
}

/** A workspace with a corpus of rows of 0.7 KB (0.3 KB of it what the decision is about), no model and no run. */
export function makeCorpus(layout: Layout): MadeCorpus {
  const root = mkdtempSync(join(tmpdir(), `decision-bench-${layout.suite}-`));
  const dir = join(root, "data", "corpus", layout.suite);
  mkdirSync(dir, { recursive: true });
  mkdirSync(join(root, "config"));
  const digest = new DigestWriter();
  const cases = new Lines(join(dir, "cases.jsonl"));
  for (let index = 0; index < layout.rows; index += 1) {
    const line = caseLine(layout, index);
    digest.addLine(line);
    cases.add(line);
  }
  const bytes = cases.close();
  const sha256 = digest.hex();
  const manifest = {
    version: "1.0.0",
    suite: layout.suite,
    label: "Made",
    sha256,
    license: "CC0-1.0",
    categories: Object.fromEntries(
      Array.from({ length: layout.categories }, (_, category) => {
        const id = categoryName(category, layout);
        return [id, { name: `Category ${id}`, description: "Made." }];
      }),
    ),
    tasks: Object.fromEntries(
      Array.from({ length: layout.tasks }, (_, task) => {
        const id = taskName(task);
        const category = categoryName(task, layout);
        return [id, { category, name: `Task ${id}`, ask: "Which one?", instruction: "Choose." }];
      }),
    ),
  };
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  const pointer = JSON.stringify({ path: `data/corpus/${layout.suite}/cases.jsonl` });
  writeFileSync(join(root, "data", "corpus", "current.json"), pointer);
  writeFileSync(join(root, "config", "models.json"), '{"schema_version":1,"models":[]}');
  return { root, sha256, bytes, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export const rowOf = (index: number): string => `row-${String(index).padStart(7, "0")}`;
export const taskName = (task: number): string => `T-${task}`;
export const categoryName = (task: number, { categories }: Layout): string => `c-${task % categories}`;
export const goldOf = (index: number): string => labelOf(index, 20);

/** A whole number below `below` that looks drawn, from a row's number and what it is for. */
export function drawn(index: number, purpose: number, below: number): number {
  let x = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) % below;
}

export function labelOf(index: number, purpose: number): string {
  return LABELS[drawn(index, purpose, LABELS.length)] ?? LABELS[0];
}

function caseLine(layout: Layout, index: number): string {
  const task = layout.taskOf(index);
  return JSON.stringify({
    id: rowOf(index),
    suite: layout.suite,
    category: categoryName(task, layout),
    task: taskName(task),
    modality: "text",
    title: `Row ${index}`,
    state: {
      record: index,
      text: "A short record of the kind that a small decision is made about.",
      values: Array.from({ length: 4 }, (_, at) => ({
        name: `value ${at}`,
        amount: drawn(index, at, 9970) / 10,
      })),
    },
    questions: [
      {
        id: "decision",
        type: "choice",
        instructions: "Choose the option that fits the record.",
        options: { first: "The first", second: "The second", third: "The third", other: "None of them" },
        option_order: LABELS,
        gold: goldOf(index),
      },
    ],
    source: { dataset: "made" },
    source_kind: index % 3 === 0 ? "made" : "real",
    provenance: "Made.",
  });
}
