// Drawings as SVG text, written so that the same facts give the same bytes: numbers rounded to hundredths, colours as
// #rrggbb only (the renderer draws other notations black without a word), texts escaped.

/** Colours of this project's drawings: dark text on white, and six hues that stay apart for most colour-blind readers. */
export const INK = "#1b1b1b";
export const FAINT = "#d9d9d9";
export const HUES = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377"] as const;

export interface Stroke {
  readonly color?: string;
  /** In pixels. */
  readonly width?: number;
}

export interface TextStyle {
  /** In pixels. */
  readonly size?: number;
  readonly color?: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly bold?: boolean;
  /** DejaVu Sans Mono instead of DejaVu Sans. */
  readonly mono?: boolean;
}

/**
 * A whole drawing on white.
 *
 * @param width in pixels, as `height`.
 * @param parts what {@link rect} and its like return, drawn in order.
 */
export function drawing(width: number, height: number, parts: readonly string[]): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">` +
    `<rect width="${width}" height="${height}" fill="#ffffff"/>${parts.join("")}</svg>`
  );
}

export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  stroke?: Stroke,
): string {
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${hex(fill)}"${outline(stroke)}/>`;
}

export function circle(x: number, y: number, radius: number, fill: string, stroke?: Stroke): string {
  return `<circle cx="${at(x)}" cy="${at(y)}" r="${at(radius)}" fill="${hex(fill)}"${outline(stroke)}/>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, stroke: Stroke = {}): string {
  const drawn = outline({ color: INK, width: 1, ...stroke });
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"${drawn}/>`;
}

/** A line through points that are not joined back to the first. */
export function polyline(points: readonly (readonly [x: number, y: number])[], stroke: Stroke = {}): string {
  const path = points.map(([x, y]) => `${at(x)},${at(y)}`).join(" ");
  return `<polyline fill="none" points="${path}"${outline({ color: INK, width: 2, ...stroke })}/>`;
}

export function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { size = 14, color = INK, anchor = "start", bold = false, mono = false } = style;
  return (
    `<text x="${at(x)}" y="${at(y)}" font-size="${at(size)}" fill="${hex(color)}" text-anchor="${anchor}"` +
    `${bold ? ' font-weight="bold"' : ""}${mono ? ' font-family="DejaVu Sans Mono"' : ""}>${escaped(content)}</text>`
  );
}

/** A grid of cells with a heading row, every column as wide as `widths` says (pixels). */
export function table(
  x: number,
  y: number,
  widths: readonly number[],
  rows: readonly (readonly string[])[],
  size = 15,
): string[] {
  const height = Math.round(size * 2.1);
  return rows.flatMap((cells, row) => {
    const top = y + row * height;
    let left = x;
    return cells.flatMap((cell, column) => {
      const width = widths[column] ?? 0;
      const fill = row === 0 ? "#dde6ee" : row % 2 === 1 ? "#ffffff" : "#f4f4f4";
      const parts = [
        rect(left, top, width, height, fill, { color: "#999999" }),
        text(left + 8, top + height * 0.66, cell, { size, bold: row === 0 }),
      ];
      left += width;
      return parts;
    });
  });
}

function outline(stroke: Stroke | undefined): string {
  if (stroke === undefined) return "";
  return ` stroke="${hex(stroke.color ?? INK)}" stroke-width="${at(stroke.width ?? 1)}"`;
}

/** A length or a place, in hundredths of a pixel at the finest. */
function at(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`a drawing has no place ${value}`);
  const rounded = Math.round(value * 100) / 100;
  return String(rounded === 0 ? 0 : rounded);
}

function hex(color: string): string {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new RangeError(`${color} is not a colour like #4477aa`);
  return color;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(content: string): string {
  return content.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);
}
