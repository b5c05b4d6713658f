// Whether the amount of a payment gateway, in minor units, is the amount of the ledger.
import { z } from "zod";
import { CheckError } from "../../../errors.ts";
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Options, Task } from "../task.ts";

const currencySchema = z.strictObject({ id: z.string(), number: z.string(), digits: z.number().int() });

/**
 * Currencies in use by their decimal places. Funds, metals and codes that are being withdrawn are left out, and so are
 * the two whose minor unit is a fifth.
 */
const PLACES: readonly (readonly [places: number, codes: readonly string[]])[] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ")],
  [2, "ALL AMD COP CRC CVE HUF IDR IRR LAK LBP MMK MNT NGN PKR RSD TWD TZS UZS YER ZMW".split(" ")],
  [3, "BHD IQD JOD KWD LYD OMR TND".split(" ")],
];
const CODES = new Map(PLACES.flatMap(([places, codes]) => codes.map((code) => [code, places] as const)));

const FINDINGS: Options = [
  ["match", "Same currency code, and the very same amount"],
  ["tenfold", "Same code, one amount ten times the other"],
  ["hundredfold", "Same code, one amount 100 times the other"],
  ["other-amount", "Same code, the amounts differ in another way"],
  ["other-currency", "The codes differ, whatever the amounts are"],
];

/** An amount of the ledger in ten-thousandths. */
type Units = bigint;

const written = (units: Units): string => `${units / 10_000n}.${String(units % 10_000n).padStart(4, "0")}`;

/** Compares what the gateway reports with what the ledger holds. */
export function compareAmounts(minor: bigint, places: number, ledger: Units): string {
  const gateway = minor * 10n ** BigInt(4 - places);
  if (gateway === ledger) return "match";
  const [small, large] = gateway < ledger ? [gateway, ledger] : [ledger, gateway];
  if (small * 10n === large) return "tenfold";
  return small * 100n === large ? "hundredfold" : "other-amount";
}

/** Places by which somebody divides who takes the currency for another. */
function wrongPlaces(places: number, distance: number, random: Random): number {
  return random.pick([places - distance, places + distance].filter((wrong) => wrong >= 0 && wrong <= 4));
}

/** The number with two neighbouring digits exchanged that differ. */
function transposed(minor: bigint, random: Random): bigint {
  const digits = [...String(minor)];
  const places = digits.flatMap((digit, i) =>
    i > 0 && digits[i + 1] !== undefined && digit !== digits[i + 1] ? [i] : [],
  );
  const place = random.pick(places);
  [digits[place], digits[place + 1]] = [digits[place + 1] ?? "", digits[place] ?? ""];
  return BigInt(digits.join(""));
}

const stateSchema = z.strictObject({
  gateway: z.strictObject({ currency: z.string(), amount_in_minor_units: z.number().int() }),
  ledger: z.strictObject({ currency: z.string(), amount: z.string().regex(/^\d+\.\d{4}$/) }),
});

function decide(state: unknown): string | null {
  const { gateway, ledger } = stateSchema.parse(state);
  if (gateway.currency !== ledger.currency) return "other-currency";
  const places = CODES.get(gateway.currency);
  if (places === undefined) return null;
  return compareAmounts(
    BigInt(gateway.amount_in_minor_units),
    places,
    BigInt(ledger.amount.replace(".", "")),
  );
}

export const ledgerMatch: Task = {
  id: "FIN-3",
  name: "Gateway amount against ledger",
  shape: "verify",
  ask: "Does the gateway amount match the ledger amount?",
  instruction:
    "A payment gateway reports amounts as whole numbers of the currency's minor unit; the ledger holds them in the main " +
    "unit, always written to four places. How many minor units make a main unit follows from the decimal places that " +
    "ISO 4217 gives the currency in the edition of June 2024: with two places 100, with three 1000, with none 1 (the " +
    "number is then the amount itself). Go by the standard even where coins of the minor unit are no longer in use. If " +
    "the two currency codes differ, choose other-currency whatever the amounts are. Otherwise turn the gateway's number " +
    "into main units and compare: match if equal, tenfold or hundredfold if one is exactly 10 or 100 times the other " +
    "(in either direction), other-amount in every other case.",
  modality: "text",
  options: FINDINGS,
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["currency-codes"],
  rows: 25,
  perGroup: 1,
  chosen:
    "Currencies without decimal places, with three, and twenty with two that are often taken to have none; every " +
    "finding for each. Balanced over the five findings, one row per currency.",
  changed:
    "The decimal places are the source's and are hidden; amounts and their defects are made by this project.",
  decision: {
    by: "rule",
    says: "The gateway's number is turned into main units and compared with the ledger's amount.",
    decide,
  },
  candidates(facts) {
    const currencies = new Map(facts.read("iso-4217.jsonl", currencySchema).map((c) => [c.id, c.digits]));
    for (const [code, places] of CODES) {
      if (currencies.get(code) !== places)
        throw new CheckError(`FIN-3: the source gives ${code} ${currencies.get(code)} places, not ${places}`);
    }
    return [...CODES].flatMap(([code, places]) =>
      FINDINGS.map(([finding]): Candidate => {
        const random = randomFrom(`FIN-3/${code}/${finding}`);
        const minor = BigInt(100_000 + random.integer(9_900_000));
        const swapped = finding === "other-amount" ? transposed(minor, random) : minor;
        const distance = finding === "tenfold" ? 1 : finding === "hundredfold" ? 2 : 0;
        const divided = distance === 0 ? places : wrongPlaces(places, distance, random);
        const ledger = swapped * 10n ** BigInt(4 - divided);
        const other = random.pick([...CODES.keys()].filter((c) => c !== code && CODES.get(c) === places));
        return {
          key: `${code}#${finding}`,
          recordId: code,
          stratum: finding,
          group: code,
          title: `Payment in ${code}`,
          state: {
            gateway: { currency: code, amount_in_minor_units: Number(minor) },
            ledger: {
              currency: finding === "other-currency" ? other : code,
              amount: written(ledger),
            },
          },
          gold: finding,
          rationale:
            finding === "other-currency"
              ? `The gateway reports ${code}, the ledger ${other}.`
              : `${code} has ${places} decimal places, so the gateway reports ` +
                `${written(minor * 10n ** BigInt(4 - places))}; the ledger holds ${written(ledger)}.`,
          difficulty: finding === "other-currency" ? "easy" : "medium",
          originalLabel: `${code}: ${places} decimal places`,
        };
      }),
    );
  },
};
