// Tokens, cost and time as an OpenAI-compatible server reports them. They are read whatever became of the answer:
// a refused or unreadable answer was billed all the same.
import type { IncomingHttpHeaders } from "node:http";
import type { Usage } from "../ledgers/schema.ts";
import { decimal, headerText, member } from "./response.ts";

/** Token counts of a body's `usage`; null for what is absent or not a count. */
export function usageOf(body: unknown): Usage {
  const usage = member(body, "usage");
  const prompt = member(usage, "prompt_tokens_details");
  const completion = member(usage, "completion_tokens_details");
  return {
    input_tokens: count(member(usage, "prompt_tokens")) ?? count(member(usage, "input_tokens")),
    output_tokens: count(member(usage, "completion_tokens")) ?? count(member(usage, "output_tokens")),
    cached_input_tokens:
      count(member(prompt, "cached_tokens")) ?? count(member(usage, "cached_input_tokens")),
    reasoning_output_tokens: count(member(completion, "reasoning_tokens")),
    cache_creation_input_tokens: count(member(usage, "cache_creation_input_tokens")),
  };
}

/** The server's own figure in USD and where it stood: LiteLLM's header, then `usage.cost`. 0 is a figure, too. */
export function reportedCost(
  headers: IncomingHttpHeaders,
  body: unknown,
): { readonly usd: number; readonly source: string } | null {
  const header = decimal(headerText(headers, "x-litellm-response-cost"));
  if (header !== null) return { usd: header, source: "x-litellm-response-cost" };
  const cost = member(member(body, "usage"), "cost");
  if (typeof cost === "number" && cost >= 0 && Number.isFinite(cost))
    return { usd: cost + 0, source: "usage.cost" };
  return null;
}

/** How long the server says that it took, in ms. */
export function reportedDurationMs(headers: IncomingHttpHeaders): number | null {
  return (
    decimal(headerText(headers, "openai-processing-ms")) ??
    decimal(headerText(headers, "x-litellm-response-duration-ms"))
  );
}

/** A count as JSON states it; null for anything else. */
export function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value + 0 : null;
}
