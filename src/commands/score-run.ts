// What `bench score` does: asks the views and puts their figures into one document, the same names as in scores.json.
import type { Writable } from "../answers/json.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";
import type { Context } from "./context.ts";
import { findRun } from "./find-run.ts";
import { writeJson } from "./output.ts";
import { printScore } from "./score-table.ts";
import { withWarehouse } from "./warehouse.ts";
import { assertReadable, assertWhole } from "./whole-run.ts";

/** A share of rows with its interval. */
export interface Accuracy {
  readonly rows: number;
  readonly correct: number;
  /** null without rows. */
  readonly accuracy: number | null;
  readonly wilson95: readonly [number, number] | null;
  readonly errors: number;
}

/** The same for one group; `name` where groups have one. */
export interface GroupAccuracy extends Accuracy {
  readonly id: string | number;
  readonly name?: string | null;
  /** Of a task. */
  readonly category?: string;
}

/** The document of `bench score --json`. Unknown is null. */
export interface Score {
  readonly schema_version: 1;
  readonly run_id: string;
  readonly source: string;
  readonly suite: string;
  readonly model_id: string;
  readonly label: string | null;
  readonly corpus_version: string | null;
  readonly corpus_sha256: string;
  readonly current_corpus: boolean;
  readonly status: string;
  readonly full_coverage: boolean;
  readonly rows_selected: number;
  readonly analysis_version: string;
  readonly overall: Accuracy & { readonly answered: number; readonly accuracy_answered: number | null };
  readonly by_category: readonly GroupAccuracy[];
  readonly by_task: readonly GroupAccuracy[];
  readonly by_source_kind: readonly GroupAccuracy[];
  readonly by_modality: readonly GroupAccuracy[];
  readonly by_gold_position: readonly GroupAccuracy[];
  readonly cost: {
    readonly usd: number | null;
    readonly coverage: number | null;
    readonly basis: readonly string[];
    readonly per_1000_rows_usd: number | null;
    readonly per_correct_usd: number | null;
  };
  readonly latency_ms: Readonly<Record<"p50" | "p95" | "p99" | "mean" | "sum", number | null>>;
  readonly tokens: Readonly<
    Record<"input" | "output" | "cached_input" | "reasoning_output" | "coverage", number | null>
  >;
  readonly attempts: Readonly<
    Record<"attempts" | "retries" | "attempt_errors" | "incomplete_attempts", number>
  >;
}

/**
 * Prints every figure of one run.
 *
 * @throws {UserError} when there is no such run; {@link CheckError} when one of its files is damaged, with file and line.
 */
export async function scoreRun(name: string, context: Context, json: boolean): Promise<void> {
  const workspace = await context.workspace();
  const run = await findRun(workspace, name);
  assertReadable(workspace, run);
  const score = await withWarehouse(context, { runs: [run] }, async (warehouse) => {
    await assertWhole(warehouse, workspace, run);
    // Every query below stands on it, and none reads the longest column.
    await warehouse.materialise(["answers"], ["output_text"]);
    return collect(warehouse, run);
  });
  if (json) await writeJson(context, score);
  else await printScore(context, score);
}

async function collect(warehouse: Warehouse, run: string): Promise<Score> {
  const rows = (sql: string): Promise<Row[]> => warehouse.rows(sql, [run]);
  const one = async (view: string): Promise<Row> =>
    (await rows(`SELECT * FROM ${view} WHERE run_id = $1`))[0] ?? {};
  const groups = async (by: string, name = ""): Promise<GroupAccuracy[]> =>
    (
      await rows(
        `SELECT ${by} AS id, ${name} rows, correct, accuracy, wilson_low, wilson_high, errors ` +
          `FROM accuracy_by_${by} WHERE run_id = $1 ORDER BY id`,
      )
    ).map((row) => group(row));
  const head = await one("runs");
  const overall = await one("accuracy_overall");
  const tasks = new Map(
    (
      await rows(
        "SELECT task, min(category) AS category FROM answers WHERE run_id = $1 AND task IS NOT NULL GROUP BY task",
      )
    ).map((row) => [row.task, row.category as string]),
  );
  const cost = await one("cost");
  const latency = await one("latency");
  const tokens = await one("tokens");
  const attempts = await one("attempt_totals");
  const number = (value: Writable): number | null => (typeof value === "number" ? value : null);
  return {
    schema_version: 1,
    run_id: run,
    source: head.source as string,
    suite: head.suite as string,
    model_id: head.model_id as string,
    label: head.label as string | null,
    corpus_version: head.corpus_version as string | null,
    corpus_sha256: head.corpus_sha256 as string,
    current_corpus: head.current_corpus as boolean,
    status: head.status as string,
    full_coverage: head.full_coverage as boolean,
    rows_selected: head.rows_selected as number,
    analysis_version: head.analysis_version as string,
    overall: {
      ...accuracy(overall),
      answered: number(overall.answered) ?? 0,
      accuracy_answered: number(overall.accuracy_answered),
    },
    by_category: await groups("category", "name,"),
    by_task: (await groups("task", "name,")).map((task) => ({ ...task, category: tasks.get(task.id) ?? "" })),
    by_source_kind: await groups("source_kind"),
    by_modality: await groups("modality"),
    by_gold_position: await groups("gold_position"),
    cost: {
      usd: number(cost.cost_usd),
      coverage: number(cost.cost_coverage),
      basis: (cost.cost_basis as string[] | undefined) ?? [],
      per_1000_rows_usd: number(cost.cost_per_1000_rows_usd),
      per_correct_usd: number(cost.cost_per_correct_usd),
    },
    latency_ms: {
      p50: number(latency.p50_ms),
      p95: number(latency.p95_ms),
      p99: number(latency.p99_ms),
      mean: number(latency.mean_ms),
      sum: number(latency.sum_ms),
    },
    tokens: {
      input: number(tokens.input_tokens),
      output: number(tokens.output_tokens),
      cached_input: number(tokens.cached_input_tokens),
      reasoning_output: number(tokens.reasoning_output_tokens),
      coverage: number(tokens.token_coverage),
    },
    attempts: {
      attempts: number(attempts.attempts) ?? 0,
      retries: number(attempts.retries) ?? 0,
      attempt_errors: number(attempts.attempt_errors) ?? 0,
      incomplete_attempts: number(attempts.incomplete_attempts) ?? 0,
    },
  };
}

function group(row: Row): GroupAccuracy {
  const id = row.id as string | number;
  return row.name === undefined
    ? { id, ...accuracy(row) }
    : { id, name: row.name as string | null, ...accuracy(row) };
}

function accuracy(row: Row): Accuracy {
  const { rows, wilson_low: low, wilson_high: high } = row;
  return {
    rows: (rows as number | undefined) ?? 0,
    correct: (row.correct as number | undefined) ?? 0,
    accuracy: (row.accuracy as number | undefined) ?? null,
    wilson95: typeof low === "number" && typeof high === "number" ? [low, high] : null,
    errors: (row.errors as number | undefined) ?? 0,
  };
}
