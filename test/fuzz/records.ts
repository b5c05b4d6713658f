// A second opinion on the records of a run: the fields of results.jsonl and attempts.jsonl, restated.
import {
  hasHalf,
  hasMembers,
  isAmount,
  isCount,
  isFlag,
  isFullText,
  isListOf,
  isNumber,
  isObject,
  isOneOf,
  isText,
  jsonOf,
  linesOf,
  maybe,
  own,
  type Plain,
  textOf,
} from "./opinions.ts";

/** DuckDB takes a whole number of more digits for no count. */
const isShortCount = (value: unknown): boolean => isCount(value) && (value as number) <= 999_999_999_999_999;

const isUsage = hasMembers({
  input_tokens: maybe(isShortCount),
  output_tokens: maybe(isShortCount),
  cached_input_tokens: maybe(isShortCount),
  reasoning_output_tokens: maybe(isShortCount),
  cache_creation_input_tokens: maybe(isShortCount),
});

const begin = {
  attempt_id: isFullText,
  run_id: isFullText,
  row_id: isFullText,
  number: isShortCount,
  started_at: isText,
};

const isStarted = hasMembers({ event: isOneOf("started"), ...begin });

const isFinished = hasMembers({
  event: isOneOf("finished"),
  ...begin,
  ended_at: isText,
  status: isFullText,
  error: maybe(isText),
  duration_ms: isAmount,
  queued_ms: maybe(isAmount),
  provider_duration_ms: maybe(isAmount),
  usage: isUsage,
  cost_usd: maybe(isNumber),
  cost_basis: isOneOf("provider_reported", "price_table_estimate", "unavailable"),
  cost_source: maybe(isText),
  resolved_model: maybe(isText),
  http_status: maybe(isShortCount),
  images_sent: isShortCount,
});

const isShares = (value: unknown): boolean =>
  value === null ||
  (isObject(value) &&
    Object.keys(value).every((label) => {
      const share = own(value, label);
      return isAmount(share) && (share as number) <= 1;
    }));

const isResult = hasMembers({
  run_id: isFullText,
  row_id: isFullText,
  status: isFullText,
  error: maybe(isText),
  started_at: isText,
  ended_at: isText,
  duration_ms: isAmount,
  input_sha256: isText,
  answer: maybe(
    hasMembers({
      label: maybe(isText),
      probabilities: isShares,
      raw_probability_sum: maybe(isNumber),
      label_is_argmax: maybe(isFlag),
      probability_source: isOneOf("verbalized", "native", "baseline", "label-only"),
    }),
  ),
  gold: isText,
  correct: isFlag,
  output_text: maybe(isText),
  output_wrapper: maybe(isOneOf("none", "code_fence")),
  finish_reason: maybe(isText),
  images_sent: isShortCount,
  attempts: isListOf(isFinished),
});

export type Ledger = "results" | "attempts";

/** The records of a ledger by the number of their line; the other terminated lines are damage. */
export function recordsOf(
  bytes: Buffer,
  ledger: Ledger,
): { readonly good: ReadonlyMap<number, Plain>; readonly bad: readonly number[] } {
  const good = new Map<number, Plain>();
  const bad: number[] = [];
  for (const [at, line] of linesOf(bytes).entries()) {
    if (!line.ended) continue;
    const text = textOf(line.bytes);
    const said = text === null ? null : jsonOf(text);
    const plain =
      said !== null &&
      !hasHalf(said.value) &&
      // The two counts that DuckDB looks at stand there in plain digits.
      ["number", "images_sent"].every((name) => /^\d+$/.test(said.numbers.get(name) ?? "0"));
    const fits = ledger === "results" ? isResult : (value: unknown) => isStarted(value) || isFinished(value);
    if (plain && fits(said.value)) good.set(at + 1, said.value as Plain);
    else bad.push(at + 1);
  }
  return { good, bad };
}
