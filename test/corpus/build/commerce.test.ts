// The sales tasks: what their candidates hold, and what they must not.
import { join } from "node:path";
import { expect, test } from "vitest";
import { travelOffer } from "../../../src/corpus/build/commerce/travel-offer.ts";
import { plainState } from "../../../src/corpus/build/decidability.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { packageRoot } from "../../../src/workspace.ts";

const facts = openSources(join(packageRoot, "data"));

test("a travel offer shows what is comparable between the four ways, and no waiting time", () => {
  const candidates = travelOffer.candidates(facts);
  expect(candidates).toHaveLength(210);
  const counts = new Map<string, number>();
  for (const candidate of candidates) counts.set(candidate.gold, (counts.get(candidate.gold) ?? 0) + 1);
  // The counts that the study states.
  expect(Object.fromEntries(counts)).toEqual({ air: 58, train: 63, bus: 30, car: 59 });
  const [first] = candidates.filter(({ key }) => key === "001");
  expect(first && plainState(first)).toEqual({
    customer: { household_income_thousand_dollars: 35, party_size: 1 },
    offers: [
      { mode: "air", cost_dollars: 59, travel_minutes: 100, generalised_cost_dollars: 70 },
      { mode: "train", cost_dollars: 31, travel_minutes: 372, generalised_cost_dollars: 71 },
      { mode: "bus", cost_dollars: 25, travel_minutes: 417, generalised_cost_dollars: 70 },
      { mode: "car", cost_dollars: 10, travel_minutes: 180, generalised_cost_dollars: 30 },
    ],
  });
});
