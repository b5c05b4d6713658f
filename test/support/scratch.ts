// A whole workspace on disk, of any size, for the built binary: end-to-end tests and benchmarks run on it.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DigestWriter } from "../../src/corpus/digest.ts";

export interface Scratch {
  readonly root: string;
  remove(): void;
}

export interface ScratchWorkspace extends Scratch {
  /** Replaces the models by these. */
  models(entries: readonly unknown[]): void;
}

/**
 * A workspace with `rows` text rows over 40 tasks and one model `bench` on the common endpoint. A row has about 1.5 KB, as
 * a real one; with `weight` 2 it has 0.9 KB. `options` replaces the options of every row; the first one is the answer.
 */
export function makeScratch(rows: number, weight = 8, options?: readonly string[]): ScratchWorkspace {
  const root = mkdtempSync(join(tmpdir(), "decision-bench-bench-"));
  const dir = join(root, "data", "corpus", "load");
  mkdirSync(dir, { recursive: true });
  mkdirSync(join(root, "config"));
  const digest = new DigestWriter();
  const cases = new Lines(join(dir, "cases.jsonl"));
  for (let index = 0; index < rows; index += 1) {
    const line = JSON.stringify(caseOf(index, weight, options));
    digest.addLine(line);
    cases.add(line);
  }
  cases.close();
  const tasks = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `T-${index}`,
      { category: "load", name: `Task ${index}`, ask: "Which one?", instruction: "Choose." },
    ]),
  );
  writeFileSync(
    join(dir, "manifest.json"),
    JSON.stringify({
      version: "1.0.0",
      suite: "load",
      label: "Load",
      sha256: digest.hex(),
      license: "CC0-1.0",
      categories: { load: { name: "Load", description: "Made for benchmarks." } },
      tasks,
    }),
  );
  writeFileSync(join(root, "data", "corpus", "current.json"), '{"path":"data/corpus/load/cases.jsonl"}');
  const models = (entries: readonly unknown[]): void =>
    writeFileSync(
      join(root, "config", "models.json"),
      JSON.stringify({ schema_version: 1, models: entries }),
    );
  models([{ id: "bench", label: "Bench", provider: "openai-compatible", model: "bench" }]);
  return { root, models, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A file that is written in pieces of some megabytes. */
export class Lines {
  readonly #file: number;
  #waiting: string[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  add(line: string): void {
    this.#waiting.push(line);
    if (this.#waiting.length >= 4096) this.#write();
  }

  /** Gives the size of the file. */
  close(): number {
    this.#write();
    closeSync(this.#file);
    return this.#bytes;
  }

  #write(): void {
    const text = Buffer.from(this.#waiting.map((line) => `${line}\n`).join(""));
    for (let done = 0; done < text.length; ) done += writeSync(this.#file, text, done);
    this.#bytes += text.length;
    this.#waiting = [];
  }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  first: "The first one",
  second: "The second one",
  third: "The third one",
  other: "None of them",
};

/** A row; `weight` says how much evidence it holds. */
export function caseOf(
  index: number,
  weight = 8,
  labels: readonly string[] = ["second", "other", "first", "third"],
): unknown {
  return {
    id: `row-${String(index).padStart(7, "0")}`,
    suite: "load",
    category: "load",
    task: `T-${index % 40}`,
    modality: "text",
    title: `Row ${index}`,
    state: {
      record: index,
      text: "A short record of the kind that a small decision is made about. ".repeat(weight),
      values: Array.from({ length: weight + 4 }, (_, at) => ({
        name: `value ${at}`,
        amount: ((index * 7 + at * 13) % 997) / 10,
      })),
    },
    questions: [
      {
        id: "decision",
        type: "choice",
        instructions:
          "Choose the option that fits the record. Weigh every value. If none fits, choose other.",
        options: Object.fromEntries(
          [...labels].sort().map((label) => [label, DESCRIPTIONS[label] ?? "One of many"]),
        ),
        option_order: labels,
        gold: labels[0],
      },
    ],
    source: { dataset: "made" },
    source_kind: "made",
    provenance: "Made for benchmarks.",
  };
}
