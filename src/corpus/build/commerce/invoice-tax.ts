// Which tax rate goes on an invoice: stated rules over a dated table of rates.
import { z } from "zod";
import { compareCodePoints } from "../../../answers/canonical.ts";
import { type Random, randomFrom } from "../../random.ts";
import { addDays } from "../dates.ts";
import type { Candidate, Options, Task } from "../task.ts";

const rateSchema = z.strictObject({
  id: z.string(),
  eu: z.boolean(),
  rate: z.number(),
  earlier: z.array(z.strictObject({ until: z.string(), rate: z.number() })),
});
type RateRecord = z.infer<typeof rateSchema>;

type Period = {
  readonly country: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly rate_percent: number;
};

/** The rate table of one country; `until` is the first day of the next rate. */
export function ratePeriods(record: RateRecord): Period[] {
  const changes = [...record.earlier].sort((a, b) => (a.until < b.until ? -1 : 1));
  const percent = (rate: number): number => Math.round(rate * 10_000) / 100;
  const periods = changes.map((change, index) => ({
    country: record.id,
    from: changes[index - 1]?.until ?? null,
    until: change.until,
    rate_percent: percent(change.rate),
  }));
  return [
    ...periods,
    {
      country: record.id,
      from: changes.at(-1)?.until ?? null,
      until: null,
      rate_percent: percent(record.rate),
    },
  ];
}

const isInForce = ({ from, until }: Period, day: string): boolean =>
  (from === null || from <= day) && (until === null || day < until);

/** The rate in force on a day. */
export function rateOn(record: RateRecord, day: string): number {
  const period = ratePeriods(record).find((p) => isInForce(p, day));
  return period?.rate_percent ?? Number.NaN;
}

const REVERSE = "0% reverse charge";
const OUTSIDE = "0% outside the EU";

/** Countries whose change dates in the source are a day late or cannot be told apart. */
const LEFT_OUT = new Set(["RO"]);

type Treatment = "seller's rate" | "buyer's rate" | "reverse charge" | "outside";

/** Label and description of a national rate; a country can appear with several. */
const charge = (country: string, rate: number): readonly [string, string] => [
  `${rate}% ${country}`,
  `Add ${rate} percent, a rate of ${country}`,
];

function otherRates(record: RateRecord, day: string): number[] {
  const now = rateOn(record, day);
  return [...new Set(ratePeriods(record).map((p) => p.rate_percent))].filter((rate) => rate !== now);
}

function composeOptions(
  seller: RateRecord,
  buyer: RateRecord,
  third: RateRecord,
  day: string,
  gold: string,
): Options | null {
  const near = [
    charge(seller.id, rateOn(seller, day)),
    charge(buyer.id, rateOn(buyer, day)),
    ...otherRates(seller, day).map((rate) => charge(seller.id, rate)),
    ...otherRates(buyer, day).map((rate) => charge(buyer.id, rate)),
    charge(third.id, rateOn(third, day)),
  ];
  const distinct = [...new Map(near)].filter(([label]) => label !== gold).slice(0, 3);
  const goldOption = near.find(([label]) => label === gold);
  const zero: Options = [
    [REVERSE, "Add nothing: the buyer accounts for the tax"],
    [OUTSIDE, "Add nothing: the supply is not taxed in the EU"],
  ];
  const rates = goldOption === undefined ? distinct : [goldOption, ...distinct.slice(0, 2)];
  // In an order that does not say which one was taken first.
  return rates.length === 3
    ? [...rates, ...zero].sort(([one], [other]) => compareCodePoints(one, other))
    : null;
}

const stateSchema = z.looseObject({
  seller_country: z.string(),
  buyer: z.looseObject({
    country: z.string(),
    in_eu: z.boolean(),
    kind: z.string(),
    vat_number: z.string(),
  }),
  date_of_supply: z.string(),
  rate_table: z.array(
    z.strictObject({
      country: z.string(),
      from: z.string().nullable(),
      until: z.string().nullable(),
      rate_percent: z.number(),
    }),
  ),
});

/** The three rules of the instruction, from the state alone. */
function decide(state: unknown): string | null {
  const { seller_country, buyer, date_of_supply: day, rate_table } = stateSchema.parse(state);
  if (!buyer.in_eu) return OUTSIDE;
  const confirmed = buyer.kind === "business" && buyer.vat_number === "confirmed";
  if (buyer.country !== seller_country && confirmed) return REVERSE;
  const period = rate_table.find((p) => p.country === buyer.country && isInForce(p, day));
  return period === undefined ? null : charge(buyer.country, period.rate_percent)[0];
}

export const invoiceTax: Task = {
  id: "SAL-5",
  name: "Tax on an invoice",
  shape: "decide",
  ask: "Which tax rate and treatment goes on this invoice?",
  instruction:
    "A seller in the European Union (EU) invoices a digital service. Use only these rules and the rate table in the " +
    "state. (1) Buyer in the seller's country: the seller's country's rate, for consumers and businesses. (2) Buyer in " +
    "another EU country: if the buyer is a business whose VAT number was confirmed, reverse charge with 0 %; otherwise " +
    "the rate of the buyer's country. (3) Buyer outside the EU: no EU tax, 0 %, outside the EU. A rate counts on the " +
    "date of supply, not on the date of the invoice; in the table `from` is the first day of a rate and `until` the " +
    "first day on which it no longer holds (null: open). Choose what goes on the invoice.",
  modality: "text",
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["sales-tax"],
  rows: 24,
  chosen:
    "Numbered draws of a seller in an EU country, a buyer, a third country and two dates around a change of rate of " +
    "seller or buyer. Countries with a dated change are on one side of every sale. Balanced over the four treatments.",
  changed:
    "Rates and change dates are the source's (the state of its table, not tax advice); parties and dates are composed " +
    "and the rules are stated by this project.",
  decision: {
    by: "rule",
    says: "The three rules of the instruction are run over buyer, date of supply and rate table.",
    decide,
  },
  candidates(facts) {
    const records = facts.read("tax-rates.jsonl", rateSchema).filter((r) => !LEFT_OUT.has(r.id));
    const union = records.filter((r) => r.eu);
    const changed = union.filter((r) => r.earlier.length > 0);
    const outside = ["CH", "GB", "NO", "TR", "UA", "RS"].flatMap(
      (id) => records.find((r) => r.id === id) ?? [],
    );
    const candidates: Candidate[] = [];
    for (let draw = 1; draw <= 400; draw += 1) {
      const random = randomFrom(`SAL-5/${draw}`);
      const treatment: Treatment = random.pick([
        "seller's rate",
        "buyer's rate",
        "reverse charge",
        "outside",
      ] as const);
      const sale = composeSale(treatment, union, changed, outside, random);
      const { seller, buyer, third, supply } = sale;
      const gold =
        treatment === "reverse charge"
          ? REVERSE
          : treatment === "outside"
            ? OUTSIDE
            : charge(buyer.id, rateOn(buyer, supply))[0];
      const options = composeOptions(seller, buyer, third, supply, gold);
      if (options === null) continue;
      const tables = [...new Set([seller, buyer, third])].flatMap(ratePeriods);
      candidates.push({
        key: `draw-${draw}`,
        recordId: [seller.id, buyer.id, third.id].join("; "),
        stratum: treatment,
        title: `Digital service from ${seller.id} to ${buyer.id}`,
        state: {
          seller_country: seller.id,
          buyer: {
            country: buyer.id,
            in_eu: buyer.eu,
            kind: sale.business ? "business" : "consumer",
            vat_number: !sale.business || !buyer.eu ? "none" : sale.confirmed ? "confirmed" : "not confirmed",
          },
          date_of_supply: supply,
          date_of_invoice: sale.invoice,
          rate_table: random.shuffle(tables),
        },
        options,
        gold,
        rationale: explainSale(treatment, buyer, supply),
        difficulty: treatment === "outside" ? "easy" : "medium",
        originalLabel: [seller, buyer].map((r) => `${r.id} ${rateOn(r, supply)}%`).join("; "),
      });
    }
    return candidates;
  },
};

interface Sale {
  readonly seller: RateRecord;
  readonly buyer: RateRecord;
  readonly third: RateRecord;
  readonly supply: string;
  readonly invoice: string;
  readonly business: boolean;
  readonly confirmed: boolean;
}

function composeSale(
  treatment: Treatment,
  union: readonly RateRecord[],
  changed: readonly RateRecord[],
  outside: readonly RateRecord[],
  random: Random,
): Sale {
  const moving = random.pick(changed);
  const other = random.pick(union.filter((r) => r !== moving));
  const flip = random.chance(0.5);
  const buyer =
    treatment === "seller's rate"
      ? moving
      : treatment === "outside"
        ? random.pick(outside)
        : flip
          ? moving
          : other;
  const seller = treatment === "seller's rate" || buyer !== moving ? moving : other;
  const third = random.pick(union.filter((r) => r !== seller && r !== buyer));
  const change = random.pick(moving.earlier).until;
  // Supply and invoice on the two sides of the change, or both on one.
  const supply = addDays(change, random.pick([-40, -12, -1, 0, 9, 33]));
  const business = treatment === "reverse charge" || random.chance(0.6);
  return {
    seller,
    buyer,
    third,
    supply,
    invoice: addDays(supply, random.pick([5, 14, 30, 45])),
    business,
    // A confirmed number is tempting where it does not matter; outside the EU there is none to confirm.
    confirmed: treatment === "reverse charge" || (treatment === "seller's rate" && business),
  };
}

function explainSale(treatment: Treatment, buyer: RateRecord, supply: string): string {
  switch (treatment) {
    case "reverse charge":
      return "Buyer in another EU country, a business with a confirmed number: reverse charge.";
    case "outside":
      return `${buyer.id} is not in the EU.`;
    case "buyer's rate":
      return `Buyer in another EU country without a confirmed number: the rate of ${buyer.id} on ${supply}.`;
    default:
      return `Buyer in the seller's country: the rate of ${buyer.id} on ${supply}.`;
  }
}
