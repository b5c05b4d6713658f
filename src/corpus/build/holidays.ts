// The public holidays of the United States: 5 U.S.C. 6103, and for one on a Sunday the Monday after.
import { addDays } from "./dates.ts";

/** A holiday of a year. */
interface Holiday {
  readonly name: string;
  /** The day on which it is kept, as YYYY-MM-DD; it may be the last of the year before. */
  readonly observed: string;
}

/** Name, month and day, and the first year in which it was one. */
const FIXED = [
  ["New Year's Day", "01-01", 0],
  ["Juneteenth National Independence Day", "06-19", 2021],
  ["Independence Day", "07-04", 0],
  ["Veterans Day", "11-11", 0],
  ["Christmas Day", "12-25", 0],
] as const;

/** Name, month, day of the week (0 is Sunday) and its place in the month; -1 is the last. */
const MOVING = [
  ["Birthday of Martin Luther King", 1, 1, 3],
  ["Washington's Birthday", 2, 1, 3],
  ["Memorial Day", 5, 1, -1],
  ["Labor Day", 9, 1, 1],
  ["Columbus Day", 10, 1, 2],
  ["Thanksgiving Day", 11, 4, 4],
] as const;

/** 0 for Sunday to 6 for Saturday. */
export const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** By year: every step of a count of working days asks for them. */
const known = new Map<number, readonly Holiday[]>();

/** The holidays of a year; one on a Saturday is kept on the Friday before, one on a Sunday on the Monday after. */
function federalHolidays(year: number): readonly Holiday[] {
  const before = known.get(year);
  if (before !== undefined) return before;
  const fixed = FIXED.filter(([, , since]) => year >= since).map(([name, day]) => {
    const date = `${year}-${day}`;
    return { name, observed: addDays(date, weekday(date) === 6 ? -1 : weekday(date) === 0 ? 1 : 0) };
  });
  const moving = MOVING.map(([name, month, day, place]) => ({
    name,
    observed: nthWeekday(year, month, day, place),
  }));
  const all = [...fixed, ...moving];
  // Four digits are as many years as there are.
  known.set(year, all);
  return all;
}

/** The days on which the holidays of a year are kept. */
export function observedDays(year: number): readonly string[] {
  return federalHolidays(year).map(({ observed }) => observed);
}

/** The name of the holiday that is kept on a date (YYYY-MM-DD), or null. */
export function holidayOn(date: string): string | null {
  const year = Number(date.slice(0, 4));
  return [year, year + 1].flatMap(federalHolidays).find(({ observed }) => observed === date)?.name ?? null;
}

/** The `n`-th such weekday of a month, counted from its end where `n` is negative. */
function nthWeekday(year: number, month: number, day: number, n: number): string {
  const first = `${year}-${String(month).padStart(2, "0")}-01`;
  const days = Array.from({ length: 31 }, (_, i) => addDays(first, i));
  const such = days.filter((date) => date.slice(0, 7) === first.slice(0, 7) && weekday(date) === day);
  return such.at(n < 0 ? n : n - 1) ?? first;
}
