// Which of four ways to travel a customer took, from what each would have cost in money and time.
import { z } from "zod";
import type { Candidate, Features, Task } from "../task.ts";

const MODES = ["air", "train", "bus", "car"] as const;

const offerSchema = z.tuple([z.number(), z.number(), z.number()]);
const travellerSchema = z.strictObject({
  id: z.string(),
  income: z.number(),
  party: z.number(),
  offers: z.strictObject({ air: offerSchema, train: offerSchema, bus: offerSchema, car: offerSchema }),
  chosen: z.enum(MODES),
});

const stateSchema = z.looseObject({
  customer: z.looseObject({ household_income_thousand_dollars: z.number(), party_size: z.number() }),
  offers: z.array(
    z.looseObject({
      mode: z.string(),
      cost_dollars: z.number(),
      travel_minutes: z.number(),
      generalised_cost_dollars: z.number(),
    }),
  ),
});

/** What sets the offers apart: each against the car, in generalised cost and in time. */
function comparable(state: unknown): Features {
  const { customer, offers } = stateSchema.parse(state);
  const own = offers.find(({ mode }) => mode === "car");
  const features: Record<string, number> = {
    income: customer.household_income_thousand_dollars,
    party: customer.party_size,
    car: own?.cost_dollars ?? 0,
  };
  for (const offer of offers.filter((o) => o !== own)) {
    features[`${offer.mode} dearer`] = offer.generalised_cost_dollars - (own?.generalised_cost_dollars ?? 0);
    features[`${offer.mode} longer`] = offer.travel_minutes - (own?.travel_minutes ?? 0);
    features[`${offer.mode} cost`] = offer.cost_dollars;
  }
  return features;
}

export const travelOffer: Task = {
  id: "SAL-1",
  name: "Choice of a travel offer",
  shape: "predict",
  ask: "Which travel offer did this customer choose?",
  instruction:
    "In a study of 1987, people on private trips between Sydney, Canberra and Melbourne had four ways to go: by plane, " +
    "train or bus, or in their own car. For each the state gives the cost of all stages in dollars, the minutes under " +
    "way (without waiting at stations and airports), and the generalised cost, which is the cost plus the minutes at " +
    "the customer's value of time. It also gives the household's yearly income and the number of people in the party. " +
    "Each way gains by being cheap and quick against the other three; the generalised cost leaves out waiting and " +
    "comfort, so the lowest is often not the one taken. Larger parties go more by car, high incomes more by plane and " +
    "car, low incomes more by train, single travellers more by bus. The four ways are equally frequent among the rows. " +
    "Choose the way that this customer took.",
  modality: "text",
  options: [
    ["air", "By plane, with the ways to and from the airport"],
    ["train", "By rail, with the ways to and from the station"],
    ["bus", "By coach, with the ways to and from the stop"],
    ["car", "In the customer's own vehicle from door to door"],
  ],
  listed: true,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["modechoice"],
  rows: 24,
  perGroup: 1,
  chosen: "All 210 travellers of the study, balanced over the four ways.",
  changed:
    "The choice is hidden; waiting times are left out, because those of the way taken were asked and the others " +
    "estimated, which gives the choice away.",
  decision: {
    by: "neighbours",
    says: "Income, size of the party, cost of each way, and by how much plane, train and bus are dearer and longer than the car. A prediction: the state makes the answer likely, and nobody could be right every time.",
    features: comparable,
  },
  candidates(facts) {
    return facts.read("travel-modes.jsonl", travellerSchema).map((traveller): Candidate => {
      const cheapest = MODES.reduce((a, b) => (traveller.offers[b][2] < traveller.offers[a][2] ? b : a));
      return {
        key: traveller.id,
        recordId: `traveller ${traveller.id}`,
        stratum: traveller.chosen,
        title: `Trip of a party of ${traveller.party}`,
        state: {
          customer: {
            household_income_thousand_dollars: traveller.income,
            party_size: traveller.party,
          },
          offers: MODES.map((mode) => {
            const [cost, minutes, generalised] = traveller.offers[mode];
            return {
              mode,
              cost_dollars: cost,
              travel_minutes: minutes,
              generalised_cost_dollars: generalised,
            };
          }),
        },
        gold: traveller.chosen,
        rationale:
          `The study records ${traveller.chosen}; ` +
          (cheapest === traveller.chosen
            ? "it has the lowest generalised cost of the four."
            : `the lowest generalised cost was that of ${cheapest}.`),
        difficulty: "hard",
        originalLabel: `choice = 1 for ${traveller.chosen}`,
      };
    });
  },
};
