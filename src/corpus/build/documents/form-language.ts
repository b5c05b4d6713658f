// In which of several languages that look alike a form is filled in, from five names of countries.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import type { Candidate, Features, Task } from "../task.ts";

const namesSchema = z.strictObject({ id: z.string(), names: z.record(z.string(), z.string()) });
const stateSchema = z.object({ countries: z.array(z.string()) });

/** Languages that are taken for each other: code, label, name. */
const FAMILIES = [
  [
    ["da", "danish", "Danish"],
    ["nb", "norwegian-bokmal", "Norwegian Bokmål"],
    ["nn", "norwegian-nynorsk", "Norwegian Nynorsk"],
    ["sv", "swedish", "Swedish"],
    ["is", "icelandic", "Icelandic"],
  ],
  [
    ["ca", "catalan", "Catalan"],
    ["es", "spanish", "Spanish"],
    ["gl", "galician", "Galician"],
    ["it", "italian", "Italian"],
    ["pt", "portuguese", "Portuguese"],
  ],
  [
    ["bs", "bosnian", "Bosnian"],
    ["cs", "czech", "Czech"],
    ["hr", "croatian", "Croatian"],
    ["sk", "slovak", "Slovak"],
    ["sl", "slovenian", "Slovenian"],
  ],
] as const;

/** The runs of three letters of some names, each with its ends. */
function trigrams(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const padded = ` ${name.toLowerCase()} `;
    return Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3));
  });
}

export const formLanguage: Task = {
  id: "DOC-5",
  name: "Language of a form",
  shape: "route",
  ask: "Which language's desk should handle this form?",
  instruction:
    "A form with five countries arrives, all written in one language, and goes to the desk of that language. The five " +
    "languages of the options are alike, and some of the names may be spelt the same in several of them; each other " +
    "language spells at least two of the five names differently. Choose the language in which all five are written.",
  modality: "text",
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["i18n-iso-countries-names"],
  rows: 30,
  decision: {
    by: "neighbours",
    features: (state): Features => ({ trigrams: trigrams(stateSchema.parse(state).countries) }),
    says: "the runs of three letters in the names",
  },
  chosen:
    "For fifteen languages of three families, three hundred draws of five countries of which at least one has the same name in another " +
    "language of the family and every other language has at least two names otherwise. Two rows a language.",
  changed: "The names are the source's; which five stand together is drawn by this project.",
  candidates(facts) {
    const names = new Map(
      facts.read("country-names.jsonl", namesSchema).map((record) => [record.id, record.names]),
    );
    return FAMILIES.flatMap((family) =>
      family.flatMap(([code, label, name]): Candidate[] => {
        const own = names.get(code) ?? {};
        const rivals = family.filter(([other]) => other !== code).map(([other]) => names.get(other) ?? {});
        return Array.from({ length: 300 }, (_, draw): Candidate | null => {
          const random = randomFrom(`DOC-5/${code}/${draw}`);
          const countries = random.shuffle(Object.keys(own).sort()).slice(0, 5);
          const differing = rivals.map((rival) => countries.filter((c) => rival[c] !== own[c]).length);
          const nearest = Math.min(...differing);
          if (nearest < 2 || nearest === 5 || countries.some((c) => own[c] === "")) return null;
          return {
            key: `${code}#${draw + 1}`,
            recordId: `${code}: ${countries.join(", ")}`,
            stratum: label,
            title: "Five countries on a form",
            state: { countries: countries.map((c) => own[c] ?? "") },
            options: family.map(([, other, spoken]) => [other, `Hand the form to the ${spoken} desk`]),
            gold: label,
            rationale: `The ${name} list has all five names; the nearest other language differs in ${nearest}.`,
            difficulty: nearest <= 3 ? "hard" : "medium",
            originalLabel: code,
          };
        }).filter((candidate) => candidate !== null);
      }),
    );
  },
};
