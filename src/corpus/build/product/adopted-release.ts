// Which of four releases of one line was downloaded most, from when each came out and how long it was the newest.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import { groupBy } from "../statistics.ts";
import type { Candidate, Options, Task } from "../task.ts";
import { compareVersions } from "../versions.ts";

const releaseSchema = z.strictObject({ id: z.string(), released: z.string(), downloads: z.number() });
type Release = z.infer<typeof releaseSchema>;

const LABELS = ["release-a", "release-b", "release-c", "release-d"] as const;
const OPTIONS: Options = LABELS.map((label) => [
  label,
  `The one listed as ${label.slice(-1).toUpperCase()} has the most downloads`,
]);

/** How much more the first has to have than the second. */
const LEAD = 2;

/** The last line that had ended when the downloads were counted, in October 2022. */
const LAST_ENDED = 17;

/** Whole days from one day to another. */
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Days for which a release was the newest of its line; null for the last one. */
function daysNewest(release: Release, line: readonly Release[]): number | null {
  const next = line[line.indexOf(release) + 1];
  return next === undefined ? null : daysBetween(release.released, next.released);
}

export const adoptedRelease: Task = {
  id: "PRD-5",
  name: "Most adopted release",
  shape: "compare",
  ask: "Which of these releases was adopted most?",
  instruction:
    "A team that maintains a plug-in for an application runtime can support only one of four final releases of the same " +
    "major line and wants the one that was downloaded most by October 2022, when every line in question had ended. For each " +
    "release the state gives its version, the day on which it came out, for how many days it was the newest final release " +
    "of its line (null: no later one followed, so it stayed the newest), and how many final releases of the line came " +
    "before and after it. Applications tend to start on the first release of a line, and to stay on a release that was " +
    "the newest for long or that ended the line; one that was replaced within days is seldom kept. Choose the release " +
    `with the most downloads; it has at least ${LEAD} times as many as any of the others.`,
  modality: "text",
  options: OPTIONS,
  listed: true,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["electron-releases"],
  rows: 24,
  perGroup: 2,
  decision: {
    by: "rule",
    decide,
    says: "Rule of thumb: the last release of the line, or else the one that was the newest for longest. A prediction: the state makes the answer likely, and nobody could be right every time.",
  },
  chosen:
    "Numbered draws of four releases of one major line up to 17, without lines whose minor lines were kept up side by side. Kept when the most downloaded one leads by a factor " +
    "of two. Balanced over the four places; at most two rows of one line.",
  changed:
    "Versions and days are the source's; days as the newest and places in the line are counted; downloads are hidden.",
  candidates(facts) {
    const lines = groupBy(
      facts.read("runtime-releases.jsonl", releaseSchema),
      ({ id }) => id.split(".")[0] ?? "",
    );
    return [...lines].flatMap(([major, releases]) => {
      if (Number(major) > LAST_ENDED) return [];
      const line = [...releases].sort((a, b) => compareVersions(a.id, b.id));
      // Where fixes of older minor lines came out in between, it is not plain what was the newest.
      const parallel = line.some((release, i) => release.released < (line[i - 1]?.released ?? ""));
      if (parallel) return [];
      return Array.from({ length: 30 }, (_, draw) => candidate(major, line, draw + 1)).flat();
    });
  },
};

function candidate(major: string, line: readonly Release[], draw: number): Candidate[] {
  const four = randomFrom(`PRD-5/${major}/${draw}`).shuffle(line).slice(0, LABELS.length);
  const [best, second] = [...four].sort((a, b) => b.downloads - a.downloads);
  if (best === undefined || second === undefined || four.length < LABELS.length) return [];
  if (best.downloads < LEAD * second.downloads) return [];
  const gold = LABELS[four.indexOf(best)] ?? "";
  return [
    {
      key: `${major}/${draw}`,
      recordId: four.map(({ id }) => id).join("; "),
      stratum: gold,
      group: major,
      title: `Four releases of line ${major}, draw ${draw}`,
      state: {
        line: major,
        releases: four.map((release, i) => ({
          release: LABELS[i],
          version: release.id,
          released_on: release.released,
          days_newest: daysNewest(release, line),
          before_it: line.indexOf(release),
          after_it: line.length - 1 - line.indexOf(release),
        })),
      },
      gold,
      rationale: `${best.id} has ${best.downloads} downloads, the next one, ${second.id}, ${second.downloads}.`,
      difficulty: "hard",
      originalLabel: four.map(({ id, downloads }) => `${id}: ${downloads}`).join("; "),
    },
  ];
}

const shownSchema = z.object({
  releases: z.array(z.object({ release: z.string(), days_newest: z.number().nullable() })),
});

function decide(state: unknown): string | null {
  const { releases } = shownSchema.parse(state);
  const stay = ({ days_newest }: (typeof releases)[number]): number =>
    days_newest ?? Number.POSITIVE_INFINITY;
  return [...releases].sort((a, b) => stay(b) - stay(a))[0]?.release ?? null;
}
