// Which sector an employment series belongs to, from its index over seven years that hold a recession.
import { z } from "zod";
import { CheckError } from "../../../errors.ts";
import { addMonths } from "../dates.ts";
import { indexChart } from "../pictures/index-chart.ts";
import type { Candidate, Options, Task } from "../task.ts";

const seriesSchema = z.strictObject({
  id: z.string(),
  first_quarter: z.string().regex(/^\d{4}-\d{2}$/),
  thousands: z.array(z.number().positive()),
});

const SECTORS: Options = [
  ["construction", "Building of homes, offices and roads, and the trades on site"],
  ["education-and-health", "Private schools, doctors, hospitals, care and social help"],
  ["financial-activities", "Banks, insurers, brokers, property dealing and leasing"],
  ["government", "Federal, state and local bodies, public schools included"],
  ["information", "Publishing, film, broadcasting, telephony and data hosting"],
  ["manufacturing", "Factories for lasting goods and for goods that are used up"],
  ["mining-and-logging", "Oil, gas, coal and ore, with their services, and felling"],
  ["professional-and-business", "Law, accounting, engineering, head offices, agency staff"],
];

const SERIES: Readonly<Record<string, string>> = {
  construction: "construction",
  education_and_health_services: "education-and-health",
  financial_activities: "financial-activities",
  government: "government",
  information: "information",
  manufacturing: "manufacturing",
  mining_and_logging: "mining-and-logging",
  professional_and_business_services: "professional-and-business",
};

/** Quarters of a window, and where the windows begin: each holds part of the recession and of what came after. */
const QUARTERS = 28;
const STARTS = [0, 6, 12];

/** The window's values as an index, first value 100, to one place. */
export function indexed(values: readonly number[]): number[] {
  const first = values[0];
  if (first === undefined) throw new RangeError("an index needs a first value");
  return values.map((value) => Math.round((1_000 * value) / first) / 10);
}

/** Reads a series as somebody would who remembers the decade and no figure of it. */
export function sectorOf(index: readonly number[]): string {
  const lowest = Math.min(...index);
  const highest = Math.max(...index);
  const last = index.at(-1) ?? 100;
  // Oil: up with its price, down in 2009 and again in 2015.
  if (highest - lowest > 22 && highest > 110) return "mining-and-logging";
  // Homes were no longer built: the deepest fall of all.
  if (lowest < 86) return lowest < 80 ? "construction" : "manufacturing";
  // Schools and hospitals hired right through the recession.
  if (lowest > 99 && last > 108) return "education-and-health";
  // Little moves but the census takers of spring 2010.
  if (lowest > 96 && highest < 105) return "government";
  // Temporary staff are let go first and hired again first.
  if (last > 104) return "professional-and-business";
  // Printing shrinks whatever the economy does.
  return last < 92 ? "information" : "financial-activities";
}

const stateSchema = z.looseObject({ index: z.record(z.string(), z.number()) });

export const employmentSector: Task = {
  id: "FIN-4",
  name: "Sector of an employment series",
  shape: "classify",
  ask: "Which sector does this employment series belong to?",
  instruction:
    "A chart of employment in one sector of the United States economy has lost its legend. It shows the number of " +
    "employees on payrolls, seasonally adjusted, in the first month of every quarter, as an index whose first value is " +
    "100; the state holds the same values by month. The sectors are the supersectors of the national payroll " +
    "statistics: government holds all public employers, and the other seven hold private ones only. Consider how deep " +
    "each sector fell in the recession from December 2007 to June 2009, whether and when it recovered, and what else " +
    "moved it (prices of oil, a census, long decline or growth). Choose the sector.",
  modality: "image",
  options: SECTORS,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["us-employment"],
  rows: 24,
  chosen:
    "Eight supersectors with three windows of 28 quarters each, beginning in January 2006, July 2007 and January 2009. " +
    "Windows of one series overlap.",
  changed:
    "Thousands of employees were turned into an index with the first value 100, to one place; the sector is hidden.",
  decision: {
    by: "rule",
    says:
      "A rule of thumb, written with the rows in view, over the lowest, highest and last value of the window, from " +
      "what is generally remembered of the decade; the label itself is recorded.",
    decide: (state) => sectorOf(Object.values(stateSchema.parse(state).index)),
  },
  candidates(facts) {
    return facts.read("us-employment.jsonl", seriesSchema).flatMap((series) => {
      const gold = SERIES[series.id];
      if (gold === undefined) throw new CheckError(`FIN-4: the series ${series.id} has no label`);
      return STARTS.map((start): Candidate => {
        const values = indexed(series.thousands.slice(start, start + QUARTERS));
        if (values.length < QUARTERS) throw new CheckError(`FIN-4: ${series.id} is too short`);
        const months = values.map((_, quarter) =>
          addMonths(`${series.first_quarter}-01`, 3 * (start + quarter)).slice(0, 7),
        );
        const [first = "", last = ""] = [months[0], months.at(-1)];
        const lowest = Math.min(...values);
        return {
          key: `${series.id}#${first}`,
          recordId: `${series.id} ${first} to ${last}`,
          stratum: gold,
          title: `Employees from ${first} to ${last}`,
          state: {
            measure: "employees on payrolls, seasonally adjusted, first value 100",
            index: Object.fromEntries(months.map((month, i) => [month, values[i] ?? 0])),
          },
          picture: () => indexChart(months, values),
          gold,
          rationale:
            `The series is recorded as ${series.id}; its lowest value is ${lowest} in ` +
            `${months[values.indexOf(lowest)]}, its last ${values.at(-1)}.`,
          difficulty: ["construction", "education-and-health"].includes(gold) ? "medium" : "hard",
          originalLabel: series.id,
        };
      });
    });
  },
};
