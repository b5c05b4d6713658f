// Which calendar date a date of three small numbers means, from the language and country of the document.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import type { Candidate, Task } from "../task.ts";

const patternSchema = z.strictObject({ id: z.string(), short: z.string() });
const stateSchema = z.object({
  printed: z.string(),
  document: z.object({ language: z.string(), country: z.string() }),
});

/** Locale, its language and its country, as people write them. */
const LOCALES = [
  ["bg", "Bulgarian", "Bulgaria"],
  ["ca", "Catalan", "Spain"],
  ["de-AT", "German", "Austria"],
  ["el", "Greek", "Greece"],
  ["en", "English", "United States"],
  ["en-AU", "English", "Australia"],
  ["en-BZ", "English", "Belize"],
  ["en-GU", "English", "Guam"],
  ["en-IN", "English", "India"],
  ["en-PH", "English", "Philippines"],
  ["es", "Spanish", "Spain"],
  ["es-CL", "Spanish", "Chile"],
  ["es-CO", "Spanish", "Colombia"],
  ["es-MX", "Spanish", "Mexico"],
  ["es-PA", "Spanish", "Panama"],
  ["es-PR", "Spanish", "Puerto Rico"],
  ["et", "Estonian", "Estonia"],
  ["eu", "Basque", "Spain"],
  ["fil", "Filipino", "Philippines"],
  ["fr-BE", "French", "Belgium"],
  ["hr-BA", "Croatian", "Bosnia and Herzegovina"],
  ["id", "Indonesian", "Indonesia"],
  ["it", "Italian", "Italy"],
  ["ko", "Korean", "South Korea"],
  ["lv", "Latvian", "Latvia"],
  ["ms-SG", "Malay", "Singapore"],
  ["pt-PT", "Portuguese", "Portugal"],
  ["sl", "Slovenian", "Slovenia"],
  ["sq", "Albanian", "Albania"],
  ["sr-Latn", "Serbian (Latin script)", "Serbia"],
  ["vi", "Vietnamese", "Vietnam"],
  ["zh-Hans-SG", "Chinese (simplified)", "Singapore"],
] as const;

/** The order of day, month and year in which three numbers are read. */
const ORDERS = ["DMY", "MDY", "YMD", "YDM", "MYD"] as const;
type Order = (typeof ORDERS)[number];

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const two = (value: number): string => String(value).padStart(2, "0");

interface CalendarDate {
  readonly day: number;
  readonly month: number;
  readonly year: number;
}

/** A date by a pattern of CLDR: `d`, `dd`, `M`, `MM`, `yy`, and text in single quotes. */
export function printDate(pattern: string, { day, month, year }: CalendarDate): string {
  const fields: Readonly<Record<string, string>> = {
    d: String(day),
    dd: two(day),
    M: String(month),
    MM: two(month),
    yy: two(year % 100),
  };
  return pattern.replace(/'([^']*)'|[A-Za-z]+/g, (part, quoted: string | undefined) => {
    const printed = quoted ?? fields[part];
    if (printed === undefined) throw new RangeError(`${part} is not a field of a short date (${pattern})`);
    return printed;
  });
}

/** Three printed numbers read in an order; years are those of 2001 to 2012. */
export function readDate(printed: string, order: Order): CalendarDate {
  const numbers = (printed.match(/\d+/g) ?? []).map(Number);
  const at = (field: string): number => numbers[order.indexOf(field)] ?? 0;
  return { day: at("D"), month: at("M"), year: 2000 + at("Y") };
}

const iso = ({ day, month, year }: CalendarDate): string => `${year}-${two(month)}-${two(day)}`;
const inWords = ({ day, month, year }: CalendarDate): string => `${day} ${MONTHS[month - 1]} ${year}`;

/** The order that a language is read in; it comes before that of the country. */
const BY_LANGUAGE: Readonly<Record<string, Order>> = { Basque: "YMD", Korean: "YMD" };
const MONTH_FIRST = new Set(["United States", "Guam", "Philippines", "Puerto Rico", "Panama"]);

const orderOf = (pattern: string): string =>
  pattern
    .replace(/'[^']*'/g, "")
    .replace(/[^dMy]/g, "")
    .replace(/(.)\1+/g, "$1")
    .toUpperCase();

export const printedDate: Task = {
  id: "DOC-2",
  name: "Date as printed",
  shape: "extract",
  ask: "Which calendar date does this printed date mean?",
  instruction:
    "A document shows a date of three numbers. It was printed by software that follows the Unicode CLDR, version 45: the short " +
    "format of the Gregorian calendar for the document's language as it is used in the country of the state. The year has its last two " +
    "digits and is one of 2001 to 2012. Order and marks of the three numbers are those of that language and country; a " +
    "language may differ from others of the same country, and a country from others of the same language. Choose the date.",
  modality: "text",
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["cldr-dates-modern"],
  rows: 24,
  perGroup: 4,
  decision: {
    by: "rule",
    decide(state, options) {
      const { printed, document } = stateSchema.parse(state);
      const order = BY_LANGUAGE[document.language] ?? (MONTH_FIRST.has(document.country) ? "MDY" : "DMY");
      const date = iso(readDate(printed, order));
      return options.has(date) ? date : null;
    },
    says: "the order in which the language or the country puts day, month and year",
  },
  chosen:
    "For 32 locales whose short date has a two-digit year, twelve dates of 2001 to 2012 whose day, month and year are three " +
    "different numbers up to 12, so that every order gives a date. Balanced over the three orders, at most four rows a locale.",
  changed: "The patterns are the source's; the dates are drawn by this project.",
  candidates(facts) {
    const patterns = new Map(
      facts.read("date-patterns.jsonl", patternSchema).map(({ id, short }) => [id, short]),
    );
    return LOCALES.flatMap(([locale, language, country]): Candidate[] => {
      const pattern = patterns.get(locale);
      if (pattern === undefined) return [];
      const order = orderOf(pattern);
      return Array.from({ length: 12 }, (_, draw): Candidate => {
        const random = randomFrom(`DOC-2/${locale}/${draw}`);
        const [day = 0, month = 0, year = 0] = random.shuffle(
          Array.from({ length: 12 }, (_, index) => index + 1),
        );
        const date = { day, month, year: 2000 + year };
        const printed = printDate(pattern, date);
        return {
          key: `${locale}#${draw + 1}`,
          recordId: locale,
          stratum: order,
          group: locale,
          title: "A date of three numbers",
          state: { printed, document: { language, country } },
          options: ORDERS.map((way) => readDate(printed, way)).map((read) => [iso(read), inWords(read)]),
          gold: iso(date),
          rationale: `The short date of ${locale} has the pattern "${pattern}".`,
          difficulty: order === "DMY" || locale === "en" ? "medium" : "hard",
          originalLabel: pattern,
        };
      });
    });
  },
};
