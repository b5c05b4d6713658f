// Lines of the ledgers in exactly the form in which the harness writes them, for a resume that has a million of them to read.
// A line of this form is a whole record, and of a row that is not called again only its names, whether it is right and
// what it cost matter: such a line need not be parsed. Every other line, sound or not, is for JSON.parse.

/** What a resume needs of an attempt of a row that is not called again. */
export interface UsualAttempt {
  readonly runId: string;
  readonly row: string;
  readonly attemptId: string;
  /** In USD; 0 when it is not known, or the call has not ended. */
  readonly costUsd: number;
}

/** What a resume needs of a result with a valid answer after one attempt. */
export interface UsualResult extends UsualAttempt {
  readonly correct: boolean;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const NAMES = `"run_id":"([A-Za-z0-9._-]+)","row_id":"([A-Za-z0-9._/ -]+)"`;
const TIME = `"[0-9TZ:.-]*"`;
const COUNT = "(?:null|0|[1-9][0-9]{0,14})";
// A JSON number, and never one that is no double.
const NUMBER = String.raw`-?(?:0|[1-9][0-9]{0,19})(?:\.[0-9]{1,20})?(?:e[+-][0-9]{1,2})?`;
const FIGURE = `(?:null|${NUMBER})`;
const PLAIN = String.raw`[^"\\\u0000-\u001f]*`;
const TEXT = String.raw`"${PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-f]{4})${PLAIN})*"`;
const MAYBE = `(?:null|${TEXT})`;
const TRUTH = "(?:true|false)";

const STARTED = String.raw`\{"event":"started","attempt_id":"(${UUID})",${NAMES},"number":[1-9][0-9]{0,8},"started_at":${TIME}\}`;
const finished = (id: string, names: string, cost: string): string =>
  String.raw`\{"event":"finished","attempt_id":"${id}",${names},"number":[1-9][0-9]{0,8},` +
  `"started_at":${TIME},"ended_at":${TIME},"status":${TEXT},"error":${MAYBE},` +
  `"duration_ms":${FIGURE},"queued_ms":${FIGURE},"provider_duration_ms":${FIGURE},` +
  String.raw`"usage":\{"input_tokens":${COUNT},"output_tokens":${COUNT},"cached_input_tokens":${COUNT},` +
  String.raw`"reasoning_output_tokens":${COUNT},"cache_creation_input_tokens":${COUNT}\},` +
  `"cost_usd":${cost},"cost_basis":"[a-z_]+","cost_source":${MAYBE},"resolved_model":${MAYBE},` +
  String.raw`"http_status":${COUNT},"images_sent":${COUNT}\}`;
const ANSWER =
  String.raw`\{"label":${MAYBE},"probabilities":(?:null|\{${TEXT}:${NUMBER}(?:,${TEXT}:${NUMBER})*\}),` +
  String.raw`"raw_probability_sum":${FIGURE},"label_is_argmax":(?:null|${TRUTH}),"probability_source":"[a-z-]+"\}`;

const STARTED_LINE = new RegExp(`^${STARTED}$`);
const FINISHED_LINE = new RegExp(`^${finished(`(${UUID})`, NAMES, `(${FIGURE})`)}$`);
const RESULT_LINE = new RegExp(
  String.raw`^\{${NAMES},"status":"ok","error":null,"started_at":${TIME},"ended_at":${TIME},"duration_ms":${NUMBER},` +
    `"input_sha256":"[0-9a-f]{64}","answer":${ANSWER},"gold":${TEXT},"correct":(${TRUTH}),"output_text":${MAYBE},` +
    `"output_wrapper":${MAYBE},"finish_reason":${MAYBE},"images_sent":${COUNT},` +
    String.raw`"attempts":\[${finished(`(${UUID})`, String.raw`"run_id":"\1","row_id":"\2"`, `(${FIGURE})`)}\]\}$`,
);

/** In longer lines an expression could run out of room for its steps. */
const LONGEST = 20_000;

/** An event of `attempts.jsonl`; null for a line of another form. */
export function usualAttempt(text: string): UsualAttempt | null {
  if (text.length > LONGEST) return null;
  const [, startedId, startedRun, startedRow] = STARTED_LINE.exec(text) ?? [];
  if (startedId !== undefined && startedRun !== undefined && startedRow !== undefined) {
    return { runId: startedRun, row: startedRow, attemptId: startedId, costUsd: 0 };
  }
  const [, attemptId, runId, row, cost] = FINISHED_LINE.exec(text) ?? [];
  if (attemptId === undefined || runId === undefined || row === undefined) return null;
  return { runId, row, attemptId, costUsd: costOf(cost) };
}

/** A line of `results.jsonl`; null for one of another form. */
export function usualResult(text: string): UsualResult | null {
  if (text.length > LONGEST) return null;
  const [, runId, row, correct, attemptId, cost] = RESULT_LINE.exec(text) ?? [];
  if (runId === undefined || row === undefined || attemptId === undefined) return null;
  return { runId, row, correct: correct === "true", attemptId, costUsd: costOf(cost) };
}

function costOf(text: string | undefined): number {
  return text === undefined || text === "null" ? 0 : Number(text);
}
