// Reads exports back: files, records and samples of Every Eval Ever, and whether they have the shape of its schema.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { onTestFinished } from "vitest";

/** A folder for exports, away from the workspace, that is removed when the test is done. */
export function exportsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bench-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every file below a folder by its relative path, byte by byte. */
export function bytesIn(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        return [relative(folder, path), readFileSync(path).toString("latin1")];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: documents of another project's shape, which the schema checks.
export type Loose = any;

export interface EeeFile {
  /** Relative path of the record. */
  readonly path: string;
  readonly record: Loose;
  readonly samples: readonly Loose[];
  /** The samples file as it is. */
  readonly text: string;
}

/** The results of an export, by the run id that their records say. */
export function eeeIn(folder: string): Map<string, EeeFile> {
  const found = new Map<string, EeeFile>();
  for (const path of bytesIn(folder).keys()) {
    if (!/^data\/.*\.json$/.test(path)) continue;
    const record = JSON.parse(readFileSync(join(folder, path), "utf8"));
    const text = readFileSync(join(folder, path.replace(/\.json$/, "_samples.jsonl")), "utf8");
    const samples = text.split("\n").slice(0, -1);
    found.set(record.source_metadata.additional_details.run_id, {
      path,
      record,
      samples: samples.map((line) => JSON.parse(line)),
      text,
    });
  }
  return found;
}

const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });

function schema(name: string): ValidateFunction {
  return ajv.compile(
    JSON.parse(readFileSync(new URL(`../fixtures/eee/${name}.schema.json`, import.meta.url), "utf8")),
  );
}

export const isAggregate = schema("aggregate");
export const isSample = schema("samples");

/** What a document is against its schema, in words; none when it fits. */
export function problemsOf(check: ValidateFunction, document: unknown): string[] {
  check(document);
  return (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
