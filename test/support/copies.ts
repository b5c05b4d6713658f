// A workspace with many copies of the oracle's results, each under a name of its own and each changed in one place: one call of
// the validator looks at all of them.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ORACLE } from "./oracle.ts";

const SUITE = "oracle-1";

/** Plain JSON, to be changed at will. */
// biome-ignore lint/suspicious/noExplicitAny: documents whose every field is changed by some test
export type Loose = any;

/** A result on its way to disk. */
export interface Copy {
  readonly metadata: Loose;
  readonly scores: Loose;
  readonly lines: Loose[];
  /** Changes the text of a file when everything is written. */
  text(file: string, change: (text: string) => string): void;
  /** Does something in the folder when everything is written. */
  after(work: (folder: string) => void): void;
}

/** Where a problem is expected: file, line (null for none), field. */
export type Place = readonly [file: string, line: number | null, field: string];

export interface Copies {
  readonly root: string;
  readonly results: string;
  /** Writes a copy of a result of the oracle, changed by `edit`. */
  add<T>(id: string, model: string, edit: (copy: Copy) => T): T;
}

/** A workspace with the oracle's corpus and no result yet; removed when the test is done. */
export function makeCopies(): Copies {
  const root = mkdtempSync(join(tmpdir(), "bench-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(ORACLE, "data"), join(root, "data"), { recursive: true });
  const results = join(root, "results", SUITE);
  const texts = new Map<string, string>();
  const read = (model: string, file: string): string => {
    const path = join(ORACLE, "results", SUITE, model, file);
    const text = texts.get(path) ?? readFileSync(path, "utf8");
    texts.set(path, text);
    return text;
  };
  return {
    root,
    results,
    add(id, model, edit) {
      const folder = join(results, id);
      mkdirSync(folder, { recursive: true });
      const metadata = JSON.parse(read(model, "metadata.json")) as Loose;
      const scores = JSON.parse(read(model, "scores.json")) as Loose;
      metadata.model.id = id;
      scores.model_id = id;
      const lines = read(model, "predictions.jsonl")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Loose);
      const later: ((folder: string) => void)[] = [];
      const found = edit({
        metadata,
        scores,
        lines,
        text: (file, change) =>
          later.push((at) => writeFileSync(join(at, file), change(readFileSync(join(at, file), "utf8")))),
        after: (work) => later.push(work),
      });
      writeFileSync(join(folder, "metadata.json"), JSON.stringify(metadata));
      writeFileSync(join(folder, "scores.json"), JSON.stringify(scores));
      writeFileSync(
        join(folder, "predictions.jsonl"),
        lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
      );
      for (const work of later) work(folder);
      return found;
    },
  };
}
