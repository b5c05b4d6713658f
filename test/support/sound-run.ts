// A run in which nothing is wrong, for tests that break it, and every byte of a broken ledger found again afterwards.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inputDigest } from "../../src/corpus/input.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { freezeConfig } from "../../src/harness/freeze.ts";
import type { ModelConfig } from "../../src/models/schema.ts";
import { finished, makeWorkspace, result, started, type TestWorkspace } from "./workspace.ts";

const MODEL: ModelConfig = {
  id: "model-x",
  label: "Model X",
  provider: "baseline",
  model: "model-x",
  request: { method: "uniform" },
};

export interface SoundRun extends TestWorkspace {
  readonly folder: string;
  path(file: string): string;
  read(file: string): string;
  /** The lines of a ledger without their ends. */
  lines(file: string): string[];
  write(file: string, content: string | Uint8Array | readonly string[]): void;
  append(file: string, content: string | Uint8Array): void;
  /** Changes a line, counted from 1. */
  edit(file: string, line: number, change: (text: string) => string): void;
}

/** The run `run` over all six rows of the tiny corpus, each answered with the right label. */
export async function makeSoundRun(): Promise<SoundRun> {
  const test = makeWorkspace();
  const corpus = await loadCorpus(test.workspace);
  mkdirSync(join(test.root, "config"));
  writeFileSync(test.workspace.modelsFile, JSON.stringify({ schema_version: 1, models: [MODEL] }));
  const results: string[] = [];
  const attempts: string[] = [];
  for (const row of corpus.rows) {
    const labels = row.question.options.map(({ label }) => label);
    const { gold } = row.question;
    const spec = { id: `${row.id}-1`, row: row.id };
    attempts.push(started(spec), finished(spec));
    const line = result({
      row: row.id,
      gold,
      label: gold,
      probabilities: labels.map((label) => [label, label === gold ? 1 : 0] as const),
      attempts: [finished(spec)],
    });
    results.push(line.replace("ef".repeat(32), inputDigest(row)));
  }
  const config = freezeConfig({
    corpus,
    model: MODEL,
    apiModel: MODEL.model,
    endpointId: null,
    rows: corpus.rows,
  });
  test.addRun("run", { results, attempts, config });
  const folder = join(test.root, "runs", "run");
  mkdirSync(join(folder, "raw"));
  const path = (file: string): string => join(folder, file);
  const write: SoundRun["write"] = (file, content) => {
    const isList = Array.isArray(content);
    writeFileSync(
      path(file),
      isList ? content.map((line) => `${line}\n`).join("") : (content as string | Uint8Array),
    );
  };
  write(
    "selection.jsonl",
    corpus.rows.map((row) => JSON.stringify({ row_id: row.id })),
  );
  const read = (file: string): string => readFileSync(path(file), "utf8");
  const lines = (file: string): string[] => read(file).split("\n").slice(0, -1);
  return {
    ...test,
    folder,
    path,
    read,
    lines,
    write,
    append: (file, content) => appendFileSync(path(file), content),
    edit: (file, line, change) =>
      write(
        file,
        lines(file).map((text, index) => (index === line - 1 ? change(text) : text)),
      ),
  };
}

/** What stands in `<file>.damaged`, as the bytes that were taken out. */
export function asideLines(path: string): Buffer[] {
  if (!existsSync(`${path}.damaged`)) return [];
  return readFileSync(`${path}.damaged`, "utf8")
    .split("\n")
    .filter((line) => line.endsWith('"}'))
    .map((line) => {
      const entry = JSON.parse(line) as { text?: string; base64?: string; bytes: number };
      const bytes =
        entry.text === undefined ? Buffer.from(entry.base64 ?? "", "base64") : Buffer.from(entry.text);
      if (bytes.length !== entry.bytes)
        throw new Error(`${bytes.length} bytes, the entry says ${entry.bytes}`);
      return bytes;
    });
}

/** The lines of a buffer, byte for byte as latin1; the last one, if it is not terminated, apart. */
export function bytesByLine(bytes: Buffer): { readonly lines: string[]; readonly tail: string } {
  const lines = bytes.toString("latin1").split("\n");
  return { tail: lines.pop() ?? "", lines };
}
