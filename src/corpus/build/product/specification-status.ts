// How far a specification has come on the way to a standard, from what it is about and its place in its series.
import { z } from "zod";
import type { Candidate, Options, Task } from "../task.ts";

const specificationSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  group: z.string(),
  series: z.string(),
  level: z.string().nullable(),
  composition: z.string(),
  previous: z.string().nullable(),
  next: z.string().nullable(),
  tested: z.boolean(),
  status: z.string(),
});

/** The day on which the list was published. */
const LISTED_ON = "2026-09-29";

const STAGES: Readonly<Record<string, string>> = {
  "Editor's Draft": "editors-draft",
  "Working Draft": "under-way",
  "Candidate Recommendation Draft": "under-way",
  "Candidate Recommendation Snapshot": "under-way",
  Recommendation: "recommendation",
  Note: "group-note",
  "Draft Note": "group-note",
};

const OPTIONS: Options = [
  ["editors-draft", "Kept by its editors and not published so far"],
  ["under-way", "Published on the track and not yet endorsed"],
  ["recommendation", "Endorsed: it has reached the end of the track"],
  ["group-note", "Published beside the track, without a vote"],
];

/** Words that stand for a stage, or that only one stage has in a title. */
const TELLING = /\b(draft|note|candidate|recommendation|registr|snapshot)/i;

/** Notes on one kind of media format, of which each says the same of another format. */
const FORMATS = /(Byte Stream|Initialization Data|Stream) Format$/;

const stateSchema = z.object({
  specification: z.string(),
  working_group: z.string(),
  level: z.string().nullable(),
  earlier_level: z.boolean(),
  later_level: z.boolean(),
  text: z.string(),
  platform_tests: z.boolean(),
});

export const specificationStatus: Task = {
  id: "PRD-2",
  name: "Stage of a specification",
  shape: "classify",
  ask: "How far is this specification on the way to a standard?",
  instruction:
    "A product team weighs how firm a specification is before it builds on it. The state gives a specification of a W3C working " +
    `group as a public list had it on ${LISTED_ON}: title, group, level or version in its series, whether the list has an earlier and a ` +
    "later level, whether its text is whole or only what it adds to the level before, and whether the shared tests of the web " +
    "platform cover it. Choose its stage on that day by the W3C Process: what is published last counts, whatever editors have written since. Working Drafts and " +
    "Candidate Recommendations are under-way, a Recommendation is recommendation, a Note and a draft of one are group-note, " +
    "and editors-draft means that the group has published nothing under this title so far.",
  modality: "text",
  options: OPTIONS,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["web-specs"],
  rows: 30,
  perGroup: 1,
  chosen:
    "Specifications in good standing of exactly one W3C working group; without first public drafts, which differ from later ones by their date alone, " +
    "and without titles that name a stage. Balanced over the four stages, one row of a series or of a kind of media format.",
  changed:
    "Title, group and place in the series are the source's; the status is hidden, and so are addresses, which would tell it.",
  decision: {
    by: "neighbours",
    says: "Group, level, whether there are earlier and later ones, whether the text is whole, whether tests cover it, and the words of the title.",
    features(state) {
      const { specification, working_group, ...rest } = stateSchema.parse(state);
      return {
        working_group,
        level: rest.level === null ? null : Number.parseFloat(rest.level),
        earlier: rest.earlier_level,
        later: rest.later_level,
        text: rest.text,
        tested: rest.platform_tests,
        words: specification.toLowerCase().match(/[a-z]{3,}/g) ?? [],
      };
    },
  },
  candidates(facts) {
    return facts.read("specifications.jsonl", specificationSchema).flatMap((spec): Candidate[] => {
      const gold = STAGES[spec.status];
      if (gold === undefined || TELLING.test(spec.title)) return [];
      return [
        {
          key: spec.id,
          recordId: spec.id,
          stratum: gold,
          group: FORMATS.exec(spec.title)?.[0] ?? spec.series,
          title: spec.title,
          state: {
            specification: spec.title,
            working_group: spec.group.replace(/ Working Group$/, ""),
            level: spec.level,
            earlier_level: spec.previous !== null,
            later_level: spec.next !== null,
            text: spec.composition === "delta" ? "only what it adds" : "whole",
            platform_tests: spec.tested,
            listed_on: LISTED_ON,
          },
          gold,
          rationale: `The list of ${LISTED_ON} gives ${spec.id} the status ${spec.status}.`,
          difficulty: gold === "editors-draft" ? "hard" : "medium",
          originalLabel: spec.status,
        },
      ];
    });
  },
};
