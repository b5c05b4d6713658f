// Which browser of a target list lacks a feature: reading irregular support histories version by version.
import { z } from "zod";
import { type Random, randomFrom } from "../../random.ts";
import { type Statement, statementSchema } from "../statements.ts";
import type { Candidate, Options, Task } from "../task.ts";
import { compareVersions } from "../versions.ts";

const featureSchema = z.strictObject({
  id: z.string(),
  support: z.record(z.string(), z.array(statementSchema).min(1)),
});
const browserSchema = z.strictObject({ id: z.string(), versions: z.array(z.string()).min(1) });

/** Browser id of the source, label, name. */
const BROWSERS = [
  ["chrome", "chrome", "Chrome on desktop"],
  ["edge", "edge", "Edge on desktop"],
  ["firefox", "firefox", "Firefox on desktop"],
  ["safari", "safari", "Safari on desktop"],
  ["safari_ios", "safari-ios", "Safari on iPhone and iPad"],
  ["samsunginternet_android", "samsung-internet", "Samsung Internet on Android"],
] as const;

const NONE = "none-blocks";

const options: Options = [
  ...BROWSERS.map(([, label, name]) => [label, `${name} lacks it in the target version`] as const),
  [NONE, "Every browser on the list has it in the target version"],
];

/** Whether a plain, complete, released implementation is in `version`. */
export function isSupported(history: readonly Statement[], version: string): boolean {
  return history.some((s) => covers(s, version) && isPlain(s));
}

/** Whether an entry speaks of the plain, complete feature. */
function isPlain({ flag, prefix, other_name, partial }: Statement): boolean {
  return [flag, prefix, other_name, partial].every((limit) => limit === undefined);
}

function covers(statement: Statement, version: string): boolean {
  if (statement.added === "never" || statement.added === "preview") return false;
  if (compareVersions(statement.added, version) > 0) return false;
  return statement.removed === undefined || compareVersions(statement.removed, version) > 0;
}

/** Whether some entry begins at or below the version, so that its other fields have to be read. */
function tempts(history: readonly Statement[] = [], version = "0"): boolean {
  return history.some(({ added }) => /^\d/.test(added) && compareVersions(added, version) <= 0);
}

/** Versions that lack the feature although the history may look otherwise, each with the reason. */
function traps(history: readonly Statement[], versions: readonly string[]): [string, string][] {
  const found: [string, string][] = [];
  const lacking = versions.filter((version) => !isSupported(history, version));
  for (const version of lacking) {
    const near = history.find((s) => covers(s, version));
    if (near !== undefined) found.push([version, `only ${describe(near)}`]);
  }
  for (const s of history) {
    if (s.removed !== undefined) {
      const after = lacking.filter((v) => compareVersions(v, s.removed ?? "") >= 0).slice(0, 2);
      found.push(...after.map((v) => [v, `removed in ${s.removed}`] as [string, string]));
    }
    if (s.added === "preview") {
      const last = lacking.at(-1);
      if (last !== undefined) found.push([last, "so far only in a preview"]);
    } else if (s.added !== "never") {
      const before = lacking.filter((v) => compareVersions(v, s.added) < 0).slice(-2);
      const how = isPlain(s) ? "" : `, and there only ${describe(s)}`;
      found.push(...before.map((v) => [v, `first in ${s.added}${how}`] as [string, string]));
    }
  }
  return found;
}

function describe(statement: Statement): string {
  if (statement.flag === true) return "behind a flag";
  if (statement.prefix !== undefined) return `with the prefix ${statement.prefix}`;
  if (statement.other_name !== undefined) return `under the name ${statement.other_name}`;
  return "in part";
}

function composeTargets(
  support: Readonly<Record<string, readonly Statement[]>>,
  versions: ReadonlyMap<string, readonly string[]>,
  blocker: string,
  random: Random,
): { targets: Map<string, string>; reason: string } | null {
  const targets = new Map<string, string>();
  let reason = "";
  for (const [id] of BROWSERS) {
    const history = support[id] ?? [];
    const known = versions.get(id) ?? [];
    if (id === blocker) {
      const choices = traps(history, known);
      if (choices.length === 0) return null;
      const [version, why] = random.pick(choices);
      targets.set(id, version);
      reason = why;
    } else {
      const passing = known.filter((version) => isSupported(history, version));
      if (passing.length === 0) return null;
      // Near the first version that has it, so that every entry has to be compared.
      targets.set(id, random.pick(passing.slice(0, 12)));
    }
  }
  return { targets, reason };
}

export const blockingBrowser: Task = {
  id: "ENG-5",
  name: "Blocking browser",
  shape: "locate",
  ask: "Which browser of the target list blocks shipping this feature?",
  instruction:
    "A team wants to ship the web platform feature named in the state. For each browser the state gives the oldest " +
    "version that must work (target_version) and the browser's support history of the feature. A browser supports the " +
    "feature in its target version if at least one history entry has an `added` version at or below the target, has no " +
    "`removed` version at or below the target, and carries neither flag, prefix, other_name nor partial (each of these " +
    'means that the plain, complete feature is not there). Versions are compared part by part as numbers. "never" ' +
    'means no version has it, "preview" means no released version has it. At most one browser fails. Choose the ' +
    "browser that lacks the feature in its target version, or none-blocks if all of them support it.",
  modality: "text",
  options,
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["mdn-browser-compat-data"],
  rows: 24,
  decision: {
    by: "rule",
    decide,
    says: "Every history is checked for a plain entry that covers the target version.",
  },
  perGroup: 1,
  chosen:
    "Features with an irregular history (flag, prefix, other name, partial, removal, preview) in at least two of six " +
    "browsers. For every feature and every possible answer a list of targets is composed: the blocking browser gets a " +
    "released version that its history makes tempting but that lacks the feature, every other browser one of the first " +
    "twelve versions that have it. Balanced over the seven answers; one row per history.",
  changed:
    "The support statements are the source's; the target versions are composed by this project from released versions.",
  candidates(facts) {
    const versions = new Map(
      facts
        .read("mdn-browsers.jsonl", browserSchema)
        .map((browser) => [browser.id, [...browser.versions].sort(compareVersions)]),
    );
    const candidates: Candidate[] = [];
    for (const feature of facts.read("mdn-features.jsonl", featureSchema)) {
      for (const blocker of [...BROWSERS.map(([id]) => id), NONE]) {
        const random = randomFrom(`ENG-5/${feature.id}/${blocker}`);
        const composed = composeTargets(feature.support, versions, blocker, random);
        if (composed === null) continue;
        const gold = BROWSERS.find(([id]) => id === blocker)?.[1] ?? NONE;
        candidates.push({
          key: `${feature.id}#${gold}`,
          recordId: feature.id,
          stratum: gold,
          // Features that shipped together have one history.
          group: JSON.stringify(feature.support),
          title: `Targets for ${feature.id}`,
          state: {
            feature: feature.id,
            browsers: BROWSERS.map(([id, label]) => ({
              browser: label,
              target_version: composed.targets.get(id),
              history: feature.support[id],
            })),
          },
          gold,
          rationale:
            gold === NONE
              ? "In every browser some plain, complete entry starts at or below the target version and was not removed."
              : `${gold} has to work from version ${composed.targets.get(blocker)}, where the feature is missing: ` +
                `${composed.reason}. All others have it.`,
          difficulty:
            gold !== NONE && !tempts(feature.support[blocker], composed.targets.get(blocker))
              ? "easy"
              : "medium",
          originalLabel:
            gold === NONE ? "supported in all targets" : JSON.stringify(feature.support[blocker]),
        });
      }
    }
    return candidates;
  },
};

const shownSchema = z.object({
  browsers: z.array(
    z.object({ browser: z.string(), target_version: z.string(), history: z.array(statementSchema) }),
  ),
});

function decide(state: unknown): string | null {
  const { browsers } = shownSchema.parse(state);
  const lacking = browsers.filter(({ history, target_version }) => !isSupported(history, target_version));
  return lacking.length > 1 ? null : (lacking[0]?.browser ?? NONE);
}
