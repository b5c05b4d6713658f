// The document of `bench compare`: what the macros say of two runs, under names like those of `bench score`.
import type { Writable } from "../answers/json.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";

/** One side of a comparison. */
export interface Side {
  readonly run_id: string;
  readonly source: string;
  readonly model_id: string;
  readonly label: string | null;
  readonly status: string;
  readonly full_coverage: boolean;
  readonly prompt_version: string | null;
  readonly prompt_sha256: string | null;
  /** Finished rows, shared or not. */
  readonly rows_completed: number;
  /** Right ones among the shared rows, and their share. */
  readonly correct: number;
  readonly accuracy: number;
}

/** A task or category. */
export interface GroupDifference {
  readonly id: string;
  readonly rows: number;
  readonly correct_a: number;
  readonly correct_b: number;
  readonly difference: number;
  readonly a_only: number;
  readonly b_only: number;
}

/** Whether a gate was met; `points` are percentage points. */
export interface Gate {
  readonly gate: "fail_if_worse" | "fail_unless_within";
  readonly points: number;
  readonly met: boolean;
}

/** The document of `bench compare --json`: A minus B on the shared rows. Unknown is null. */
export interface Comparison {
  readonly schema_version: 1;
  readonly suite: string;
  readonly corpus_version: string | null;
  readonly corpus_sha256: string;
  readonly current_corpus: boolean;
  readonly analysis_version: string;
  readonly a: Side;
  readonly b: Side;
  readonly rows: number;
  readonly tasks: number;
  readonly both_correct: number;
  readonly a_only: number;
  readonly b_only: number;
  readonly both_wrong: number;
  readonly accuracy_difference: number;
  readonly jackknife_se: number | null;
  readonly jackknife95: readonly [number, number] | null;
  readonly p_jackknife: number | null;
  readonly mde80: number | null;
  readonly bootstrap: {
    readonly seed: number;
    readonly repetitions: number;
    readonly interval95: readonly [number, number] | null;
  };
  readonly p_mcnemar: number;
  readonly by_task?: readonly GroupDifference[];
  readonly by_category?: readonly GroupDifference[];
  readonly gates: readonly Gate[];
}

/** What `bench compare` finds; without the gates, which are a rule about it. */
export type Findings = Omit<Comparison, "gates">;

/**
 * Asks the macros about two runs that the warehouse holds.
 *
 * @returns null when they share no row.
 */
export async function comparisonOf(
  warehouse: Warehouse,
  [a, b]: readonly [string, string],
  bootstrap: { readonly seed: number; readonly repetitions: number },
  by: "task" | "category" | undefined,
): Promise<Findings | null> {
  const [row] = await warehouse.rows(
    `SELECT *, both_correct + a_only AS correct_a, both_correct + b_only AS correct_b,
       (both_correct + a_only) / rows AS accuracy_a, (both_correct + b_only) / rows AS accuracy_b
     FROM compare($1, $2)`,
    [a, b],
  );
  if (row === undefined) return null;
  const heads = await warehouse.rows("SELECT * FROM runs WHERE run_id IN ($1, $2)", [a, b]);
  const head = (id: string): Row => heads.find((run) => run.run_id === id) ?? {};
  const side = (id: string, letter: "a" | "b"): Side => {
    const run = head(id);
    return {
      run_id: id,
      source: run.source as string,
      model_id: run.model_id as string,
      label: run.label as string | null,
      status: run.status as string,
      full_coverage: run.full_coverage as boolean,
      prompt_version: run.prompt_version as string | null,
      prompt_sha256: run.prompt_sha256 as string | null,
      rows_completed: run.rows_completed as number,
      correct: row[`correct_${letter}`] as number,
      accuracy: row[`accuracy_${letter}`] as number,
    };
  };
  const { suite, corpus_version, corpus_sha256, current_corpus, analysis_version } = head(a);
  return {
    schema_version: 1,
    suite: suite as string,
    corpus_version: corpus_version as string | null,
    corpus_sha256: corpus_sha256 as string,
    current_corpus: current_corpus as boolean,
    analysis_version: analysis_version as string,
    a: side(a, "a"),
    b: side(b, "b"),
    rows: row.rows as number,
    tasks: row.tasks as number,
    both_correct: row.both_correct as number,
    a_only: row.a_only as number,
    b_only: row.b_only as number,
    both_wrong: row.both_wrong as number,
    accuracy_difference: row.accuracy_difference as number,
    jackknife_se: row.jackknife_se as number | null,
    jackknife95: ends(row.jackknife_low, row.jackknife_high),
    p_jackknife: row.p_jackknife as number | null,
    mde80: row.mde80 as number | null,
    bootstrap: { ...bootstrap, interval95: ends(row.bootstrap_low, row.bootstrap_high) },
    p_mcnemar: row.p_mcnemar as number,
    ...(by === undefined ? {} : { [`by_${by}`]: await groups(warehouse, [a, b], by) }),
  };
}

async function groups(
  warehouse: Warehouse,
  runs: readonly [string, string],
  by: "task" | "category",
): Promise<GroupDifference[]> {
  const rows = await warehouse.rows(
    `SELECT ${by} AS id, * EXCLUDE (${by}) FROM compare_by_${by}($1, $2) ORDER BY id`,
    [...runs],
  );
  return rows as unknown as GroupDifference[];
}

function ends(low: Writable | undefined, high: Writable | undefined): readonly [number, number] | null {
  return typeof low === "number" && typeof high === "number" ? [low, high] : null;
}
