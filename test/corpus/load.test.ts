import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { CanonicalError, canonicalJson } from "../../src/answers/canonical.ts";
import {
  JsonError,
  type JsonObject,
  parseJson,
  stringifyJson,
  type Writable,
} from "../../src/answers/json.ts";
import { publicInput } from "../../src/corpus/input.ts";
import { findingText, inspectCorpus, isInnerPath, loadCorpus } from "../../src/corpus/load.ts";
import { openCorpusFile } from "../../src/corpus/open.ts";
import { InterruptedError, UserError } from "../../src/errors.ts";
import { openWorkspace, type Workspace } from "../../src/workspace.ts";
import {
  assetOf,
  corpusRow,
  imageRow,
  makeWorkspace,
  png,
  type TestWorkspace,
  type WorkspaceDraft,
} from "../support/corpus.ts";

const CASES = "data/corpus/test-1/cases.jsonl";
const MANIFEST = "data/corpus/test-1/manifest.json";
const POINTER = "data/corpus/current.json";

function make(draft: WorkspaceDraft = {}): TestWorkspace {
  const made = makeWorkspace(draft);
  onTestFinished(() => made.cleanup());
  return made;
}

/** Every problem, as `file:line: field: message`; all of them are on one line and name no absolute path. */
async function problems(workspace: Workspace): Promise<string[]> {
  const { corpus, findings } = await inspectCorpus(workspace);
  expect(corpus === null).toBe(findings.length > 0);
  const lines = findings.map(findingText);
  for (const line of lines) {
    expect(line).not.toContain(workspace.root);
    expect(line).toMatch(/^\P{Cc}{1,600}$/u);
  }
  return lines;
}

/** The message that loading ends with. */
async function refusal(workspace: Workspace): Promise<string> {
  const error = await loadCorpus(workspace).then(
    () => expect.unreachable("it loads"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UserError)) throw error;
  expect(error.exitCode).toBe(2);
  return error.message;
}

/** Problems of a workspace made from this draft. */
const problemsOf = (draft: WorkspaceDraft): Promise<string[]> => problems(make(draft).open());
/** Problems of a corpus of these rows, its manifest made to fit. */
const problemsIn = (...rows: NonNullable<WorkspaceDraft["rows"]>): Promise<string[]> => problemsOf({ rows });

const line = (id: string, changes = {}): string => stringifyJson(corpusRow(id, changes));

describe("a sound corpus", () => {
  test("loads with its digest, its manifest and its rows in the order of the file", async () => {
    const made = make();
    const corpus = await loadCorpus(made.open());
    expect(corpus).toMatchObject({ suite: "bench-test", version: "1.0.0", sha256: made.sha256 });
    expect(corpus.dir).toBe(made.corpusDir);
    expect(corpus.rows.map((row) => row.id)).toEqual(["a", "b", "c", "d"]);
    expect([...corpus.manifest.tasks.keys()]).toEqual(["SUP-1", "SUP-2"]);
    expect(corpus.manifest.tasks.get("SUP-2")).toMatchObject({ category: "support", rows: 2 });
    expect(corpus.manifest.cases).toBe(4);
    expect(corpus.rows[0]).toMatchObject({
      categoryName: "Support",
      taskName: "Visits",
      sourceKind: "written",
      question: { gold: "yes", ask: "Visit?", rationale: "It is what was done." },
    });
  });

  test("shows labels that look like numbers or inherited names in their order", async () => {
    const { rows } = await loadCorpus(make().open());
    const row = rows[2];
    if (row === undefined) throw new Error("no row");
    expect(stringifyJson(publicInput(row))).toContain(
      '"options":{"10":"means 10","2":"means 2","__proto__":"means __proto__","constructor":"means constructor"}',
    );
    expect(rows[3]?.question.options.map((option) => option.label)).toEqual(["high", "low"]);
  });

  test("may have tasks and categories of any name", async () => {
    const names = ["__proto__", "10", "constructor", "a.b", "ü 😀"];
    const rows = names.map((name) => corpusRow(name, { task: name, category: name }));
    const corpus = await loadCorpus(make({ rows }).open());
    expect([...corpus.manifest.tasks.keys()]).toEqual(names);
    expect(corpus.manifest.tasks.get("__proto__")?.category).toBe("__proto__");
  });

  test("may have pictures", async () => {
    const [one, two] = [imageRow("p"), imageRow("q")];
    const rows = [corpusRow("a"), one.row, two.row];
    const corpus = await loadCorpus(make({ rows, assets: { ...one.assets, ...two.assets } }).open());
    expect(corpus.rows.map((row) => row.assets.map((asset) => asset.path))).toEqual([
      [],
      ["assets/p.png"],
      ["assets/q.png"],
    ]);
  });

  test("may say nothing about its version and its counts", async () => {
    const tasks = { "SUP-1": { category: "support", name: "n", ask: "a", instruction: "i" } };
    const made = make({
      rows: [corpusRow("a")],
      pointer: { version: undefined },
      manifest: { counts: undefined, tasks },
    });
    expect((await loadCorpus(made.open())).manifest.cases).toBeNull();
    made.write(POINTER, `{"path":"${CASES}","version":null,"added":{"x":[1]}}`);
    expect((await loadCorpus(made.open())).rows).toHaveLength(1);
  });

  test("keeps unknown fields of every file out of the way", async () => {
    const rows = [corpusRow("a", { extra: { state: [1] }, question: { options_note: "x" } })];
    const made = make({ rows, manifest: { datasets: [{ id: "x" }], built_with: { options: { "2": 1 } } } });
    expect(await problems(made.open())).toEqual([]);
  });
});

describe("lines of cases.jsonl", () => {
  const load = async (cases: string | Uint8Array) => (await loadCorpus(make({ cases }).open())).rows;

  test("end at a line feed and nowhere else", async () => {
    const odd = "a\u2028b\u2029c\u0085d";
    const rows = await load(`${line("a", { title: odd })}\n${line("b")}\n`);
    expect(rows.map((row) => row.id)).toEqual(["a", "b"]);
    expect(rows[0]?.title).toBe(odd);
  });

  test("may end in CR LF, and the last one in nothing", async () => {
    expect((await load(`${line("a")}\r\n${line("b")}\r\n`)).map((row) => row.id)).toEqual(["a", "b"]);
    expect((await load(`${line("a")}\n${line("b")}`)).map((row) => row.id)).toEqual(["a", "b"]);
  });

  test("may be empty, and are counted all the same", async () => {
    const cases = `\n${line("a")}\n \t\r\n\n${line("a")}\n`;
    expect(await problemsOf({ cases })).toEqual([`${CASES}:5: id: "a" stands on line 2 already`]);
    expect(await load(`\n\n${line("a")}\n\n\r\n`)).toHaveLength(1);
  });

  test.each<[string, string | Uint8Array, string[]]>([
    [
      "a byte order mark",
      `\ufeff${line("a")}\n`,
      [`${CASES}:1: is not JSON: expected a JSON value, found a byte order mark at character 1`],
    ],
    [
      "a line that is a byte order mark only",
      `${line("a")}\n\ufeff\n`,
      [`${CASES}:2: is not JSON: expected a JSON value, found a byte order mark at character 1`],
    ],
    [
      "a line of another white space only",
      `${line("a")}\n\u00a0\n`,
      [`${CASES}:2: is not JSON: expected a JSON value, found "\u00a0" at character 1`],
    ],
    [
      "bytes that are not UTF-8",
      Buffer.concat([Buffer.from(`${line("a")}\n"`), Buffer.from([0xe9]), Buffer.from(`"\n${line("b")}`)]),
      [`${CASES}:2: is not UTF-8`],
    ],
    [
      "a surrogate in UTF-8",
      Buffer.concat([Buffer.from(`${line("a")}\n"`), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"\n')]),
      [`${CASES}:2: is not UTF-8`],
    ],
    [
      "a torn line",
      `${line("a")}\n${line("b").slice(0, 30)}`,
      [`${CASES}:2: is not JSON: expected "," or "}", found the end at character 31`],
    ],
    [
      "two rows on one line",
      `${line("a")}${line("b")}\n`,
      [`${CASES}:1: is not JSON: "{" after the end of the JSON value at character ${line("a").length + 1}`],
    ],
    [
      "a key that stands twice",
      `${line("a")}\n{"id":"b",${line("b").slice(1)}\n`,
      [`${CASES}:2: is not JSON: the key "id" stands twice in one object at character 11`],
    ],
    [
      "NaN",
      `${line("a")}\n{"n":NaN}\n{"n":-Infinity}\n`,
      [
        `${CASES}:2: is not JSON: expected a JSON value, found "N" at character 6`,
        `${CASES}:3: is not JSON: expected a JSON value, found "-" at character 6`,
      ],
    ],
    [
      "no end of nesting",
      `${line("a")}\n${"[".repeat(100_000)}\n`,
      [`${CASES}:2: is not JSON: nested more than 256 levels deep at character 257`],
    ],
    [
      "lone surrogates and numbers that overflow",
      `${line("a", { title: "\ud800" })}\n${line("b")}\n${line("c").replace('"days":2', '"days":1e400')}\n`,
      [
        `${CASES}:1: a lone surrogate (half a character) in the text "\\ud800"`,
        `${CASES}:3: the number 1e400 is too large for a double`,
      ],
    ],
    ["no row", "", [`${CASES}: holds no row`]],
    ["empty lines only", "\n\r\n  \n", [`${CASES}: holds no row`]],
    [
      "lines that are no rows",
      `${line("a")}\n[]\n"row"\n7\nnull\n`,
      [2, 3, 4, 5].map((number) => `${CASES}:${number}: expected a JSON object`),
    ],
  ])("with %s are refused", async (_, cases, expected) => {
    const made = make({ cases });
    expect(await problems(made.open())).toEqual(expected);
    const message = await refusal(made.open());
    expect(message.startsWith(expected[0] ?? "")).toBe(true);
    const others = expected.length - 1;
    expect(message.includes(`(and ${others} more: \`bench corpus verify\` lists them)`)).toBe(others > 0);
  });
});

describe("rows that do not fit together", () => {
  test("an id that stands twice", async () => {
    expect(await problemsIn(corpusRow("a"), corpusRow("b"), corpusRow("a"))).toEqual([
      `${CASES}:3: id: "a" stands on line 1 already`,
    ]);
  });

  test("a suite, a task or a category that is not the manifest's", async () => {
    const made = make({
      rows: [corpusRow("a"), corpusRow("b", { suite: "other" }), corpusRow("c", { category: "sales" })],
    });
    expect(await problems(made.open())).toEqual([
      `${CASES}:2: suite: "other" is not the manifest's "bench-test"`,
      `${CASES}:3: category: "sales" is not the task's category, "support"`,
    ]);
    const tasks = { OTHER: { category: "support", name: "n", ask: "a", instruction: "i" } };
    expect(await problemsOf({ rows: [corpusRow("a")], manifest: { tasks } })).toEqual([
      `${CASES}:1: task: "SUP-1" is not among the manifest's tasks`,
    ]);
    const inherited = corpusRow("a", { task: "toString" });
    expect(await problemsOf({ rows: [inherited], manifest: { tasks } })).toEqual([
      `${CASES}:1: task: "toString" is not among the manifest's tasks`,
    ]);
  });

  test("all problems of all rows are listed; loading names the first and counts the others", async () => {
    const made = make({
      rows: [
        corpusRow("a"),
        corpusRow("b", { gold: "maybe", order: ["yes"] }),
        "{",
        corpusRow("c", { options: ["x"] }),
      ],
    });
    expect(await problems(made.open())).toHaveLength(4);
    expect(await refusal(made.open())).toBe(
      `${CASES}:2: questions[0].gold: "maybe" is not one of the options ` +
        "(and 3 more: `bench corpus verify` lists them)",
    );
  });
});

describe("pictures", () => {
  const bytes = png();
  const withAsset = (path: string, changes: { [key: string]: Writable } = {}): WorkspaceDraft => ({
    rows: [corpusRow("a"), corpusRow("b", { modality: "image", assets: [assetOf(path, bytes, changes)] })],
    assets: { "assets/a.png": bytes },
  });
  const trick = "leads out of the corpus folder or is not a plain path: names and '/', no '..', no '\\'";

  test.each([
    ["..", "../cases.jsonl"],
    [".. below", "assets/../../other.png"],
    [".. that stays inside", "assets/../assets/a.png"],
    [".", "./assets/a.png"],
    ["an absolute path", "/etc/hostname"],
    ["a backslash", "assets\\a.png"],
    ["a drive", "C:/a.png"],
    ["two slashes", "assets//a.png"],
    ["a folder's slash", "assets/"],
    ["NUL", "assets/a.png\0"],
    ["a line feed", "assets/a\n.png"],
  ])("with %s in the path are refused", async (_, path) => {
    const [finding, ...others] = await problemsOf(withAsset(path));
    expect(finding).toBe(`${CASES}:2: assets[0].path: ${JSON.stringify(path)} ${trick}`);
    expect(others).toEqual([]);
  });

  test("that are missing, a folder, or behind a file are refused", async () => {
    const at = `${CASES}:2: assets[0].path:`;
    expect(await problemsOf(withAsset("assets/none.png"))).toEqual([`${at} "assets/none.png" is not there`]);
    expect(await problemsOf(withAsset("assets"))).toEqual([`${at} "assets" is not a file`]);
    expect(await problemsOf(withAsset("assets/a.png/b.png"))).toEqual([
      `${at} "assets/a.png/b.png" cannot be read (ENOTDIR)`,
    ]);
  });

  test("that are other bytes are refused with both digests", async () => {
    const made = make(withAsset("assets/a.png"));
    expect(await problems(made.open())).toEqual([]);
    made.write("data/corpus/test-1/assets/a.png", png(7));
    const [finding] = await problems(made.open());
    expect(finding).toMatch(
      /:2: assets\[0\]\.sha256: "assets\/a\.png" has the digest [0-9a-f]{64}, the row says [0-9a-f]{64}$/,
    );
  });

  test("behind a link out of the folder are refused, behind one within it they are not", async () => {
    const made = make(withAsset("assets/linked.png"));
    const link = join(made.corpusDir, "assets", "linked.png");
    symlinkSync("a.png", link);
    expect(await problems(made.open())).toEqual([]);
    made.write("outside.png", bytes);
    rmSync(link);
    symlinkSync(join(made.root, "outside.png"), link);
    const out = `${CASES}:2: assets[0].path: "assets/linked.png" is a link out of the corpus folder`;
    expect(await problems(made.open())).toEqual([out]);
    // A link of a folder on the way, and to a folder whose name only begins like ours.
    const other = make(withAsset("linked/a.png"));
    mkdirSync(`${other.corpusDir}-2`);
    writeFileSync(join(`${other.corpusDir}-2`, "a.png"), bytes);
    symlinkSync(`${other.corpusDir}-2`, join(other.corpusDir, "linked"));
    expect(await problems(other.open())).toEqual([out.replace("assets/linked.png", "linked/a.png")]);
    rmSync(link);
    symlinkSync("linked.png", link);
    expect(await problems(made.open())).toEqual([
      `${CASES}:2: assets[0].path: "assets/linked.png" cannot be read (ELOOP)`,
    ]);
  });

  test("that are a named pipe are refused, not waited for", async () => {
    const made = make(withAsset("assets/pipe.png"));
    execFileSync("mkfifo", [join(made.corpusDir, "assets", "pipe.png")]);
    expect(await problems(made.open())).toEqual([
      `${CASES}:2: assets[0].path: "assets/pipe.png" is not a file`,
    ]);
  });

  test("have paths that the rule for inner paths accepts", () => {
    for (const path of ["a", "a/b.png", "..a/b..c", "ü 😀/x.png", "-", "ab:c"])
      expect(isInnerPath(path)).toBe(true);
    for (const path of [
      "",
      "/",
      "a/",
      "/a",
      "..",
      "a/..",
      ".",
      "c:",
      "a:b",
      "C:\\a",
      "a\\b",
      "\u007f",
      "a\ud800",
      "\udc00/b",
    ]) {
      expect(isInnerPath(path)).toBe(false);
    }
  });
});

describe("current.json", () => {
  const trick =
    "leads out of the workspace or is not a plain path: names and '/', no '..', like data/corpus/mine/cases.jsonl";

  test.each([
    "../cases.jsonl",
    "data/../../x",
    "/etc/passwd",
    "data\\corpus",
    "C:/x",
    "./data",
    "data/",
    "a\nb",
  ])("that leads to %j is refused", async (path) => {
    expect(await problemsOf({ pointer: { path } })).toEqual([
      `${POINTER}: path: ${JSON.stringify(path)} ${trick}`,
    ]);
  });

  test("with half of a character in its path says so", async () => {
    const said = await problemsOf({ pointer: { path: "data/corpus/\ud800/cases.jsonl" } });
    expect(said).toEqual([
      `${POINTER}: path: "data/corpus/\\ud800/cases.jsonl" holds half of a character (a lone surrogate), which no file name can hold: ` +
        "names and '/', no '..', like data/corpus/mine/cases.jsonl",
    ]);
  });

  test.each<[string, string, string]>([
    [
      "{}",
      "{}",
      "path: is missing: expected string. No corpus is active yet: bring one in with `bench corpus import` or `bench corpus pack`, and make it the active one with `bench corpus use`",
    ],
    ["an empty path", '{"path":""}', 'path: expected a text, not empty, found ""'],
    ["a number", '{"path":7}', "path: expected string, found 7"],
    ["a version that is a number", '{"path":"a","version":1}', "version: expected string, found 1"],
    ["a list", "[]", "expected object, found a list of 0"],
    ["null", "null", "expected object, found null"],
    ["nothing", "", "is not JSON: expected a JSON value, found the end on line 1, column 1"],
    [
      "a comma too many",
      '{\n "path": "a",\n}',
      'is not JSON: expected a key in double quotes, found "}" on line 3, column 1',
    ],
    [
      "a byte order mark",
      '\ufeff{"path":"a"}',
      "is not JSON: expected a JSON value, found a byte order mark on line 1, column 1",
    ],
  ])("that holds %s is refused", async (_, pointer, message) => {
    const [finding, ...others] = await problemsOf({ pointer });
    expect(finding?.replace(/^(data\/corpus\/current\.json)(?::\d+)?: /, "$1: ")).toBe(
      `${POINTER}: ${message}`,
    );
    expect(others).toEqual([]);
  });

  test("that is not JSON is told with its line", async () => {
    expect((await problemsOf({ pointer: '{\n"path":x}' }))[0]).toMatch(
      /^data\/corpus\/current\.json:2: is not JSON/,
    );
  });

  test("that names another version is refused with both", async () => {
    expect(await problemsOf({ pointer: { version: "2.0.0" } })).toEqual([
      `${POINTER}: version: says "2.0.0", the manifest says "1.0.0": name the version that is there`,
    ]);
  });

  test("that names a file that is not there, or a folder, is refused", async () => {
    expect(await problemsOf({ pointer: { path: "data/corpus/none/cases.jsonl" } })).toEqual([
      "data/corpus/none/manifest.json: is not there",
      "data/corpus/none/cases.jsonl: is not there",
    ]);
    expect(await problemsOf({ pointer: { path: "data/corpus/test-1" } })).toEqual([
      "data/corpus/manifest.json: is not there",
      "data/corpus/test-1: is not a file",
    ]);
  });

  test("that is a folder or a named pipe is refused, not waited for", async () => {
    const made = make();
    rmSync(join(made.root, POINTER));
    execFileSync("mkfifo", [join(made.root, POINTER)]);
    expect(await problems(made.open())).toEqual([`${POINTER}: is not a file`]);
    rmSync(join(made.root, POINTER));
    mkdirSync(join(made.root, POINTER));
    expect(await refusal(made.open())).toBe(`${POINTER}: is not a file`);
  });

  test("that is not UTF-8 is refused", async () => {
    const made = make();
    made.write(POINTER, Buffer.from([0x22, 0xff, 0x22]));
    expect(await problems(made.open())).toEqual([`${POINTER}: is not UTF-8`]);
  });
});

describe("manifest.json", () => {
  test("that is missing, not JSON or not UTF-8 does not keep the rows from being checked", async () => {
    const rows = [corpusRow("a", { gold: "maybe" })];
    const gold = `${CASES}:1: questions[0].gold: "maybe" is not one of the options`;
    expect(await problemsOf({ rows, manifest: null })).toEqual([`${MANIFEST}: is not there`, gold]);
    expect(await problemsOf({ rows, manifest: "{\n\n}x" })).toEqual([
      `${MANIFEST}:3: is not JSON: "x" after the end of the JSON value on line 3, column 2`,
      gold,
    ]);
    const made = make({ rows });
    made.write(MANIFEST, Buffer.from([0xff]));
    expect(await problems(made.open())).toEqual([`${MANIFEST}: is not UTF-8`, gold]);
  });

  const hex = "expected 64 lower-case hex digits";
  const suite = "expected 1 to 64 of a-z, 0-9, '.', '_' and '-', first a letter or digit";
  test.each<[string, { [key: string]: Writable }, string[]]>([
    ["no version", { version: undefined }, ["version: is missing: expected string"]],
    ["an empty version", { version: "" }, ['version: expected a text, not empty, found ""']],
    ["a suite that is no folder name", { suite: "../up" }, [`suite: ${suite}, found "../up"`]],
    ["a digest in capitals", { sha256: "A".repeat(64) }, [`sha256: ${hex}, found "${"A".repeat(64)}"`]],
    ["no digest", { sha256: undefined }, ["sha256: is missing: expected string"]],
    ["no licence", { license: null }, ["license: expected string, found null"]],
    ["categories in a list", { categories: [] }, ["categories: expected an object, found a list of 0"]],
    ["no tasks", { tasks: undefined }, ["tasks: is missing: expected an object"]],
    ["a count that is no number", { counts: { cases: "1" } }, ['counts.cases: expected number, found "1"']],
    ["a negative count", { counts: { cases: -1 } }, ["counts.cases: expected number to be >=0, found -1"]],
    ["a wrong count", { counts: { cases: 2 } }, ["counts.cases: says 2, the corpus has 1 rows"]],
    [
      "a category without a name",
      { categories: { support: { description: "d" }, "a b": 1 } },
      ["categories.support.name: is missing: expected string", 'categories["a b"]: expected object, found 1'],
    ],
    [
      "a task in a category that is not there",
      { categories: {} },
      ['tasks.SUP-1.category: "support" is not among the categories'],
    ],
    [
      "a category with an inherited name",
      { tasks: { "SUP-1": { category: "constructor", name: "n", ask: "a", instruction: "i" } } },
      ['tasks.SUP-1.category: "constructor" is not among the categories'],
    ],
    [
      "a task that lacks everything",
      { tasks: { "SUP-1": {} } },
      ["category", "name", "ask", "instruction"].map(
        (field) => `tasks.SUP-1.${field}: is missing: expected string`,
      ),
    ],
    [
      "a wrong count of a task",
      { tasks: { "SUP-1": { category: "support", name: "n", ask: "a", instruction: "i", rows: 3 } } },
      ["tasks.SUP-1.rows: says 3, the corpus has 1 rows of it"],
    ],
    [
      "a task without rows that should have some",
      {
        tasks: {
          "SUP-1": { category: "support", name: "n", ask: "a", instruction: "i" },
          __proto: { category: "support", name: "n", ask: "a", instruction: "i", rows: 1 },
        },
      },
      ["tasks.__proto.rows: says 1, the corpus has 0 rows of it"],
    ],
  ])("with %s is refused", async (_, manifest, messages) => {
    const found = await problemsOf({ rows: [corpusRow("a")], manifest });
    const ofManifest = found.filter((message) => message.startsWith(MANIFEST));
    expect(ofManifest).toEqual(messages.map((message) => `${MANIFEST}: ${message}`));
    // A task that is described wrongly is told once, not once a row.
    const ofRows = found.filter((message) => message.startsWith(CASES));
    if (!/inherited/.test(_)) expect(ofRows).toEqual([]);
  });

  test("with another key twice is refused with its line", async () => {
    expect(await problemsOf({ manifest: '{"version":"1",\n"version":"2"}' })).toEqual([
      `${MANIFEST}:2: is not JSON: the key "version" stands twice in one object on line 2, column 1`,
    ]);
  });
});

describe("the digest", () => {
  const mismatch = (found: string, frozen: string): string =>
    `the rows have the digest ${found}, the manifest froze ${frozen}. The file was changed after it was ` +
    "frozen: bring the committed one back, or make a new corpus version";

  test("that does not match is told with both", async () => {
    const frozen = "0".repeat(64);
    const made = make({ manifest: { sha256: frozen } });
    expect(await refusal(made.open())).toBe(`${CASES}: ${mismatch(made.sha256, frozen)}`);
  });

  test("is told with both also where something else comes first", async () => {
    const made = make({ rows: [corpusRow("a"), corpusRow("b")] });
    const changed = make({ rows: [corpusRow("a"), corpusRow("b", { gold: "maybe" })] });
    made.write(CASES, readFileSync(join(changed.root, CASES)));
    expect(await problems(made.open())).toHaveLength(2);
    expect(await refusal(made.open())).toBe(
      `${CASES}:2: questions[0].gold: "maybe" is not one of the options; ${mismatch(changed.sha256, made.sha256)}`,
    );
    made.write(CASES, `${readFileSync(join(changed.root, CASES), "utf8")}7\n[]\n`);
    expect(await refusal(made.open())).toMatch(
      /not one of the options; the rows have the digest .* \(and 2 more: `bench corpus verify` lists them\)$/,
    );
  });
});

describe("the corpus that Python froze", () => {
  const root = mkdtempSync(join(tmpdir(), "bench-oracle-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL("../fixtures/oracle/", import.meta.url)), root, { recursive: true });
  const folder = join(root, "data", "corpus", "oracle-1");
  const cases = readFileSync(join(folder, "cases.jsonl"));
  const frozen = (JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { sha256: string })
    .sha256;
  const open = () => openWorkspace({ root, cwd: root, env: {} });

  async function reload(bytes: Uint8Array): Promise<string | null> {
    writeFileSync(join(folder, "cases.jsonl"), bytes);
    try {
      return await loadCorpus(open()).then(
        (corpus) => {
          expect(corpus.sha256).toBe(frozen);
          return null;
        },
        (error: unknown) => {
          if (error instanceof UserError) return error.message;
          throw error;
        },
      );
    } finally {
      writeFileSync(join(folder, "cases.jsonl"), cases);
    }
  }

  test("loads", async () => {
    const corpus = await loadCorpus(open());
    expect(corpus.rows).toHaveLength(427);
    expect(corpus.sha256).toBe(frozen);
    expect(await reload(cases)).toBeNull();
  });

  test("loads with other white space, another order of keys and without its last line feed", async () => {
    const lines = cases.toString("utf8").trimEnd().split("\n");
    const rows = lines.map((text) => parseJson(text) as JsonObject);
    const compact = rows.map((row) => `\t${stringifyJson(row)} \r`);
    expect(await reload(Buffer.from(compact.join("\n")))).toBeNull();
    const turned = rows.map((row) => stringifyJson(new Map([...row].reverse())));
    expect(await reload(Buffer.from(turned.join("\n")))).toBeNull();
  });

  test("does not load when rows are swapped, left out or doubled", async () => {
    const lines = cases.toString("utf8").trimEnd().split("\n");
    const [a = "", b = "", ...others] = lines;
    const digests = new RegExp(`the rows have the digest [0-9a-f]{64}, the manifest froze ${frozen}`);
    expect(await reload(Buffer.from([b, a, ...others].join("\n")))).toMatch(digests);
    expect(await reload(Buffer.from([a, ...others].join("\n")))).toMatch(digests);
    expect(await reload(Buffer.from([a, ...lines].join("\n")))).toMatch(digests);
  });

  test("does not load when one byte means something else", async () => {
    const rows = (text: string): string | null => {
      try {
        const values = text.split("\n").filter((one) => !/^[ \t\r]*$/.test(one));
        return canonicalJson(values.map((value) => parseJson(value)));
      } catch (error) {
        if (error instanceof JsonError || error instanceof CanonicalError) return null;
        throw error;
      }
    };
    const before = rows(cases.toString("utf8"));
    const digests = new RegExp(`the rows have the digest [0-9a-f]{64}, the manifest froze ${frozen}`);
    let seed = 20260923;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed % below;
    };
    const outcomes = { same: 0, broken: 0, changed: 0 };
    for (let round = 0; round < 120; round += 1) {
      const bytes = Buffer.from(cases);
      const at = random(bytes.length);
      bytes[at] = round % 3 === 0 ? random(256) : 0x20 + random(0x5f);
      const text = bytes.toString("utf8");
      const after = rows(text);
      const message = await reload(bytes);
      if (after === before) {
        expect(message).toBeNull();
        outcomes.same += 1;
      } else if (after === null || text.includes("\ufffd")) {
        expect(message).toMatch(
          /^data\/corpus\/oracle-1\/cases\.jsonl:\d+: (?:is not JSON|is not UTF-8|a lone|the number)/,
        );
        outcomes.broken += 1;
      } else {
        expect(message).toMatch(digests);
        outcomes.changed += 1;
      }
    }
    expect(outcomes.changed).toBeGreaterThan(40);
    expect(outcomes.broken).toBeGreaterThan(5);
  });
});

test("reading that somebody stops ends at once, and says that it was stopped", async () => {
  const { root } = makeWorkspace();
  const workspace = openWorkspace({ root, cwd: root, env: {} });
  await expect(openCorpusFile(workspace, AbortSignal.abort())).rejects.toThrow(InterruptedError);
});

test("a file of nothing but broken lines is given up after a thousand of them", async () => {
  const { corpusDir, open } = make();
  writeFileSync(join(corpusDir, "cases.jsonl"), "no row\n".repeat(20_000));
  const { corpus, findings } = await inspectCorpus(open());
  expect(corpus).toBeNull();
  expect(findings).toHaveLength(1001);
  expect(findings.at(-1)).toMatchObject({
    line: 1000,
    message: "1000 problems up to here: the rest of the file was not read",
  });
});
