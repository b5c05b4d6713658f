// Which group a marked point belongs to, near the border between two clouds.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import {
  type Point,
  SCATTER_SHAPES,
  SCATTER_STRETCH,
  type ScatterAxis,
  scatterChart,
} from "../pictures/scatter-chart.ts";
import { groupBy } from "../statistics.ts";
import type { Candidate, Options, Task } from "../task.ts";

const birdSchema = z.strictObject({
  id: z.string(),
  species: z.enum(["Adelie", "Chinstrap", "Gentoo"]),
  bill_length_mm: z.number(),
  bill_depth_mm: z.number(),
  flipper_length_mm: z.number(),
  body_mass_g: z.number(),
});
type Bird = z.infer<typeof birdSchema>;
type Measure = Exclude<keyof Bird, "id" | "species">;

/** Ends of the axes hold every bird; the steps are those of the picture's grid. */
const AXES: Readonly<Record<Measure, ScatterAxis>> = {
  bill_length_mm: { name: "bill length (mm)", from: 30, to: 60, step: 5 },
  bill_depth_mm: { name: "bill depth (mm)", from: 12, to: 22, step: 2 },
  flipper_length_mm: { name: "flipper length (mm)", from: 170, to: 235, step: 10 },
  body_mass_g: { name: "body mass (g)", from: 2_500, to: 6_500, step: 500 },
};

/** The pairs of measures on which the three species lie apart but for a border. */
const PLANES: readonly (readonly [Measure, Measure])[] = [
  ["bill_length_mm", "bill_depth_mm"],
  ["bill_length_mm", "flipper_length_mm"],
  ["bill_length_mm", "body_mass_g"],
];

const GROUPS = ["group-a", "group-b", "group-c"] as const;
const OPTIONS: Options = GROUPS.map((group, i) => [group, `The cloud of ${SCATTER_SHAPES[i]}`]);

/** Birds shown of every species. */
const SHOWN = 20;
/** Of so many birds nearest to the marked one, its own species has so many at least. */
const NEAREST = 9;
const FEWEST = 6;
/** Among so many of the nearest there is a bird of another species, and yet most are of its own. */
const CLOSE = 5;

/** More than half. */
const most = (own: number, of: number): boolean => 2 * own > of;

const endsSchema = z.tuple([z.number(), z.number()]);
const planeSchema = z.object({
  axis_ends: z.object({ x: endsSchema, y: endsSchema }),
  points: z.record(z.string(), z.array(z.tuple([z.number(), z.number()]))),
  marked_point: z.tuple([z.number(), z.number()]),
});

/** The groups of the points nearest to the marked one, nearest first, the axis across being `stretch` times the other. */
function nearestGroups(x: Ends, y: Ends, groups: Groups, marked: Point, stretch = 1): string[] {
  const away = ([px, py]: Point): number =>
    Math.hypot((stretch * (px - marked[0])) / (x[1] - x[0]), (py - marked[1]) / (y[1] - y[0]));
  return groups
    .flatMap(([group, points]) => points.map((point) => ({ group, distance: away(point) })))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST)
    .map(({ group }) => group);
}

type Ends = readonly [from: number, to: number];
type Groups = readonly (readonly [group: string, points: readonly Point[]])[];

const endsOf = ({ from, to }: ScatterAxis): Ends => [from, to];

const count = (items: readonly string[], item: string): number => items.filter((one) => one === item).length;

function decide(state: unknown): string | null {
  const { axis_ends, points, marked_point } = planeSchema.parse(state);
  const nearest = nearestGroups(axis_ends.x, axis_ends.y, Object.entries(points), marked_point);
  return GROUPS.toSorted((a, b) => count(nearest, b) - count(nearest, a))[0] ?? null;
}

export const markedPoint: Task = {
  id: "DAT-4",
  name: "Group of a marked point",
  shape: "classify",
  ask: "Which group does the marked point most likely belong to?",
  instruction:
    "Birds of three species were measured. The chart and the state show two of the measures: 20 birds of each species as " +
    "group-a, group-b and group-c, and one more bird as the marked point, a black cross in the chart. Points are given as " +
    "[x, y]; which species carries which letter differs from chart to chart. The marked point lies near a border between " +
    "clouds: weigh how many points of each group lie around it when both axes, between the ends in axis_ends, are taken as " +
    "equally long, not the single nearest one. Choose the group to which it most likely belongs.",
  modality: "image",
  options: OPTIONS,
  listed: true,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["vega-penguins"],
  rows: 30,
  perGroup: 1,
  chosen:
    `Birds on three pairs of measures, each with ${SHOWN} others of every species drawn for it. Taken are birds near a border: of the ` +
    `${NEAREST} birds nearest with axes of one length, ${FEWEST} or more are of its own species, but of the ${CLOSE} nearest most and not all, and most of the ${NEAREST} nearest in the chart as it is drawn, wider than high. So rows on which the clouds mislead are left out, and ` +
    "rows on which there is nothing to weigh. Balanced over species and letter, one row per bird.",
  changed:
    "The two measures are the source's; the names of the species are replaced by letters that are drawn anew for every row.",
  decision: {
    by: "rule",
    says: `The commonest group among the ${NEAREST} nearest points. Rows were chosen by the same count, so the figure says that the state was kept whole, not how hard the task is.`,
    decide,
  },
  candidates(facts) {
    const birds = facts.read("penguins.jsonl", birdSchema);
    const bySpecies = groupBy(birds, ({ species }) => species);
    return birds.flatMap((bird) =>
      PLANES.flatMap(([across, up]): Candidate[] => {
        const random = randomFrom(`DAT-4/${bird.id}/${up}`);
        const at = (one: Bird): Point => [one[across], one[up]];
        const order = random.shuffle([...bySpecies.keys()].sort());
        const groups: Groups = order.map((species, i) => {
          const others = (bySpecies.get(species) ?? []).filter(({ id }) => id !== bird.id);
          const points = random.shuffle(others).slice(0, SHOWN).map(at);
          return [GROUPS[i] ?? "", points.sort((a, b) => a[0] - b[0] || a[1] - b[1])] as const;
        });
        const gold = GROUPS[order.indexOf(bird.species)];
        const [x, y] = [AXES[across], AXES[up]];
        const nearest = nearestGroups(endsOf(x), endsOf(y), groups, at(bird));
        const drawn = nearestGroups(endsOf(x), endsOf(y), groups, at(bird), SCATTER_STRETCH);
        const own = gold === undefined ? 0 : count(nearest, gold);
        if (gold === undefined || own < FEWEST) return [];
        const close = count(nearest.slice(0, CLOSE), gold);
        if (close === CLOSE || !most(close, CLOSE) || !most(count(drawn, gold), NEAREST)) return [];
        return [
          {
            key: `${bird.id}#${up}`,
            recordId: bird.id,
            stratum: `${bird.species}/${gold}`,
            group: bird.id,
            title: `One bird by ${x.name.replace(/ \(.*/, "")} and ${y.name.replace(/ \(.*/, "")}`,
            state: {
              axes: { x: x.name, y: y.name },
              axis_ends: { x: [...endsOf(x)], y: [...endsOf(y)] },
              points: Object.fromEntries(groups.map(([name, points]) => [name, points.map((p) => [...p])])),
              marked_point: [...at(bird)],
            },
            picture: () => ({
              svg: scatterChart(x, y, groups, at(bird)),
              alt:
                `Scatter chart of ${x.name} and ${y.name}: ${SHOWN} points each of ` +
                `${GROUPS.map((name, i) => `${name} (${SCATTER_SHAPES[i]})`).join(", ")}, and a black cross at ${at(bird).join(", ")}.`,
            }),
            gold,
            rationale: `The bird is recorded as ${bird.species}, as those of ${gold} are; ${own} of the ${NEAREST} nearest points are of that group.`,
            difficulty: nearest[0] === gold ? "medium" : "hard",
            originalLabel: bird.species,
          },
        ];
      }),
    );
  },
};
