import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { promptSha256 } from "../../src/answers/prompt.ts";
import { allFiles } from "../support/bench.ts";
import { bench } from "../support/commands.ts";
import { localOracle, ORACLE, walk } from "../support/oracle.ts";
import { addPublished, prediction } from "../support/published.ts";
import { addTwoRuns } from "../support/runs.ts";
import { finished, makeWorkspace, result, started, type TestWorkspace, TINY } from "../support/workspace.ts";

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo-label-only", "foxtrot-partial"];

const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8"));
const lines = (path: string): Record<string, unknown>[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** `path: type` of every value in a document; what stands in lists is told once. */
function shape(value: unknown, path = "", into = new Set<string>()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) shape(item, `${path}[]`, into);
    into.add(`${path}: list`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) shape(item, path === "" ? key : `${path}.${key}`, into);
  } else into.add(`${path}: ${value === null ? "null" : typeof value}`);
  return into;
}

test("the oracle's runs are published as the oracle published them: every score, total, line and key", async () => {
  const workspace = localOracle();
  let compared = 0;
  for (const model of MODELS) {
    const { error, stderr } = await bench(workspace, ["publish", model, "--force"]);
    expect(error, stderr).toBeUndefined();
    const ours = join(workspace.root, "results", "oracle-1", model);
    const theirs = join(ORACLE, "results", "oracle-1", model);
    expect(readdirSync(ours).sort()).toEqual([
      "README.md",
      "metadata.json",
      "predictions.jsonl",
      "scores.json",
    ]);
    const { extensions, ...scores } = read(join(ours, "scores.json"));
    expect(extensions).toBeDefined();
    const metadata = read(join(ours, "metadata.json"));
    const older = read(join(theirs, "metadata.json"));
    const found = [
      walk(read(join(theirs, "scores.json")), scores),
      walk(older.totals, metadata.totals),
      walk(older.coverage, metadata.coverage),
      ...lines(join(theirs, "predictions.jsonl")).map((line, i) =>
        walk(comparable(line), comparable(lines(join(ours, "predictions.jsonl"))[i])),
      ),
    ];
    expect(found.flatMap(({ differences }) => differences)).toEqual([]);
    compared += found.reduce((sum, walked) => sum + walked.compared, 0);
    // Key by key: what the older tool's readers look for is there, with a type that they know. Which program ran is each one's own.
    const known = (document: Record<string, unknown>): Set<string> =>
      shape({ ...document, run: { ...(document.run as object), platform: null } });
    const [theirShape, ourShape] = [known(older), known(metadata)];
    expect(
      [...theirShape].filter(
        (entry) => !ourShape.has(entry) && !ourShape.has(entry.replace(/: .*/, ": null")),
      ),
    ).toEqual([]);
  }
  expect(compared).toBeGreaterThan(50_000);
});

/** What the ledgers of the fixture hold of a line: they know no reasoning tokens, and not how a failed row's text is said. */
function comparable(line: unknown): unknown {
  const { output_text: text, probability_source: source, ...rest } = line as Record<string, unknown>;
  return { ...rest, output_text: text ?? null };
}

test("the leaderboard ranks full results of one prompt only, and lists the others", async () => {
  const workspace = localOracle();
  addPublished(workspace, ["oracle-1", "elsewhere"], {
    metadata: { corpus: { version: "0.9.0", sha256: "0".repeat(64) } },
    predictions: [prediction({ row: "r-1", gold: "yes", label: "yes", task: "T-1" })],
  });
  for (const model of ["alpha", "bravo", "foxtrot-partial"])
    await bench(workspace, ["publish", model, "--force"]);
  const board = read(join(workspace.root, "results", "oracle-1", "leaderboard.json"));
  expect(board).toMatchObject({
    schema_version: 1,
    suite: "oracle-1",
    corpus_version: "1.0.0",
    corpus_sha256: workspace.sha256,
  });
  const models = board.models as Record<string, unknown>[];
  expect(
    models.map((entry) => [
      entry.model_id,
      entry.corpus_current,
      entry.full_coverage,
      entry.rank_low,
      entry.rank_high,
    ]),
  ).toEqual([
    ["elsewhere", false, false, null, null],
    ["alpha", true, true, 1, 1],
    ["bravo", true, true, 2, 2],
    ["foxtrot-partial", true, false, null, null],
  ]);
  const text = readFileSync(join(workspace.root, "results", "oracle-1", "leaderboard.md"), "utf8");
  expect(text).toMatch(/^\| 1 \| Model X \(alpha\) \|/m);
  expect(text.indexOf("## Partial results")).toBeLessThan(text.indexOf("(foxtrot-partial)"));
  expect(text.indexOf("## Results on another version")).toBeLessThan(text.indexOf("(elsewhere)"));
  await expect(text).toMatchFileSnapshot("../fixtures/golden/leaderboard.md");
});

test("results of different prompts are ranked apart, each among its own", async () => {
  const workspace = localOracle();
  // As the older tool writes it: no digest of the prompt.
  for (const model of ["charlie", "delta"]) {
    cpSync(join(ORACLE, "results", "oracle-1", model), join(workspace.root, "results", "oracle-1", model), {
      recursive: true,
    });
  }
  const { stdout } = await bench(workspace, ["publish", "bravo"]);
  expect(stdout).toContain("; rank 1 of 1\n");
  const suite = join(workspace.root, "results", "oracle-1");
  const models = read(join(suite, "leaderboard.json")).models as Record<string, unknown>[];
  expect(
    models.map((entry) => [entry.model_id, entry.prompt_sha256, entry.rank_low, entry.rank_high]),
  ).toEqual([
    ["charlie", null, 1, 1],
    ["bravo", promptSha256(), 1, 1],
    ["delta", null, 2, 2],
  ]);
  const titles = readFileSync(join(suite, "leaderboard.md"), "utf8")
    .split("\n")
    .filter((line) => /^#|^\| (?:\d|–)/.test(line))
    .map((line) => line.replace(/ \| .*/, ""));
  expect(titles).toEqual([
    "# Leaderboard of oracle-1",
    "## Prompt choice-v1, its wording not recorded",
    "| 1",
    "| 2",
    `## Prompt choice-v1, digest \`${promptSha256().slice(0, 12)}…\``,
    "| 1",
  ]);
});

test("a README says what the figures are, with the warnings of a result that is not whole", async () => {
  const workspace = localOracle();
  await bench(workspace, ["publish", "foxtrot-partial", "--force"]);
  const text = readFileSync(
    join(workspace.root, "results", "oracle-1", "foxtrot-partial", "README.md"),
    "utf8",
  );
  await expect(text.replace(/published [0-9 :-]{16}/, "published <now>")).toMatchFileSnapshot(
    "../fixtures/golden/readme.md",
  );
});

/** A workspace whose only run has labels that break objects. */
function tiny(changes: Parameters<TestWorkspace["addRun"]>[1] = {}): TestWorkspace {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  workspace.addRun("changed", { ...JSON.parse(JSON.stringify(WHOLE)), ...changes });
  return workspace;
}
const WHOLE = {
  results: ["a-1", "a-2", "a-3"]
    .map((row) =>
      result({
        row,
        gold: row === "a-1" ? "yes" : "no",
        label: "yes",
        probabilities: [
          ["yes", 1],
          ["no", 0],
        ],
      }),
    )
    .concat(
      ["b-1", "b-2", "b-3"].map((row, i) =>
        result({
          row,
          gold: ["2", "__proto__", "10"][i] as string,
          label: "__proto__",
          probabilities: [
            ["10", 0.1],
            ["2", 0.2],
            ["__proto__", 0.6],
            ["constructor", 0.1],
          ],
        }),
      ),
    ),
  attempts: [],
};

test("labels that break objects keep their shares and their order", async () => {
  const workspace = tiny();
  const { error } = await bench(workspace, ["publish", "changed"]);
  expect(error).toBeUndefined();
  const text = readFileSync(join(workspace.root, "results", "tiny", "model-x", "predictions.jsonl"), "utf8");
  expect(text).toContain('"probabilities":{"10":0.1,"2":0.2,"__proto__":0.6,"constructor":0.1}');
  expect(
    lines(join(workspace.root, "results", "tiny", "model-x", "predictions.jsonl")).map((line) => [
      line.row_id,
      line.answer,
      line.correct,
    ]),
  ).toEqual([
    ["a-1", "yes", true],
    ["a-2", "yes", false],
    ["a-3", "yes", false],
    ["b-1", "__proto__", false],
    ["b-2", "__proto__", true],
    ["b-3", "__proto__", false],
  ]);
});

test.each([
  [
    "is running",
    ["under-way"],
    "run under-way is not published: its run is running, and it covers 1 of 6 rows",
  ],
  ["has no finished row", ["empty", "--force"], "has no finished row"],
  ["was made on another corpus", ["foreign", "--force"], "(--force does not change that)"],
  ["names another suite", ["suite", "--force"], 'names the suite "../tiny"'],
  ["names a model that is a path", ["path", "--force"], 'names the model "../../x"'],
  ["names a model like a device", ["device", "--force"], "are devices on Windows"],
  ["names a model like a leaderboard", ["board", "--force"], 'names the model "leaderboard.json"'],
  ["has a damaged line", ["damaged", "--force"], "runs/damaged/results.jsonl:2 is damaged"],
  [
    "names another answer right than the corpus",
    ["false", "--force"],
    'results/tiny/model-x/predictions.jsonl:1: gold: expected "yes" (as in the corpus), found "no"',
  ],
  ["is not there", ["nothing"], "there is no run"],
])("a run that %s is refused, and nothing is written", async (_, args, message) => {
  const workspace = tiny();
  workspace.addRun("empty", { results: [], attempts: [] });
  workspace.addRun("foreign", { ...WHOLE, config: { corpus_sha256: "1".repeat(64) } });
  workspace.addRun("suite", { ...WHOLE, config: { suite: "../tiny" } });
  workspace.addRun("path", { ...WHOLE, config: { model_id: "../../x" } });
  workspace.addRun("device", { ...WHOLE, config: { model_id: "nul" } });
  workspace.addRun("board", { ...WHOLE, config: { model_id: "leaderboard.json" } });
  workspace.addRun("damaged", { ...WHOLE, results: [WHOLE.results[0] as string, "{"] });
  workspace.addRun("false", {
    ...WHOLE,
    results: [result({ row: "a-1", gold: "no", label: "yes" }), ...WHOLE.results.slice(1)],
  });
  // The lock is no result.
  const files = () => [...allFiles(workspace.root)].filter(([path]) => !path.includes(".results-lock"));
  const before = files();
  const { error, stdout } = await bench(workspace, ["publish", ...args]);
  expect(error?.message).toContain(message);
  expect(error?.exitCode).toBe(args[0] === "nothing" ? 2 : 1);
  expect(stdout).toBe("");
  expect(files()).toEqual(before);
});

test("a run that is not whole is published with --force, and says so wherever it is read", async () => {
  const workspace = tiny();
  const { error, stdout } = await bench(workspace, ["publish", "under-way", "--force"]);
  expect(error).toBeUndefined();
  expect(stdout).toContain("not ranked: it does not cover the whole corpus");
  expect(stdout).toContain("warning: its run is running\nwarning: it covers 1 of 6 rows\n");
  const folder = join(workspace.root, "results", "tiny", "model-x");
  expect(read(join(folder, "metadata.json"))).toMatchObject({
    published_with_warnings: ["its run is running", "it covers 1 of 6 rows"],
    coverage: {
      rows_in_corpus: 6,
      rows_selected: 6,
      rows_completed: 1,
      rows_ok: 1,
      rows_error: 0,
      full: false,
    },
  });
  expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("> - it covers 1 of 6 rows\n");
});

test("of what a provider said only fixed words are published, and keys of the moment are masked in outputs", async () => {
  const workspace = tiny({
    results: [
      result({
        row: "a-1",
        gold: "yes",
        label: "yes",
        text: "my key is marked-key-0123456789, at https://marked-host.example/v1",
      }),
      result({
        row: "a-2",
        gold: "no",
        label: null,
        status: "500",
        text: "marked-body",
        attempts: [finished({ id: "1", row: "a-2", status: "500" })],
      }),
      ...WHOLE.results.slice(2),
    ],
    attempts: [started({ id: "2", row: "a-2", number: 2 })],
    run: { status: "completed_with_errors" },
  });
  const env = {
    DECISION_BENCH_API_KEY: "marked-key-0123456789",
    DECISION_BENCH_BASE_URL: "https://marked-host.example/v1",
  };
  const { error } = await bench({ ...workspace, workspace: { ...workspace.workspace, env } }, [
    "publish",
    "changed",
  ]);
  expect(error).toBeUndefined();
  const files = allFiles(join(workspace.root, "results"));
  expect(files.size).toBe(6);
  for (const [path, text] of files) expect(text, path).not.toMatch(/marked|failed with/);
  const [first, second] = lines(join(workspace.root, "results", "tiny", "model-x", "predictions.jsonl"));
  expect(first).toMatchObject({ output_text: "my key is [redacted], at [url]", error: null });
  expect(second).toMatchObject({
    status: "500",
    error: "HTTP 500",
    answer: null,
    confidence: null,
    attempts: [
      { status: "500", error: "HTTP 500" },
      { status: "incomplete", error: null, duration_ms: null, cost_usd: null, cost_basis: "unavailable" },
    ],
    cost_basis: ["price_table_estimate", "unavailable"],
  });
  expect(second).not.toHaveProperty("output_text");
});

test("prices may be told on a page of the host that is called", async () => {
  const page = "https://marked-host.example/models/model-x?currency=usd&_at=~now";
  const pricing = { input_per_mtok: 100, output_per_mtok: 0, source_url: page, as_of: "2026-11-01" };
  const workspace = tiny({ run: { pricing } });
  const env = { DECISION_BENCH_BASE_URL: "https://marked-host.example/models" };
  const { error } = await bench({ ...workspace, workspace: { ...workspace.workspace, env } }, [
    "publish",
    "changed",
  ]);
  expect(error).toBeUndefined();
  const folder = join(workspace.root, "results", "tiny", "model-x");
  expect(read(join(folder, "metadata.json"))).toMatchObject({ pricing });
  expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(
    "https://marked-host.example/models/model-x?currency=usd&amp;",
  );
});

test("a server that names the file it has loaded is published without saying where", async () => {
  const call = (row: string) => ({ id: `${row}/1`, row });
  const events = TINY.map(({ id }) =>
    finished(call(id)).replace("model-x-2026", "/home/somebody/models/x.gguf"),
  );
  const workspace = tiny({ attempts: TINY.flatMap(({ id }, i) => [started(call(id)), events[i] as string]) });
  const { error } = await bench(workspace, ["publish", "changed"]);
  expect(error).toBeUndefined();
  const document = read(join(workspace.root, "results", "tiny", "model-x", "metadata.json"));
  expect(JSON.stringify(document)).not.toContain("somebody");
  expect(document).toMatchObject({
    model: { resolved_models: expect.arrayContaining(["[private]/models/x.gguf"]) },
  });
});

test("a finished run stays publishable when calling its failed rows again was cut off", async () => {
  const failed = { id: "a-1/1", row: "a-1", status: "400", cost: null };
  const again = { id: "a-1/2", row: "a-1", number: 2, status: "500", cost: null };
  const whole = JSON.parse(JSON.stringify(WHOLE)) as { results: string[]; attempts?: string[] };
  const workspace = tiny({
    run: { status: "completed_with_errors" },
    results: [
      result({ row: "a-1", gold: "yes", label: null, status: "400", attempts: [finished(failed)] }),
      ...whole.results.slice(1),
    ],
    attempts: [failed, again].flatMap((spec) => [started(spec), finished(spec)]),
  });
  const { error } = await bench(workspace, ["publish", "changed"]);
  expect(error).toBeUndefined();
  const validated = await bench(workspace, ["validate"]);
  expect(validated.stdout).toContain("sound");
});

test("a run that ended when the clock was ahead is published, and the result says so", async () => {
  const workspace = tiny({ run: { completed_at: "2099-01-01T00:00:00.000Z" } });
  const { error, stdout } = await bench(workspace, ["publish", "changed"]);
  expect(error).toBeUndefined();
  expect(stdout).toContain("warning: the clock of its machine was set back");
  const document = read(join(workspace.root, "results", "tiny", "model-x", "metadata.json"));
  expect(document).toMatchObject({
    published_with_warnings: ["the clock of its machine was set back: its times are not in order"],
  });
});

test.each([
  ["label", "model.example.com", "looks like an address"],
  ["short_label", "http://x", "looks like an address"],
  ["vendor", "/home/somebody", "holds a home folder"],
])("a %s that is private is told as what it is, and another one is published", async (field, text, said) => {
  const model = { id: "model-x", label: "X", short_label: "x", vendor: "V", color: null };
  const workspace = tiny({ run: { model: { ...model, [field]: text } } });
  const { error } = await bench(workspace, ["publish", "changed"]);
  expect(error?.message).toBe(
    `run changed is not published: its model.${field} (runs/changed/run.json) ${said}. It is only what readers call the model: ` +
      "write another name there, and into config/models.json for later runs, and publish again.",
  );
  expect(existsSync(join(workspace.root, "results"))).toBe(false);
  const record = join(workspace.root, "runs", "changed", "run.json");
  writeFileSync(record, readFileSync(record, "utf8").replace(JSON.stringify(text), '"Another"'));
  expect((await bench(workspace, ["publish", "changed"])).error).toBeUndefined();
});

test("a key that came after the run is told as one, not as a setting", async () => {
  const workspace = tiny();
  const env = { DECISION_BENCH_API_KEY: "completed" };
  const { error } = await bench({ ...workspace, workspace: { ...workspace.workspace, env } }, [
    "publish",
    "changed",
  ]);
  expect(error?.message).toContain(
    "holds a configured key. Take the variable that holds it out of the environment",
  );
});

test("a setting that is private cannot be put right in a run that was made with it", async () => {
  const workspace = tiny({ config: { api_model: "model-x@192.168.3.4" } });
  const { error } = await bench(workspace, ["publish", "changed"]);
  expect(error?.message).toContain("its model.api_model (runs/changed/run.json) looks like an address.");
  expect(error?.message).toContain("evaluate the model again");
});

test("a key that is part of a label is refused with its variable", async () => {
  const workspace = tiny();
  const env = { DECISION_BENCH_API_KEY: "constructor" };
  const { error } = await bench({ ...workspace, workspace: { ...workspace.workspace, env } }, [
    "publish",
    "changed",
  ]);
  expect(error).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("DECISION_BENCH_API_KEY cannot be kept out"),
  });
  expect(existsSync(join(workspace.root, "results"))).toBe(false);
});

test("a long output is cut at 20,000 characters and marked", async () => {
  const long = `${"x".repeat(19_999)}😀y`;
  const workspace = tiny({
    results: [result({ row: "a-1", gold: "yes", label: "yes", text: long }), ...WHOLE.results.slice(1)],
  });
  await bench(workspace, ["publish", "changed"]);
  const [first, second] = lines(join(workspace.root, "results", "tiny", "model-x", "predictions.jsonl"));
  expect(first).toMatchObject({ output_text: long.slice(0, -1), output_truncated: true });
  expect(second).not.toHaveProperty("output_truncated");
});

test("the older result of the model goes, those of other models stay as they are", async () => {
  const workspace = tiny();
  addPublished(workspace, ["tiny", "model-x"], {
    predictions: [prediction({ row: "a-1", gold: "yes", label: "no" })],
  });
  addPublished(workspace, ["tiny", "model-y"], {
    predictions: [prediction({ row: "a-1", gold: "yes", label: "no" })],
  });
  addPublished(workspace, ["other", "model-x"], { predictions: [] });
  const results = join(workspace.root, "results");
  writeFileSync(join(results, "tiny", "model-x", "notes.txt"), "old");
  writeFileSync(join(results, "tiny", "notes.txt"), "kept");
  const keep = [
    "tiny/model-y/metadata.json",
    "tiny/model-y/predictions.jsonl",
    "tiny/notes.txt",
    "other/model-x/metadata.json",
  ];
  const before = keep.map((name) => readFileSync(join(results, name), "utf8"));
  expect((await bench(workspace, ["publish", "changed"])).error).toBeUndefined();
  expect(keep.map((name) => readFileSync(join(results, name), "utf8"))).toEqual(before);
  expect(existsSync(join(results, "tiny", "model-x", "notes.txt"))).toBe(false);
  expect(lines(join(results, "tiny", "model-x", "predictions.jsonl"))).toHaveLength(6);
  // Nothing of the work is left beside it.
  expect(readdirSync(results).sort()).toEqual(["other", "tiny"]);
});

test("a suite or a model that is a link is never written through", async () => {
  const workspace = tiny();
  const outside = join(workspace.root, "outside");
  mkdirSync(join(workspace.root, "results", "tiny"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "metadata.json"), "theirs");
  symlinkSync(outside, join(workspace.root, "results", "tiny", "model-x"));
  expect((await bench(workspace, ["publish", "changed"])).error).toBeUndefined();
  expect(readdirSync(outside)).toEqual(["metadata.json"]);
  expect(readFileSync(join(outside, "metadata.json"), "utf8")).toBe("theirs");

  const second = tiny();
  mkdirSync(join(second.root, "results"));
  mkdirSync(join(second.root, "outside"));
  symlinkSync(join(second.root, "outside"), join(second.root, "results", "tiny"));
  const { error } = await bench(second, ["publish", "changed"]);
  expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining("results/tiny is a link") });
  expect(readdirSync(join(second.root, "outside"))).toEqual([]);
});

test("--json is one document", async () => {
  const { stdout } = await bench(tiny(), ["publish", "changed", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    schema_version: 1,
    result: "tiny/model-x",
    path: "results/tiny/model-x",
    run_id: "changed",
    warnings: [],
    rows: 6,
    correct: 2,
    rank_low: 1,
    rank_high: 1,
    ranked_models: 1,
  });
});
