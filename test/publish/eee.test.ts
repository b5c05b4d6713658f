// The export for Every Eval Ever over the oracle's results: every file has the shape, every figure is the views'.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inputDigest } from "../../src/corpus/input.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { sampleHash } from "../../src/publish/eee-samples.ts";
import { bench } from "../support/commands.ts";
import {
  bytesIn,
  type EeeFile,
  eeeIn,
  exportsFolder,
  isAggregate,
  isSample,
  type Loose,
  problemsOf,
} from "../support/exports.ts";
import { ORACLE, publishedOracle } from "../support/oracle.ts";
import { open } from "../support/query.ts";

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo-label-only", "foxtrot-partial"];

interface Export {
  readonly folder: string;
  readonly files: Map<string, EeeFile>;
}

/** An export without further options, which most tests look at. */
let plain: Export;
let place: string;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "bench-export-"));
  plain = await exportTo(join(place, "eee"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

async function exportTo(folder: string, ...more: string[]): Promise<Export> {
  const { error } = await bench(publishedOracle(), ["export", "--format", "eee", "--out", folder, ...more]);
  expect(error).toBeUndefined();
  return { folder, files: eeeIn(folder) };
}

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

test("every result has a record and a samples file, which have the shape and belong together", async () => {
  const { folder, files } = await exportTo(
    join(exportsFolder(), "eee"),
    ...["--organization", "Example Lab", "--relationship", "third_party"],
  );
  expect([...files.keys()]).toEqual(expect.arrayContaining(MODELS.map((model) => `oracle-1/${model}`)));
  expect(bytesIn(folder).size).toBe(2 * MODELS.length + 1);
  for (const { path, record, samples, text } of files.values()) {
    expect(problemsOf(isAggregate, record)).toEqual([]);
    expect(path).toMatch(/^data\/decision-bench__oracle-1\/oracle\/[a-z-]+\/[0-9a-f-]{36}\.json$/);
    expect(record.source_metadata).toMatchObject({
      source_organization_name: "Example Lab",
      evaluator_relationship: "third_party",
      source_type: "evaluation_run",
    });
    expect(record.detailed_evaluation_results).toEqual({
      format: "jsonl",
      file_path: path.replace(/\.json$/, "_samples.jsonl"),
      hash_algorithm: "sha256",
      checksum: sha256(text),
      total_rows: samples.length,
    });
    const ids = record.evaluation_results.map((entry: Loose) => entry.evaluation_result_id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const sample of samples) {
      expect(problemsOf(isSample, sample)).toEqual([]);
      expect(sample.evaluation_id).toBe(record.evaluation_id);
      expect(sample.model_id).toBe(record.model_info.id);
      expect(ids).toContain(sample.evaluation_result_id);
    }
  }
  const ids = [...files.values()].map(({ record }) => record.evaluation_id);
  expect(new Set(ids).size).toBe(MODELS.length);
});

test("every figure is the one of the views, and none is missing", async () => {
  const { files } = plain;
  const { rows } = await open(publishedOracle());
  let compared = 0;
  for (const [run, { record }] of files) {
    const where = `WHERE run_id = '${run}'`;
    const one = async (view: string) => (await rows(`SELECT * FROM ${view} ${where}`))[0] as Loose;
    const overall = await one("accuracy_overall");
    const macro = await one("macro_averages");
    const calibration = await one("calibration");
    const cost = await one("cost");
    const latency = await one("latency");
    const name = "decision-bench__oracle-1";
    const expected = new Map<string, unknown>([
      [`${name}/accuracy`, overall.accuracy],
      [`${name}/accuracy_answered`, overall.accuracy_answered],
      [`${name}/macro_category_accuracy`, macro.macro_category_accuracy],
      [`${name}/macro_task_f1`, macro.macro_task_f1],
      [`${name}/brier`, calibration.brier],
      [`${name}/log_loss`, calibration.log_loss],
      [`${name}/ece`, calibration.ece],
      [`${name}/adaptive_ece`, calibration.adaptive_ece],
      [`${name}/cost_per_1000_rows`, cost.cost_per_1000_rows_usd],
      [`${name}/latency_p50`, latency.p50_ms],
      [`${name}/latency_p95`, latency.p95_ms],
      [`${name}/latency_p99`, latency.p99_ms],
    ]);
    const groups = new Map<string, Loose>();
    for (const by of ["category", "task"]) {
      for (const row of await rows(`SELECT * FROM accuracy_by_${by} ${where}`)) {
        expected.set(`${name}.${by}.${row[by]}/accuracy`, row.accuracy);
        groups.set(`${name}.${by}.${row[by]}/accuracy`, row);
      }
    }
    for (const [id, score] of expected) if (score === null) expected.delete(id);
    const entries = record.evaluation_results as Loose[];
    expect(new Map(entries.map((entry) => [entry.evaluation_result_id, entry.score_details.score]))).toEqual(
      expected,
    );
    compared += expected.size;
    for (const entry of entries) {
      const { min_score: low, max_score: high, score_type } = entry.metric_config;
      expect(score_type).toBe("continuous");
      expect(entry.score_details.score).toBeGreaterThanOrEqual(low);
      if (high !== "Infinity") expect(entry.score_details.score).toBeLessThanOrEqual(high);
      const group = groups.get(entry.evaluation_result_id);
      if (group === undefined) continue;
      expect(entry.score_details.uncertainty).toEqual({
        confidence_interval: {
          lower: group.wilson_low,
          upper: group.wilson_high,
          confidence_level: 0.95,
          method: "wilson",
        },
        num_samples: group.rows,
      });
    }
    expect(entries[0].score_details.uncertainty).toEqual({
      standard_error: { value: overall.jackknife_se, method: "jackknife" },
      confidence_interval: {
        lower: overall.wilson_low,
        upper: overall.wilson_high,
        confidence_level: 0.95,
        method: "wilson",
      },
      num_samples: overall.rows,
    });
    expect(entries[0].score_details.details).toMatchObject({
      rows: String(overall.rows),
      correct: String(overall.correct),
      errors: String(overall.errors),
      jackknife_low: String(overall.jackknife_low),
      jackknife_high: String(overall.jackknife_high),
    });
    const lower = entries.filter((entry) => entry.metric_config.lower_is_better);
    expect(lower.map((entry) => entry.metric_config.metric_kind)).toEqual(
      calibration.brier === null
        ? ["cost", "latency", "latency", "latency"]
        : ["brier", "log_loss", "ece", "ece", "cost", "latency", "latency", "latency"],
    );
  }
  // Twelve figures, five categories and twelve tasks each; the label-only result has no probabilities.
  expect(compared).toBe(6 * (12 + 5 + 12) - 4);
});

interface Line {
  readonly row_id: string;
  readonly answer: string | null;
  readonly gold: string;
  readonly correct: boolean;
  readonly status: string;
  readonly error: string | null;
  readonly output_text: string | null;
  readonly latency_ms: number;
  readonly probabilities: object | null;
  readonly attempts: readonly { readonly tokens: Readonly<Record<"input" | "output", number | null>> }[];
}

test("the samples are the predictions, in number and in content", async () => {
  const { files } = plain;
  const corpus = await loadCorpus(publishedOracle().workspace);
  const rows = new Map(corpus.rows.map((row) => [row.id, row]));
  for (const model of MODELS) {
    const text = readFileSync(join(ORACLE, "results", "oracle-1", model, "predictions.jsonl"), "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    const { samples } = files.get(`oracle-1/${model}`) as EeeFile;
    expect(samples.map(({ sample_id }) => sample_id)).toEqual(lines.map(({ row_id }) => row_id));
    const bySample = new Map(samples.map((sample) => [sample.sample_id, sample]));
    for (const line of lines) {
      const sample = bySample.get(line.row_id);
      const row = rows.get(line.row_id);
      if (row === undefined) throw new Error(line.row_id);
      expect(sample.evaluation).toEqual({ score: line.correct ? 1 : 0, is_correct: line.correct });
      expect(sample.input.reference).toEqual([line.gold]);
      expect(sample.input.choices).toEqual(row.question.options.map(({ label }) => label));
      expect(sha256(sample.input.raw)).toBe(inputDigest(row));
      expect(sample.metadata.input_sha256).toBe(inputDigest(row));
      expect(sample.sample_hash).toBe(sampleHash(sample.input.raw, [line.gold]));
      expect(sample.output.raw).toEqual(line.output_text === null ? [] : [line.output_text]);
      expect(sample.performance).toEqual({ latency_ms: line.latency_ms });
      expect(sample.metadata).toMatchObject({ status: line.status, task: row.task, category: row.category });
      expect(sample.error).toBe(line.status === "ok" ? undefined : (line.error ?? line.status));
      expect(sample.answer_attribution.map((a: Loose) => a.extracted_value)).toEqual(
        line.answer === null ? [] : [line.answer],
      );
      expect(JSON.parse(sample.metadata.probabilities ?? "null")).toEqual(line.probabilities);
      const sum = (of: "input" | "output") =>
        line.attempts.reduce((total, { tokens }) => total + (tokens[of] ?? 0), 0);
      if (sample.token_usage !== undefined) {
        expect(sample.token_usage).toMatchObject({
          input_tokens: sum("input"),
          output_tokens: sum("output"),
          total_tokens: sum("input") + sum("output"),
        });
      }
    }
  }
  expect(bytesIn(ORACLE).get("data/corpus/oracle-1/cases.jsonl")).toContain("SECRET-RATIONALE");
});

test("a partial result says so in every figure, and nothing that a model is not shown is exported", async () => {
  const { folder, files } = plain;
  for (const [run, { record }] of files) {
    const said = record.evaluation_results.map((entry: Loose) => entry.score_details.details.coverage);
    const partial = run === "oracle-1/foxtrot-partial";
    expect(new Set(said)).toEqual(new Set([partial ? "partial" : undefined]));
    expect(record.source_metadata.additional_details.coverage).toBe(partial ? "partial" : "full");
    expect(Number(record.source_metadata.additional_details.rows_in_corpus)).toBe(427);
  }
  for (const text of bytesIn(folder).values()) expect(text).not.toContain("SECRET-RATIONALE");
  expect([...bytesIn(folder).values()].join("")).not.toContain("endpoint-0123456789ab");
});

test("two exports are the same to the byte, and the second replaces the first", async () => {
  const { folder } = plain;
  const first = bytesIn(folder);
  const again = await bench(publishedOracle(), ["export", "--format", "eee", "--out", folder]);
  expect(again.error).toBeUndefined();
  expect(bytesIn(folder)).toEqual(first);
  const { folder: other } = await exportTo(join(exportsFolder(), "eee"));
  expect(bytesIn(other)).toEqual(first);
});

test("inputs can be left out; the samples can still be joined", async () => {
  const { files: whole } = plain;
  const { folder, files } = await exportTo(join(exportsFolder(), "eee"), "--without-inputs");
  for (const [run, { record, samples }] of files) {
    expect(problemsOf(isAggregate, record)).toEqual([]);
    samples.forEach((sample, i) => {
      expect(problemsOf(isSample, sample)).toEqual([]);
      const full = whole.get(run)?.samples[i];
      expect(sample).toEqual({
        ...full,
        input: { raw: `[left out; sha256 ${full.metadata.input_sha256}]`, reference: full.input.reference },
      });
    });
  }
  expect([...bytesIn(folder).values()].join("")).not.toContain("Choose the label of the record");
});

test("the hash of a sample is that of Python's JSON with sorted keys, in ASCII", () => {
  const raw = '{"state":{"text":"Zeile\u2028zwei \u007f \u{1f600} é"}}';
  expect(sampleHash(raw, ["ü"])).toBe("cd213aa3a17d6531b0a282381895e00bed9e7177ec76a674e7ec28eed95ac20e");
});

test("the schemas refuse a document with a key that is missing, misspelt or of another kind", async () => {
  const { files } = plain;
  const { record, samples } = files.get("oracle-1/alpha") as EeeFile;
  const broken: [string, (document: Loose) => void][] = [
    ...requiredIn(isAggregate.schema).map((key): [string, (d: Loose) => void] => [key, (d) => delete d[key]]),
    ["extra", (d) => (d.predictions = [])],
    ["organisation", (d) => delete d.source_metadata.source_organization_name],
    ["relationship", (d) => (d.source_metadata.evaluator_relationship = "self")],
    ["deployment", (d) => delete d.model_info.additional_details.deployment_type],
    ["no details", (d) => delete d.model_info.additional_details],
    ["a number in details", (d) => (d.source_metadata.additional_details.rows_completed = 427)],
    ["no score", (d) => (d.evaluation_results[0].score_details.score = null)],
    ["no direction", (d) => delete d.evaluation_results[0].metric_config.lower_is_better],
    ["no upper end", (d) => delete d.evaluation_results[0].metric_config.max_score],
    ["infinite", (d) => (d.evaluation_results[0].metric_config.max_score = "infinity")],
    ["no data", (d) => delete d.evaluation_results[0].source_data],
    ["path", (d) => (d.detailed_evaluation_results.file_path = "samples.jsonl")],
    ["misspelt", (d) => (d.evaluation_results[0].generation_config.generation_args.temprature = 1)],
  ];
  for (const [what, breaks] of broken) {
    const document = structuredClone(record);
    breaks(document);
    expect(problemsOf(isAggregate, document), what).not.toEqual([]);
  }
  const brokenSamples: [string, (document: Loose) => void][] = [
    ...requiredIn(isSample.schema).map((key): [string, (d: Loose) => void] => [key, (d) => delete d[key]]),
    ["extra", (d) => (d.additional_details = {})],
    ["reference", (d) => delete d.input.reference],
    ["turn", (d) => delete d.answer_attribution[0].turn_idx],
    ["two of three tokens", (d) => delete d.token_usage.total_tokens],
    ["half a token", (d) => (d.token_usage.input_tokens = 0.5)],
    ["messages", (d) => (d.messages = [])],
    ["a number in metadata", (d) => (d.metadata.confidence = 0.5)],
  ];
  for (const [what, breaks] of brokenSamples) {
    const document = structuredClone(samples[0]);
    breaks(document);
    expect(problemsOf(isSample, document), what).not.toEqual([]);
  }
});

function requiredIn(schema: Loose): string[] {
  expect(schema.required.length).toBeGreaterThan(5);
  return schema.required;
}
