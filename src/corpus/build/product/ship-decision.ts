// Whether a web feature can be relied on at a date: the Baseline rule run over release dates.
import { z } from "zod";
import { type Random, randomFrom } from "../../random.ts";
import { addDays, addMonths } from "../dates.ts";
import type { Candidate, Options, Task } from "../task.ts";

const featureSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  support: z.record(z.string(), z.strictObject({ version: z.string(), date: z.string() })),
  baseline_low: z.string().nullable(),
  baseline_high: z.string().nullable(),
});
type Feature = z.infer<typeof featureSchema>;

const BROWSERS = [
  ["chrome", "Chrome"],
  ["chrome_android", "Chrome for Android"],
  ["edge", "Edge"],
  ["firefox", "Firefox"],
  ["firefox_android", "Firefox for Android"],
  ["safari", "Safari"],
  ["safari_ios", "Safari on iOS"],
] as const;

const LEVELS: Options = [
  ["limited", "Wait: on that day at least one browser is without it"],
  ["newly-available", "Ship with a fallback: all have it, for under 30 months"],
  ["widely-available", "Ship as it is: all have had it for 30 months or more"],
];

/** The level on `date`, from the days on which each of the seven browsers first had the feature. */
export function baselineLevel(releases: readonly (string | null)[], date: string): string {
  const dates = releases.filter((release) => release !== null).sort();
  const last = dates.at(-1);
  if (dates.length < releases.length || last === undefined || date < last) return "limited";
  return date < addMonths(last, 30) ? "newly-available" : "widely-available";
}

/** A decision day for which the level is `level`, or null where the feature has none. */
function decisionDay(feature: Feature, level: string, random: Random): string | null {
  const near = 1 + random.integer(330);
  const low = feature.baseline_low;
  if (low === null) {
    if (level !== "limited") return null;
    const dates = Object.values(feature.support).map((release) => release.date);
    const latest = dates.sort().at(-1);
    return latest === undefined ? null : addDays(latest, near);
  }
  const high = addMonths(low, 30);
  if (level === "limited") return addDays(low, -near);
  if (level === "newly-available") return addDays(random.chance(0.5) ? low : addDays(high, -332), near);
  return addDays(high, near - 1);
}

export const shipDecision: Task = {
  id: "PRD-1",
  name: "Readiness of a web feature",
  shape: "decide",
  ask: "Ship, ship with a fallback, or wait on this day?",
  instruction:
    "A product team decides on decision_date whether a web feature can be relied on. The state lists, for seven " +
    "browsers, the first stable version with the feature and its release date; null means no version has it. A release " +
    "dated after decision_date has not happened yet. On decision_date the feature is limited if at least one of the " +
    "seven browsers is without it; newly-available if all seven have it and fewer than 30 calendar months have passed " +
    "since the last of the seven release dates; widely-available from the day on which exactly 30 calendar months have " +
    "passed since that date (the same day of the month, 30 months later). Choose the level on decision_date.",
  modality: "text",
  options: LEVELS,
  listed: false,
  labelOrigin: "computed",
  contamination: "medium",
  sources: ["web-features"],
  rows: 24,
  decision: {
    by: "rule",
    decide,
    says: "The latest of the seven dates, and 30 months later, are compared with the decision date.",
  },
  perGroup: 1,
  chosen:
    "Features whose recorded Baseline dates agree with the rule. For every feature and level a decision day within a " +
    "year of a boundary. The limited level holds features that some browser never shipped and features that were not " +
    "yet complete. Balanced over the three levels, one row per feature.",
  changed:
    "Versions and dates are the source's; the decision day is chosen by this project, so the level cannot be recalled.",
  candidates(facts) {
    const candidates: Candidate[] = [];
    for (const feature of facts.read("web-features.jsonl", featureSchema)) {
      const releases = BROWSERS.map(([id]) => feature.support[id]?.date ?? null);
      const last = releases.every((date) => date !== null) ? releases.toSorted().at(-1) : undefined;
      // The 29th to 31st would need a rule of their own; a record that disagrees with its own dates is left out.
      if ((last ?? null) !== feature.baseline_low) continue;
      if (last !== undefined && Number(last.slice(8)) > 28) continue;
      if (
        last !== undefined &&
        feature.baseline_high !== null &&
        addMonths(last, 30) !== feature.baseline_high
      )
        continue;
      for (const [level] of LEVELS) {
        const random = randomFrom(`PRD-1/${feature.id}/${level}`);
        const day = decisionDay(feature, level, random);
        if (day === null || day < "2012-01-01" || baselineLevel(releases, day) !== level) continue;
        candidates.push({
          key: `${feature.id}#${level}`,
          recordId: feature.id,
          stratum: level,
          group: feature.id,
          title: `${feature.name} on ${day}`,
          state: {
            feature: feature.name,
            decision_date: day,
            first_release: Object.fromEntries(
              BROWSERS.map(([id, name]) => [name, feature.support[id] ?? null]),
            ),
          },
          gold: level,
          rationale: explain(releases, day),
          difficulty: "medium",
          originalLabel: `Baseline low ${feature.baseline_low ?? "none"}, high ${feature.baseline_high ?? "none"}`,
        });
      }
    }
    return candidates;
  },
};

const shownSchema = z.object({
  decision_date: z.string(),
  first_release: z.record(z.string(), z.object({ date: z.string() }).nullable()),
});

function decide(state: unknown): string | null {
  const { decision_date, first_release } = shownSchema.parse(state);
  return baselineLevel(
    Object.values(first_release).map((release) => release?.date ?? null),
    decision_date,
  );
}

function explain(releases: readonly (string | null)[], day: string): string {
  const missing = BROWSERS.filter((_, index) => {
    const date = releases[index];
    return date === null || date === undefined || date > day;
  });
  if (missing.length > 0) return `On ${day} it is missing in ${missing.map(([, name]) => name).join(", ")}.`;
  const last = releases.toSorted().at(-1) ?? "";
  return `The last of the seven shipped it on ${last}; 30 months later is ${addMonths(last, 30)}.`;
}
