// Figures and calendars of the United States government: employment by sector, receipts of the budget, and the legal
// public holidays.
import type { Extraction, Fact } from "./extraction.ts";

const SERIES = [
  "construction",
  "education_and_health_services",
  "financial_activities",
  "government",
  "information",
  "manufacturing",
  "mining_and_logging",
  "professional_and_business_services",
] as const;

export const employment: Extraction = {
  id: "us-employment",
  title: "Employment in the United States by sector 2006–2015",
  registry: "npm",
  package: "vega-datasets",
  version: "3.2.1",
  license: "BSD-3-Clause",
  files: ["data/us-employment.csv"],
  attribution:
    "United States Bureau of Labor Statistics, Current Employment Statistics; in vega-datasets by the Interactive Data Lab.",
  rights: "US government work, public domain",
  taken:
    "For eight sectors, the number of employees in thousands, seasonally adjusted, in the first month of every quarter.",
  async extract(unpacked) {
    const [heading = [], ...rows] = unpacked
      .text("data/us-employment.csv")
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(","));
    const quarterly = rows.filter(([month = ""]) => /^\d{4}-(01|04|07|10)-01$/.test(month));
    const facts = SERIES.map((id): Fact => {
      const column = heading.indexOf(id);
      if (column < 0) throw new Error(`us-employment.csv has no column ${id}`);
      return {
        id,
        first_quarter: quarterly[0]?.[0]?.slice(0, 7) ?? null,
        thousands: quarterly.map((row) => Number(row[column])),
      };
    });
    return { "us-employment.jsonl": facts };
  },
};
