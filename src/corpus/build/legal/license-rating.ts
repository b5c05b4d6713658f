// How the Blue Oak Council rates a permissive licence, from its name and the matters its text speaks of.
import { z } from "zod";
import type { Candidate, Features, Task } from "../task.ts";

const ratingSchema = z.strictObject({ id: z.string(), name: z.string(), rating: z.string() });
const wordingSchema = z.strictObject({
  id: z.string(),
  osi: z.boolean(),
  words: z.number(),
  matters: z.array(z.string()),
});

const RATINGS: Readonly<Record<string, string>> = { Silver: "silver", Bronze: "bronze", Lead: "lead" };

const stateSchema = z.looseObject({
  identifier: z.string(),
  osi_approved: z.boolean(),
  words_of_text: z.number(),
  text_speaks_of: z.array(z.string()),
});

/** The family that an identifier opens with: "BSD-3-Clause" → "BSD". */
export const familyOf = (id: string): string => id.replace(/[-\d.].*$/, "") || id;

/** Whether the matters found in a text speak against the rating, by the criteria of the instruction. */
function speakAgainst(gold: string, matters: readonly string[]): boolean {
  if (gold === "lead") return false;
  return (
    !matters.includes("warranty or liability") ||
    (gold === "silver" && matters.includes("endorsement or use of names"))
  );
}

function comparable(state: unknown): Features {
  const { identifier, osi_approved, words_of_text, text_speaks_of } = stateSchema.parse(state);
  return {
    family: familyOf(identifier),
    osi: osi_approved,
    words: words_of_text,
    ...Object.fromEntries(text_speaks_of.map((matter) => [matter, true])),
    matters: text_speaks_of,
  };
}

export const licenseRating: Task = {
  id: "LEG-1",
  name: "Rating of a permissive licence",
  shape: "classify",
  ask: "How does the licence council rate this licence?",
  instruction:
    "The Blue Oak Council, a group of lawyers, rates permissive software licences. The state gives the SPDX identifier " +
    "and the name of a licence, whether the Open Source Initiative has approved it, the length of its text in words, and " +
    "the matters that its text speaks of, found by key words; a matter that is not listed is not mentioned. silver: " +
    "robust wording, but it does not deal with patents or asks for more than keeping the notices. bronze: something " +
    "useful is missing, or there are further demands, above all a ban on using the authors' names for endorsement, as " +
    "in three-clause BSD licences. lead: something essential is missing (a clear grant to use, change and pass on, or a " +
    "disclaimer), the wording is careless or joking, or the demands are unusually heavy. Choose the rating in the " +
    "council's list, version 15.",
  modality: "text",
  options: [
    ["silver", "Sound wording with one gap or one more demand"],
    ["bronze", "A useful part is missing, or names are kept"],
    ["lead", "Vital parts are missing, vague or burdensome"],
  ],
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["blueoak-list", "spdx-license-wording"],
  rows: 24,
  perGroup: 2,
  chosen:
    "Rated licences with a text in the SPDX list, without the two at the top of the ratings. Left out are silver and bronze ones " +
    "in whose text no disclaimer was found, and silver ones whose text speaks of names: there the key words say other than the " +
    "rating. At most two rows per family of identifiers, balanced over the three ratings.",
  changed: "The rating is hidden; of the text nothing is shown but its length and the matters found in it.",
  decision: {
    by: "neighbours",
    says: "Family of the identifier, approval by the Open Source Initiative, length of the text and its matters.",
    features: comparable,
  },
  candidates(facts) {
    const wordings = new Map(facts.read("license-wording.jsonl", wordingSchema).map((w) => [w.id, w]));
    return facts.read("license-ratings.jsonl", ratingSchema).flatMap((license): Candidate[] => {
      const gold = RATINGS[license.rating];
      const wording = wordings.get(license.id);
      if (gold === undefined || wording === undefined || speakAgainst(gold, wording.matters)) return [];
      return [
        {
          key: license.id,
          recordId: license.id,
          stratum: gold,
          group: familyOf(license.id),
          title: `Licence ${license.id}`,
          state: {
            identifier: license.id,
            name: license.name.trim(),
            osi_approved: wording.osi,
            words_of_text: wording.words,
            text_speaks_of: wording.matters,
          },
          gold,
          rationale:
            `The council lists ${license.id} under ${license.rating}; its text speaks of ` +
            `${wording.matters.join(", ") || "none of the matters"}.`,
          difficulty: "hard",
          originalLabel: license.rating,
        },
      ];
    });
  },
};
