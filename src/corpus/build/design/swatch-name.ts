// Which name a colour goes by: the swatch is seen in the picture alone.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import { drawing, rect } from "../pictures/svg.ts";
import { groupBy } from "../statistics.ts";
import type { Candidate, Picture, Task } from "../task.ts";
import { cielab, difference, type Lab } from "./color.ts";

const nameSchema = z.strictObject({ id: z.string(), hue: z.string(), color: z.string() });

interface NamedColor {
  readonly name: string;
  readonly hue: string;
  readonly hex: string;
  readonly lab: Lab;
}

/** Names of a hue before its middle is taken for what people mean by the word. */
const FEWEST_NAMES = 9;
/** A colour farther than this (CIELAB) from the middle of its hue's word is named after something else. */
const TYPICAL = 20;
/** Options differ from each other at least so much. */
const APART = 12;
/** The swatch is so much nearer to the middle of its own hue's word than to that of any other option. */
const CLEARER = 10;
/** Three of the other options lie within the first of these of the swatch, the others within the second. */
const NEAR = 40;
const FAR = 80;

/** Component by component, which a few colours named in jest do not move. */
function middle(labs: readonly Lab[]): Lab {
  const median = (part: 0 | 1 | 2): number =>
    labs.map((lab) => lab[part]).sort((a, b) => a - b)[labs.length >> 1] ?? 0;
  return [median(0), median(1), median(2)];
}

/** Five names that could be taken for the swatch's and are not; null where there are too few. */
function others(
  swatch: NamedColor,
  typical: readonly NamedColor[],
  middles: ReadonlyMap<string, Lab>,
): NamedColor[] | null {
  const toMiddle = (hue: string): number => difference(swatch.lab, middles.get(hue) ?? [0, 0, 0]);
  const limit = toMiddle(swatch.hue) + CLEARER;
  const chosen: NamedColor[] = [];
  for (const color of randomFrom(`DES-2/${swatch.name}`).shuffle(typical)) {
    const most = chosen.length < 3 ? NEAR : FAR;
    const hues = [swatch, ...chosen].map(({ hue }) => hue);
    if (hues.includes(color.hue) || toMiddle(color.hue) < limit || difference(color.lab, swatch.lab) > most)
      continue;
    if ([swatch, ...chosen].some(({ lab }) => difference(lab, color.lab) < APART)) continue;
    chosen.push(color);
    if (chosen.length === 5) return chosen;
  }
  return null;
}

function patch(color: string): Picture {
  return {
    svg: drawing(360, 240, [rect(30, 30, 300, 180, color)]),
    alt: "A rectangle on white, filled with one colour.",
  };
}

const label = (name: string): string => name.toLowerCase().replace(" ", "-");

export const swatchName: Task = {
  id: "DES-2",
  name: "Name of a swatch",
  shape: "select",
  ask: "Which of the six names goes with this swatch?",
  instruction:
    "A paint and fabric catalogue shows a swatch, and the picture is all that is known of its colour. The state lists " +
    "six names of colours. One is the name of this swatch; the colours of the other five look clearly different from it. " +
    "Each name holds one word for a hue, which means what it usually means, and a second word that may or may not " +
    "say something of the colour. Choose the name that fits what the picture shows.",
  modality: "image",
  pictureNeeded: true,
  listed: true,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["color-name-list"],
  rows: 24,
  perGroup: 1,
  chosen:
    "Names of two words, one of them a hue, whose colour lies within " +
    `${TYPICAL} (CIELAB) of the middle of all colours named by that hue. The six options have six hues and lie at least ${APART} apart; three ` +
    `of the others lie within ${NEAR} of the swatch. The swatch is nearer to the middle of its own hue than to those of the others, by ${CLEARER} or ` +
    "more. One row per hue.",
  changed: "Names and colours are the source's. The colour stands in the picture alone.",
  decision: {
    by: "rule",
    says: "The name whose listed colour is nearest in CIELAB to the one in the picture.",
    decide(_, options, { facts, drawing: shown }) {
      const seen = [...(shown ?? "").matchAll(/fill="(#[0-9a-f]{6})"/g)].at(-1)?.[1];
      if (seen === undefined) return null;
      const colors = new Map(
        facts.read("color-names.jsonl", nameSchema).map(({ id, color }) => [id, cielab(color)]),
      );
      const away = (name: string): number => difference(colors.get(name) ?? [Number.NaN, 0, 0], cielab(seen));
      const nearest = [...options].sort((a, b) => away(a[1]) - away(b[1]))[0];
      return nearest?.[0] ?? null;
    },
  },
  candidates(facts) {
    const named = facts
      .read("color-names.jsonl", nameSchema)
      .map(({ id, hue, color }): NamedColor => ({ name: id, hue, hex: color, lab: cielab(color) }));
    const hues = [...groupBy(named, ({ hue }) => hue)].filter(([, same]) => same.length >= FEWEST_NAMES);
    const middles = new Map(hues.map(([hue, same]) => [hue, middle(same.map(({ lab }) => lab))]));
    const typical = named.filter(({ hue, lab }) => {
      const center = middles.get(hue);
      return center !== undefined && difference(lab, center) <= TYPICAL;
    });
    return typical.flatMap((swatch): Candidate[] => {
      const chosen = others(swatch, typical, middles);
      if (chosen === null) return [];
      // By name, so that the place in the list says nothing.
      const options = [swatch, ...chosen].sort((a, b) => (a.name < b.name ? -1 : 1));
      const nearest = Math.min(...chosen.map(({ lab }) => difference(lab, swatch.lab)));
      return [
        {
          key: swatch.name,
          recordId: options.map(({ name }) => name).join("; "),
          stratum: swatch.hue,
          title: "One swatch of a catalogue",
          state: {
            picture: "a rectangle filled with the colour of the swatch",
            names: options.map(({ name }) => name),
          },
          picture: () => patch(swatch.hex),
          options: options.map(({ name }) => [label(name), name] as const),
          gold: label(swatch.name),
          rationale: `The swatch is ${swatch.hex}, listed as ${swatch.name}; the colour of the nearest other name is ${nearest.toFixed(0)} away in CIELAB.`,
          difficulty: nearest < 25 ? "hard" : "medium",
          originalLabel: `${swatch.name} ${swatch.hex}`,
        },
      ];
    });
  },
};
