import { describe, expect, test } from "vitest";
import { NO_USAGE, type Pricing } from "../../src/ledgers/schema.ts";
import { costOf, estimatedCost, MAX_CALL_COST_USD } from "../../src/models/prices.ts";

const PRICES: Pricing = {
  input_per_mtok: 2,
  output_per_mtok: 8,
  cached_input_per_mtok: 0.5,
  source_url: "https://example.com/prices",
  as_of: "2026-01-01",
};
const usage = (input: number | null, output: number | null, cached: number | null = null) => ({
  ...NO_USAGE,
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: cached,
});

describe("the estimate", () => {
  test.each([
    [usage(1_000_000, 1_000_000), PRICES, 10],
    [usage(1_000_000, 0, 400_000), PRICES, 1.4],
    [usage(1_000_000, 0, 400_000), { ...PRICES, cached_input_per_mtok: null }, 2],
    [usage(1_000_000, 0, 400_000), { ...PRICES, cached_input_per_mtok: 0 }, 1.2],
    [usage(0, 0), PRICES, 0],
    [usage(10, 0, 50), PRICES, 0.000005],
    [usage(1000, 500), { ...PRICES, input_per_mtok: 0, output_per_mtok: 0 }, 0],
  ])("%j", (counted, prices, expected) => {
    expect(estimatedCost(counted, prices)).toBeCloseTo(expected, 12);
  });

  test.each([usage(100, null), usage(null, 100), NO_USAGE])("of %j is unknown", (counted) => {
    expect(estimatedCost(counted, PRICES)).toBeNull();
  });

  test("does not price cache writes separately", () => {
    const counted = { ...usage(1000, 0), cache_creation_input_tokens: 900 };
    expect(estimatedCost(counted, PRICES)).toBe(estimatedCost(usage(1000, 0), PRICES));
  });
});

describe("the cost of a call", () => {
  const call = { reportedCostUsd: null, costSource: null, usage: usage(1_000_000, 0), pricing: PRICES };

  test("the provider's figure wins, an explicit 0 too", () => {
    for (const usd of [0, 3.5]) {
      expect(costOf({ ...call, reportedCostUsd: usd, costSource: "usage.cost" })).toEqual({
        costUsd: usd,
        basis: "provider_reported",
        source: "usage.cost",
      });
    }
  });

  test("a figure beyond everything is none", () => {
    expect(costOf({ ...call, reportedCostUsd: 1e308, costSource: "usage.cost" })).toMatchObject({
      costUsd: 2,
    });
    expect(costOf({ ...call, reportedCostUsd: MAX_CALL_COST_USD * 2, pricing: null })).toMatchObject({
      costUsd: null,
      basis: "unavailable",
    });
  });

  test("else it is estimated, with the source of the prices", () => {
    expect(costOf(call)).toEqual({
      costUsd: 2,
      basis: "price_table_estimate",
      source: "https://example.com/prices",
    });
  });

  test("else it is unknown, never 0", () => {
    const unknown = { costUsd: null, basis: "unavailable", source: null };
    expect(costOf({ ...call, pricing: null })).toEqual(unknown);
    expect(costOf({ ...call, pricing: undefined })).toEqual(unknown);
    expect(costOf({ ...call, usage: usage(100, null) })).toEqual(unknown);
  });
});
