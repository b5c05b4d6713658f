// What a call cost: the provider's own figure, else an estimate from tokens and the model's prices, else unknown.
import type { CostBasis, Pricing, Usage } from "../ledgers/schema.ts";

export interface Cost {
  /** In USD; null when it is unknown, which is never the same as 0. */
  readonly costUsd: number | null;
  readonly basis: CostBasis;
  /** Where the figure comes from: a field of the answer, or the URL of the price list. */
  readonly source: string | null;
}

/** The rates of a price list, in USD per million tokens. */
export type Prices = Pick<Pricing, "input_per_mtok" | "output_per_mtok" | "cached_input_per_mtok">;

/** The tokens that a price depends on. */
export type Counted = Pick<Usage, "input_tokens" | "output_tokens" | "cached_input_tokens">;

/** What no call costs, in USD. */
export const MAX_CALL_COST_USD = 1e9;

/**
 * The cost of one call. The provider's figure wins, 0 included. The estimate is
 * (input − cached) · input rate + cached · cached rate + output · output rate, per million tokens; without a cached rate
 * all input is at the full rate. Without prices, input tokens or output tokens the cost is unknown. A figure above
 * {@link MAX_CALL_COST_USD} is none: sums over it would mean nothing.
 */
export function costOf(call: {
  readonly reportedCostUsd: number | null;
  readonly costSource: string | null;
  readonly usage: Counted;
  readonly pricing: (Prices & { readonly source_url?: string }) | null | undefined;
}): Cost {
  if (call.reportedCostUsd !== null && call.reportedCostUsd <= MAX_CALL_COST_USD) {
    return { costUsd: call.reportedCostUsd, basis: "provider_reported", source: call.costSource };
  }
  const estimate = call.pricing == null ? null : estimatedCost(call.usage, call.pricing);
  if (estimate === null || estimate > MAX_CALL_COST_USD)
    return { costUsd: null, basis: "unavailable", source: null };
  return { costUsd: estimate, basis: "price_table_estimate", source: call.pricing?.source_url ?? null };
}

/** The estimate in USD; null when a count that it needs is unknown. */
export function estimatedCost(usage: Counted, pricing: Prices): number | null {
  const { input_tokens: input, output_tokens: output } = usage;
  if (input === null || output === null) return null;
  const cachedRate = pricing.cached_input_per_mtok ?? null;
  // A server that counts more cached tokens than input tokens must not lower the price below what they cost.
  const cached = cachedRate === null ? 0 : Math.min(usage.cached_input_tokens ?? 0, input);
  return (
    ((input - cached) * pricing.input_per_mtok +
      cached * (cachedRate ?? 0) +
      output * pricing.output_per_mtok) /
    1_000_000
  );
}
