// Cells coloured by a share, with names above and on the left.
import { CHARACTER, Plot, plot } from "./chart.js";
import { shortened, shortNames } from "./format.js";

/** A cell. */
export interface HeatCell {
  readonly x: string;
  readonly y: string;
  /** From 0 to 1. */
  readonly share: number;
  /** Written into the cell where there is room. */
  readonly text: string;
  /** Shown when one points at it. */
  readonly title: string;
}

export interface HeatMap {
  readonly cells: readonly HeatCell[];
  /** Columns from the left: what stands for them in the cells, and how they are called. */
  readonly columns: readonly HeatName[];
  /** Rows from the top. */
  readonly rows: readonly HeatName[];
  /** What the colour says. */
  readonly label: string;
  /** Where the colours begin, so that differences show. */
  readonly least: number;
}

export interface HeatName {
  readonly key: string;
  readonly name: string;
  /** A heading over the rows that follow, without cells. */
  readonly heading?: boolean;
}

const ROW = 22;
/** Pixels; narrower ones could not be told apart, and the drawing scrolls. */
const NARROWEST = 18;
const WIDEST = 90;
/** Narrower cells have no text. */
const WITH_TEXT = 36;
/** Slanted names: their rise for a pixel of length. */
const SLANT = Math.sin(Math.PI / 3);

export function heatMap(width: number, map: HeatMap): Element {
  const { cells, columns, rows, least } = map;
  const longest = (names: readonly HeatName[], most: number): number =>
    Math.min(most, Math.max(4, ...names.map(({ name }) => [...name].length)));
  const left = longest(rows, Math.max(12, Math.min(30, Math.floor((width * 0.36) / CHARACTER))));
  const above = longest(columns, 22);
  const marginLeft = Math.ceil(left * CHARACTER) + 12;
  const slanted = Math.ceil(above * CHARACTER);
  // A slanted line has its own height at its upper end, and stands off the cells at the lower one.
  const rise = Math.ceil(slanted * SLANT) + 24;
  const marginRight = Math.ceil(slanted / 2) + 12;
  const room = width - marginLeft - marginRight;
  const cell = Math.min(WIDEST, Math.max(NARROWEST, room / Math.max(1, columns.length)));
  const over = nameOf(columns, above);
  const beside = nameOf(rows, left);
  const headings = rows.filter(({ heading }) => heading === true);
  return plot(Math.ceil(marginLeft + marginRight + cell * columns.length), {
    height: rise + 10 + rows.length * ROW,
    marginLeft,
    marginRight,
    marginTop: rise,
    marginBottom: 8,
    x: { type: "band", domain: columns.map(({ key }) => key), axis: null, padding: 0.06 },
    y: { type: "band", domain: rows.map(({ key }) => key), axis: null, padding: 0.06 },
    color: { type: "linear", scheme: "viridis", domain: [least, 1], clamp: true },
    marks: [
      Plot.axisX({
        anchor: "top",
        tickSize: 0,
        tickRotate: -60,
        label: null,
        tickFormat: over,
      }),
      Plot.axisY(
        rows.filter(({ heading }) => heading !== true).map(({ key }) => key),
        {
          tickSize: 0,
          label: null,
          tickFormat: beside,
        },
      ),
      Plot.text(headings, {
        y: "key",
        text: ({ name }: HeatName) =>
          shortened(name, Math.max(left, Math.floor((width - marginRight) / CHARACTER))),
        frameAnchor: "left",
        dx: -marginLeft + 4,
        textAnchor: "start",
        fontWeight: "bold",
        fill: "currentColor",
      }),
      Plot.cell(cells, { x: "x", y: "y", fill: "share", inset: 0 }),
      ...(cell >= WITH_TEXT ? [inCells(cells, least)] : []),
      Plot.tip(cells, Plot.pointer({ x: "x", y: "y", title: "title", fontSize: 12 })),
    ],
  });
}

/** The name for a key, of so many characters. */
function nameOf(names: readonly HeatName[], characters: number): (key: string) => string {
  const short = shortNames(
    names.map(({ name }) => name),
    characters,
  );
  const found = new Map(names.map(({ key, name }) => [key, short.get(name) ?? name]));
  return (key) => found.get(key) ?? key;
}

/** Dark colours of the scheme stand at its beginning. */
function inCells(cells: readonly HeatCell[], least: number): Plot.Markish {
  return Plot.text(cells, {
    x: "x",
    y: "y",
    text: "text",
    fill: ({ share }: HeatCell) => ((share - least) / (1 - least) < 0.55 ? "#ffffff" : "#000000"),
    fontSize: 11,
  });
}

/** A scale of the colours. */
export function heatLegend({ label, least }: Pick<HeatMap, "label" | "least">): Element {
  return Plot.legend({
    color: { type: "linear", scheme: "viridis", domain: [least * 100, 100] },
    label,
    width: 236,
    // The first and the last number are wider than their lines.
    marginLeft: 6,
    marginRight: 14,
    ticks: 5,
    style: { background: "transparent", fontFamily: "var(--sans-serif)" },
  } as Parameters<typeof Plot.legend>[0]) as Element;
}
