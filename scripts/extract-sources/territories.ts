// Facts about countries and territories: which languages are known there, what is paid with, how they are called.
import type { Extraction, Fact } from "./extraction.ts";

const INFO = "supplemental/territoryInfo.json";
const MONEY = "supplemental/currencyData.json";
const CONTAINMENT = "supplemental/territoryContainment.json";

interface Language {
  _populationPercent: string;
  _officialStatus?: string;
}
interface Info {
  supplemental: {
    territoryInfo: Record<string, { _population: string; languagePopulation?: Record<string, Language> }>;
  };
}
interface Money {
  supplemental: {
    currencyData: { region: Record<string, Record<string, { _to?: string; _tender?: string }>[]> };
  };
}
interface Containment {
  supplemental: { territoryContainment: Record<string, { _contains: string[] }> };
}

export const territoryLanguages: Extraction = {
  id: "cldr-core",
  title: "Territories and their languages in the Unicode CLDR",
  registry: "npm",
  package: "cldr-core",
  version: "48.2.0",
  license: "Unicode-3.0",
  files: [INFO, MONEY, CONTAINMENT],
  attribution: "Unicode, Inc., Unicode CLDR 48.2 (Unicode License v3).",
  taken:
    "For each territory with languages, its population, the currencies that are legal tender, its UN subregion, and for each " +
    "language the share of people who know it and whether it is official.",
  async extract(unpacked) {
    const { territoryInfo } = (unpacked.json(INFO) as Info).supplemental;
    const { region } = (unpacked.json(MONEY) as Money).supplemental.currencyData;
    const { territoryContainment } = (unpacked.json(CONTAINMENT) as Containment).supplemental;
    const subregion = (id: string): string | null =>
      Object.keys(territoryContainment)
        .filter((code) => /^\d{3}$/.test(code) && territoryContainment[code]?._contains.includes(id))
        .sort()[0] ?? null;
    const facts = Object.entries(territoryInfo).flatMap(([id, info]): Fact[] => {
      if (!/^[A-Z]{2}$/.test(id) || info.languagePopulation === undefined) return [];
      const currencies = (region[id] ?? [])
        .flatMap((entry) => Object.entries(entry))
        .filter(([, use]) => use._to === undefined && use._tender !== "false")
        .map(([code]) => code);
      const languages = Object.entries(info.languagePopulation).map(([code, use]) => ({
        code,
        percent: Number(use._populationPercent),
        official: use._officialStatus ?? null,
      }));
      languages.sort((a, b) => b.percent - a.percent || (a.code < b.code ? -1 : 1));
      return [{ id, subregion: subregion(id), population: Number(info._population), currencies, languages }];
    });
    return { "territories.jsonl": facts };
  },
};

interface Library {
  PhoneNumberUtil: {
    getInstance(): { getSupportedRegions(): string[]; getCountryCodeForRegion(region: string): number };
  };
}

export const callingCodes: Extraction = {
  id: "google-libphonenumber-codes",
  title: "Calling codes of the telephone numbering plans",
  registry: "npm",
  package: "google-libphonenumber",
  version: "3.2.47",
  license: "(MIT AND Apache-2.0)",
  files: ["dist/libphonenumber.js"],
  attribution: "Google, libphonenumber (Apache-2.0); packaged by Rui Marinho, google-libphonenumber (MIT).",
  taken: "For each country or territory, its calling code.",
  async extract(unpacked) {
    const { default: library } = (await unpacked.load()) as unknown as { default: Library };
    const plans = library.PhoneNumberUtil.getInstance();
    const facts = plans
      .getSupportedRegions()
      .filter((id) => /^[A-Z]{2}$/.test(id))
      .map((id): Fact => ({ id, calling_code: plans.getCountryCodeForRegion(id) }));
    return { "calling-codes.jsonl": facts };
  },
};
