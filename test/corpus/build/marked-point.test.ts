// The task on a marked point: every row's points are those of its species, read from the facts by other code.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { markedPoint } from "../../../src/corpus/build/data/marked-point.ts";
import { scatterChart } from "../../../src/corpus/build/pictures/scatter-chart.ts";
import { selectCandidates } from "../../../src/corpus/build/selection.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";

const data = fileURLToPath(new URL("../../../data", import.meta.url));
const birds = readFileSync(`${data}/sources/penguins.jsonl`, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Record<string, string | number>);
const rows = selectCandidates(markedPoint.candidates(openSources(data)), {
  name: markedPoint.id,
  rows: markedPoint.rows,
  perGroup: markedPoint.perGroup,
});
const field = (axis: string): string => axis.replace(/[()]/g, "").replaceAll(" ", "_");

describe("DAT-4", () => {
  test.each(rows.map((row) => [row.key, row] as const))(
    "%s: the answer's points are of the bird's species",
    (_, row) => {
      const { axes, axis_ends, points, marked_point } = row.state as unknown as {
        axis_ends: { x: [number, number]; y: [number, number] };
        axes: { x: string; y: string };
        points: Record<string, [number, number][]>;
        marked_point: [number, number];
      };
      const at = (bird: (typeof birds)[number]): string => `${bird[field(axes.x)]},${bird[field(axes.y)]}`;
      const marked = birds.find(({ id }) => id === row.recordId);
      expect(marked && at(marked)).toBe(marked_point.join());
      const places = (species: unknown): string[] =>
        birds.filter((bird) => bird.species === species && bird !== marked).map(at);
      for (const [group, shown] of Object.entries(points)) {
        expect(shown).toHaveLength(20);
        const home = places(marked?.species);
        expect(shown.every((point) => home.includes(point.join()))).toBe(group === row.gold);
      }
      // Most of the nearest are of the group, be they five or nine, with axes of one length or as wide as drawn.
      for (const [several, width] of [
        [5, 1],
        [9, 1],
        [9, 704 / 434],
      ] as const) {
        const part = (i: 0 | 1, [from, to]: [number, number], point: [number, number]): number =>
          (point[i] - marked_point[i]) / (to - from);
        const near = Object.entries(points)
          .flatMap(([group, shown]) =>
            shown.map((point) => {
              const [across, up] = [width * part(0, axis_ends.x, point), part(1, axis_ends.y, point)];
              return { group, distance: across ** 2 + up ** 2 };
            }),
          )
          .sort((a, b) => a.distance - b.distance)
          .slice(0, several);
        expect(2 * near.filter(({ group }) => group === row.gold).length).toBeGreaterThan(several);
      }
      // Twenty points and the sign of the legend.
      const svg = row.picture?.().svg ?? "";
      expect(svg.match(/<circle [^>]*#4477aa/g)).toHaveLength(21);
      expect(svg.match(/<rect [^>]*#ee6677/g)).toHaveLength(21);
      expect(svg.match(/<circle [^>]*#228833/g)).toHaveLength(21);
    },
  );

  test("every letter stands for every species", () => {
    expect(new Set(rows.map(({ gold, originalLabel }) => `${gold} ${originalLabel}`)).size).toBe(9);
  });
});

test("a point in the middle of both axes is drawn in the middle of the plot", () => {
  const axis = { name: "m", from: 0, to: 10, step: 5 };
  const svg = scatterChart(axis, axis, [["group-a", [[5, 5]]]], [0, 10]);
  expect(svg).toContain('<circle cx="428" cy="273" r="6" fill="#4477aa"/>');
});
