// Which language queue a call without a choice goes to: the language known to most people where the call comes from.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import type { FactStore } from "../sources.ts";
import { groupBy } from "../statistics.ts";
import type { Candidate, Task } from "../task.ts";
import { LANGUAGE_NAMES } from "./language-names.ts";

const territorySchema = z.strictObject({
  id: z.string(),
  subregion: z.string().nullable(),
  population: z.number(),
  currencies: z.array(z.string()),
  languages: z.array(
    z.strictObject({ code: z.string(), percent: z.number(), official: z.string().nullable() }),
  ),
});
const callingCodeSchema = z.strictObject({ id: z.string(), calling_code: z.number().int().positive() });

interface Territory {
  readonly id: string;
  readonly subregion: string | null;
  readonly population: number;
  readonly callingCode: string;
  readonly currency: string;
  /** Commonest first. */
  readonly languages: readonly Spoken[];
}
interface Spoken {
  readonly code: string;
  readonly name: string;
  readonly percent: number;
  readonly official: boolean;
  readonly nationwide: boolean;
}

/** Points by which the first language leads the second at least. */
const LEAD = 10;
/** A second language of fewer people than this (per cent) leaves nothing to weigh. */
const RUNNER_UP = 8;
/** Territories of fewer people are hardly documented. */
const FEWEST_PEOPLE = 200_000;
const OPTIONS = 6;

/**
 * Where the table counts what other surveys do not: knowledge of a foreign or former official language as its first, a
 * standard language apart from its own spoken varieties, or a share that no census gives.
 */
const DISPUTED: ReadonlySet<string> = new Set(
  "BW ET FJ GH MZ FM GM GW JO KM LB LS MA NA NE QA SB SZ UG EG MO ZM YT SX IQ DZ TN LY MR TG NG DJ TD AE".split(
    " ",
  ),
);

/** A first language that leads by less than this is not the only one a caller would expect. */
const CLOSE = 40;
/** A further official language counts from this share on (per cent). */
const OFFICIAL_TOO = 5;

/** Territories that calling code and currency name beyond doubt, each with the languages that have a name here. */
function territories(facts: FactStore): readonly Territory[] {
  const codes = new Map(
    facts.read("calling-codes.jsonl", callingCodeSchema).map((entry) => [entry.id, `+${entry.calling_code}`]),
  );
  const all = facts.read("territories.jsonl", territorySchema).flatMap((territory): Territory[] => {
    const callingCode = codes.get(territory.id);
    const [currency, ...more] = territory.currencies;
    if (callingCode === undefined || currency === undefined || more.length > 0) return [];
    const languages = territory.languages.flatMap(({ code, percent, official }): Spoken[] => {
      const name = LANGUAGE_NAMES.get(code.replace(/_Han[st]$/, ""));
      return name === undefined
        ? []
        : [
            {
              code,
              name,
              percent,
              official: official !== null,
              nationwide: official !== null && official !== "official_regional",
            },
          ];
    });
    return [{ ...territory, callingCode, currency, languages }];
  });
  const places = groupBy(all, ({ callingCode, currency }) => `${callingCode} ${currency}`);
  return [...places.values()].filter((same) => same.length === 1).flat();
}

const label = (name: string): string => name.toLowerCase().replaceAll(" ", "-");

/** How many know a language in the rest of the subregion, in millions. */
function around(home: Territory, name: string, all: readonly Territory[]): number {
  return all
    .filter((other) => other !== home && other.subregion === home.subregion)
    .flatMap(({ population, languages }) =>
      languages.filter((one) => one.name === name).map(({ percent }) => (percent / 100) * (population / 1e6)),
    )
    .reduce((sum, people) => sum + people, 0);
}

const stateSchema = z.object({ calling_code: z.string(), currency: z.string() });

/** A rule of thumb: what is official there; of several, and of none, what most people know in the rest of the subregion. */
function decide(state: unknown, options: ReadonlyMap<string, string>, facts: FactStore): string | null {
  const { calling_code, currency } = stateSchema.parse(state);
  const all = territories(facts);
  const home = all.find((place) => place.callingCode === calling_code && place.currency === currency);
  if (home === undefined) return null;
  const official = home.languages.filter((one) => one.official).map(({ name }) => name);
  const weight = (name: string): number =>
    around(home, name, all) + (official.includes(name) ? Number.MAX_SAFE_INTEGER / 2 : 0);
  const names = all.flatMap(({ languages }) => languages.map(({ name }) => name));
  const offered = [...new Set(names)].filter((name) => options.has(label(name))).sort();
  const [first] = offered.toSorted((a, b) => weight(b) - weight(a));
  return first === undefined ? null : label(first);
}

export const callerLanguage: Task = {
  id: "SUP-4",
  name: "Language queue for a caller",
  shape: "route",
  ask: "Which language queue should take this caller?",
  instruction:
    "A support line has to greet a caller who has not chosen a language. The state gives the calling code of the caller's " +
    "number, the currency that is legal tender there, and the population in millions; together they name one country or " +
    "territory. Route to the language that the largest share of its people can use, as a first or as a further language, " +
    "whether it is official there or not. Shares are those of the Unicode CLDR 48 table of languages by territory, in which " +
    `the answer leads every other language by ${LEAD} points or more. Choose the queue.`,
  modality: "text",
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["cldr-core", "google-libphonenumber-codes"],
  rows: 30,
  perGroup: 3,
  chosen:
    `Territories of ${FEWEST_PEOPLE.toLocaleString("en-US")} people or more which calling code and currency name beyond doubt, whose first language leads by ${LEAD} points or more ` +
    `and whose second is known to ${RUNNER_UP} per cent or more; only such as have a further language that is official nationwide, a first one that is not official, or a lead under ${CLOSE} points. Left out are territories where the table's first place is disputed. The options are the territory's own languages and main ones of ` +
    "its subregion. At most three rows per answer.",
  changed:
    "Calling code, currency and population (rounded) are the sources'; the name of the territory and the shares are hidden.",
  decision: {
    by: "rule",
    says: "A rule of thumb: the language that is official in the territory; of several, the one most people know in the rest of its subregion; the label itself is recorded.",
    decide: (state, options, { facts }) => decide(state, options, facts),
  },
  candidates(facts) {
    const all = territories(facts);
    const records = new Map(facts.read("territories.jsonl", territorySchema).map((one) => [one.id, one]));
    return all.flatMap((home): Candidate[] => {
      const [first, second] = records.get(home.id)?.languages ?? [];
      const [named, ...others] = home.languages;
      if (first === undefined || second === undefined || named === undefined) return [];
      if (named.code !== first.code || first.percent - second.percent < LEAD || second.percent < RUNNER_UP)
        return [];
      // Where one language is all that counts, the name of the country is the answer.
      const contested =
        !named.official ||
        first.percent - second.percent < CLOSE ||
        others.some(({ nationwide, percent }) => nationwide && percent >= OFFICIAL_TOO);
      if (!contested || DISPUTED.has(home.id) || home.population < FEWEST_PEOPLE) return [];
      const own = others.filter(({ percent }) => percent >= 1).map(({ name }) => name);
      const near = randomFrom(`SUP-4/${home.id}`).shuffle(
        all
          .filter(({ id, subregion }) => id !== home.id && subregion === home.subregion)
          .flatMap(({ languages }) => languages.slice(0, 2).map(({ name }) => name))
          .sort(),
      );
      // By name: the first of the list would be the answer otherwise.
      const names = [...new Set([named.name, ...own.slice(0, 4), ...near])].slice(0, OPTIONS).sort();
      if (own.length === 0 || names.length < OPTIONS) return [];
      const rival = home.languages[1];
      return [
        {
          key: home.id,
          recordId: home.id,
          stratum: "territories",
          group: named.name,
          title: `A call from ${home.callingCode}`,
          state: {
            calling_code: home.callingCode,
            currency: home.currency,
            population_millions: Number((home.population / 1e6).toPrecision(2)),
          },
          options: names.map((name) => [label(name), `The queue in ${name}`] as const),
          gold: label(named.name),
          rationale:
            `In ${home.id} ${named.percent} per cent know ${named.name} (${named.official ? "official" : "not official"} there)` +
            `${rival === undefined ? "" : `, ${rival.percent} per cent ${rival.name} (${rival.official ? "official" : "not official"})`}.`,
          difficulty:
            !named.official || (rival?.official === true && rival.percent >= 25) ? "hard" : "medium",
          originalLabel: `${named.code} ${named.percent}`,
        },
      ];
    });
  },
};
