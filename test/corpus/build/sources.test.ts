import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildCorpus } from "../../../src/corpus/build/index.ts";
import { factSchema, openSources, parseFacts } from "../../../src/corpus/build/sources.ts";

const dataDir = fileURLToPath(new URL("../../../data", import.meta.url));

describe("parseFacts", () => {
  test("sorts by code point of the id, whatever the order of the file", () => {
    const lines = ['{"id":"b"}', '{"id":"\u{1F600}"}', '{"id":"\uFF21"}', '{"id":"B"}'];
    const ids = ["B", "b", "\uFF21", "\u{1F600}"];
    expect(parseFacts("f", lines.join("\n"), factSchema).map((f) => f.id)).toEqual(ids);
    expect(parseFacts("f", lines.toReversed().join("\n"), factSchema).map((f) => f.id)).toEqual(ids);
  });

  test("names file and line of a record of another shape", () => {
    expect(() => parseFacts("f.jsonl", '{"id":"a"}\n{"id":3}\n', factSchema)).toThrow("f.jsonl:2");
  });

  test("refuses an id that stands twice", () => {
    expect(() => parseFacts("f.jsonl", '{"id":"a"}\n{"id":"a"}\n', factSchema)).toThrow(
      'the id "a" stands twice',
    );
  });
});

describe("openSources", () => {
  let root = "";
  let folder = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "sources-"));
    folder = join(root, "data");
    mkdirSync(folder);
    cpSync(join(dataDir, "sources.json"), join(folder, "sources.json"));
    cpSync(join(dataDir, "sources"), join(folder, "sources"), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test("every fact file is the one that sources.json describes", () => {
    const store = openSources(folder);
    for (const source of store.sources.values()) {
      for (const facts of source.facts)
        expect(store.read(facts.file, factSchema)).toHaveLength(facts.records);
    }
  });

  test("an altered fact stops the build", async () => {
    const file = join(folder, "sources", "iso-4217.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace("978", "979"));
    await expect(buildCorpus({ root })).rejects.toThrow(/iso-4217\.jsonl has the digest/);
  });

  test("a missing file, an unlisted file and a licence that is not allowed are errors", () => {
    rmSync(join(folder, "sources", "iso-4217.jsonl"));
    expect(() => openSources(folder).read("iso-4217.jsonl", factSchema)).toThrow("cannot be read");
    expect(() => openSources(folder).read("other.jsonl", factSchema)).toThrow("does not list");
    const file = join(folder, "sources.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"CC0-1.0"', '"GPL-3.0-only"'));
    expect(() => openSources(folder)).toThrow("allowed list");
  });
});
