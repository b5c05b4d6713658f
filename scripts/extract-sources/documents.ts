// Facts about documents: handwritten digits, patterns of printed dates, names of countries by language.
import { type Extraction, type Fact, sample } from "./extraction.ts";

const DIGITS = "usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz";

export const handwrittenDigits: Extraction = {
  id: "sklearn-digits",
  title: "Optical recognition of handwritten digits",
  registry: "debian",
  package: "python3-sklearn",
  version: "1.2.1+dfsg-1",
  license: "BSD-3-Clause",
  files: [DIGITS],
  attribution:
    "E. Alpaydin, C. Kaynak: Optical Recognition of Handwritten Digits, UCI Machine Learning Repository; packaged with " +
    "scikit-learn (BSD-3-Clause).",
  rights: "The data set is published by the UCI Machine Learning Repository under CC BY 4.0.",
  taken: "For a sample of the digits, the 64 grey values and the label.",
  async extract(unpacked) {
    const facts = unpacked
      .gunzipped(DIGITS)
      .trim()
      .split("\n")
      .map((record, index): Fact => {
        const values = record.split(",").map((value) => value.padStart(2, "0"));
        return {
          id: String(index + 1).padStart(4, "0"),
          rows: Array.from({ length: 8 }, (_, row) => values.slice(row * 8, row * 8 + 8).join(" ")),
          digit: Number(values[64]),
        };
      });
    return { "handwritten-digits.jsonl": sample(facts, 500) };
  },
};

const LOCALES = (
  "bg ca de-AT el en en-AU en-BZ en-GU en-IN en-PH es es-CL es-CO es-MX es-PA es-PR et eu fil fr-BE hr-BA id it ko lv " +
  "ms-SG pt-PT sl sq sr-Latn vi zh-Hans-SG"
).split(" ");

export const datePatterns: Extraction = {
  id: "cldr-dates-modern",
  title: "Date formats of the Unicode CLDR",
  registry: "npm",
  package: "cldr-dates-modern",
  version: "45.0.0",
  license: "Unicode-3.0",
  files: LOCALES.map((locale) => `main/${locale}/ca-gregorian.json`),
  attribution: "Unicode, Inc., Unicode CLDR 45 (Unicode License v3).",
  taken: "For 32 locales whose short date has a year of two digits, the pattern of the short Gregorian date.",
  async extract(unpacked) {
    const facts = LOCALES.map((id): Fact => {
      const { main } = unpacked.json(`main/${id}/ca-gregorian.json`) as {
        main: Record<string, { dates: { calendars: { gregorian: { dateFormats: { short: string } } } } }>;
      };
      return { id, short: main[id]?.dates.calendars.gregorian.dateFormats.short ?? null };
    });
    return { "date-patterns.jsonl": facts };
  },
};

const LANGUAGES = "bs ca cs da es gl hr is it nb nn pt sk sl sv".split(" ");
const COUNTRIES = (
  "AL AT AZ BE BY CH CI CN CV CY CZ DE DK DZ EE EG ES ET FI FR GB GE GR HR HU ID IE IN IS IT JO JP KR KZ LB LT LU LV MA " +
  "MD MK NL NO NZ PH PL RO RS RU SA SE SK TH TR UA US UZ VN ZA"
).split(" ");

export const countryNames: Extraction = {
  id: "i18n-iso-countries-names",
  title: "Country names by language",
  registry: "npm",
  package: "i18n-iso-countries",
  version: "7.14.0",
  license: "MIT",
  files: LANGUAGES.map((language) => `langs/${language}.json`),
  attribution: "Michael Wittig and contributors, i18n-iso-countries (MIT).",
  taken: "For 15 languages, the first name of each of 59 countries.",
  async extract(unpacked) {
    const facts = LANGUAGES.map((id): Fact => {
      const { countries } = unpacked.json(`langs/${id}.json`) as {
        countries: Record<string, string | string[]>;
      };
      return {
        id,
        names: Object.fromEntries(COUNTRIES.map((code) => [code, [countries[code] ?? []].flat()[0] ?? ""])),
      };
    });
    return { "country-names.jsonl": facts };
  },
};
