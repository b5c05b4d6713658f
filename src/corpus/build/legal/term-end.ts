// On what day a term of business days ends, with the legal public holidays of the United States.
import { z } from "zod";
import { CheckError } from "../../../errors.ts";
import { randomFrom } from "../../random.ts";
import { addDays } from "../dates.ts";
import { observedDays, weekday } from "../holidays.ts";
import type { Candidate, Task } from "../task.ts";

const holidaySchema = z.strictObject({ id: z.string(), name: z.string(), observed: z.string() });

const isOpen = (date: string, closed: ReadonlySet<string>): boolean =>
  weekday(date) !== 0 && weekday(date) !== 6 && !closed.has(date);

/** The `days`-th business day after `served`; backwards where `days` is negative. */
export function lastDay(served: string, days: number, closed: ReadonlySet<string>): string {
  let date = served;
  for (let left = Math.abs(days); left > 0; ) {
    date = addDays(date, Math.sign(days));
    if (isOpen(date, closed)) left -= 1;
  }
  return date;
}

const stateSchema = z.looseObject({ served_on: z.string(), business_days: z.number().int() });

function decide(state: unknown): string {
  const { served_on, business_days } = stateSchema.parse(state);
  const year = Number(served_on.slice(0, 4));
  return lastDay(served_on, business_days, new Set([year, year + 1].flatMap(observedDays)));
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** "2026-07-06" → "6 July 2026". */
function inWords(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

export const termEnd: Task = {
  id: "LEG-5",
  name: "End of a term",
  shape: "decide",
  ask: "On what date does this term end?",
  instruction:
    "A notice is served on served_on and sets a term of business_days business days. The day of service is not counted; " +
    "the term ends on the last of the business days that follow. Saturdays, Sundays and the legal public holidays of " +
    "the United States are no business days. These are: 1 January; the third Monday of January; the third Monday of " +
    "February; the last Monday of May; from 2021 on 19 June; 4 July; the first Monday of September; the second Monday " +
    "of October; 11 November; the fourth Thursday of November; 25 December. A holiday on a Saturday is observed on the " +
    "Friday before, one on a Sunday on the Monday after, and the day of observance is no business day. Inauguration " +
    "Day, state holidays and closures by special order do not count. Choose the date on which the term ends.",
  modality: "text",
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["us-federal-holidays"],
  rows: 24,
  perGroup: 1,
  chosen:
    "For every observed holiday from 2019 to 2030 a term of 6 to 12 business days that runs over it, and one that ends " +
    "just before it. Half of the rows have a holiday that is moved from a weekend, a quarter another one, a quarter none.",
  changed:
    "The holidays are the source's; days of service, lengths of terms and the wrong dates are made by this project.",
  decision: {
    by: "rule",
    says: "The days are counted from the day of service, with the holidays that the statute gives.",
    decide,
  },
  candidates(facts) {
    const holidays = facts.read("us-federal-holidays.jsonl", holidaySchema);
    const closed = new Set(holidays.map(({ observed }) => observed));
    const inRange = holidays.filter(({ id }) => id >= "2019-02" && id < "2030-11");
    return inRange.flatMap((holiday) =>
      [true, false].map((within): Candidate => {
        const key = `${holiday.id}#${within ? "within" : "before"}`;
        const random = randomFrom(`LEG-5/${key}`);
        const days = 6 + random.integer(7);
        const back = within ? 1 + random.integer(days - 1) : days + 1;
        // A day of service is a business day before the holiday, so that the term runs over it or ends before it.
        const served = lastDay(holiday.observed, -back, closed);
        const gold = lastDay(served, days, closed);
        const earlier = [
          lastDay(served, days, new Set()),
          lastDay(served, days - 1, closed),
          addDays(served, days),
          ...[2, 3, 4, 5].map((less) => lastDay(gold, -less, closed)),
        ];
        const later = [1, 2, 3, 4].map((more) => lastDay(gold, more, closed));
        // How many of the wrong dates lie after the right one is drawn, so that its place among them says nothing.
        const after = random.integer(5);
        const before = [...new Set(earlier.filter((date) => date < gold && date > served))];
        const wrong = [
          ...later.slice(0, Math.max(after, 4 - before.length)),
          ...before.slice(0, 4 - Math.max(after, 4 - before.length)),
        ];
        if (wrong.length !== 4) throw new CheckError(`LEG-5 ${key}: ${wrong.length} wrong dates`);
        const passed = holidays.filter(({ observed }) => observed > served && observed <= gold);
        const moved = passed.some(({ id, observed }) => id !== observed);
        return {
          key,
          recordId: holiday.id,
          stratum: moved ? random.pick(["moved a", "moved b"]) : passed.length > 0 ? "holiday" : "none",
          group: holiday.id,
          title: `Term of ${days} business days`,
          state: { served_on: served, business_days: days },
          options: random.shuffle([gold, ...wrong]).map((date) => [date, inWords(date)] as const),
          gold,
          rationale:
            passed.length === 0
              ? `Counted from the day after ${served}, without weekends; no holiday falls into the term.`
              : `Counted from the day after ${served}, without weekends and ` +
                `${passed.map((p) => `${p.observed} (${p.name})`).join(", ")}.`,
          difficulty: moved ? "hard" : "medium",
          originalLabel: `${holiday.name} ${holiday.id}, observed ${holiday.observed}`,
        };
      }),
    );
  },
};
