// The one interface of all providers. The harness knows nothing else about how a model is reached.
import type { Writable } from "../answers/json.ts";
import type { Answer, Wrapper } from "../answers/parse.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { NO_USAGE, type Usage } from "../ledgers/schema.ts";

/**
 * What one call to a model gave, whether it went well or not. Its texts are as they came; `Redactor.outcome` makes
 * them fit to be written.
 */
export interface CallOutcome {
  /** `ok`, or why there is no valid answer (see docs/results-format.md). `incomplete` when the person stopped it. */
  readonly status: string;
  /** In plain words, on one line; null when the status is `ok`. */
  readonly error: string | null;
  readonly retryable: boolean;
  /** What the server asked us to wait before the next attempt, in ms. */
  readonly retryAfterMs: number | null;
  readonly answer: Answer | null;
  /** The text that was parsed, unchanged; null when there was none. */
  readonly outputText: string | null;
  readonly outputWrapper: Wrapper;
  readonly finishReason: string | null;
  readonly usage: Usage;
  /** The provider's own figure in USD; null when it gave none. */
  readonly reportedCostUsd: number | null;
  /** Where the reported cost stood, e.g. `usage.cost`. */
  readonly costSource: string | null;
  readonly resolvedModel: string | null;
  readonly httpStatus: number | null;
  /** The provider's own figure in ms. */
  readonly providerDurationMs: number | null;
  readonly imagesSent: number;
  /** The whole answer of the provider (plain JSON data, or a text), for `raw/`; never published. */
  readonly raw: unknown;
  /** Request ids, deployments and the like that the server named: masked wherever it echoed them, never recorded. */
  readonly traceIds: readonly string[];
  /** Credentials that are known of this call alone, such as tokens of a sign-in: masked everywhere, never recorded. */
  readonly secrets: readonly string[];
}

/** The outcome of a call of which nothing is known yet; every provider begins with it. */
export const NO_OUTCOME: CallOutcome = {
  status: "runner_error",
  error: null,
  retryable: false,
  retryAfterMs: null,
  answer: null,
  outputText: null,
  outputWrapper: "none",
  finishReason: null,
  usage: NO_USAGE,
  reportedCostUsd: null,
  costSource: null,
  resolvedModel: null,
  httpStatus: null,
  providerDurationMs: null,
  imagesSent: 0,
  raw: null,
  traceIds: [],
  secrets: [],
};

/** Largest answer that is read, in bytes: of a body on the wire and decoded, of each output of a command. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface CallOptions {
  /** Time limit of the whole call, in ms. */
  readonly timeoutMs: number;
  /** Aborted when the person stops the run for good. */
  readonly signal: AbortSignal;
}

export interface Provider {
  /** Digest of where the calls go (`endpoint-…`); null for providers without an endpoint. */
  readonly endpointId: string | null;
  /** Version of the command that is run for every call; absent for providers without one. */
  readonly commandVersion?: string;
  /** Whether its calls may not overlap; they may where it is absent. */
  readonly isOneAtATime?: boolean;
  /**
   * Looks whether each of these rows can be asked at all; absent where every row can.
   *
   * @throws {UserError} naming a row that cannot.
   */
  assertAskable?(rows: readonly CorpusRow[]): void;
  /**
   * The request that {@link call} would send for this row, without credentials or URL. Write it with `stringifyJson`:
   * labels such as "10" and "2" keep their order only in its Maps.
   */
  preview(row: CorpusRow): Promise<Writable>;
  /** Asks the model once. Never rejects for anything that the model, the network or a CLI did. */
  call(row: CorpusRow, options: CallOptions): Promise<CallOutcome>;
  /** Lets go of sockets and processes; calls that are still under way end as `incomplete`. */
  close(): Promise<void>;
  /** What it has left on this machine against its will, in words for the person; null for nothing. Known after {@link close}. */
  leftBehind?(): string | null;
}
