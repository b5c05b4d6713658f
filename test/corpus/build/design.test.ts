// The design tasks: their rules on cases that can be checked by hand, and what holds of every row.
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ariaAttribute } from "../../../src/corpus/build/design/aria-attribute.ts";
import { cielab, contrastRatio, difference, type Lab } from "../../../src/corpus/build/design/color.ts";
import { swatchName } from "../../../src/corpus/build/design/swatch-name.ts";
import { passingSample, textContrast } from "../../../src/corpus/build/design/text-contrast.ts";
import { typefaceKind } from "../../../src/corpus/build/design/typeface-kind.ts";
import { selectCandidates } from "../../../src/corpus/build/selection.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import type { Candidate, Task } from "../../../src/corpus/build/task.ts";
import { brightness, DESIGN_RULES } from "./design-rules.ts";

const facts = openSources(fileURLToPath(new URL("../../../data", import.meta.url)));
const rowsOf = (task: Task): readonly Candidate[] =>
  selectCandidates(task.candidates(facts), { name: task.id, rows: task.rows, perGroup: task.perGroup });

describe("colours", () => {
  test("contrast ratios that the standard's own tools show", () => {
    expect(contrastRatio("#ffffff", "#000000")).toBeCloseTo(21, 10);
    expect(contrastRatio("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
    expect(contrastRatio("#ffffff", "#777777")).toBeCloseTo(4.48, 2);
    expect(contrastRatio("#0000ff", "#ffffff")).toBeCloseTo(8.59, 2);
  });

  test("CIELAB of the primaries, from any table", () => {
    const rounded = (hex: string): number[] => cielab(hex).map((value) => Math.round(value) + 0);
    expect(rounded("#ffffff")).toEqual([100, 0, 0]);
    expect(rounded("#000000")).toEqual([0, 0, 0]);
    expect(rounded("#ff0000")).toEqual([53, 80, 67]);
    expect(rounded("#00ff00")).toEqual([88, -86, 83]);
    expect(rounded("#0000ff")).toEqual([32, 79, -108]);
    expect(difference(cielab("#000000"), cielab("#ffffff"))).toBeCloseTo(100, 1);
  });
});

describe("DES-1", () => {
  const sample = (name: string, color: string) => ({ sample: name, color });
  test("names the one sample that reaches 4.5 to 1, and says where none does", () => {
    const grey = sample("sample-1", "#777777");
    expect(passingSample("#ffffff", [grey, sample("sample-2", "#767676")])).toBe("sample-2");
    expect(passingSample("#ffffff", [grey])).toBe("none-passes");
    expect(
      passingSample("#ffffff", [sample("sample-1", "#000000"), sample("sample-2", "#767676")]),
    ).toBeNull();
  });

  test("no row hangs on a rounding, and in each some text comes near the minimum", () => {
    const rows = rowsOf(textContrast);
    expect(rows).toHaveLength(24);
    for (const { key, gold, state } of rows) {
      const { background, samples } = state as unknown as {
        background: string;
        samples: { sample: string; color: string }[];
      };
      expect(DESIGN_RULES["DES-1"]?.(state), key).toBe(gold);
      const ratios = samples.map(({ sample: name, color }) => {
        const [a, b] = [brightness(background) + 500, brightness(color) + 500];
        return { name, ratio: Math.max(a, b) / Math.min(a, b) };
      });
      expect(new Set([background, ...samples.map(({ color }) => color)]).size, key).toBe(6);
      for (const { name, ratio } of ratios) {
        if (name === gold) expect(ratio, key).toBeGreaterThan(4.7);
        else expect(ratio, key).toBeLessThan(4.3);
      }
      expect(
        ratios.some(({ name, ratio }) => name !== gold && ratio > 3.2),
        key,
      ).toBe(true);
    }
  });

  test("the picture is drawn in the colours of the state", () => {
    for (const { state, picture } of rowsOf(textContrast)) {
      const { background, samples } = state as unknown as {
        background: string;
        samples: { color: string }[];
      };
      const { svg } = picture?.() ?? { svg: "" };
      expect(svg.split(`fill="${background}"`)).toHaveLength(6);
      for (const { color } of samples) expect(svg).toContain(`fill="${color}"`);
    }
  });
});

describe("DES-2", () => {
  const rows = rowsOf(swatchName);
  const colors = new Map(
    facts
      .read("color-names.jsonl", z.object({ id: z.string(), color: z.string() }))
      .map(({ id, color }) => [id, color]),
  );

  test("the answer's colour is the nearest to the one drawn, and no two options are alike", () => {
    expect(rows).toHaveLength(24);
    for (const { key, gold, options = [], picture } of rows) {
      const [, drawn = ""] = /<rect x="30"[^>]* fill="(#[0-9a-f]{6})"/.exec(picture?.().svg ?? "") ?? [];
      const labs = options.map(([label, name]) => ({ label, lab: cielab(colors.get(name) ?? "") }));
      const far = (lab: Lab): number => difference(cielab(drawn), lab);
      const [nearest, second] = labs.sort((a, b) => far(a.lab) - far(b.lab));
      expect(nearest?.label, key).toBe(gold);
      expect(second && far(second.lab), key).toBeGreaterThanOrEqual(12);
      labs.forEach(({ lab }, i) => {
        for (const other of labs.slice(i + 1))
          expect(difference(lab, other.lab), key).toBeGreaterThanOrEqual(12);
      });
    }
  });

  test("the answer's place among the options says nothing", () => {
    for (const { key, options = [], state } of rows)
      expect(
        options.map(([, name]) => name),
        key,
      ).toEqual(state.names);
    const places = rows.map(({ gold, options = [] }) => options.findIndex(([label]) => label === gold));
    expect(new Set(places).size).toBe(6);
  });

  test("the colour stands nowhere but in the picture", () => {
    for (const { key, title, state, picture } of rows) {
      expect(`${title} ${JSON.stringify(state)} ${picture?.().alt}`, key).not.toMatch(/#?[0-9a-f]{6}|\brgb/i);
      expect(state.names, key).toEqual([...(state.names as string[])].sort());
    }
  });
});

describe("DES-3", () => {
  const rows = rowsOf(typefaceKind);

  test("picture and state hold the same figures", () => {
    expect(rows).toHaveLength(30);
    for (const { key, state, picture } of rows) {
      const drawn = [...(picture?.().svg ?? "").matchAll(/>([^<>]*[a-z:]) (\d+)</g)].map(
        ([, name, value]) => [name, Number(value)],
      );
      const { average_width: widths, ...figures } = state as unknown as Record<string, number> & {
        average_width: Record<string, number>;
      };
      const names: Record<string, string> = {
        cap_height: "cap height",
        x_height: "x-height",
        weights: "weights:",
      };
      const told = [
        ...Object.entries(figures).map(([name, value]) => [names[name] ?? name, value]),
        ...Object.entries(widths),
        ["baseline", 0],
      ];
      expect(drawn.map(String).sort(), key).toEqual(told.map(String).sort());
    }
  });

  test("every family of equal widths in all its styles is a monospace one", () => {
    for (const { key, gold, state } of rows) {
      const widths = Object.values(state.average_width as unknown as Record<string, number>);
      const same = widths.length > 1 && new Set(widths).size === 1;
      if (same) expect(gold, key).toBe("monospace");
    }
  });
});

describe("DES-4", () => {
  test("roles that inherit otherwise in the named version stand only with what they require", () => {
    const refiled = ariaAttribute
      .candidates(facts)
      .filter(({ state }) => ["menuitemcheckbox", "menuitemradio"].includes(state.role as string));
    expect(refiled.map(({ recordId, gold }) => [recordId, gold])).toEqual([
      ["menuitemcheckbox aria-checked", "required"],
      ["menuitemradio aria-checked", "required"],
    ]);
  });
});
