// The public holidays of the United States by their statutory rules, for the years before 2021.
import { addDays } from "../dates.ts";

/** Month, day of the week (0 is Sunday) and its place in the month; -1 is the last. */
const MOVING = [
  ["Birthday of Martin Luther King", 1, 1, 3],
  ["Washington's Birthday", 2, 1, 3],
  ["Memorial Day", 5, 1, -1],
  ["Labor Day", 9, 1, 1],
  ["Columbus Day", 10, 1, 2],
  ["Thanksgiving Day", 11, 4, 4],
] as const;

const FIXED = [
  ["New Year's Day", "01-01"],
  ["Independence Day", "07-04"],
  ["Veterans Day", "11-11"],
  ["Christmas Day", "12-25"],
] as const;

/**
 * The federal holiday that is kept on a date, or null. A holiday on a Saturday is kept on the Friday before, one on a
 * Sunday on the Monday after.
 *
 * @param date as YYYY-MM-DD.
 */
export function federalHoliday(date: string): string | null {
  const weekday = weekdayOf(date);
  const [month, day] = [Number(date.slice(5, 7)), Number(date.slice(8))];
  const last = addDays(date, 7).slice(5, 7) !== date.slice(5, 7);
  for (const [name, inMonth, on, place] of MOVING) {
    if (month === inMonth && weekday === on && (place === -1 ? last : Math.ceil(day / 7) === place))
      return name;
  }
  const kept = [date];
  if (weekday === 5) kept.push(addDays(date, 1));
  if (weekday === 1) kept.push(addDays(date, -1));
  if (weekday === 0 || weekday === 6) return null;
  return FIXED.find(([, on]) => kept.some((d) => d.endsWith(on)))?.[0] ?? null;
}

function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}
