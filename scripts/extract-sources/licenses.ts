// How the Blue Oak Council rates permissive licences, and which matters their texts speak of.
import type { Extraction } from "./extraction.ts";

interface Rating {
  readonly name: string;
  readonly licenses: readonly { readonly id: string; readonly name: string }[];
}

export const licenseRatings: Extraction = {
  id: "blueoak-list",
  title: "Blue Oak Council ratings of permissive licences",
  registry: "npm",
  package: "@blueoak/list",
  version: "15.0.0",
  license: "CC0-1.0",
  files: ["index.json"],
  attribution: "Blue Oak Council, Permissive License List (public domain dedication).",
  taken: "The identifier, the name and the rating of each licence. No notes.",
  async extract(unpacked) {
    const ratings = unpacked.json("index.json") as Rating[];
    return {
      "license-ratings.jsonl": ratings.flatMap((rating) =>
        rating.licenses.map(({ id, name }) => ({ id, name, rating: rating.name })),
      ),
    };
  },
};

/** Matters that a licence may speak of, and the words that show it. */
const MATTERS: readonly (readonly [string, RegExp])[] = [
  ["advertising", /advertis/i],
  ["changes must be marked", /prominent|altered|marked as|notices? (stating|that)|plainly/i],
  ["distribution", /distribut/i],
  ["endorsement or use of names", /endorse|publicity|promote|\bnames? of/i],
  ["fees", /\bfees?\b/i],
  ["modification", /modif|derivative|derived/i],
  ["patents", /patent/i],
  ["sale", /\bsell\b|\bsold\b|\bsale\b/i],
  ["sublicensing", /sublicen/i],
  ["termination", /terminat/i],
  ["use", /\buse\b/i],
  ["warranty or liability", /warrant|liab/i],
];

export const licenseWording: Extraction = {
  id: "spdx-license-wording",
  title: "Matters of licence texts",
  registry: "npm",
  package: "spdx-license-list",
  version: "6.12.0",
  license: "CC0-1.0",
  files: ["spdx-full.json"],
  attribution: "SPDX workgroup; spdx-license-list by Sindre Sorhus (public domain dedication).",
  taken:
    "For each licence that the Blue Oak Council rates, the number of words of its text and which of twelve matters it " +
    "speaks of, found by key words. No licence texts.",
  async extract(unpacked, installed) {
    const texts = unpacked.json("spdx-full.json") as Record<
      string,
      { osiApproved: boolean; licenseText: string }
    >;
    const ratings = installed("blueoak-list").json("index.json") as Rating[];
    const facts = ratings
      .flatMap(({ licenses }) => licenses)
      .flatMap(({ id }) => {
        const entry = texts[id];
        if (entry === undefined) return [];
        return [
          {
            id,
            osi: entry.osiApproved,
            words: entry.licenseText.split(/\s+/).filter(Boolean).length,
            matters: MATTERS.filter(([, words]) => words.test(entry.licenseText)).map(([name]) => name),
          },
        ];
      });
    return { "license-wording.jsonl": facts };
  },
};
