import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { allFiles } from "../support/bench.ts";
import { bench } from "../support/commands.ts";
import { expectedFigures, localOracle, ORACLE, walk } from "../support/oracle.ts";
import { addPublished } from "../support/published.ts";
import { makeWorkspace, openAt, type TestWorkspace } from "../support/workspace.ts";

const SUITE = join(ORACLE, "results", "oracle-1");
const MODELS = readdirSync(SUITE).sort();

const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8"));

function scratch(): string {
  const root = mkdtempSync(join(tmpdir(), "bench-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** A workspace with the oracle's corpus and nothing else. */
function empty(): TestWorkspace & { readonly suite: string } {
  const root = scratch();
  cpSync(join(ORACLE, "data"), join(root, "data"), { recursive: true });
  return { ...openAt(root, expectedFigures().corpus_sha256), suite: join(root, "results", "oracle-1") };
}

/** A copy of one of the oracle's results that may be changed. */
function copyOf(model: string): string {
  const folder = join(scratch(), "any-name");
  cpSync(join(SUITE, model), folder, { recursive: true });
  return folder;
}

function change(
  folder: string,
  file: string,
  edit: (document: Record<string, Record<string, unknown>>) => void,
): void {
  const document = read(join(folder, file)) as Record<string, Record<string, unknown>>;
  edit(document);
  writeFileSync(join(folder, file), JSON.stringify(document));
}

test.each([
  ["a checkout", ORACLE],
  ["its results", join(ORACLE, "results")],
  ["a suite", SUITE],
])("the older tool's results come in from %s: lines as they are, figures the same", async (_, path) => {
  const workspace = empty();
  const { stdout, error } = await bench(workspace, ["import", path]);
  expect(error).toBeUndefined();
  expect(readdirSync(workspace.suite).sort()).toEqual([...MODELS, "leaderboard.json", "leaderboard.md"]);
  for (const model of MODELS) {
    const file = (name: string): string => join(workspace.suite, model, name);
    expect(readFileSync(file("predictions.jsonl"), "utf8")).toBe(
      readFileSync(join(SUITE, model, "predictions.jsonl"), "utf8"),
    );
    const { extensions, ...scores } = read(file("scores.json"));
    expect(extensions).toMatchObject({ jackknife95: [expect.any(Number), expect.any(Number)] });
    expect(walk(read(join(SUITE, model, "scores.json")), scores).differences).toEqual([]);
    const { analysis_version: version, ...metadata } = read(file("metadata.json"));
    expect(version).toBe("v1");
    expect(walk(read(join(SUITE, model, "metadata.json")), metadata).differences).toEqual([]);
    expect(readFileSync(file("README.md"), "utf8")).toContain("layout 1");
  }
  expect(stdout).toContain("imported: results/oracle-1/alpha, 95.1 % of 427 rows [92.6, 96.8], rank 1\n");
  expect(stdout).not.toContain("differs");
  expect((await bench(workspace, ["validate"])).stdout).toBe("6 results, 1 corpus: sound\n");
});

test("what was published comes in elsewhere with identical figures, and a second time nothing happens", async () => {
  const local = localOracle();
  for (const model of ["bravo", "foxtrot-partial"]) await bench(local, ["publish", model, "--force"]);
  const workspace = empty();
  expect((await bench(workspace, ["import", local.root])).error).toBeUndefined();
  const from = allFiles(join(local.root, "results"));
  const to = allFiles(join(workspace.root, "results"));
  const named = (files: Map<string, string>, root: string) =>
    new Map([...files].map(([path, text]) => [path.slice(root.length), text]));
  expect(named(to, workspace.root)).toEqual(named(from, local.root));
  const again = await bench(workspace, ["import", local.root]);
  expect(again.stdout).toBe(
    "is there already: results/oracle-1/bravo\nis there already: results/oracle-1/foxtrot-partial\n",
  );
  expect(allFiles(join(workspace.root, "results"))).toEqual(to);
});

/** Gives a result the older tool's cost coverage. */
function withOlderCoverage(model: string): { folder: string; older: number; ours: number } {
  const folder = copyOf(model);
  const calls = readFileSync(join(folder, "predictions.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .flatMap(
      (line) => (JSON.parse(line) as { attempts: { status: string; cost_usd: number | null }[] }).attempts,
    );
  const counted = calls.filter(({ status }) => status !== "429");
  expect(counted.length).toBeLessThan(calls.length);
  const older = counted.filter(({ cost_usd: cost }) => cost !== null).length / counted.length;
  change(folder, "scores.json", ({ cost }) => Object.assign(cost ?? {}, { coverage: older }));
  change(folder, "metadata.json", ({ totals }) => Object.assign(totals ?? {}, { cost_coverage: older }));
  return { folder, older, ours: calls.filter(({ cost_usd: cost }) => cost !== null).length / calls.length };
}

test("a cost coverage by the older definition comes in as ours, and that is said", async () => {
  const { folder, older, ours } = withOlderCoverage("bravo");
  const workspace = empty();
  const { stdout, error } = await bench(workspace, ["import", folder, "--json"]);
  expect(error).toBeUndefined();
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    differences: [
      { file: "oracle-1/bravo/scores.json", field: "cost.coverage", found: older, ours },
      { file: "oracle-1/bravo/metadata.json", field: "totals.cost_coverage", found: older, ours },
    ],
  });
  expect(read(join(workspace.suite, "bravo", "scores.json"))).toMatchObject({ cost: { coverage: ours } });
  expect(read(join(workspace.suite, "bravo", "metadata.json"))).toMatchObject({
    totals: { cost_coverage: ours },
  });
  const text = await bench(empty(), ["import", folder]);
  expect(text.stdout).toContain(
    `differs by definition: oracle-1/bravo/scores.json: cost.coverage: ${older} there, ${ours} here`,
  );
});

test("any other figure that is off keeps everything out, with every problem named", async () => {
  const workspace = empty();
  const folder = copyOf("bravo");
  change(folder, "scores.json", ({ overall, cost }) => {
    Object.assign(overall ?? {}, { accuracy: 0.9 });
    Object.assign(cost ?? {}, { coverage: 0.5 });
  });
  const { stdout, error } = await bench(workspace, ["import", join(SUITE, "alpha"), folder]);
  expect(error).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining("nothing was brought in: 2 problems"),
  });
  expect(stdout).toMatch(
    /^oracle-1\/bravo\/scores.json: overall.accuracy: .*\noracle-1\/bravo\/scores.json: cost.coverage: .*\n$/,
  );
  expect(readdirSync(join(workspace.root, "results"))).toEqual([]);
});

test("files that may not be written come in as files that may", async () => {
  const workspace = empty();
  const folder = copyOf("alpha");
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  expect((await bench(workspace, ["import", folder])).error).toBeUndefined();
  const target = join(workspace.suite, "alpha");
  for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o200, name).toBe(0o200);
});

test("what is made of a result is made again where it is missing, and with --replace in any case", async () => {
  const workspace = empty();
  await bench(workspace, ["import", SUITE]);
  const sound = allFiles(workspace.suite);
  for (const name of ["scores.json", "README.md"]) rmSync(join(workspace.suite, "alpha", name));
  await bench(workspace, ["import", join(SUITE, "alpha")]);
  expect(allFiles(workspace.suite)).toEqual(sound);
  rmSync(join(workspace.suite, "leaderboard.md"));
  writeFileSync(join(workspace.suite, "bravo", "scores.json"), "{}");
  await bench(workspace, ["import", join(SUITE, "bravo"), "--replace"]);
  expect(allFiles(workspace.suite)).toEqual(sound);
});

test("another result of the model stays unless --replace says otherwise", async () => {
  const workspace = empty();
  addPublished(workspace, ["oracle-1", "alpha"], { predictions: [] });
  addPublished(workspace, ["oracle-1", "own"], { predictions: [] });
  const before = allFiles(join(workspace.root, "results"));
  const { error } = await bench(workspace, ["import", SUITE]);
  expect(error).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining("has other results of alpha already"),
  });
  expect(allFiles(join(workspace.root, "results"))).toEqual(before);
  expect((await bench(workspace, ["import", SUITE, "--replace"])).error).toBeUndefined();
  expect(readdirSync(workspace.suite)).toEqual(expect.arrayContaining(["own", ...MODELS]));
  expect(read(join(workspace.suite, "alpha", "scores.json"))).toMatchObject({ overall: { rows: 427 } });
});

test("another result of a model is told by what differs, also when its lines are the same", async () => {
  const workspace = empty();
  await bench(workspace, ["import", join(SUITE, "alpha"), join(SUITE, "bravo")]);
  const before = allFiles(join(workspace.root, "results"));
  const folder = copyOf("alpha");
  change(folder, "metadata.json", ({ model, run }) => {
    Object.assign(model ?? {}, { label: "Another name" });
    Object.assign(run ?? {}, { jobs: 77 });
  });
  const refused = await bench(workspace, ["import", folder, join(SUITE, "bravo")]);
  expect(refused.error).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining(
      "has other results of alpha already. They differ in metadata.json: model.label, metadata.json: run.jobs (alpha). ",
    ),
  });
  expect(allFiles(join(workspace.root, "results"))).toEqual(before);
  const { stdout, error } = await bench(workspace, ["import", folder, join(SUITE, "bravo"), "--replace"]);
  expect(error).toBeUndefined();
  expect(stdout).toContain("imported: results/oracle-1/alpha");
  expect(stdout).toContain("imported: results/oracle-1/bravo");
  expect(read(join(workspace.suite, "alpha", "metadata.json"))).toMatchObject({ run: { jobs: 77 } });
});

test.each<[string, string, string]>([
  ["with extensions that are none", "scores.json", '"extensions": 5, "schema_version"'],
  ["with an empty document", "scores.json", ""],
  ["with a byte order mark", "scores.json", '\ufeff{ "schema_version"'],
])("a source that is damaged %s is no result that is there already", async (_, file, text) => {
  const workspace = empty();
  await bench(workspace, ["import", join(SUITE, "alpha")]);
  const before = allFiles(join(workspace.root, "results"));
  const folder = copyOf("alpha");
  const whole = readFileSync(join(folder, file), "utf8");
  writeFileSync(
    join(folder, file),
    text === "" ? "" : whole.replace(/^\{\s*"schema_version"/, text.includes("{") ? text : `{${text}`),
  );
  const { stdout, error } = await bench(workspace, ["import", folder]);
  expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining("nothing was brought in") });
  expect(stdout).toMatch(/^oracle-1\/alpha\/scores\.json:/);
  expect(stdout).not.toContain("is there already");
  expect(allFiles(join(workspace.root, "results"))).toEqual(before);
});

test.each<[string, (folder: string) => void, string]>([
  [
    "is over another corpus",
    (at) =>
      change(at, "metadata.json", ({ corpus }) => Object.assign(corpus ?? {}, { sha256: "0".repeat(64) })),
    "make it the active one",
  ],
  [
    "names another suite",
    (at) =>
      writeFileSync(
        join(at, "metadata.json"),
        readFileSync(join(at, "metadata.json"), "utf8").replace('"suite": "oracle-1"', '"suite": "../x"'),
      ),
    'over "../x"',
  ],
  [
    "is called like a path",
    (at) => change(at, "metadata.json", ({ model }) => Object.assign(model ?? {}, { id: "../../x" })),
    'model.id: "../../x" is no id of a model',
  ],
  [
    "is called like a leaderboard",
    (at) => change(at, "metadata.json", ({ model }) => Object.assign(model ?? {}, { id: "leaderboard.md" })),
    '"leaderboard.md" is no id of a model',
  ],
  ["lacks its scores", (at) => rmSync(join(at, "scores.json")), "scores.json is not there"],
  [
    "has a link in place of a file",
    (at) => {
      rmSync(join(at, "predictions.jsonl"));
      symlinkSync(join(SUITE, "alpha", "predictions.jsonl"), join(at, "predictions.jsonl"));
    },
    "predictions.jsonl is not a file",
  ],
  [
    "is far too large",
    (at) => truncateSync(join(at, "predictions.jsonl"), 1024 * 1024 * 1024),
    "more than 427 rows can take",
  ],
  [
    "has no metadata that can be read",
    (at) => writeFileSync(join(at, "metadata.json"), "["),
    "metadata.json is not JSON",
  ],
])("a result that %s is refused, and nothing is written", async (_, harm, message) => {
  const workspace = empty();
  const folder = copyOf("alpha");
  harm(folder);
  const { error } = await bench(workspace, ["import", folder]);
  expect(error?.message).toContain(message);
  expect(error?.exitCode).toBe(1);
  expect(readdirSync(workspace.root)).toEqual(["data"]);
});

test.each([
  ["is not there", ["nowhere"], '"nowhere" is not there'],
  ["is a file", ["data/corpus/current.json"], "is not a folder"],
  ["holds no result", ["data"], "holds no published result"],
])("a path that %s is refused with what to name", async (_, args, message) => {
  const { error } = await bench(empty(), ["import", ...args]);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
});

test("one result by two ways is one result", async () => {
  const workspace = empty();
  const linked = join(scratch(), "a link to it");
  symlinkSync(join(SUITE, "alpha"), linked);
  const { stdout, error } = await bench(workspace, ["import", `${join(SUITE, "alpha")}/`, linked]);
  expect(error).toBeUndefined();
  expect(stdout.match(/^imported: /gm)).toHaveLength(1);
});

test("two results of one model at once are refused", async () => {
  const { error } = await bench(empty(), ["import", join(SUITE, "alpha"), copyOf("alpha")]);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining("both results of alpha") });
});

test("a key in what a model wrote keeps the result out, and is not repeated", async () => {
  const workspace = empty();
  const folder = copyOf("alpha");
  const file = join(folder, "predictions.jsonl");
  const key = `sk-${"a1b2".repeat(8)}`;
  writeFileSync(file, readFileSync(file, "utf8").replace('"output_text": "{}"', `"output_text": "${key}"`));
  const { stdout, stderr, error } = await bench(workspace, ["import", folder]);
  expect(error?.exitCode).toBe(1);
  expect(stdout).toMatch(/^oracle-1\/alpha\/predictions.jsonl:1: output_text: /);
  expect(stdout + stderr + error?.message).not.toContain(key);
});

test("a workspace with another corpus is told how to get the right one", async () => {
  const { error } = await bench(makeWorkspace(), ["import", SUITE]);
  expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining("bench corpus import") });
});
