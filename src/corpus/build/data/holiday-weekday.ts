// Which weekday of a week was a public holiday, from the births of that week and the two around it.
import { z } from "zod";
import { addDays } from "../dates.ts";
import { holidayOn } from "../holidays.ts";
import type { Candidate, Task } from "../task.ts";
import { birthsChart } from "./births-chart.ts";

const weekSchema = z.strictObject({ id: z.string(), births: z.array(z.number().int()).length(5) });

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"] as const;
const DAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] as const;
/** Told at sight: births fall by a third on a Monday. */
const PLAIN = new Set(["Labor Day", "Memorial Day"]);

const daysSchema = z.record(z.enum(DAYS), z.number());
const stateSchema = z.object({
  week_before: daysSchema,
  week_in_question: daysSchema,
  week_after: daysSchema,
});

/** Of each day, its births as a share of the mean of the same day one week before and one week after. */
export function sharesOfUsual(
  births: readonly number[],
  before: readonly number[],
  after: readonly number[],
): readonly number[] {
  return births.map((value, day) => value / (((before[day] ?? 0) + (after[day] ?? 0)) / 2));
}

/** Place of the least. */
const leastOf = (values: readonly number[]): number => values.indexOf(Math.min(...values));

const byDay = (births: readonly number[]): Record<string, number> =>
  Object.fromEntries(DAYS.map((day, index) => [day, births[index] ?? 0]));

export const holidayWeekday: Task = {
  id: "DAT-7",
  name: "Holiday in a week of births",
  shape: "locate",
  ask: "Which weekday of the week in question was a public holiday?",
  instruction:
    "The figures are all births in the United States on the Mondays to Fridays of three weeks in a row. Exactly one day " +
    "of the week in question was a federal public holiday, on the day on which it is officially kept; the weeks before " +
    "and after may hold a holiday of their own. Hospitals plan fewer births for a holiday, so the births fall below " +
    "what is usual for that day of the week; ordinary Mondays are lower than other days, and the days next to a " +
    "holiday may be lower or higher too. Choose the holiday: the day whose births are the smallest share of the mean of " +
    "the same weekday in the weeks before and after.",
  modality: "image",
  options: DAYS.map((day, index) => [day, `The offices were closed on ${DAY_NAMES[index]}`] as const),
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["stdlib-births"],
  rows: 25,
  perGroup: 8,
  decision: {
    by: "rule",
    decide(state) {
      const weeks = stateSchema.parse(state);
      const of = (week: Record<string, number>): number[] => DAYS.map((day) => week[day] ?? 0);
      const shares = sharesOfUsual(of(weeks.week_in_question), of(weeks.week_before), of(weeks.week_after));
      return DAYS[leastOf(shares)] ?? null;
    },
    says: "the day whose births are the smallest share of the same weekday's mean in the weeks around",
  },
  chosen:
    "Weeks of 2000 to 2014 with exactly one federal holiday from Monday to Friday, by the statutory rules (a holiday on a " +
    "Saturday is kept on Friday, one on a Sunday on Monday). Left out: Labor Day and Memorial Day, which are told at " +
    "sight, and weeks in which the births show the holiday by less than half a percent or not at all. Balanced over the weekdays, at most eight rows a holiday.",
  changed:
    "The births are the source's; the dates are hidden, and which day was a holiday is computed from them.",
  candidates(facts) {
    const weeks = facts.read("births-by-week.jsonl", weekSchema);
    const births = new Map(weeks.map((week) => [week.id, week.births]));
    return weeks.flatMap((week): Candidate[] => {
      const before = births.get(addDays(week.id, -7));
      const after = births.get(addDays(week.id, 7));
      const holidays = DAYS.map((_, index) => holidayOn(addDays(week.id, index)));
      const kept = holidays.filter((name) => name !== null);
      const [holiday] = kept;
      if (before === undefined || after === undefined || holiday === undefined) return [];
      if (kept.length > 1 || PLAIN.has(holiday)) return [];
      const place = holidays.indexOf(holiday);
      const gold = DAYS[place];
      const shares = sharesOfUsual(week.births, before, after);
      if (gold === undefined || leastOf(shares) !== place) return [];
      const others = shares.filter((_, index) => index !== place);
      const lead = Math.min(...others) - (shares[place] ?? 0);
      if (lead < 0.005) return [];
      const lowest = leastOf(week.births) === place;
      return [
        {
          key: week.id,
          recordId: `week of ${week.id}`,
          stratum: gold,
          group: holiday,
          title: "Births in three weeks",
          state: {
            week_before: byDay(before),
            week_in_question: byDay(week.births),
            week_after: byDay(after),
          },
          picture: () => ({
            svg: birthsChart(DAY_NAMES, [
              ["Week before", before],
              ["Week in question", week.births],
              ["Week after", after],
            ]),
            alt:
              "Bar chart of the births per day from Monday to Friday, for a week in question, the week before it " +
              "and the week after it.",
          }),
          gold,
          rationale:
            `${holiday} was kept on ${addDays(week.id, place)}: births were ` +
            `${((shares[place] ?? 0) * 100).toFixed(1)} % of that weekday's mean in the weeks around, the least of the five.`,
          difficulty: lead < 0.05 ? "hard" : lowest && lead > 0.15 ? "easy" : "medium",
          originalLabel: addDays(week.id, place),
        },
      ];
    });
  },
};
