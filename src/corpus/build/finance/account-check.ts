// What is wrong with a bank account number: scheme, length, structure or check digits.
import { z } from "zod";
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Task } from "../task.ts";

const formatSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]{2}$/),
  length: z.number(),
  parts: z.array(z.tuple([z.enum(["digits", "letters", "letters or digits"]), z.number()])),
  sepa: z.boolean(),
});
type Format = z.infer<typeof formatSchema>;

/**
 * Where the source's word on SEPA is behind the times or beside the point: countries that have joined since, and
 * territories whose accounts are French ones.
 */
const LEFT_OUT = new Set([
  ...["AL", "MD", "ME", "MK", "RS"],
  ...["BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "TF", "WF", "YT"],
]);

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Remainder of the rearranged number (country and check digits moved to the end, A=10 … Z=35) divided by 97. */
export function ibanRemainder(iban: string): number {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** The account number with the check digits that make the remainder 1. */
export function withCheckDigits(country: string, account: string): string {
  const check = 98 - ibanRemainder(`${country}00${account}`);
  return `${country}${String(check).padStart(2, "0")}${account}`;
}

function randomAccount(format: Format, random: Random): string {
  return format.parts
    .flatMap(([kind, count]) =>
      Array.from({ length: count }, () =>
        random.pick([...(kind === "letters" ? LETTERS : kind === "digits" ? DIGITS : DIGITS + LETTERS)]),
      ),
    )
    .join("");
}

/** The account with one character of a kind that its place does not allow. */
function misplaced(
  format: Format,
  account: string,
  random: Random,
): { account: string; place: number } | null {
  const places = format.parts.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  const strict = places.flatMap((kind, place) => (kind === "letters or digits" ? [] : [place]));
  if (strict.length === 0) return null;
  const place = random.pick(strict);
  const wrong = places[place] === "digits" ? random.pick(["B", "I", "O", "S"]) : random.pick([..."0158"]);
  return { account: account.slice(0, place) + wrong + account.slice(place + 1), place };
}

interface Defect {
  readonly iban: string;
  readonly why: string;
}

/** An account number with exactly the defect that `label` names, or null where the format does not allow it. */
function compose(label: string, format: Format, random: Random): Defect | null {
  const account = randomAccount(format, random);
  const good = withCheckDigits(format.id, account);
  switch (label) {
    case "accept":
      return { iban: good, why: "Country, length and structure fit, and the remainder is 1." };
    case "scheme":
      return { iban: good, why: `The number is sound, but ${format.id} is not in SEPA.` };
    case "length": {
      const cut = random.integer(account.length - 1);
      const longer = random.chance(0.5);
      const other = longer
        ? account.slice(0, cut) + account.charAt(cut) + account.slice(cut)
        : account.slice(0, cut) + account.slice(cut + 1);
      const iban = withCheckDigits(format.id, other);
      return { iban, why: `It has ${iban.length} characters; ${format.id} has ${format.length}.` };
    }
    case "structure": {
      const bad = misplaced(format, account, random);
      if (bad === null) return null;
      return {
        iban: withCheckDigits(format.id, bad.account),
        why: `The character at place ${bad.place + 5} is of a kind that the structure does not allow there.`,
      };
    }
    default: {
      // Two neighbouring, different digits of the account exchanged.
      const pairs = [...account].flatMap((c, i) =>
        /\d/.test(c) && /\d/.test(account[i + 1] ?? "") && c !== account[i + 1] ? [i] : [],
      );
      if (pairs.length === 0) return null;
      const at = random.pick(pairs);
      const swapped =
        account.slice(0, at) + account.charAt(at + 1) + account.charAt(at) + account.slice(at + 2);
      const iban = good.slice(0, 4) + swapped;
      return {
        iban,
        why: `Length and structure fit, but the remainder is ${ibanRemainder(iban)} instead of 1.`,
      };
    }
  }
}

const FINDINGS = [
  ["accept", "Nothing is wrong: the payment can be prepared"],
  ["scheme", "The country does not take part in the payment scheme"],
  ["length", "There are too many or too few characters"],
  ["structure", "A letter stands where a digit belongs, or the reverse"],
  ["check-digits", "Only the two control digits do not fit the rest"],
] as const;

const KINDS: Readonly<Record<string, string>> = {
  digit: "[0-9]",
  letter: "[A-Z]",
  "letter or digit": "[0-9A-Z]",
};

const stateSchema = z.looseObject({
  payment: z.string(),
  iban: z.string(),
  registry_entry: z.looseObject({ in_sepa: z.boolean(), characters: z.number(), account_part: z.string() }),
});

/** The four tests of the instruction in their order, from the state alone. */
function decide(state: unknown): string {
  const { payment, iban, registry_entry: entry } = stateSchema.parse(state);
  const number = iban.replaceAll(" ", "");
  if (payment.startsWith("SEPA") && !entry.in_sepa) return "scheme";
  if (number.length !== entry.characters) return "length";
  const account = entry.account_part.replace(
    /(\d+) ([a-z ]+?)(?:, then |$)/g,
    (_, count: string, kind: string) => `${KINDS[kind.replace(/s\b/g, "")]}{${count}}`,
  );
  if (!new RegExp(`^[A-Z]{2}[0-9]{2}${account}$`).test(number)) return "structure";
  return ibanRemainder(number) === 1 ? "accept" : "check-digits";
}

export const accountCheck: Task = {
  id: "FIN-2",
  name: "Bank account number check",
  shape: "verify",
  ask: "What is wrong with this international bank account number?",
  instruction:
    "Check the international bank account number (IBAN) in the state before a payment is prepared. Blanks only group " +
    "the characters. Test in this order and report the first test that fails: (1) scheme: a SEPA credit transfer needs " +
    "a country that is in SEPA, an international transfer does not; (2) length: the number of characters, blanks left " +
    "out, is the registered length; (3) structure: after the two letters of the country and two check digits, the " +
    "account part follows the registered sequence of digits and letters; (4) check-digits: move the first four " +
    "characters to the end, replace letters by numbers (A=10 to Z=35), and divide by 97: the remainder must be 1. " +
    "If all four tests pass, choose accept. The registry entry in the state counts, even where it has changed since.",
  modality: "text",
  options: FINDINGS,
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["ibantools"],
  rows: 24,
  perGroup: 1,
  chosen:
    "For every country of the registry and every finding one account number of random characters. Payments over SEPA " +
    "for countries in it and, as the defect, for others; international transfers for the rest. Countries that " +
    "have joined SEPA of late and French territories are left out. Balanced over the five " +
    "findings, one row per country.",
  changed:
    "Length, structure and SEPA membership are the source's; the account numbers are random and belong to nobody this " +
    "project knows of, the defects are made by this project.",
  decision: {
    by: "rule",
    says: "The four tests of the instruction are run in their order.",
    decide,
  },
  candidates(facts) {
    const candidates: Candidate[] = [];
    for (const format of facts.read("iban-formats.jsonl", formatSchema)) {
      if (LEFT_OUT.has(format.id)) continue;
      for (const [label] of FINDINGS) {
        if (label === "scheme" && format.sepa) continue;
        const composed = compose(label, format, randomFrom(`FIN-2/${format.id}/${label}`));
        if (composed === null) continue;
        const sepaPayment = label === "scheme" || format.sepa;
        candidates.push({
          key: `${format.id}#${label}`,
          recordId: format.id,
          stratum: label,
          group: format.id,
          title: `Account number of ${format.id}`,
          state: {
            payment: sepaPayment ? "SEPA credit transfer" : "international transfer",
            iban: composed.iban.replace(/(.{4})(?=.)/g, "$1 "),
            registry_entry: {
              country: format.id,
              in_sepa: format.sepa,
              characters: format.length,
              account_part: format.parts
                .map(([kind, count]) => `${count} ${count === 1 ? kind.replace(/s\b/g, "") : kind}`)
                .join(", then "),
            },
          },
          gold: label,
          rationale: composed.why,
          difficulty: label === "check-digits" || label === "accept" ? "hard" : "medium",
          originalLabel: `length ${format.length}, SEPA ${format.sepa ? "yes" : "no"}`,
        });
      }
    }
    return candidates;
  },
};
