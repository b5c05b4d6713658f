// What is frozen stays as it is: corpora by their digests, and a build that writes nothing over one of them.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseJson } from "../../../src/answers/json.ts";
import { buildCorpus, composeCorpus } from "../../../src/corpus/build/index.ts";
import {
  assertAsFrozen,
  CORPUS_LOCK,
  type CorpusLock,
  lockEntry,
  readCorpusLock,
} from "../../../src/corpus/build/lock.ts";
import { corpusDigest } from "../../../src/corpus/digest.ts";
import { packageRoot } from "../../../src/workspace.ts";

const built = await composeCorpus(packageRoot);

describe("the frozen corpora", () => {
  test("have the rows, the pictures and the manifests that they were frozen with", () => {
    const frozen = readCorpusLock(packageRoot);
    expect(Object.keys(frozen)).toContain("bench-v4");
    for (const [suite, entry] of Object.entries(frozen)) assertFrozen(suite, entry);
  });

  function assertFrozen(suite: string, entry: CorpusLock[string]): void {
    const dir = join(packageRoot, "data", "corpus", suite);
    const lines = readFileSync(join(dir, "cases.jsonl"), "utf8").split("\n").slice(0, -1);
    expect(corpusDigest(lines.map(parseJson))).toBe(entry.sha256);
    const manifest = readFileSync(join(dir, "manifest.json"));
    expect(createHash("sha256").update(manifest).digest("hex")).toBe(entry.manifest_sha256);
    expect(JSON.parse(manifest.toString())).toMatchObject({ suite, version: entry.version });
    for (const { assets } of lines.map((line) => JSON.parse(line) as Row)) {
      for (const { path, sha256 } of assets) {
        const bytes = readFileSync(join(dir, path));
        expect(createHash("sha256").update(bytes).digest("hex"), path).toBe(sha256);
      }
    }
  }
});

interface Row {
  assets: { path: string; sha256: string }[];
}

describe("a build", () => {
  const made: string[] = [];
  afterEach(() => {
    for (const root of made.splice(0)) rmSync(root, { recursive: true });
  });
  const checkout = (lock: unknown): string => {
    const root = mkdtempSync(join(tmpdir(), "decision-bench-lock-"));
    made.push(root);
    mkdirSync(join(root, "data", "corpus"), { recursive: true });
    writeFileSync(join(root, CORPUS_LOCK), typeof lock === "string" ? lock : JSON.stringify(lock));
    return root;
  };
  const entry = lockEntry(built);
  const other = "0".repeat(64);

  test("makes the frozen corpus", () => {
    expect(readCorpusLock(packageRoot)[built.suite]).toEqual(entry);
  });

  test("of a frozen corpus that would become another one writes nothing, but elsewhere", async () => {
    const root = checkout({ [built.suite]: { ...entry, sha256: other } });
    cpSync(join(packageRoot, "data/sources"), join(root, "data/sources"), { recursive: true });
    cpSync(join(packageRoot, "data/sources.json"), join(root, "data/sources.json"));
    cpSync(join(packageRoot, "data/pictures.json"), join(root, "data/pictures.json"));
    cpSync(join(packageRoot, "data/corpus/bench-v4"), join(root, "data/corpus/bench-v4"), {
      recursive: true,
    });
    writeFileSync(join(root, "data/SOURCES.md"), "mine\n");
    await expect(buildCorpus({ root })).rejects.toThrow(
      `${built.suite} ${built.version} is frozen, and would be built with sha256 ${built.sha256} instead of ${other}: nothing was written`,
    );
    expect(readFileSync(join(root, "data/SOURCES.md"), "utf8")).toBe("mine\n");
    expect((await buildCorpus({ root, out: join(root, "elsewhere") })).changed).toContain("data/SOURCES.md");
  });

  test("goes by the version, the rows and the manifest, and by nothing else", () => {
    expect(() => assertAsFrozen(checkout({ [built.suite]: entry }), built)).not.toThrow();
    expect(() => assertAsFrozen(checkout({ another: { ...entry, sha256: other } }), built)).not.toThrow();
    expect(() => assertAsFrozen(join(tmpdir(), "nowhere"), built)).not.toThrow();
    for (const changed of [{ version: "3.9.9" }, { sha256: other }, { manifest_sha256: other }]) {
      const root = checkout({ [built.suite]: { ...entry, ...changed } });
      const [key, value] = Object.entries(changed)[0] as [string, string];
      expect(() => assertAsFrozen(root, built)).toThrow(
        new RegExp(`built with ${key} \\S+ instead of ${value}:`),
      );
    }
  });

  test.each(["{", "[]", '{"bench-v4":{}}'])("refuses a damaged lock: %s", (lock) => {
    expect(() => assertAsFrozen(checkout(lock), built)).toThrow(`${CORPUS_LOCK} is damaged`);
  });
});
