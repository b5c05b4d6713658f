// Runs whose ledgers have something wrong in them, and how they are put right again.
import { rmSync } from "node:fs";
import fc from "fast-check";
import type { Corpus } from "../../src/corpus/load.ts";
import { examineRun } from "../../src/harness/doctor.ts";
import { attemptEventSchema, resultSchema } from "../../src/ledgers/schema.ts";
import type { SoundRun } from "../support/sound-run.ts";
import { FILES, KEYS, VALUES } from "./documents.ts";
import { beginning } from "./fuzz.ts";
import { linesLike } from "./mutations.ts";
import type { Ledger } from "./records.ts";

export interface Case {
  readonly ledger: Ledger;
  readonly bytes: Buffer;
}

const LEDGERS: readonly Ledger[] = ["results", "attempts"];
export const SCHEMAS = { results: resultSchema, attempts: attemptEventSchema } as const;

export function ledgerCases(run: SoundRun): fc.Arbitrary<Case> {
  return fc.oneof(
    ...LEDGERS.map((ledger) =>
      linesLike(run.lines(`${ledger}.jsonl`)).map((bytes): Case => ({ ledger, bytes })),
    ),
  );
}

export function nastyCases(run: SoundRun): Case[] {
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

export const describe = ({ ledger, bytes }: Case): string => `${ledger} ${beginning(bytes, 4000)}`;

export async function restored<T>(
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
export const contents = (run: SoundRun): Map<string, string> =>
  new Map(FILES_OF_RUN.map((file) => [file, run.read(file)]));

export const examine = (run: SoundRun, corpus: Corpus, dryRun: boolean) =>
  examineRun({
    workspace: run.workspace,
    runId: "run",
    corpus,
    dryRun,
    onProgress: () => {},
    signal: new AbortController().signal,
  });

/** Whether a line is JSON at all. */
export function isReadable(bytes: Buffer, line: number): boolean {
  try {
    JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split("\n")[line - 1] ?? "",
    );
    return true;
  } catch {
    return false;
  }
}
