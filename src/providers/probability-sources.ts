// Where the probabilities of each provider's models come from: what its answers say of themselves, and what a published result is
// held to.
import type { Answer } from "../answers/parse.ts";
import type { ProviderName } from "../models/schema.ts";

/** Where the probabilities of a model come from; `label-only` stands in results of others alone. */
export type AnswerSource = Exclude<Answer["probabilitySource"], "label-only">;

export const PROBABILITY_SOURCES = {
  "openai-compatible": "verbalized",
  "claude-cli": "verbalized",
  "codex-cli": "verbalized",
  typesafe: "native",
  laya: "native",
  baseline: "baseline",
} as const satisfies Readonly<Record<ProviderName, AnswerSource>>;

/** Whether this program has a provider of this name. */
export function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(PROBABILITY_SOURCES, name);
}

/** How the models of a provider answer; null for one that this program does not know. */
export function sourceOf(provider: string): AnswerSource | null {
  return isProvider(provider) ? PROBABILITY_SOURCES[provider] : null;
}
