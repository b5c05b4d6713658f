// What kind of line a customer asks to be called back on, from the number alone.
import { z } from "zod";
import type { Candidate, Options, Task } from "../task.ts";

const KINDS = ["FIXED_LINE", "MOBILE", "PREMIUM_RATE", "SHARED_COST", "TOLL_FREE", "VOIP"] as const;
const numberSchema = z.strictObject({
  id: z.string(),
  region: z.string().regex(/^[A-Z]{2}$/),
  kind: z.enum(KINDS),
  calling_code: z.number().int().positive(),
  number: z.string().regex(/^\+[0-9][0-9 -]+$/),
});

/** A mobile or geographic range is what a plan is best known for; shared cost and placeless numbers are rare. */
const DIFFICULTIES = {
  FIXED_LINE: "easy",
  MOBILE: "easy",
  PREMIUM_RATE: "medium",
  SHARED_COST: "hard",
  TOLL_FREE: "medium",
  VOIP: "hard",
} as const;

const LABELS = {
  FIXED_LINE: "fixed-line",
  MOBILE: "mobile",
  PREMIUM_RATE: "premium-rate",
  SHARED_COST: "shared-cost",
  TOLL_FREE: "toll-free",
  VOIP: "voip",
} as const;

const LINES: Options = [
  ["fixed-line", "Call: it is tied to a town or an area"],
  ["mobile", "Call or text: it is a cellular phone"],
  ["premium-rate", "Do not call: the caller is surcharged"],
  ["shared-cost", "Ask first: both sides bear the charge"],
  ["toll-free", "Not a person's: the called side pays"],
  ["voip", "Call: it is internet telephony, placeless"],
];

/** Examples that do not look like the plan as its regulator describes it, or that share their range with another kind. */
const UNCLEAR = new Set([
  "BE/MOBILE", "BE/SHARED_COST", "ES/FIXED_LINE", "FR/SHARED_COST", "GR/FIXED_LINE", "IN/PREMIUM_RATE", "IT/VOIP",
  "BG/MOBILE", "IT/MOBILE", "KE/FIXED_LINE", "NG/FIXED_LINE", "RU/PREMIUM_RATE", "VN/VOIP", "EG/FIXED_LINE", "LU/VOIP",
  "IS/VOIP", "PT/PREMIUM_RATE", "MA/VOIP", "BR/PREMIUM_RATE", "AR/PREMIUM_RATE", "SA/PREMIUM_RATE",
]); // biome-ignore format: a list of ids

const stateSchema = z.object({ number: z.string(), calling_code: z.string() });

/** The digits after the calling code. */
export function nationalDigits(number: string, callingCode: string): string {
  return number.replace(/[^\d+]/g, "").slice(callingCode.length);
}

export const phoneLine: Task = {
  id: "SUP-2",
  name: "Kind of line for a call back",
  shape: "route",
  ask: "What kind of line does this number belong to?",
  instruction:
    "A support desk checks a telephone number before an agent calls back, because some lines cost the caller more and " +
    "some reach no person. The state gives a number in international form (nothing to dial before the national part), " +
    "its calling code, and the ISO 3166 code of its country. It is the example that a table of numbering plans gives " +
    "for one kind of line there, so its last digits mean nothing. Decide by the plan's number ranges: the first digits after the calling code, and where the plan " +
    "needs it their count. Choose the kind of line.",
  modality: "text",
  options: LINES,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["google-libphonenumber"],
  rows: 24,
  perGroup: 1,
  chosen:
    "Example numbers of widely documented countries to which the plan's rules give exactly one of six kinds; without " +
    "numbers whose range is unusual for their kind. Toll-free and premium-rate numbers that begin with 800 and 900, as " +
    "in most countries, are left out. Balanced over the six kinds, one row per calling code.",
  changed: "Number, country and calling code are the source's; the kind is hidden.",
  decision: {
    by: "neighbours",
    says: "The first one, two and three digits after the calling code, how many digits there are, and how they are grouped.",
    features(state) {
      const { number, calling_code } = stateSchema.parse(state);
      const digits = nationalDigits(number, calling_code);
      return {
        first: digits.slice(0, 1),
        first_two: digits.slice(0, 2),
        first_three: digits.slice(0, 3),
        length: digits.length,
        area_length: number.slice(calling_code.length + 1).split(/[ -]/)[0]?.length ?? 0,
      };
    },
  },
  candidates(facts) {
    return facts.read("phone-numbers.jsonl", numberSchema).flatMap((record): Candidate[] => {
      const { id, region, kind, number } = record;
      const callingCode = `+${record.calling_code}`;
      const digits = nationalDigits(number, callingCode);
      const usual =
        (kind === "TOLL_FREE" && digits.startsWith("800")) ||
        (kind === "PREMIUM_RATE" && digits.startsWith("900"));
      if (usual || UNCLEAR.has(id)) return [];
      return [
        {
          key: id,
          recordId: id,
          stratum: LABELS[kind],
          group: callingCode,
          title: `Call back ${number}`,
          state: { number, calling_code: callingCode, country: region },
          gold: LABELS[kind],
          rationale: `In the plan of ${region} (${callingCode}) the range of ${digits.slice(0, 4)}… is ${LABELS[kind]}.`,
          difficulty: DIFFICULTIES[kind],
          originalLabel: kind,
        },
      ];
    });
  },
};
