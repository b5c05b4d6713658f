// The oracle workspace: a corpus, six published results, and their figures as independent programs computed them
// (scikit-learn, statsmodels, SciPy, NumPy). What the views say is put into the same shape, so that one walk over the
// expected figures compares every one of them and nothing can be left out.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Row } from "../../src/warehouse/warehouse.ts";
import type { Opened } from "./query.ts";
import { finished, openAt, result, started, type TestWorkspace } from "./workspace.ts";

export const ORACLE = fileURLToPath(new URL("../fixtures/oracle", import.meta.url));
const SUITE = "oracle-1";

export interface ExpectedPair {
  readonly a: string;
  readonly b: string;
  readonly full: boolean;
  readonly bootstrap_sd: number;
  readonly [figure: string]: unknown;
}

export interface Expected {
  readonly corpus_sha256: string;
  readonly rows: number;
  readonly models: Readonly<Record<string, unknown>>;
  readonly pairs: readonly ExpectedPair[];
  readonly ranks: Readonly<Record<string, unknown>>;
  readonly note: string;
}

export function expectedFigures(): Expected {
  return JSON.parse(readFileSync(join(ORACLE, "expected.json"), "utf8")) as Expected;
}

/** The oracle's published results, read in place. */
export function publishedOracle(): TestWorkspace {
  return openAt(ORACLE, expectedFigures().corpus_sha256);
}

interface PublishedLine {
  readonly row_id: string;
  readonly status: string;
  readonly answer: string | null;
  readonly gold: string;
  readonly probabilities: Readonly<Record<string, number>> | null;
  readonly latency_ms: number;
  readonly attempts: readonly {
    readonly status: string;
    readonly duration_ms: number | null;
    readonly cost_usd: number | null;
    readonly cost_basis: string;
    readonly tokens: Readonly<Record<"input" | "output" | "cached_input", number | null>>;
  }[];
}

/** The same six results as the ledgers of local runs, each named after its model; a call that never finished only starts. */
export function localOracle(): TestWorkspace {
  const { corpus_sha256: sha256, models } = expectedFigures();
  const root = mkdtempSync(join(tmpdir(), "bench-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(ORACLE, "data"), join(root, "data"), { recursive: true });
  const workspace = openAt(root, sha256);
  for (const model of Object.keys(models)) {
    const lines = readFileSync(join(ORACLE, "results", SUITE, model, "predictions.jsonl"), "utf8").trim();
    const published = lines.split("\n").map((line) => JSON.parse(line) as PublishedLine);
    const ledgers = published.map(ledgerLines);
    const failed = published.some(({ status }) => status !== "ok");
    workspace.addRun(model, {
      run: { status: failed ? "completed_with_errors" : "completed" },
      config: {
        suite: SUITE,
        model_id: model,
        selected_rows: { count: published.length, sha256: "cd".repeat(32) },
      },
      results: ledgers.map((row) => row.result),
      attempts: ledgers.flatMap((row) => row.events),
    });
  }
  return workspace;
}

function ledgerLines(line: PublishedLine): { result: string; events: string[] } {
  const { row_id: row, status, answer: label, gold, latency_ms: ms } = line;
  const events: string[] = [];
  const done: string[] = [];
  line.attempts.forEach((call, i) => {
    const { input, output, cached_input: cached } = call.tokens;
    const spec = { id: `${row}/${i}`, row, number: i + 1 };
    events.push(started(spec));
    if (call.status === "incomplete") return;
    done.push(
      finished({
        ...spec,
        status: call.status,
        ms: call.duration_ms ?? 0,
        cost: call.cost_usd,
        basis: call.cost_basis,
        input,
        output,
        cached,
      }),
    );
    events.push(done.at(-1) as string);
  });
  const probabilities = line.probabilities === null ? null : Object.entries(line.probabilities);
  return { result: result({ row, gold, label, status, ms, probabilities, attempts: done }), events };
}

/** What the views say of one run, in the shape of `models` in expected.json. */
export async function figuresOfRun({ rows }: Opened, run: string): Promise<Record<string, unknown>> {
  const where = `WHERE run_id = '${run}'`;
  const one = async (sql: string): Promise<Row> => {
    const found = await rows(sql);
    if (found.length !== 1) throw new Error(`${found.length} rows of ${sql}`);
    return found[0] as Row;
  };
  const groups = (by: string, columns: string, from: string) =>
    rows(
      `SELECT ${by} AS id, ${columns}, rows, correct, accuracy, [wilson_low, wilson_high] AS wilson95 FROM ${from} ${where} ORDER BY id`,
    );
  const overall = await one(`SELECT * FROM accuracy_overall JOIN macro_averages USING (run_id) ${where}`);
  const { run_id, ...calibration } = await one(`SELECT * FROM calibration ${where}`);
  const bins = await rows(
    `SELECT bin, rows, mean_confidence, accuracy FROM reliability ${where} ORDER BY bin`,
  );
  const curve = await rows(
    `SELECT threshold, coverage, accepted, errors, risk FROM risk_coverage ${where} ORDER BY threshold`,
  );
  const f1 = await rows(`SELECT task, macro_f1 FROM task_f1 ${where} ORDER BY task`);
  return {
    overall: {
      rows: overall.rows,
      correct: overall.correct,
      accuracy: overall.accuracy,
      wilson95: [overall.wilson_low, overall.wilson_high],
      errors: overall.errors,
      macro_category_accuracy: overall.macro_category_accuracy,
      macro_task_f1: overall.macro_task_f1,
    },
    jackknife95: [overall.jackknife_low, overall.jackknife_high],
    by_category: await groups("category", "name", "accuracy_by_category"),
    by_task: await groups(
      "task",
      "name, (SELECT min(c.category) FROM corpus_rows AS c WHERE c.task = accuracy_by_task.task) AS category",
      "accuracy_by_task",
    ),
    by_source_kind: await groups("source_kind", "source_kind AS name", "accuracy_by_source_kind"),
    task_f1: Object.fromEntries(f1.map((row) => [row.task, row.macro_f1])),
    calibration: {
      ...calibration,
      // The older tool gives a label-only result neither bins nor curve; the views have both, which a test of their own looks at.
      ...(calibration.valid_rows === 0 ? {} : { reliability_bins: bins, risk_coverage: curve }),
    },
    cost: await one(
      `SELECT cost_usd AS usd, cost_coverage AS coverage, cost_basis AS basis, cost_per_1000_rows_usd AS per_1000_rows_usd FROM cost ${where}`,
    ),
    latency_ms: await one(
      `SELECT p50_ms AS p50, p95_ms AS p95, p99_ms AS p99, mean_ms AS mean FROM latency ${where}`,
    ),
    tokens: await one(
      `SELECT input_tokens AS input, output_tokens AS output, cached_input_tokens AS cached_input, reasoning_output_tokens AS reasoning_output, token_coverage AS coverage FROM tokens ${where}`,
    ),
    attempts: await one(`SELECT * EXCLUDE (run_id) FROM attempt_totals ${where}`),
    confusion: await rows(
      // No answer stands where Python's word for nothing does.
      `SELECT task, gold, label, n FROM confusion ${where} ORDER BY task, gold, coalesce(label, 'None')`,
    ),
  };
}

/** A row of `comparisons` or `compare` in the shape of `pairs` in expected.json. */
export function pairFigures(row: Row, models: readonly [a: string, b: string]): Record<string, unknown> {
  const [a, b] = models;
  return {
    a,
    b,
    rows: row.rows,
    tasks: row.tasks,
    both_correct: row.both_correct,
    a_only: row.a_only,
    b_only: row.b_only,
    both_wrong: row.both_wrong,
    difference: row.accuracy_difference,
    bootstrap95: [row.bootstrap_low, row.bootstrap_high],
    jackknife_se: row.jackknife_se,
    jackknife95: [row.jackknife_low, row.jackknife_high],
    p_jackknife: row.p_jackknife,
    p_mcnemar: row.p_mcnemar,
    mde80: row.mde80,
    p_holm: row.p_holm,
  };
}

/** How far a figure may be from the expected one; null: 1e-9 of it. */
export type Tolerance = (path: string) => number | null;

export interface Walk {
  /** Leaves of the expected figures that were compared. */
  readonly compared: number;
  /** `path: expected, found` for every one that differs, and for what only one side has. */
  readonly differences: readonly string[];
}

/** Compares two trees leaf by leaf: the same keys, the same lengths, texts and whole numbers exactly. */
export function walk(expected: unknown, found: unknown, tolerance: Tolerance = () => null): Walk {
  let compared = 0;
  const differences: string[] = [];
  const visit = (want: unknown, got: unknown, path: string): void => {
    if (typeof want === "object" && want !== null && typeof got === "object" && got !== null) {
      for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
        const child = (tree: object) =>
          Object.hasOwn(tree, key) ? tree[key as keyof typeof tree] : undefined;
        visit(child(want), child(got), path === "" ? key : `${path}.${key}`);
      }
      return;
    }
    compared += 1;
    const close =
      typeof want === "number" && typeof got === "number"
        ? Math.abs(got - want) <= (tolerance(path) ?? 1e-9 * Math.abs(want)) &&
          // Counts are no measurements.
          !(Number.isInteger(want) && want > 1 && got !== want)
        : want === got;
    if (!close) differences.push(`${path}: expected ${String(want)}, found ${String(got)}`);
  };
  visit(expected, found, "");
  return { compared, differences };
}
