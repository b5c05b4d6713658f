import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseJson } from "../../src/answers/json.ts";
import { corpusDigest } from "../../src/corpus/digest.ts";
import { importCorpus } from "../../src/corpus/import.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { aboutCorpus, corporaOf } from "../../src/corpus/shelf.ts";
import { useCorpus } from "../../src/corpus/use.ts";
import {
  corpusRow,
  imageRow,
  makeWorkspace,
  type TestWorkspace,
  type WorkspaceDraft,
} from "../support/corpus.ts";
import { ORACLE } from "../support/oracle.ts";

let here: TestWorkspace;
const others: TestWorkspace[] = [];
beforeEach(() => {
  here = makeWorkspace({ rows: [corpusRow("z")], manifest: { suite: "here" } });
});
afterEach(() => {
  here.cleanup();
  for (const one of others.splice(0)) one.cleanup();
});

function checkout(draft: WorkspaceDraft = {}): TestWorkspace {
  const made = makeWorkspace(draft);
  others.push(made);
  return made;
}
const bring = (folder: string, as?: string) => importCorpus(here.open(), folder, { said: "there", as });
const shelf = (): string[] => readdirSync(join(here.root, "data", "corpus")).sort();

describe("importCorpus", () => {
  test("takes the active corpus of a checkout: its two files byte for byte, the pictures of its rows, nothing else", async () => {
    const { row, assets } = imageRow("p");
    const there = checkout({
      rows: [corpusRow("a"), row],
      assets: { ...assets, "assets/unused.png": Buffer.from("x") },
    });
    writeFileSync(join(there.corpusDir, "notes.txt"), "mine");
    expect(await bring(there.root)).toEqual({
      name: "bench-test",
      suite: "bench-test",
      version: "1.0.0",
      rows: 2,
      sha256: there.sha256,
      pictures: 1,
      written: true,
      renamed_from: null,
    });
    expect(shelf()).toEqual(["bench-test", "current.json", "test-1"]);
    const made = join(here.root, "data", "corpus", "bench-test");
    expect(readdirSync(made, { recursive: true }).sort()).toEqual([
      "assets",
      "assets/p.png",
      "cases.jsonl",
      "manifest.json",
    ]);
    for (const name of ["cases.jsonl", "manifest.json"]) {
      expect(readFileSync(join(made, name))).toEqual(readFileSync(join(there.corpusDir, name)));
    }
    // Again, from the folder of the corpus.
    expect(await bring(there.corpusDir)).toMatchObject({ written: false, name: "bench-test" });
  });

  test("refuses other rows under a name that is taken, also by a folder of another name; --as makes them another suite", async () => {
    const there = checkout();
    await bring(there.root);
    const changed = checkout({
      rows: [corpusRow("a", { state: 'x"\u2028', options: ["10", "__proto__", "2"] })],
    });
    await expect(bring(changed.root)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(new RegExp(`${there.sha256}.*${changed.sha256}.*--as bench-test-2`)),
    });
    cpSync(join(here.root, "data/corpus/bench-test"), join(here.root, "data/corpus/moved"), {
      recursive: true,
    });
    rmSync(join(here.root, "data/corpus/bench-test"), { recursive: true });
    await expect(bring(changed.root)).rejects.toThrow(/data\/corpus\/moved is bench-test/);

    const renamed = await bring(changed.root, "theirs");
    expect(renamed.sha256).not.toBe(changed.sha256);
    expect(renamed.renamed_from).toEqual({ suite: "bench-test", version: "1.0.0", sha256: changed.sha256 });
    const { rows, sha256 } = await loadCorpus(aboutCorpus(here.open(), "theirs"));
    expect(sha256).toBe(renamed.sha256);
    expect(rows[0]).toMatchObject({ suite: "theirs", id: "a" });
    // Nothing but the name is another: with the old name back, it is the old digest and the old text.
    const [line = ""] = readFileSync(join(here.root, "data/corpus/theirs/cases.jsonl"), "utf8").split("\n");
    const back = line.replace('"suite":"theirs"', '"suite":"bench-test"');
    expect(`${back}\n`).toBe(readFileSync(join(changed.corpusDir, "cases.jsonl"), "utf8"));
    expect(corpusDigest([parseJson(back)])).toBe(changed.sha256);
    const manifest = JSON.parse(readFileSync(join(here.root, "data/corpus/theirs/manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ suite: "theirs", sha256, renamed_from: renamed.renamed_from });
    // Renamed a second time, it still says what it was.
    await bring(join(here.root, "data/corpus/theirs"), "again");
    const again = JSON.parse(readFileSync(join(here.root, "data/corpus/again/manifest.json"), "utf8"));
    expect(again.renamed_from).toEqual({
      suite: "theirs",
      version: "1.0.0",
      sha256,
      renamed_from: renamed.renamed_from,
    });
  });

  test("takes a corpus that the older tool made", async () => {
    const { corpus_sha256 } = JSON.parse(readFileSync(join(ORACLE, "expected.json"), "utf8"));
    expect(await bring(ORACLE)).toMatchObject({ name: "oracle-1", written: true, sha256: corpus_sha256 });
  });

  test("two at once leave one whole corpus", async () => {
    const there = checkout();
    const done = await Promise.allSettled([bring(there.root), bring(there.root), bring(there.root)]);
    expect(done.some(({ status }) => status === "fulfilled")).toBe(true);
    for (const one of done) if (one.status === "rejected") expect(one.reason.exitCode).toBe(1);
    expect(shelf()).toEqual(["bench-test", "current.json", "test-1"]);
    expect((await loadCorpus(aboutCorpus(here.open(), "bench-test"))).sha256).toBe(there.sha256);
  });

  test("leaves nothing when something is wrong, and says it without a path of this machine", async () => {
    const broken = checkout({ manifest: { sha256: "0".repeat(64) } });
    await expect(bring(broken.root)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^there: data\/corpus\/test-1\/cases\.jsonl: the rows have the digest/),
    });
    const linked = checkout();
    const rows = readFileSync(join(linked.corpusDir, "cases.jsonl"));
    rmSync(join(linked.corpusDir, "cases.jsonl"));
    writeFileSync(join(linked.root, "rows.jsonl"), rows);
    symlinkSync(join(linked.root, "rows.jsonl"), join(linked.corpusDir, "cases.jsonl"));
    await expect(bring(linked.corpusDir)).rejects.toThrow(
      "there: cases.jsonl is a link out of the corpus folder",
    );
    const away = checkout();
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "bench-away-")));
    try {
      cpSync(away.corpusDir, elsewhere, { recursive: true });
      rmSync(away.corpusDir, { recursive: true });
      symlinkSync(elsewhere, away.corpusDir);
      await expect(bring(away.root)).rejects.toThrow(/is a link out of/);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
    const tricky = checkout({ pointer: { path: "../x/cases.jsonl" } });
    await expect(bring(tricky.root)).rejects.toThrow("leads out of the workspace");
    await expect(bring(join(here.root, "config"))).rejects.toMatchObject({ exitCode: 2 });
    await expect(bring(checkout().root, "../x")).rejects.toMatchObject({ exitCode: 2 });
    mkdirSync(join(here.root, "data/corpus/bench-test"));
    await expect(bring(checkout().root)).rejects.toThrow("is no corpus");
    expect(shelf()).toEqual(["bench-test", "current.json", "test-1"]);
  });

  test("removes what a killed import began, when it is old", async () => {
    const [old, young] = [".x.99999999-0123456789ab.draft", ".y.99999999-0123456789ab.draft"];
    for (const name of [old, young]) mkdirSync(join(here.root, "data/corpus", name));
    utimesSync(join(here.root, "data/corpus", old), 1e9, 1e9);
    await bring(checkout().root);
    expect(shelf()).toEqual([young, "bench-test", "current.json", "test-1"]);
  });
});

describe("useCorpus", () => {
  test("replaces the pointer, version included, and only by a sound corpus that is there", async () => {
    const there = checkout({ manifest: { version: "2.1.0" }, pointer: { version: "2.1.0" } });
    await bring(there.root);
    await useCorpus(here.open(), "bench-test");
    const pointer = JSON.parse(readFileSync(here.open().corpusPointer, "utf8"));
    expect(pointer).toEqual({ path: "data/corpus/bench-test/cases.jsonl", version: "2.1.0" });
    expect((await loadCorpus(here.open())).sha256).toBe(there.sha256);
    symlinkSync(there.corpusDir, join(here.root, "data/corpus/link"));
    writeFileSync(join(here.root, "data/corpus/test-1/cases.jsonl"), "{}\n");
    for (const [name, message, exitCode] of [
      ["none", 'no corpus "none" in data/corpus: there are "bench-test", "test-1"', 2],
      ["../corpus/test-1", "no corpus", 2],
      ["", "no corpus", 2],
      [".", "no corpus", 2],
      ["link", "is a link", 2],
      ["test-1", "data/corpus/test-1/cases.jsonl:1: id: is missing", 1],
    ] as const) {
      await expect(useCorpus(here.open(), name), name).rejects.toMatchObject({
        exitCode,
        message: expect.stringContaining(message),
      });
    }
    expect(JSON.parse(readFileSync(here.open().corpusPointer, "utf8"))).toEqual(pointer);
  });
});

test("useCorpus leaves a pointer alone that names the corpus already", async () => {
  const { open } = checkout();
  const pointer = open().corpusPointer;
  for (const text of [
    '{"path": "data/corpus/test-1/cases.jsonl"}',
    '{"path":"data/corpus/test-1/cases.jsonl","version":"1.0.0"}',
  ]) {
    writeFileSync(pointer, text);
    const { ino } = statSync(pointer);
    expect(await useCorpus(open(), "test-1")).toMatchObject({
      corpus: { suite: "bench-test" },
      written: false,
    });
    expect([readFileSync(pointer, "utf8"), statSync(pointer).ino]).toEqual([text, ino]);
  }
  writeFileSync(pointer, '{"path":"data/corpus/test-1/cases.jsonl","version":"0.9.0"}');
  expect((await useCorpus(open(), "test-1")).written).toBe(true);
});

test("useCorpus says what cannot be written, and what to do", async () => {
  const { open } = checkout();
  const pointer = open().corpusPointer;
  rmSync(pointer);
  mkdirSync(pointer);
  const refused = await useCorpus(open(), "test-1").catch((error: unknown) => error);
  expect(refused).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(
      /^data\/corpus\/current\.json cannot be written: .*\. The active corpus is the one that it was; make data\/corpus writable/,
    ),
  });
  expect(readdirSync(dirname(pointer)).sort()).toEqual(["current.json", "test-1"]);
});

test("corporaOf lists folders by their manifests, the broken ones too", async () => {
  mkdirSync(join(here.root, "data/corpus/empty"));
  expect(
    (await corporaOf(here.open())).map(({ name, manifest, problem, active }) => [
      name,
      manifest?.suite,
      problem,
      active,
    ]),
  ).toEqual([
    ["empty", undefined, "manifest.json is not there", false],
    ["test-1", "here", null, true],
  ]);
});
