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

const LINES = [
  "Employment Taxes and Contributions",
  "Federal Fund Excise Taxes",
  "Misc. Governmental Receipts",
  "Other Retirement Contributions",
  "Trust Fund Excise Taxes",
];
const YEARS = ["1980", "1990", "2000", "2010", "2014"];

export const receipts: Extraction = {
  id: "us-budget-receipts",
  title: "Receipts accounts of the United States budget",
  registry: "npm",
  package: "vega-datasets",
  version: "3.2.1",
  license: "BSD-3-Clause",
  files: ["data/budget.json"],
  attribution:
    "United States Office of Management and Budget, public budget database; in vega-datasets by the Interactive Data Lab.",
  rights: "US government work, public domain",
  taken:
    "For the accounts of five receipts lines, agency, bureau, account name, whether it is on the budget, and the " +
    "receipts of five years in thousands of dollars.",
  async extract(unpacked) {
    const accounts = unpacked.json("data/budget.json") as Record<string, string | number>[];
    const seen = new Map<string, number>();
    const facts = accounts
      .filter((account) => LINES.includes(String(account["Source subcategory name"])))
      .map((account): Fact => {
        const code = [account["Agency code"], account["Bureau code"], account["Account code"]].join("-");
        const times = (seen.get(code) ?? 0) + 1;
        seen.set(code, times);
        return {
          id: times === 1 ? code : `${code}-${times}`,
          agency: String(account["Agency name"]),
          bureau: String(account["Bureau name"]),
          account: String(account["Account name"]),
          on_budget: account["On- or off-budget"] === "On-budget",
          receipts: new Map(YEARS.map((year) => [year, Number(String(account[year]).replaceAll(",", ""))])),
          line: String(account["Source subcategory name"]),
        };
      });
    return { "us-budget-receipts.jsonl": facts };
  },
};

interface Holiday {
  readonly name: string;
  readonly dateString: string;
}

export const federalHolidays: Extraction = {
  id: "us-federal-holidays",
  title: "Legal public holidays of the United States 2019–2030",
  registry: "npm",
  package: "@18f/us-federal-holidays",
  version: "4.0.0",
  license: "CC0-1.0",
  files: ["index.js"],
  attribution:
    "18F, United States General Services Administration, us-federal-holidays (public domain dedication).",
  rights: "US government work, public domain; the days are those of 5 U.S.C. 6103",
  taken:
    "The date of each legal public holiday by its calendar and, where it differs, the day on which it is observed.",
  async extract(unpacked) {
    const module = (await unpacked.load("index.js")) as {
      default: { allForYear(year: number, options?: object): Holiday[] };
    };
    const facts: Fact[] = [];
    for (let year = 2019; year <= 2030; year += 1) {
      const observed = module.default.allForYear(year);
      const plain = module.default.allForYear(year, {
        shiftSaturdayHolidays: false,
        shiftSundayHolidays: false,
      });
      plain.forEach(({ name, dateString }, i) => {
        facts.push({ id: dateString, name, observed: observed[i]?.dateString ?? dateString });
      });
    }
    return { "us-federal-holidays.jsonl": facts };
  },
};
