// Facts about how things look: brand colours, named colours, measures of typefaces.
import { type Extraction, type Fact, sample } from "./extraction.ts";

export const brandColors: Extraction = {
  id: "banks-db",
  title: "Brand colours of banks",
  registry: "npm",
  package: "banks-db",
  version: "0.12.0",
  license: "CC-BY-4.0",
  files: ["index.js", "banks"],
  attribution: "Ramoona and contributors, banks-db (Creative Commons Attribution 4.0 International).",
  taken: "The colours, each once. No names, card numbers or addresses.",
  async extract(unpacked) {
    const module = (await unpacked.load()) as { default: { data: { color: string }[] } };
    const colors = new Set(module.default.data.map(({ color }) => color.toLowerCase()));
    return { "brand-colors.jsonl": [...colors].filter(isHex).map((id) => ({ id })) };
  },
};

/** A word that names a hue, by which the colour lists of paints and fabrics go. */
const HUE =
  /\b(amber|apricot|beige|blue|brown|burgundy|charcoal|coral|crimson|cyan|emerald|gold|gr[ae]y|green|indigo|ivory|khaki|lavender|lilac|magenta|maroon|mauve|mint|mustard|navy|olive|orange|peach|pink|plum|purple|red|ruby|rust|salmon|slate|tan|teal|turquoise|violet|yellow)\b/gi;

/** Words that some readers would rather not meet in a test. */
const UNFIT = /\b(queer|nude|naked|sexy|drunk|slave|nazi|gypsy|geisha|blood|corpse|snot|poop|vomit)/i;

export const colorNames: Extraction = {
  id: "color-name-list",
  title: "Names of colours",
  registry: "npm",
  package: "color-name-list",
  version: "14.29.0",
  license: "MIT",
  files: ["dist/colornames.json"],
  attribution: "David Aerne and contributors, color-name-list (MIT).",
  taken: "A sample of the names of two words of which just one is a hue, with their colours.",
  async extract(unpacked) {
    const list = unpacked.json("dist/colornames.json") as { name: string; hex: string }[];
    const facts: Fact[] = [];
    for (const { name, hex } of list) {
      const hues = name.match(HUE) ?? [];
      const [hue] = hues;
      if (
        hue === undefined ||
        hues.length > 1 ||
        UNFIT.test(name) ||
        !/^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name) ||
        !isHex(hex)
      )
        continue;
      facts.push({ id: name, hue: hue.toLowerCase().replace("gray", "grey"), color: hex });
    }
    return { "color-names.jsonl": sample(facts, 2_400) };
  },
};

interface Metrics {
  familyName: string;
  category: string;
  capHeight: number;
  xHeight: number;
  ascent: number;
  descent: number;
  unitsPerEm: number;
  xWidthAvg: number;
  variants?: Record<string, { unitsPerEm: number; xWidthAvg: number }>;
}

/** Symbols, bar codes, blanked letters and teaching guides are no typefaces to read; these have no letters to measure. */
const NO_LETTERS =
  /material|emoji|barcode|icons|symbols|guides|charted|redacted|flow |linefont|wavefont|yarndings/i;
const PER_KIND = 120;

export const typefaces: Extraction = {
  id: "capsizecss-metrics",
  title: "Measures of typefaces",
  registry: "npm",
  package: "@capsizecss/metrics",
  version: "4.3.0",
  license: "MIT",
  files: ["dist/entireMetricsCollection.cjs"],
  attribution: "SEEK, @capsizecss/metrics (MIT).",
  rights:
    "Figures of the fonts of the Google Fonts collection and of common systems; no font is part of the package.",
  taken:
    "For a sample of families of each kind: the kind, and heights and average letter widths in thousandths of the em. " +
    "No outlines.",
  async extract(unpacked) {
    const module = (await unpacked.load("dist/entireMetricsCollection.cjs")) as {
      default: { entireMetricsCollection: Record<string, Metrics> };
    };
    const kinds = new Map<string, Fact[]>();
    for (const metrics of Object.values(module.default.entireMetricsCollection)) {
      const fact = typefaceFact(metrics);
      if (fact !== null) kinds.set(metrics.category, [...(kinds.get(metrics.category) ?? []), fact]);
    }
    return { "typefaces.jsonl": [...kinds.values()].flatMap((facts) => sample(facts, PER_KIND)) };
  },
};

function typefaceFact(metrics: Metrics): Fact | null {
  const { familyName, category, unitsPerEm, variants } = metrics;
  if (variants === undefined || NO_LETTERS.test(familyName) || !(metrics.xHeight > 0)) return null;
  const perMille = (value: number, em = unitsPerEm): number => Math.round((value / em) * 1000);
  const width = (name: string): number | null => {
    const variant = variants[name];
    return variant === undefined ? null : perMille(variant.xWidthAvg, variant.unitsPerEm);
  };
  const regular = width("regular");
  if (regular === null) return null;
  return {
    id: familyName,
    kind: category,
    cap_height: perMille(metrics.capHeight),
    x_height: perMille(metrics.xHeight),
    ascent: perMille(metrics.ascent),
    descent: perMille(-metrics.descent),
    width: regular,
    width_bold: width("700"),
    width_italic: width("italic"),
    weights: Object.keys(variants).filter((name) => !name.endsWith("italic")).length,
  };
}

function isHex(color: string): boolean {
  return /^#[0-9a-f]{6}$/.test(color);
}
