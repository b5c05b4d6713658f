// In which state of its life a feature of the web platform is, from its name, its specification and who shipped it.
import { z } from "zod";
import type { FactStore } from "../sources.ts";
import { type Statement, statementSchema } from "../statements.ts";
import type { Candidate, Features, Options, Task } from "../task.ts";

const stateSchema = z.strictObject({
  id: z.string(),
  deprecated: z.boolean(),
  experimental: z.boolean(),
  standard: z.boolean(),
  specified: z.boolean(),
  engines: z.record(z.string(), statementSchema),
});
type State = z.infer<typeof stateSchema>;

const daysSchema = z.strictObject({ id: z.string(), released: z.record(z.string(), z.string()) });

const STATES: Options = [
  ["standard", "Settled: rely on it"],
  ["experimental", "Still young: expect it to change"],
  ["deprecated", "On its way out: avoid it"],
  ["non-standard", "Nobody's agreed text: local at best"],
];

const ENGINES = [
  ["chrome", "Chrome"],
  ["firefox", "Firefox"],
  ["safari", "Safari"],
] as const;

function labelOf(state: State): string {
  if (state.deprecated) return "deprecated";
  if (state.experimental) return "experimental";
  return state.standard ? "standard" : "non-standard";
}

/** An entry as it is shown: versions with the days of their release. */
function shown(
  statement: Statement,
  days: Readonly<Record<string, string>>,
): Record<string, string | boolean> {
  const entries = Object.entries(statement).flatMap(([key, value]): [string, string | boolean][] => {
    if (value === undefined) return [];
    const day = days[String(value)];
    const dated = (key === "added" || key === "removed") && day !== undefined;
    return dated
      ? [
          [key, value],
          [`${key}_on`, day],
        ]
      : [[key, value]];
  });
  return Object.fromEntries(entries);
}

function read(facts: FactStore): {
  states: readonly State[];
  days: ReadonlyMap<string, Record<string, string>>;
} {
  return {
    states: facts.read("mdn-states.jsonl", stateSchema),
    days: new Map(facts.read("mdn-release-days.jsonl", daysSchema).map(({ id, released }) => [id, released])),
  };
}

/** How many of the three engines have had a feature, as the rationale says it. */
const COUNTS = [
  "no engine has or had",
  "one engine has or had",
  "two engines have or had",
  "all three engines have or had",
];

export const featureState: Task = {
  id: "PRD-4",
  name: "State of a platform feature",
  shape: "classify",
  ask: "What state of its life is this platform feature in?",
  instruction:
    "A product team keeps a list of web platform features with the state of each. The states are: deprecated, when its " +
    "use is discouraged, be it specified or not, because it was replaced, was dropped from its specification or is kept " +
    "only for old pages; experimental, when it is not deprecated but only one browser engine has it so far or it is " +
    "expected to change; standard, when it is neither and stands in a specification that browser makers follow; and " +
    "non-standard, when it is neither and no such specification holds it. The state gives the path of the feature, " +
    "whether a specification is linked, and, for one browser of each of three engines, the first version with the " +
    'feature and the day of its release ("never": no version has it; "preview": no released version has it; flag, ' +
    "prefix, other_name and partial say that the plain, complete feature is not there). A link alone does not make a " +
    "feature settled. Choose its state.",
  modality: "text",
  options: STATES,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["mdn-browser-compat-data"],
  rows: 30,
  perGroup: 1,
  decision: {
    by: "neighbours",
    features,
    says: "Neighbours by the link, the number of engines, the day of the first release, and removals.",
  },
  chosen:
    "Features that at least one of three engines has had. Deprecated and experimental ones in equal parts with and " +
    "without a linked specification, so that the link does not decide; standard ones are linked and non-standard ones " +
    "are not. Single-engine features that are filed as neither deprecated nor experimental are left out, and so are " +
    "young ones that several engines have or one has dropped, mere behaviours, and names that say their state. One row per interface, property or element.",
  changed:
    "The versions and the link are the source's, the days its release days; the flags of the state are hidden.",
  candidates(facts) {
    const { states, days } = read(facts);
    return states.flatMap((state): Candidate[] => {
      const label = labelOf(state);
      const own = Object.values(state.engines).filter(({ added }) => added !== "never").length;
      const settled = label === "standard" || label === "non-standard";
      if (settled && (own < 2 || state.specified !== (label === "standard"))) return [];
      const removed = Object.values(state.engines).some((statement) => statement.removed !== undefined);
      if (label === "experimental" && (own > 1 || removed)) return [];
      // A behaviour of a feature has no state of its own.
      if (label === "non-standard" && /[a-z]_(?!event$|static$)/.test(state.id)) return [];
      if (/standard|experimental|deprecat|obsolete|legacy/i.test(state.id)) return [];
      return [
        {
          key: state.id,
          recordId: state.id,
          stratum: `${label}/${state.specified}`,
          group: state.id.split(".").slice(0, 3).join("."),
          title: `Feature ${state.id}`,
          state: {
            feature: state.id,
            specification_linked: state.specified,
            first_support: Object.fromEntries(
              ENGINES.map(([id, name]) => [
                name,
                shown(state.engines[id] ?? { added: "never" }, days.get(id) ?? {}),
              ]),
            ),
          },
          gold: label,
          rationale: `The source files it as ${label}; a specification is ${state.specified ? "linked" : "not linked"}, and ${COUNTS[own] ?? own} it.`,
          difficulty: label === "standard" ? "easy" : "medium",
          originalLabel: `deprecated ${state.deprecated}, experimental ${state.experimental}, standard track ${state.standard}`,
        },
      ];
    });
  },
};

const visibleSchema = z.object({
  feature: z.string(),
  specification_linked: z.boolean(),
  first_support: z.record(
    z.string(),
    z.object({ added: z.string(), added_on: z.string().optional(), removed: z.string().optional() }),
  ),
});

function features(state: unknown): Features {
  const { feature, specification_linked, first_support } = visibleSchema.parse(state);
  const entries = Object.values(first_support);
  const first = entries.flatMap(({ added_on }) => (added_on === undefined ? [] : [added_on])).sort()[0];
  return {
    area: feature.split(".")[0] ?? "",
    linked: specification_linked,
    engines: entries.filter(({ added }) => added !== "never").length,
    year: first === undefined ? null : Number(first.slice(0, 4)),
    removed: entries.some(({ removed }) => removed !== undefined),
    newest: entries.every(({ added }) => added === "never" || added === "preview"),
  };
}
