// What the validator accepts, and what it says of workspaces that are not whole.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { InterruptedError } from "../../src/errors.ts";
import { problemText } from "../../src/publish/problem.ts";
import { type ValidationReport, validateFolders, validateWorkspace } from "../../src/publish/validate.ts";
import { type Environment, openWorkspace } from "../../src/workspace.ts";
import { type Copies, type Loose, makeCopies } from "../support/copies.ts";
import { makeWorkspace } from "../support/workspace.ts";

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo-label-only", "foxtrot-partial"];

function oracle(models: readonly string[] = MODELS): Copies {
  const copies = makeCopies();
  for (const model of models) copies.add(model, model, () => {});
  return copies;
}

const validate = (root: string, env: Environment = {}): Promise<ValidationReport> =>
  validateWorkspace(openWorkspace({ root, cwd: root, env }));
const texts = ({ problems }: ValidationReport): string[] => problems.map(problemText);
function editJson(path: string, edit: (document: Loose) => void): void {
  const document = JSON.parse(readFileSync(path, "utf8")) as Loose;
  edit(document);
  writeFileSync(path, JSON.stringify(document));
}

test("all six results of the oracle are sound, and all their figures are computed again", async () => {
  const report = await validate(oracle().root);
  expect(texts(report)).toEqual([]);
  expect(report.notices).toEqual([
    "results/oracle-1 has no leaderboard: the next `bench publish` or `bench import --replace` writes it",
    "estimated costs were taken as they are, since metadata.json does not name the prices that they were made with: oracle-1/alpha, oracle-1/bravo, oracle-1/charlie, and 3 more",
    "answers were taken as they are where output_text is missing, cut, masked or no answer: oracle-1/alpha (427 of 427), oracle-1/bravo (418 of 418), oracle-1/charlie (412 of 412), and 3 more",
  ]);
  expect(report.results).toEqual(
    MODELS.map((model) => ({
      id: `oracle-1/${model}`,
      rows: model === "foxtrot-partial" ? 250 : 427,
      full: model !== "foxtrot-partial",
      recomputed: true,
      problems: 0,
    })),
  );
  expect(report.corpora).toMatchObject([{ name: "oracle-1", active: true, rows: 427, problems: 0 }]);
});

test("a workspace without a result, without models.json, is sound", async () => {
  const report = await validate(makeWorkspace().root);
  expect(report).toMatchObject({ problems: [], results: [], corpora: [{ rows: 6 }] });
});

/** Moves every number of a document that is no whole one. */
function drift(value: Loose, move: (n: number) => number): Loose {
  if (typeof value === "number") return Number.isInteger(value) ? value : move(value);
  if (Array.isArray(value)) return value.map((item) => drift(item, move));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, drift(item, move)]));
}
const bits = new DataView(new ArrayBuffer(8));
function nextUp(value: number): number {
  bits.setFloat64(0, value);
  bits.setBigUint64(0, bits.getBigUint64(0) + 1n);
  return bits.getFloat64(0);
}

test.each([
  ["by one unit in the last place", nextUp],
  ["by 5e-10 of it", (n: number) => n * (1 + 5e-10)],
])("figures may drift %s", async (_, move) => {
  const copies = makeCopies();
  let moved = 0;
  for (const model of MODELS) {
    copies.add(model, model, ({ metadata, scores }) => {
      const count = (n: number): number => {
        moved += 1;
        return move(n);
      };
      Object.assign(scores, drift(scores, count));
      Object.assign(metadata, drift(metadata, count));
    });
  }
  expect(texts(await validate(copies.root))).toEqual([]);
  expect(moved).toBeGreaterThan(400);
});

test("every number of the scores that is off is found, whole ones by one and others by a millionth", async () => {
  const copies = makeCopies();
  let moved = 0;
  const off = (value: Loose): Loose => {
    if (typeof value === "number") {
      moved += 1;
      return Number.isInteger(value) ? value + 1 : value * (1 - 1e-6);
    }
    if (Array.isArray(value)) return value.map(off);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, off(item)]));
  };
  copies.add("alpha", "alpha", ({ scores }) => Object.assign(scores, off(scores)));
  expect((await validate(copies.root)).problems).toHaveLength(moved);
  expect(moved).toBeGreaterThan(100);
});

test("a result over a corpus that is not here is told so, and checked as far as that goes", async () => {
  const copies = makeCopies();
  copies.add("alpha", "alpha", ({ metadata, scores, lines }) => {
    metadata.corpus.sha256 = "1".repeat(64);
    scores.corpus_sha256 = "1".repeat(64);
    lines[2].confidence = 0.5;
    lines[4] = lines[3];
  });
  const report = await validate(copies.root);
  expect(texts(report)).toEqual([
    `results/oracle-1/alpha/metadata.json: corpus.sha256: no corpus in data/corpus has the digest ${"1".repeat(64)}: bring it in with \`bench corpus import\`, or move the result away`,
    expect.stringMatching(
      /^results\/oracle-1\/alpha\/predictions.jsonl:3: confidence: expected 0\.\d+ \(the probability of the answer\), found 0.5$/,
    ),
    'results/oracle-1/alpha/predictions.jsonl:5: row_id: "eng-1-003" stands on line 4 already',
  ]);
  expect(report.notices.slice(0, 1)).toEqual([
    "results/oracle-1/alpha: its scores were not computed again (predictions.jsonl: line 5 repeats a row)",
  ]);
  expect(report.results).toMatchObject([{ full: null, recomputed: false, rows: 427 }]);
});

test("results are checked against their own corpus, whichever is active", async () => {
  const { root } = oracle(["bravo"]);
  const tiny = makeWorkspace();
  cpSync(join(tiny.root, "data", "corpus", "tiny-1"), join(root, "data", "corpus", "tiny-1"), {
    recursive: true,
  });
  writeFileSync(join(root, "data", "corpus", "current.json"), '{"path":"data/corpus/tiny-1/cases.jsonl"}');
  const report = await validate(root);
  expect(texts(report)).toEqual([]);
  expect(report.results).toMatchObject([{ id: "oracle-1/bravo", full: true, recomputed: true }]);
  expect(report.corpora.map(({ name, active }) => [name, active])).toEqual([
    ["tiny-1", true],
    ["oracle-1", false],
  ]);
});

test("a corpus that was changed is named, active or not, and its results are not computed again", async () => {
  const { root } = oracle(["bravo"]);
  const cases = join(root, "data", "corpus", "oracle-1", "cases.jsonl");
  writeFileSync(cases, readFileSync(cases, "utf8").replace("Row 0 of", "Row O of"));
  const report = await validate(root);
  expect(texts(report)).toEqual([
    expect.stringMatching(
      /^data\/corpus\/oracle-1\/cases.jsonl: the rows have the digest [0-9a-f]{64}, the manifest froze d26b/,
    ),
  ]);
  expect(report.notices.slice(0, 1)).toEqual([
    "results/oracle-1/bravo: its scores were not computed again (its corpus oracle-1 is not sound)",
  ]);
  expect(report.results).toMatchObject([{ recomputed: false }]);
});

test("models.json is checked when it is there", async () => {
  const { root } = oracle([]);
  mkdirSync(join(root, "config"));
  writeFileSync(join(root, "config", "models.json"), '{"schema_version":1,"models":[{"id":"A B"}]}');
  expect(texts(await validate(root))).toEqual([
    expect.stringMatching(/^config\/models.json: models\[0\] \("A B"\): /),
  ]);
});

test("the older tool's cost coverage is a difference where that is asked for, and a problem with advice elsewhere", async () => {
  const copies = makeCopies();
  copies.add("delta", "delta", ({ metadata, scores, lines }) => {
    const attempts = lines.flatMap((line) => line.attempts).filter((attempt) => attempt.status !== "429");
    const coverage = attempts.filter((attempt) => attempt.cost_usd !== null).length / attempts.length;
    scores.cost.coverage = coverage;
    metadata.totals.cost_coverage = coverage;
  });
  const { root } = copies;
  const strict = await validate(root);
  expect(strict.problems.map(({ field }) => field)).toEqual(["totals.cost_coverage", "cost.coverage"]);
  expect(texts(strict)[0]).toContain(
    "the older tool leaves attempts with status 429 out of it; `bench import`",
  );
  const workspace = openWorkspace({ root, cwd: root, env: {} });
  const report = await validateFolders(workspace, { ids: ["oracle-1/delta"], olderDefinitions: true });
  expect(texts(report)).toEqual([]);
  expect(report.differences).toMatchObject([
    { file: "results/oracle-1/delta/scores.json", field: "cost.coverage", ours: 0.9133333333333333 },
    { file: "results/oracle-1/delta/metadata.json", field: "totals.cost_coverage", ours: 0.9133333333333333 },
  ]);
  // Anything else is no definition.
  editJson(join(copies.results, "delta", "scores.json"), (scores) => {
    scores.cost.coverage *= 1 + 1e-6;
  });
  const off = await validateFolders(workspace, { ids: ["oracle-1/delta"], olderDefinitions: true });
  expect(off.problems.map(({ field }) => field)).toEqual(["cost.coverage"]);
});

test("a partial result may lack rows, never their order", async () => {
  const copies = makeCopies();
  copies.add("a", "foxtrot-partial", ({ metadata }) => {
    delete metadata.published_with_warnings;
  });
  copies.add("b", "foxtrot-partial", ({ lines }) => {
    [lines[8], lines[9]] = [lines[9], lines[8]];
  });
  copies.add("c", "charlie", ({ metadata, lines }) => {
    lines.splice(0, 9);
    metadata.published_with_warnings = ["some"];
  });
  expect(
    texts(await validate(copies.root)).filter(
      (text) => !text.includes("/c/") || text.includes("no line for"),
    ),
  ).toEqual([
    "results/oracle-1/a/metadata.json: published_with_warnings: is missing: expected what was warned of, since coverage.full is false",
    expect.stringMatching(
      /^results\/oracle-1\/b\/predictions.jsonl:10: row_id: ".*" stands behind ".*": expected the order of the corpus$/,
    ),
    'results/oracle-1/c/predictions.jsonl: has no line for "eng-1-000", "eng-1-001", "eng-1-002", "eng-1-003", "eng-1-004", … (9 rows): expected all 427 rows of the corpus, since coverage.full is true',
  ]);
});

test("links, pipes and foreign files are told, and nothing is read through them", async () => {
  const copies = oracle(["alpha"]);
  const { root, results } = copies;
  const outside = makeCopies();
  outside.add("bravo", "bravo", ({ lines }) => {
    lines[0].gold = "SECRET-OUTSIDE";
  });
  symlinkSync(join(outside.results, "bravo"), join(results, "bravo"));
  symlinkSync(outside.results, join(dirname(results), "suite-link"));
  copies.add("charlie", "charlie", (copy) => {
    copy.after((folder) => {
      renameSync(join(folder, "predictions.jsonl"), join(folder, "..", "..", "p.jsonl"));
      symlinkSync(join(outside.results, "bravo", "predictions.jsonl"), join(folder, "predictions.jsonl"));
    });
  });
  writeFileSync(join(results, "notes.txt"), "");
  mkdirSync(join(results, ".hidden"));
  const report = await validate(root);
  expect(texts(report)).toEqual([
    "results/suite-link: is a link: nothing is read through it, move it away",
    "results/oracle-1/bravo: is a link: nothing is read through it, move it away",
    "results/oracle-1/notes.txt: does not belong here: expected the folders of results, and a leaderboard",
    "results/oracle-1/charlie/predictions.jsonl: is a link: expected a file",
  ]);
  expect(report.notices.slice(0, 1)).toEqual([
    "results/oracle-1/charlie: its scores were not computed again (predictions.jsonl cannot be read)",
  ]);
});

test("an incomplete folder is told file by file", async () => {
  const copies = oracle(["alpha", "bravo"]);
  rmSync(join(copies.results, "alpha", "scores.json"));
  rmSync(join(copies.results, "alpha", "predictions.jsonl"));
  mkdirSync(join(copies.results, "alpha", "predictions.jsonl"));
  writeFileSync(join(copies.results, "bravo", "metadata.json"), '\ufeff{"schema_version":1}');
  const report = await validate(copies.root);
  expect(report.notices.slice(0, 2)).toEqual([
    "results/oracle-1/alpha: its scores were not computed again (predictions.jsonl cannot be read)",
    "results/oracle-1/bravo: its scores were not computed again (metadata.json cannot be read)",
  ]);
  expect(texts(report)).toEqual([
    "results/oracle-1/alpha/predictions.jsonl: is a folder: expected a file",
    "results/oracle-1/alpha/scores.json: is not there",
    "results/oracle-1/bravo/metadata.json:1: is not JSON: expected a JSON value, found a byte order mark on line 1, column 1",
  ]);
});

test("a stopped check ends", async () => {
  const { root } = oracle(["alpha"]);
  const stop = new AbortController();
  const workspace = openWorkspace({ root, cwd: root, env: {} });
  const onProgress = (): void => stop.abort();
  await expect(validateWorkspace(workspace, { signal: stop.signal, onProgress })).rejects.toBeInstanceOf(
    InterruptedError,
  );
});
