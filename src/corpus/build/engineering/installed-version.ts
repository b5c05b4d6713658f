// Which of five published versions an installer takes for a range.
import { z } from "zod";
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Difficulty, Task } from "../task.ts";
import { compareNumbers, highestInRange, isInRange, parseVersion, type Version } from "./version-range.ts";

const releaseSchema = z.strictObject({ id: z.string(), released: z.string(), downloads: z.number() });
type Release = z.infer<typeof releaseSchema>;

const stateSchema = z.object({ range: z.string(), published: z.array(z.object({ version: z.string() })) });

/** Candidates tried for each form of a range. */
const DRAWS = 60;
/** How many releases before the answer, and how many of those after it and outside the range, others are drawn from. */
const REACH = { before: 40, after: 16 };

interface Form {
  readonly name: string;
  readonly difficulty: Difficulty;
  /** A range around releases `low` and `high`, of which the first is the lower. */
  readonly write: (low: Version, high: Version, random: Random) => string;
}

const FORMS: readonly Form[] = [
  {
    name: "caret",
    difficulty: "easy",
    write: ([major, minor, patch], _, random) =>
      random.chance(0.7) ? `^${major}.${minor}.${patch}` : `^${major}.${minor}`,
  },
  {
    name: "tilde",
    difficulty: "medium",
    write: ([major, minor, patch], _, random) =>
      random.chance(0.7) ? `~${major}.${minor}.${patch}` : `~${major}.${minor}`,
  },
  {
    name: "x-range",
    difficulty: "easy",
    write: ([major, minor], _, random) =>
      random.pick([`${major}.x`, `${major}.*`, `${major}.${minor}.x`, `${major}.${minor}.*`]),
  },
  {
    name: "hyphen",
    difficulty: "medium",
    write: ([a, b, c], high, random) => `${a}.${b}.${c} - ${high.slice(0, 1 + random.integer(3)).join(".")}`,
  },
  {
    name: "alternatives",
    difficulty: "hard",
    write: (low, high, random) => `${step(low, random)} || ${step(high, random)}`,
  },
  {
    name: "comparator",
    difficulty: "medium",
    write: (low, high, random) =>
      `${random.pick([">", ">="])}${low.join(".")} ${random.pick(["<", "<="])}${high.join(".")}`,
  },
  {
    name: "partial comparator",
    difficulty: "hard",
    write: (low, high, random) =>
      `${random.pick([">", ">="])}${low.slice(0, 1 + random.integer(2)).join(".")} ` +
      `${random.pick(["<", "<="])}${high.slice(0, 1 + random.integer(2)).join(".")}`,
  },
];

function step([major, minor, patch]: Version, random: Random): string {
  return random.pick([
    `~${major}.${minor}.${patch}`,
    `^${major}.${minor}.${patch}`,
    `${major}.${minor}.x`,
    `~${major}.${minor}`,
  ]);
}

/** Five releases of which the answer is the highest in the range, and neither the lowest nor the highest of all. */
function compose(
  range: string,
  releases: readonly Release[],
  random: Random,
): { gold: Release; shown: Release[] } | null {
  const inside = releases.filter(({ id }) => isInRange(range, id));
  if (inside.length < 2) return null;
  const gold = random.pick(inside.slice(1));
  const place = releases.indexOf(gold);
  const outside = (release: Release): boolean => !inside.includes(release);
  const above = random.shuffle(
    releases
      .slice(place + 1)
      .filter(outside)
      .slice(0, REACH.after),
  );
  const below = releases.slice(Math.max(0, place - REACH.before), place);
  const lower = random.shuffle(below.filter((release) => !outside(release)));
  const early = random.shuffle(below.filter(outside));
  const higher = 1 + random.integer(3);
  // One that is in the range, too, and then, by turns, those before it and those in it.
  const under = [lower[0], early[0], lower[1]].slice(0, 4 - higher);
  const shown = [gold, ...above.slice(0, higher), ...under].filter((release) => release !== undefined);
  return shown.length === 5 ? { gold, shown } : null;
}

export const installedVersion: Task = {
  id: "ENG-1",
  name: "Installed version",
  shape: "select",
  ask: "Which of these published versions does the installer pick?",
  instruction:
    "An installer takes the highest published version that lies in the range of a manifest. Versions are compared as " +
    "numbers, part by part; the day of release does not count. ^A.B.C and ^A.B (A above 0) allow every version from " +
    "there on with the same major number. ~A.B.C and ~A.B allow every version from there on with the same major and " +
    "minor number. x or * stands for any number. Conditions with a blank between them must all hold; || joins " +
    "alternatives, of which one is enough. A.B.C - D.E.F includes both ends. A version with parts missing stands for " +
    "all versions that begin with it: >=9.1 means from 9.1.0 on, >9.1 from 9.2.0 on, <9.1 before 9.1.0, and <=9.1, " +
    "like the upper end of A.B.C - 9.1, before 9.2.0; likewise >9 means from 10.0.0 on, <9 before 9.0.0 and <=9 before " +
    "10.0.0. There are no pre-releases. Choose the version that is installed.",
  modality: "text",
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["electron-releases"],
  rows: 28,
  perGroup: 1,
  chosen:
    "Ranges of seven forms (caret, tilde, x, hyphen, alternatives, comparators, comparators of partial versions) around " +
    "drawn releases; five releases near the answer, one to three of them above it and outside the range, at least one " +
    "below it and inside. Balanced over the forms; each range stands in one row.",
  changed:
    "Versions and days are the source's; the ranges and the choice of five versions are made by this project.",
  decision: {
    by: "rule",
    says: "The highest listed version that lies in the range.",
    decide(state) {
      const { range, published } = stateSchema.parse(state);
      return highestInRange(
        range,
        published.map(({ version }) => version),
      );
    },
  },
  candidates(facts) {
    const releases = facts
      .read("runtime-releases.jsonl", releaseSchema)
      .toSorted((a, b) => compareNumbers(parseVersion(a.id), parseVersion(b.id)));
    return FORMS.flatMap((form) =>
      Array.from({ length: DRAWS }, (_, draw) => `${form.name}#${String(draw).padStart(2, "0")}`).flatMap(
        (key): Candidate[] => {
          const random = randomFrom(`ENG-1/${key}`);
          const start = random.integer(releases.length);
          const end = start + 5 + random.integer(30);
          const [low, high] = [releases[start], releases[end]];
          if (low === undefined || high === undefined) return [];
          // Alternatives of one major number mostly hold each other.
          if (form.name === "alternatives" && parseInt(low.id, 10) === parseInt(high.id, 10)) return [];
          const range = form.write(parseVersion(low.id), parseVersion(high.id), random);
          const composed = compose(range, releases, random);
          if (composed === null) return [];
          const { gold, shown } = composed;
          const others = shown.filter(({ id }) => id !== gold.id);
          const inside = others.filter(({ id }) => isInRange(range, id)).map(({ id }) => id);
          const outside = others.filter(({ id }) => !isInRange(range, id)).map(({ id }) => id);
          return [
            {
              key,
              recordId: shown.map(({ id }) => id).join("; "),
              stratum: form.name,
              group: range,
              title: `Install request with a range of the form ${form.name}`,
              state: {
                range,
                published: random.shuffle(shown).map(({ id, released }) => ({ version: id, released })),
              },
              options: random
                .shuffle(shown)
                .map(({ id, released }) => [id, `Released on ${released}`] as const),
              gold: gold.id,
              rationale: `In the range are ${[gold.id, ...inside].join(", ")}; outside are ${outside.join(", ")}.`,
              difficulty: form.difficulty,
              originalLabel: `${gold.id}, released ${gold.released}`,
            },
          ];
        },
      ),
    );
  },
};
