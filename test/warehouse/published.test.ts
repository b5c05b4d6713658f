// Published results beside local runs: what is read, what is none, and what a line must be.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { firstDamagedPrediction } from "../../src/ledgers/damage.ts";
import { addPublished, call, metadataOf, prediction } from "../support/published.ts";
import { everything, open } from "../support/query.ts";
import { makeWorkspace, openAt, result, TINY } from "../support/workspace.ts";

const good = (row: string, label = "yes"): string => prediction({ row, gold: "yes", label });
/** Every row of the corpus, all answered rightly. */
const full = TINY.map(({ id, gold, task, category }) =>
  prediction({ row: id, gold, label: gold, task, category }),
);

test("the results of the older tool are read as they are", async () => {
  const root = fileURLToPath(new URL("../fixtures/oracle", import.meta.url));
  const { rows, notices } = await open(openAt(root, ""));
  const expected = JSON.parse(readFileSync(join(root, "expected.json"), "utf8")) as {
    corpus_sha256: string;
    models: Record<
      string,
      {
        overall: { rows: number; correct: number; errors: number };
        attempts: Record<string, number>;
        tokens: Record<string, number | null>;
      }
    >;
  };
  const models = Object.keys(expected.models);
  expect(models).toHaveLength(6);
  for (const model of models) {
    const run = `oracle-1/${model}`;
    const want = expected.models[model];
    const [head] = await rows(`SELECT * FROM runs WHERE run_id = '${run}'`);
    expect(head).toMatchObject({
      source: "published",
      model_id: model,
      suite: "oracle-1",
      corpus_sha256: expected.corpus_sha256,
      current_corpus: true,
      full_coverage: model !== "foxtrot-partial",
      rows_in_corpus: 427,
      rows_selected: want?.overall.rows,
      rows_completed: want?.overall.rows,
      damaged_lines: 0,
      published_at: "2026-09-23T14:00:00Z",
      harness_version: "0.3.0",
      git_dirty: false,
      prompt_sha256: null,
      analysis_version: "v1",
    });
    expect(head?.source_run_id).toMatch(new RegExp(`^${model}-oracle-1-[0-9a-f]{8}$`));
    const { rows: count, correct, errors } = want?.overall ?? {};
    expect(await rows(`SELECT rows, correct, errors FROM accuracy_overall WHERE run_id = '${run}'`)).toEqual([
      { rows: count, correct, errors },
    ]);
    expect(await rows(`SELECT * EXCLUDE (run_id) FROM attempt_totals WHERE run_id = '${run}'`)).toEqual([
      want?.attempts,
    ]);
    const { input, output, cached_input: cached, reasoning_output: reasoning } = want?.tokens ?? {};
    expect(
      await rows(`SELECT * EXCLUDE (run_id, token_coverage) FROM tokens WHERE run_id = '${run}'`),
    ).toEqual([
      {
        input_tokens: input,
        output_tokens: output,
        cached_input_tokens: cached,
        reasoning_output_tokens: reasoning,
      },
    ]);
  }
  expect(notices).toEqual([]);
  const [label] = await rows(
    "SELECT count(*) AS n, count(probabilities) AS p, count(confidence) AS c, min(probability_source) AS source FROM answers WHERE model_id = 'echo-label-only' AND is_valid",
  );
  expect(label).toEqual({ n: 423, p: 0, c: 0, source: "label-only" });
});

test("published results stand beside local runs, and the files between them are passed over", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("model-x", { results: [result({ row: "a-1", gold: "yes", label: "yes" })] });
  addPublished(workspace, ["tiny", "model-x"], { predictions: full });
  const results = join(workspace.root, "results");
  writeFileSync(join(results, "README.md"), "x");
  writeFileSync(join(results, "tiny", "leaderboard.json"), "{");
  writeFileSync(join(results, "tiny", "leaderboard.md"), "x");
  writeFileSync(join(results, "tiny", "model-x", "README.md"), "x");
  writeFileSync(join(results, "tiny", "model-x", "scores.json"), "{");
  mkdirSync(join(results, ".git", "objects"), { recursive: true });
  mkdirSync(join(results, "tiny", ".model-x.old"));
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id, source, full_coverage FROM runs ORDER BY run_id")).toEqual([
    { run_id: "model-x", source: "local", full_coverage: false },
    { run_id: "tiny/model-x", source: "published", full_coverage: true },
  ]);
  expect(await rows("SELECT run_id, count(*) AS n FROM answers GROUP BY ALL ORDER BY ALL")).toEqual([
    { run_id: "model-x", n: 1 },
    { run_id: "tiny/model-x", n: 6 },
  ]);
  expect(notices).toEqual([]);
});

test("an attempt is known by its row and its number, and an incomplete one costs nobody knows what", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "m"], {
    predictions: [
      prediction({
        row: "a-1",
        gold: "yes",
        label: "yes",
        attempts: [
          call({ status: "429", cost: null, tokens: null, ms: 7.5 }),
          call({ status: "incomplete", cost: 3, ms: null, tokens: {} }),
          call({
            cost: 0.25,
            basis: "provider_reported",
            tokens: { input: 9, output: 8, cached_input: 7, reasoning_output: 6 },
          }),
        ],
      }),
      prediction({ row: "a-2", gold: "no", label: null, status: "a status of its own", attempts: [] }),
    ],
  });
  const { rows } = await open(workspace);
  const attempts = await rows("SELECT * FROM attempts ORDER BY number");
  const unknown = {
    run_id: "tiny/m",
    row_id: "a-1",
    error: null,
    started_at: null,
    queued_ms: null,
    http_status: null,
    resolved_model: null,
    cost_usd: null,
    cost_basis: "unavailable",
    duration_ms: null,
    input_tokens: null,
    output_tokens: null,
    cached_input_tokens: null,
    reasoning_output_tokens: null,
  };
  expect(attempts).toEqual([
    { ...unknown, attempt_id: "a-1#1", number: 1, status: "429", duration_ms: 7.5 },
    { ...unknown, attempt_id: "a-1#2", number: 2, status: "incomplete" },
    {
      ...unknown,
      attempt_id: "a-1#3",
      number: 3,
      status: "ok",
      duration_ms: 100,
      cost_usd: 0.25,
      cost_basis: "provider_reported",
      input_tokens: 9,
      output_tokens: 8,
      cached_input_tokens: 7,
      reasoning_output_tokens: 6,
    },
  ]);
  expect(await rows("SELECT attempts, cost_usd, status, is_valid FROM answers ORDER BY row_id")).toEqual([
    { attempts: 3, cost_usd: 0.25, status: "ok", is_valid: true },
    { attempts: 0, cost_usd: null, status: "a status of its own", is_valid: false },
  ]);
  expect(await rows("SELECT * EXCLUDE (run_id) FROM attempt_totals")).toEqual([
    { attempts: 3, retries: 2, attempt_errors: 1, incomplete_attempts: 1 },
  ]);
});

test("labels that break objects, odd texts and probabilities stay as they are", async () => {
  const workspace = makeWorkspace();
  const text = "a\u2028b\u0085c\u0000d\re\n'\"\\😀\ufffd";
  addPublished(workspace, ["tiny", "m"], {
    predictions: [
      prediction({
        row: "b-1",
        gold: "2",
        label: "__proto__",
        probabilities: [
          ["__proto__", 0.5],
          ["10", 0.25],
          ["2", 0.25],
          ["constructor", 0],
        ],
        changes: { output_text: text },
      }),
    ],
  });
  const { json, rows } = await open(workspace);
  expect(await json("SELECT label, probabilities, confidence, p_gold FROM answers")).toBe(
    '{"label":"__proto__","probabilities":{"__proto__":0.5,"10":0.25,"2":0.25,"constructor":0},"confidence":0.5,"p_gold":0.25}',
  );
  expect(await rows("SELECT output_text FROM answers")).toEqual([{ output_text: text }]);
});

test("coverage is counted, whatever the metadata says, and rows of elsewhere make no result full", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "full"], {
    predictions: full,
    metadata: { coverage: { rows_in_corpus: 9, rows_selected: 9, full: false } },
  });
  addPublished(workspace, ["tiny", "less"], { predictions: full.slice(1) });
  addPublished(workspace, ["tiny", "more"], { predictions: [...full, good("x-1")] });
  addPublished(workspace, ["tiny", "other-rows"], { predictions: [...full.slice(1), good("x-1")] });
  addPublished(workspace, ["tiny", "none"], {
    metadata: { coverage: { rows_in_corpus: 0, rows_selected: 0, full: true } },
  });
  const corpus = { version: "0.9.0", sha256: "0".repeat(64), current: true };
  const coverage = { rows_in_corpus: 2, rows_selected: 2, full: false };
  const two = [good("x-1"), good("x-2")];
  addPublished(workspace, ["old", "full"], { predictions: two, metadata: { corpus, coverage } });
  addPublished(workspace, ["old", "less"], { predictions: [good("x-1")], metadata: { corpus, coverage } });
  addPublished(workspace, ["old", "unsaid"], {
    predictions: two,
    metadata: { corpus, coverage: { rows_selected: 2, full: true } },
  });
  const { rows, notices } = await open(workspace);
  const found = await rows(
    "SELECT run_id, current_corpus, rows_in_corpus, full_coverage, damaged_lines FROM runs ORDER BY run_id",
  );
  expect(found.map((run) => Object.values(run))).toEqual([
    ["old/full", false, 2, true, 0],
    ["old/less", false, 2, false, 0],
    ["old/unsaid", false, null, false, 0],
    ["tiny/full", true, 6, true, 0],
    ["tiny/less", true, 6, false, 0],
    ["tiny/more", true, 6, true, 1],
    ["tiny/none", true, 6, false, 0],
    ["tiny/other-rows", true, 6, false, 1],
  ]);
  // They bring their own right answer along, so they must not count.
  const unknown = (model: string): string =>
    `results/tiny/${model}/predictions.jsonl: 1 line is about a row that the corpus does not have; left out`;
  expect(notices).toEqual([unknown("more"), unknown("other-rows")]);
  expect(await rows("SELECT rows, correct FROM accuracy_overall WHERE run_id = 'tiny/more'")).toEqual(
    await rows("SELECT rows, correct FROM accuracy_overall WHERE run_id = 'tiny/full'"),
  );
  expect(await rows("SELECT row_id FROM attempts WHERE run_id LIKE 'tiny/%' AND row_id = 'x-1'")).toEqual([]);
});

test("task and category are the corpus's, and the file's own on another corpus", async () => {
  const workspace = makeWorkspace();
  const line = (row: string): string =>
    prediction({ row, gold: "yes", label: "yes", task: "OLD-1", category: "old" });
  const corpus = { version: "0.9.0", sha256: "0".repeat(64) };
  addPublished(workspace, ["tiny", "m"], { predictions: [line("a-1")] });
  addPublished(workspace, ["old", "m"], { predictions: [line("a-1")], metadata: { corpus } });
  workspace.addRun("elsewhere", {
    config: { corpus_sha256: corpus.sha256 },
    results: [result({ row: "a-1", gold: "yes", label: "yes" })],
  });
  const { rows } = await open(workspace);
  const places =
    "SELECT run_id, row_id, task, category, source_kind, gold_position FROM answers ORDER BY ALL";
  expect((await rows(places)).map((row) => Object.values(row))).toEqual([
    ["elsewhere", "a-1", null, null, null, null],
    ["old/m", "a-1", "OLD-1", "old", null, null],
    ["tiny/m", "a-1", "A-1", "alpha", "written", 1],
  ]);
});

test("a file that calls its own answers right is not believed where the corpus can be asked", async () => {
  const workspace = makeWorkspace();
  const lie = prediction({
    row: "a-2",
    gold: "yes",
    label: "yes",
    probabilities: [
      ["yes", 0.9],
      ["no", 0.1],
    ],
  });
  addPublished(workspace, ["tiny", "m"], { predictions: [lie] });
  const { rows } = await open(workspace);
  expect(await rows("SELECT gold, correct, p_gold FROM answers")).toEqual([
    { gold: "no", correct: false, p_gold: 0.1 },
  ]);
});

test("a folder that is no published result is said once, and the others are read", async () => {
  const workspace = makeWorkspace();
  const results = join(workspace.root, "results");
  const add = (model: string, spec: Parameters<typeof addPublished>[2]): void =>
    addPublished(workspace, ["tiny", model], { predictions: [good("a-1")], ...spec });
  add("fine", {});
  add("bare", { metadata: null });
  add("broken", { metadata: '{"schema_version":1,' });
  add("list", { metadata: "[]" });
  add("newer", { metadata: { schema_version: 2 } });
  add("digest", { metadata: { corpus: { sha256: "x" } } });
  add("copied", { metadata: metadataOf("tiny", "fine", workspace.sha256) });
  add("moved", { metadata: { suite: "other\u202e" } });
  add("deep", { metadata: `${"[".repeat(100_000)}${"]".repeat(100_000)}` });
  add("no-lines", { predictions: null });
  add("pipe", { predictions: null });
  execFileSync("mkfifo", [join(results, "tiny", "pipe", "predictions.jsonl")]);
  add("folder", { predictions: null });
  mkdirSync(join(results, "tiny", "folder", "predictions.jsonl"));
  add("metadata-folder", { metadata: null });
  mkdirSync(join(results, "tiny", "metadata-folder", "metadata.json"));
  add("dangling", { predictions: null });
  symlinkSync("nowhere", join(results, "tiny", "dangling", "predictions.jsonl"));
  add("back\\slash", {});
  symlinkSync("loop", join(results, "loop"));
  symlinkSync("loop", join(results, "tiny", "loop"));
  mkdirSync(join(results, "empty-suite"));
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id FROM runs")).toEqual([{ run_id: "tiny/fine" }]);
  expect(await rows("SELECT run_id FROM answers")).toEqual([{ run_id: "tiny/fine" }]);
  const no = "; the folder is not counted as a published result";
  expect(notices).toEqual([
    `results/tiny/back\\slash has a backslash in its name: rename it${no}`,
    `results/tiny/bare/metadata.json is not there${no}`,
    expect.stringMatching(/^results\/tiny\/broken\/metadata.json is not JSON: /),
    `results/tiny/copied/metadata.json is about model "fine" of suite "tiny", which is another folder's name${no}`,
    `results/tiny/dangling/predictions.jsonl is not there${no}`,
    expect.stringMatching(/^results\/tiny\/deep\/metadata.json is no published result: /),
    expect.stringMatching(
      /^results\/tiny\/digest\/metadata.json is no published result: corpus\.sha256: expected 64 hex digits/,
    ),
    `results/tiny/folder/predictions.jsonl is not a file${no}`,
    expect.stringMatching(/^results\/tiny\/list\/metadata.json is no published result: /),
    `results/tiny/metadata-folder/metadata.json is not a file${no}`,
    `results/tiny/moved/metadata.json is about model "moved" of suite "other\\u202e", which is another folder's name${no}`,
    expect.stringMatching(/^results\/tiny\/newer\/metadata.json is no published result: schema_version: /),
    `results/tiny/no-lines/predictions.jsonl is not there${no}`,
    `results/tiny/pipe/predictions.jsonl is not a file${no}`,
  ]);
});

test("folder names of every kind are run ids", async () => {
  const workspace = makeWorkspace();
  const names: [string, string][] = [
    ["a suite", 'it\'s "quoted"'],
    ["[ab]*?{x}", "**"],
    ["größe\u2028", "模型 😀"],
    ["%s$1", "-- drop; table"],
  ];
  for (const name of names) {
    addPublished(workspace, name, { predictions: [good("a-1"), good("a-2").slice(0, -1)] });
    // Read through a copy: the unfinished last line is a whole record.
    addPublished(workspace, [name[0], `${name[1]} torn`], { predictions: `${good("a-1")}\n${good("a-2")}` });
  }
  const { rows, notices } = await open(workspace);
  const ids = names.flatMap(([suite, model]) => [`${suite}/${model}`, `${suite}/${model} torn`]).sort();
  expect((await rows("SELECT run_id, damaged_lines FROM runs")).map((run) => run.run_id).sort()).toEqual(ids);
  expect((await rows("SELECT run_id FROM answers")).map((run) => run.run_id).sort()).toEqual(ids);
  expect(notices).toHaveLength(8);
  for (const id of ids) {
    const one = await open(workspace, { runs: [id] });
    expect(await one.rows("SELECT run_id, row_id FROM answers")).toEqual([{ run_id: id, row_id: "a-1" }]);
  }
});

test("a broken line costs no other one, whatever DuckDB makes of it, and the workspace goes on", async () => {
  const at = good("a-3").indexOf(",", 20);
  const pretty = JSON.stringify(JSON.parse(good("a-3")), null, 1).split("\n");
  const broken = [
    ["["],
    ['{"attempts": ['],
    ['{"row_id": "a-3", "attempts": [{"status": "ok"},'],
    ['{"row_id":'],
    [good("a-3").slice(0, at), good("a-3").slice(at)],
    pretty,
    ["   {", "   }"],
    [`\ufeff${good("a-3")}`],
  ];
  const workspace = makeWorkspace();
  for (const [i, lines] of broken.entries()) {
    addPublished(workspace, ["tiny", `m${i}`], {
      predictions: [good("a-1"), ...lines, ` \t${good("a-2")} \r`],
    });
    workspace.addRun(`r${i}`, {
      results: [
        result({ row: "a-1", gold: "yes", label: "yes" }),
        ...lines,
        result({ row: "a-2", gold: "yes", label: "yes" }),
      ],
    });
  }
  const figures = "SELECT run_id, rows_completed, damaged_lines FROM runs ORDER BY run_id";
  const { rows } = await open(workspace);
  expect(await rows(figures)).toEqual(
    ["r", "tiny/m"].flatMap((name) =>
      broken.map((lines, i) => ({ run_id: `${name}${i}`, rows_completed: 2, damaged_lines: lines.length })),
    ),
  );
});

test("a byte order mark is damage, alone and beside other results", async () => {
  const workspace = makeWorkspace();
  for (const model of ["m", "other"]) {
    addPublished(workspace, ["tiny", model], { predictions: [`\ufeff${good("a-1")}`, good("a-2")] });
  }
  for (const options of [{}, { runs: ["tiny/m"] }, { runs: ["tiny/m", "tiny/other"] }]) {
    const { rows } = await open(workspace, options);
    expect(await rows("SELECT rows_completed, damaged_lines FROM runs WHERE run_id = 'tiny/m'")).toEqual([
      { rows_completed: 1, damaged_lines: 1 },
    ]);
  }
});

test("unfinished, broken, overlong and repeated lines; the first is found again for a message", async () => {
  const workspace = makeWorkspace();
  const long = prediction({
    row: "a-3",
    gold: "no",
    label: "no",
    changes: { output_text: "x".repeat(65 * 1024 * 1024) },
  });
  addPublished(workspace, ["tiny", "torn"], { predictions: `${good("a-1")}\n${good("a-2").slice(0, 80)}` });
  addPublished(workspace, ["tiny", "broken"], { predictions: [good("a-1"), "{", "", good("a-2")] });
  addPublished(workspace, ["tiny", "long"], { predictions: [good("a-1"), long, good("a-2")] });
  addPublished(workspace, ["tiny", "again"], { predictions: [good("a-1", "no"), good("a-2"), good("a-1")] });
  const { rows, notices } = await open(workspace);
  expect(
    (await rows("SELECT run_id, damaged_lines, rows_completed FROM runs ORDER BY run_id")).map((run) =>
      Object.values(run),
    ),
  ).toEqual([
    ["tiny/again", 1, 2],
    ["tiny/broken", 2, 2],
    ["tiny/long", 1, 2],
    ["tiny/torn", 0, 1],
  ]);
  expect(await rows("SELECT label, attempts FROM answers WHERE run_id = 'tiny/again'")).toEqual(
    expect.arrayContaining([{ label: "yes", attempts: 1 }]),
  );
  expect(notices).toEqual([
    "results/tiny/again/predictions.jsonl: 1 damaged line was left out",
    "results/tiny/broken/predictions.jsonl: 2 damaged lines were left out",
    "results/tiny/long/predictions.jsonl: 1 damaged line was left out",
    "results/tiny/torn/predictions.jsonl: the last line is unfinished and was skipped",
  ]);
  const first = async (model: string) => {
    const damage = await firstDamagedPrediction(join(workspace.root, "results", "tiny", model));
    return damage === null ? null : `${damage.line}: ${damage.message}`;
  };
  expect(await first("torn")).toBe(null);
  expect(await first("broken")).toMatch(/^2: not JSON/);
  expect(await first("long")).toMatch(/^2: longer than/);
  expect(await first("again")).toBe('3: row "a-1" again');
});

test("what a line must be is the same for DuckDB and for the schema", async () => {
  const values: unknown[] = [
    null,
    undefined,
    "",
    "x",
    "7",
    "0.5",
    7,
    7.5,
    -1,
    0,
    1e300,
    9007199254740991,
    9007199254740992,
    true,
    [],
    {},
    [1],
    ["x"],
    { a: 1 },
    { a: 1.5 },
    { a: "0.5" },
    { a: null },
    { a: -0.1 },
    { a: true },
    { "10": 0.5, "2": 0.5, __proto__x: 0 },
  ];
  const fields = Object.keys(JSON.parse(good("a-1")) as object);
  const nested = Object.keys(call());
  const lines: string[] = [];
  const base = { gold: "yes", label: "yes" };
  for (const value of values) {
    for (const field of fields) {
      lines.push(prediction({ ...base, row: `r-${lines.length}`, changes: { [field]: value } }));
    }
    for (const field of nested) {
      const broken = { ...call(), [field]: value };
      lines.push(prediction({ ...base, row: `r-${lines.length}`, attempts: [call(), broken] }));
    }
    for (const name of ["input", "output", "cached_input", "reasoning_output"]) {
      const broken = { ...call(), tokens: { [name]: value } };
      lines.push(prediction({ ...base, row: `r-${lines.length}`, attempts: [broken] }));
    }
    lines.push(prediction({ ...base, row: `r-${lines.length}`, changes: { attempts: [value] } }));
  }
  const text = (row: string): string => prediction({ ...base, row, changes: { output_text: "@" } });
  lines.push(
    ...["\\ud800", "\\\\ud800", "\\ud83d\\ude00", "\\ude00\\ud83d", "\\u0000"].map((odd, i) =>
      text(`odd-${i}`).replace("@", odd),
    ),
    prediction({
      ...base,
      row: "twice",
      probabilities: [
        ["yes", 0.5],
        ["yes", 0.5],
      ],
    }),
    prediction({ ...base, row: "empty-map", probabilities: [] }),
    ...[
      [0.5, 0.5],
      [0.5, 0.4],
      [1, 1],
      [0.5, 0.500001],
      [0.5, 0.5000011],
      [0, 0],
    ].map(([yes = 0, no = 0], i) =>
      prediction({
        ...base,
        row: `sum-${i}`,
        probabilities: [
          ["yes", yes],
          ["no", no],
        ],
      }),
    ),
    // DuckDB takes the first of two equal keys, JSON.parse the last.
    ...["answer", "gold", "attempts", "row_id", "cost_usd", "input"].map((key) =>
      good(`repeated-${key}`).replace(`"${key}":`, `"${key}":null,"${key}":`),
    ),
    good("float").replace('"images_sent":0', '"images_sent":2.0'),
    good("overflow").replace('"latency_ms":120', '"latency_ms":1e999'),
    good("nan").replace('"latency_ms":120', '"latency_ms":NaN'),
    `${good("glued")}${good("glued")}`,
    // At the beginning of a file DuckDB passes over it.
    `${good("first")}\n\ufeff${good("bom")}`,
    good("unicode-\u2028"),
    "null",
    "[]",
    "17",
    '"x"',
    "",
    "  ",
  );
  const workspace = makeWorkspace();
  const names = lines.map((_, i) => `m-${String(i).padStart(4, "0")}`);
  // One line a file: a file is whole for one reader exactly when it is whole for the other.
  const metadata = { corpus: { version: "0.9.0", sha256: "0".repeat(64) } };
  lines.forEach((line, i) => {
    addPublished(workspace, ["tiny", names[i] ?? ""], { metadata, predictions: [line] });
  });
  const { rows } = await open(workspace);
  const found = await rows("SELECT model_id, damaged_lines = 0 AS good FROM runs ORDER BY model_id");
  const damage = await Promise.all(
    names.map((name) => firstDamagedPrediction(join(workspace.root, "results", "tiny", name))),
  );
  const differ = found.flatMap((run, i) =>
    (damage[i] === null) === run.good ? [] : [{ line: lines[i], sql: run.good, schema: damage[i]?.message }],
  );
  expect(differ).toEqual([]);
  const accepted = found.filter((run) => run.good).length;
  expect(accepted).toBeGreaterThan(200);
  expect(lines.length - accepted).toBeGreaterThan(200);
}, 120_000);

test("texts and times of a metadata.json that other readers would choke on", async () => {
  const workspace = makeWorkspace();
  const base = metadataOf("tiny", "m", workspace.sha256) as Record<string, Record<string, unknown>>;
  addPublished(workspace, ["tiny", "m"], {
    metadata: {
      model: { id: "m", label: "a\ud800b\u0000", extra: { deep: [1] } },
      run: { run_id: "r\udc00", status: "done", published_at: "yesterday" },
      harness: undefined,
      prompt_version: undefined,
      totals: undefined,
      analysis_version: "v0",
    },
    predictions: full,
  });
  addPublished(workspace, ["tiny", "zone"], {
    metadata: { run: { ...base.run, published_at: "2026-09-23T14:00:00.5+05:30", completed_at: null } },
  });
  const { rows, notices } = await open(workspace);
  expect(notices).toEqual([]);
  const found = await rows("SELECT * FROM runs ORDER BY run_id");
  expect(found[0]).toMatchObject({
    label: "a\ufffdb\u0000",
    vendor: null,
    provider: null,
    api_model: null,
    source_run_id: "r\ufffd",
    status: "done",
    created_at: null,
    published_at: null,
    git_commit: null,
    git_dirty: null,
    harness_version: null,
    prompt_version: null,
    analysis_version: "v0",
  });
  expect(found[1]).toMatchObject({ published_at: "2026-09-23T08:30:00.5Z", completed_at: null });
});

test("a metadata.json that is no object is said without an empty place", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "list"], { metadata: "[]", predictions: full });
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id FROM runs")).toEqual([]);
  expect(notices).toEqual([
    expect.stringMatching(
      /^results\/tiny\/list\/metadata\.json is no published result: [^:]*expected object/,
    ),
  ]);
});

test("only the named results are read; a name that is none is refused", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("m", { results: [result({ row: "a-1", gold: "yes", label: "yes" })] });
  addPublished(workspace, ["tiny", "m"], { predictions: full });
  addPublished(workspace, ["tiny", "bad"], { metadata: "{" });
  for (const [runs, want] of [
    [["tiny/m"], ["tiny/m"]],
    [["m"], ["m"]],
    [
      ["tiny/m", "m"],
      ["m", "tiny/m"],
    ],
    [[], []],
  ] as const) {
    const { rows, notices } = await open(workspace, { runs });
    expect((await rows("SELECT run_id FROM runs ORDER BY run_id")).map((run) => run.run_id)).toEqual(want);
    expect((await rows("SELECT DISTINCT run_id FROM answers ORDER BY ALL")).map((run) => run.run_id)).toEqual(
      want,
    );
    expect(notices).toEqual([]);
  }
  for (const id of [
    "tiny/none",
    "tiny/bad",
    "tiny/../tiny/m",
    "../results/tiny",
    "tiny/",
    "/tiny",
    "tiny/..",
  ]) {
    const { rows } = await open(workspace, { runs: [id] });
    await expect(rows("SELECT * FROM runs"), id).rejects.toThrow(UserError);
  }
});

test("no output depends on threads, on other results or on the order of lines", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "m"], { predictions: full });
  const first = await everything(await open(workspace, { threads: 1 }));
  addPublished(workspace, ["tiny", "m"], { predictions: [...full].reverse() });
  expect(await everything(await open(workspace, { threads: 4 }))).toEqual(first);
  addPublished(workspace, ["other", "m"], { predictions: full });
  expect(await everything(await open(workspace, { threads: 2, runs: ["tiny/m"] }))).toEqual(first);
});

test("no results folder, or an empty one", async () => {
  const workspace = makeWorkspace();
  const none = await everything(await open(workspace));
  mkdirSync(join(workspace.root, "results"));
  expect(await everything(await open(workspace))).toEqual(none);
  rmSync(join(workspace.root, "results"), { recursive: true });
  writeFileSync(join(workspace.root, "results"), "x");
  const { rows } = await open(workspace);
  await expect(rows("SELECT * FROM runs")).rejects.toThrow("results/ cannot be read (ENOTDIR)");
  expect(readdirSync(workspace.root)).toContain("results");
});
