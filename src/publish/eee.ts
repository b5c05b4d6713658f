// An export for Every Eval Ever, schema 0.3.0: one aggregate record and one samples file a result, laid out as its datastore
// wants them. Which facts it stands on: docs/decisions/0008-exports.md; what becomes what: docs/exports.md.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringifyJson, type Writable } from "../answers/json.ts";
import type { Corpus } from "../corpus/load.ts";
import { writeDurable } from "../files.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";
import { collectionOf, type DatastoreNames, datastoreNames, type Named } from "./eee-names.ts";
import { asTexts, evaluationResults } from "./eee-results.ts";
import { type SamplesFile, writeSamples } from "./eee-samples.ts";
import { type Scores, scoresOf } from "./scores.ts";

/** The version of the schema that is written. */
export const EEE_SCHEMA_VERSION = "0.3.0";

/** What the schema allows for the relation between who evaluates and who made the model. */
export const RELATIONSHIPS = ["first_party", "third_party", "collaborative", "other"] as const;

/** What no result says of itself. */
export interface EeeOptions {
  /** Who provides the data; "unknown" when nobody says. */
  readonly organization: string;
  readonly relationship: (typeof RELATIONSHIPS)[number];
  readonly withInputs: boolean;
}

/** What a result says of how it was made, beyond what the views hold; fit to be handed on. */
export interface Making {
  readonly request: Readonly<Record<string, Writable>>;
  readonly resolvedModels: readonly string[];
  readonly timeLimitSeconds: number | null;
  readonly maxAttempts: number | null;
}

/** A result that was written. */
export interface EeeResult {
  readonly run_id: string;
  /** Relative paths. */
  readonly aggregate: string;
  readonly samples: string;
  readonly rows: number;
}

/** A row of the view `runs` with its times in seconds since 1970, as the schema writes them. */
interface Run extends Named {
  readonly source: string;
  readonly label: string | null;
  readonly provider: string | null;
  readonly corpus_version: string | null;
  readonly prompt_version: string | null;
  readonly prompt_sha256: string | null;
  readonly status: string;
  readonly full_coverage: boolean;
  readonly rows_in_corpus: number | null;
  readonly rows_completed: number;
  readonly git_commit: string | null;
  readonly harness_version: string | null;
  readonly analysis_version: string;
  readonly retrieved: string | null;
  readonly evaluated: string | null;
}

// DuckDB prints the shortest number that reads back as the same one.
const RUNS = `
  SELECT run_id, source, source_run_id, suite, model_id, label, vendor, provider, api_model, corpus_version, corpus_sha256,
    prompt_version, prompt_sha256, status, full_coverage, rows_in_corpus, rows_completed, git_commit, harness_version,
    analysis_version,
    epoch_ms(coalesce(published_at, completed_at, created_at)) / 1000 AS retrieved,
    epoch_ms(coalesce(completed_at, created_at)) / 1000 AS evaluated
  FROM runs
  ORDER BY run_id`;

/**
 * Writes runs that the warehouse holds, which must be on the corpus it is about, into `folder`.
 *
 * @param makings of the runs that are written, by run id.
 * @param onSamples told of each samples file that is written, which takes most of the time.
 */
export async function writeEee(
  warehouse: Warehouse,
  {
    folder,
    corpus,
    makings,
    options,
    onSamples = () => {},
  }: {
    readonly folder: string;
    readonly corpus: Corpus;
    readonly makings: ReadonlyMap<string, Making>;
    readonly options: EeeOptions;
    readonly onSamples?: (run: string, rows: number) => void;
  },
): Promise<EeeResult[]> {
  const runs = (await warehouse.rows(RUNS)).map(runOf).filter((run) => makings.has(run.run_id));
  const places = new Map(runs.map((run) => [run.run_id, { run, names: datastoreNames(run) }]));
  const heads = new Map(
    Array.from(places, ([id, { run, names }]) => [
      id,
      {
        suite: run.suite,
        schema_version: EEE_SCHEMA_VERSION,
        evaluation_id: evaluationId(run, names),
        model_id: names.modelId,
        file: names.samples,
      },
    ]),
  );
  const inputs = new Map(corpus.rows.map((row) => [row.id, row]));
  const samples = await writeSamples(warehouse, {
    heads,
    inputs,
    withInputs: options.withInputs,
    folder,
    onSamples,
  });
  if (samples.size === 0) return [];
  // From here on the views have no texts any more.
  const scores = await scoresOf(warehouse, [...samples.keys()]);
  const written: EeeResult[] = [];
  for (const [id, { run, names }] of places) {
    const file = samples.get(id);
    const figures = scores.get(id);
    if (file === undefined || figures === undefined) continue;
    const record = aggregate({ run, names, figures, file, corpus, making: makings.get(id), options });
    const path = join(folder, names.aggregate);
    mkdirSync(dirname(path), { recursive: true });
    await writeDurable(path, `${stringifyJson(record)}\n`);
    written.push({ run_id: id, aggregate: names.aggregate, samples: names.samples, rows: file.rows });
  }
  return written;
}

function runOf(row: Row): Run {
  const seconds = (value: Writable | undefined): string | null =>
    typeof value === "number" ? String(value) : null;
  return {
    ...(row as unknown as Run),
    retrieved: seconds(row.retrieved),
    evaluated: seconds(row.evaluated),
  };
}

/** Benchmark, model, run and time: the same whenever it is exported, another for every run of a model. */
function evaluationId(run: Run, { modelId }: DatastoreNames): string {
  const id = run.source === "local" ? `local:${run.run_id}` : (run.source_run_id ?? run.run_id);
  return [collectionOf(run.suite), modelId, id, run.retrieved ?? "unknown"].join("/");
}

function aggregate({
  run,
  names,
  figures,
  file,
  corpus,
  making,
  options,
}: {
  readonly run: Run;
  readonly names: DatastoreNames;
  readonly figures: Scores;
  readonly file: SamplesFile;
  readonly corpus: Corpus;
  readonly making: Making | undefined;
  readonly options: EeeOptions;
}): Writable {
  const coverage = {
    coverage: run.full_coverage ? "full" : "partial",
    rows_in_corpus: run.rows_in_corpus,
    rows_completed: run.rows_completed,
  };
  return {
    schema_version: EEE_SCHEMA_VERSION,
    evaluation_id: evaluationId(run, names),
    evaluation_timestamp: run.evaluated ?? undefined,
    retrieved_timestamp: run.retrieved ?? "unknown",
    source_metadata: {
      source_name: "Decision Bench",
      source_type: "evaluation_run",
      source_organization_name: options.organization,
      evaluator_relationship: options.relationship,
      additional_details: asTexts({
        run_id: run.run_id,
        source_run_id: run.source_run_id,
        source: run.source,
        status: run.status,
        ...coverage,
      }),
    },
    eval_library: {
      name: "decision-bench",
      version: run.harness_version ?? "unknown",
      additional_details: asTexts({
        analysis_version: run.analysis_version,
        git_commit: run.git_commit,
      }),
    },
    model_info: modelInfo(run, names, making),
    evaluation_results: evaluationResults(figures, {
      source_data: {
        dataset_name: collectionOf(run.suite),
        source_type: "other",
        additional_details: asTexts({
          suite: run.suite,
          label: corpus.manifest.label,
          version: run.corpus_version,
          sha256: run.corpus_sha256,
          rows: corpus.rowCount,
          license: corpus.manifest.license,
        }),
      },
      evaluation_timestamp: run.evaluated ?? undefined,
      generation_config: generationConfig(run, making),
      // A share of some rows must not be taken for one of all.
      details: run.full_coverage ? {} : coverage,
    }),
    detailed_evaluation_results: {
      format: "jsonl",
      file_path: names.samples,
      hash_algorithm: "sha256",
      checksum: file.sha256,
      total_rows: file.rows,
      additional_details: options.withInputs ? undefined : { inputs: "left out" },
    },
  };
}

/** Providers that are no place where models are offered. */
const NO_PLATFORM = new Set(["baseline", "openai-compatible"]);

function modelInfo(run: Run, names: DatastoreNames, making: Making | undefined): Writable {
  const isBaseline = run.provider === "baseline";
  const platform = run.provider === null || NO_PLATFORM.has(run.provider) ? "unknown" : run.provider;
  return {
    name: run.label ?? run.model_id,
    id: names.modelId,
    developer: run.vendor ?? names.developer,
    ...(isBaseline
      ? { inference_engine: { name: "decision-bench", version: run.harness_version ?? "unknown" } }
      : { inference_platform: platform }),
    additional_details: new Map([
      // Required by the schema; nothing that is published says either.
      ["deployment_type", "unknown"],
      ["model_availability", "unknown"],
      ...asTexts({
        model_id: run.model_id,
        provider: run.provider,
        vendor: run.vendor,
        api_model: run.api_model,
        resolved_models: making?.resolvedModels.length ? making.resolvedModels : null,
      }),
    ]),
  };
}

function generationConfig(run: Run, making: Making | undefined): Writable {
  const { temperature, max_output_tokens: tokens } = making?.request ?? {};
  const limit = making?.timeLimitSeconds ?? null;
  const request = Object.entries(making?.request ?? {}).map(([key, value]) => [`request.${key}`, value]);
  return {
    generation_args: {
      temperature: typeof temperature === "number" ? temperature : undefined,
      max_tokens: Number.isInteger(tokens) && (tokens as number) >= 1 ? tokens : undefined,
      eval_limits: Number.isInteger(limit) ? { time_limit: limit } : undefined,
    },
    additional_details: asTexts({
      prompt_version: run.prompt_version,
      prompt_sha256: run.prompt_sha256,
      max_attempts: making?.maxAttempts ?? null,
      ...Object.fromEntries(request),
    }),
  };
}
