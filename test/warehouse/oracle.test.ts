// Three results whose figures were computed by other programs, turned into the ledgers of local runs.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { open } from "../support/query.ts";
import { finished, makeWorkspace, type RowSpec, result, started } from "../support/workspace.ts";

const FOLDER = new URL("../fixtures/oracle-runs/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), "utf8");
const lines = <T>(name: string): T[] =>
  read(name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

type Case = [string, string, string, string, string, string[]];
type Call = [string, number | null, number | null, string, number | null, number | null, number | null];
type Prediction = [string, string, string | null, number, Call[]];
type Group = { id: string; rows: number; correct: number; accuracy: number; wilson95: [number, number] };
interface Expected {
  overall: { rows: number; correct: number; accuracy: number; wilson95: [number, number]; errors: number };
  by_category: Group[];
  by_task: Group[];
  by_source_kind: Group[];
  cost: { usd: number; coverage: number; basis: string[]; per_1000_rows_usd: number };
  latency_ms: { p50: number; p95: number; p99: number; mean: number };
  tokens: Record<"input" | "output" | "cached_input" | "reasoning_output", number | null> & {
    coverage: number;
  };
  attempts: Record<string, number>;
}

const expected = JSON.parse(read("expected.json")) as Record<string, Expected>;
const cases = lines<Case>("rows.jsonl");
const gold = new Map(cases.map(([id, , , , label]) => [id, label]));

/** Both ledgers of a run that gave these predictions; a call that never finished has only its start. */
function ledgers(predictions: Prediction[]): { results: string[]; attempts: string[] } {
  const results: string[] = [];
  const attempts: string[] = [];
  for (const [row, status, label, ms, calls] of predictions) {
    const done: string[] = [];
    calls.forEach(([state, took, cost, basis, input, output, cached], i) => {
      const spec = { id: `${row}/${i}`, row, number: i + 1 };
      attempts.push(started(spec));
      if (state === "incomplete") return;
      done.push(finished({ ...spec, status: state, ms: took ?? 0, cost, basis, input, output, cached }));
      attempts.push(done.at(-1) as string);
    });
    results.push(result({ row, gold: gold.get(row) as string, label, status, ms, attempts: done }));
  }
  return { results, attempts };
}

const close = (value: number) => expect.closeTo(value, 9 - Math.ceil(Math.log10(Math.abs(value) + 1e-12)));

test("accuracy, cost, latency, tokens and attempts agree with independent programs", async () => {
  const workspace = makeWorkspace(
    cases.map(
      ([id, task, category, sourceKind, label, options]): RowSpec => ({
        id,
        task,
        category,
        sourceKind,
        gold: label,
        options,
      }),
    ),
  );
  for (const model of Object.keys(expected))
    workspace.addRun(model, ledgers(lines<Prediction>(`${model}.jsonl`)));
  const { rows, notices } = await open(workspace);
  for (const [model, want] of Object.entries(expected)) {
    const one = async (view: string) => (await rows(`SELECT * FROM ${view} WHERE run_id = '${model}'`))[0];
    expect(await one("accuracy_overall"), model).toMatchObject({
      rows: want.overall.rows,
      correct: want.overall.correct,
      accuracy: want.overall.accuracy,
      wilson_low: close(want.overall.wilson95[0]),
      wilson_high: close(want.overall.wilson95[1]),
      errors: want.overall.errors,
      answered: want.overall.rows - want.overall.errors,
    });
    for (const by of ["category", "task", "source_kind"] as const) {
      expect(
        await rows(
          `SELECT ${by} AS id, rows, correct, accuracy, wilson_low, wilson_high FROM accuracy_by_${by} WHERE run_id = '${model}' ORDER BY 1`,
        ),
        `${model} by ${by}`,
      ).toEqual(
        want[`by_${by}`].map((group) => ({
          id: group.id,
          rows: group.rows,
          correct: group.correct,
          accuracy: close(group.accuracy),
          wilson_low: close(group.wilson95[0]),
          wilson_high: close(group.wilson95[1]),
        })),
      );
    }
    expect(await one("cost"), model).toMatchObject({
      cost_usd: close(want.cost.usd),
      cost_coverage: close(want.cost.coverage),
      cost_basis: want.cost.basis,
      cost_per_1000_rows_usd: close(want.cost.per_1000_rows_usd),
    });
    expect(await one("latency"), model).toMatchObject({
      p50_ms: close(want.latency_ms.p50),
      p95_ms: close(want.latency_ms.p95),
      p99_ms: close(want.latency_ms.p99),
      mean_ms: close(want.latency_ms.mean),
    });
    expect(await one("tokens"), model).toEqual({
      run_id: model,
      input_tokens: want.tokens.input,
      output_tokens: want.tokens.output,
      cached_input_tokens: want.tokens.cached_input,
      reasoning_output_tokens: want.tokens.reasoning_output,
      token_coverage: close(want.tokens.coverage),
    });
    expect(await one("attempt_totals"), model).toEqual({ run_id: model, ...want.attempts });
  }
  expect(notices).toEqual([]);
});
