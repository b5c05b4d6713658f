// The HTTP providers side by side, for tests of what they have to do alike: how each is configured, and how a server
// answers it.
import { stringifyJson, type Writable } from "../../src/answers/json.ts";
import type { ModelOf } from "../../src/models/schema.ts";
import { completion, nativeAnswer } from "./endpoint.ts";

export interface HttpCase {
  readonly provider: "openai-compatible" | "typesafe" | "laya";
  readonly model: ModelOf<"openai-compatible" | "typesafe" | "laya">;
  /** The variables of base URL and key. */
  readonly url: string;
  readonly key: string;
  /** Where the calls go, below the server's origin. */
  readonly path: string;
  readonly source: "verbalized" | "native";
  /** The body that carries this decision, `label` or `choice` included as the format has it. */
  answer(label: Writable, probabilities: Writable, changes?: Readonly<Record<string, unknown>>): unknown;
  /** The body that carries this document in place of `{"answers": …}`. */
  document(document: Writable): unknown;
}

const display = { id: "m", label: "M", model: "served-name" } as const;

function native(provider: "typesafe" | "laya", prefix: string): HttpCase {
  return {
    provider,
    model: { ...display, provider },
    url: `${prefix}_BASE_URL`,
    key: `${prefix}_API_KEY`,
    path: "/v1/systemone",
    source: "native",
    answer: (choice, probabilities, changes = {}) =>
      nativeAnswer({ answers: { decision: { type: "choice", choice, probabilities } }, ...changes }),
    document: (document) => document,
  };
}

export const HTTP_CASES: readonly HttpCase[] = [
  {
    provider: "openai-compatible",
    model: { ...display, provider: "openai-compatible" },
    url: "DECISION_BENCH_BASE_URL",
    key: "DECISION_BENCH_API_KEY",
    path: "/v1/chat/completions",
    source: "verbalized",
    answer: (label, probabilities, changes = {}) =>
      completion(stringifyJson({ answers: { decision: { label, probabilities } } }), { body: changes }),
    document: (document) => completion(stringifyJson(document)),
  },
  native("typesafe", "TYPESAFE"),
  native("laya", "LAYA"),
];

/** `[name, case]`, for `describe.each`. */
export const HTTP_TABLE = HTTP_CASES.map((one) => [one.provider, one] as const);
