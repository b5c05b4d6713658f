// The lines of predictions.jsonl, made of a local run: what was answered, how sure the model was, what it took. What a
// provider said beside that stays in the run.
import { stringifyJson, type Writable } from "../answers/json.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";
import { publishedError } from "./error-text.ts";
import { publishedOutput } from "./output-text.ts";

/** Masks what must not be published in a text that a model wrote. */
export type Mask = (text: string) => string;

const TOKENS = ["input", "output", "cached_input", "reasoning_output"] as const;

/**
 * The lines of the finished rows of a local run, in the order of `rows`, each with its line feed.
 *
 * @param rows ids of all rows of the corpus, in its order.
 */
export async function* predictionLines(
  warehouse: Warehouse,
  run: string,
  rows: readonly string[],
  mask: Mask,
): AsyncGenerator<string, void> {
  const columns = TOKENS.map((name) => `${name}_tokens`).join(", ");
  const call = ["status", "duration_ms", "cost_usd", "cost_basis", ...TOKENS.map((name) => `${name}_tokens`)]
    .map((name) => `${name}: ${name}`)
    .join(", ");
  const found = warehouse.plainRows(
    `SELECT a.row_id, a.task, a.category, a.status, a.gold, a.correct, a.confidence, a.probability_source,
       a.images_sent, a.latency_ms, a.cost_usd, a.cost_basis, ${columns}, c.calls,
       CASE WHEN a.is_valid THEN a.label END AS answer,
       CASE WHEN a.confidence IS NOT NULL THEN a.probabilities END AS probabilities,
       CASE WHEN a.is_valid THEN a.output_text END AS output_text
     FROM answers AS a
     JOIN (SELECT unnest($2) AS row_id, generate_subscripts($2, 1) AS position) AS o ON o.row_id = a.row_id
     LEFT JOIN (
       SELECT row_id, list({${call}} ORDER BY number ASC, attempt_id ASC) AS calls
       FROM attempts WHERE run_id = $1 GROUP BY row_id
     ) AS c ON c.row_id = a.row_id
     WHERE a.run_id = $1
     ORDER BY o.position ASC`,
    [run, rows],
  );
  for await (const row of found) yield `${stringifyJson(predictionOf(row, mask))}\n`;
}

function predictionOf(row: Row, mask: Mask): Readonly<Record<string, Writable>> {
  const status = row.status as string;
  const output = typeof row.output_text === "string" ? publishedOutput(mask(row.output_text)) : null;
  const calls = (row.calls ?? []) as readonly ReadonlyMap<string, Writable>[];
  return {
    row_id: row.row_id ?? null,
    task: row.task ?? null,
    category: row.category ?? null,
    status,
    answer: row.answer ?? null,
    gold: row.gold ?? null,
    correct: row.correct ?? null,
    confidence: row.confidence ?? null,
    probabilities: row.probabilities ?? null,
    probability_source: row.probability_source ?? null,
    images_sent: row.images_sent ?? null,
    ...(output === null ? {} : { output_text: output.text }),
    ...(output?.truncated === true ? { output_truncated: true } : {}),
    error: publishedError(status),
    latency_ms: row.latency_ms ?? null,
    tokens: tokensOf((name) => row[name]),
    cost_usd: row.cost_usd ?? null,
    cost_basis: row.cost_basis ?? null,
    attempts: calls.map(callOf),
  };
}

function callOf(call: ReadonlyMap<string, Writable>): Readonly<Record<string, Writable>> {
  const field = (name: string): Writable => call.get(name) ?? null;
  return {
    status: field("status"),
    error: publishedError(field("status") as string),
    duration_ms: field("duration_ms"),
    cost_usd: field("cost_usd"),
    cost_basis: field("cost_basis"),
    tokens: tokensOf(field),
  };
}

function tokensOf(field: (name: string) => Writable | undefined): Readonly<Record<string, Writable>> {
  return Object.fromEntries(TOKENS.map((name) => [name, field(`${name}_tokens`) ?? null]));
}
