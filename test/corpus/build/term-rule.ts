// Ends the term of a LEG-5 row by walking from day to day, with the holidays that the facts state.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../../data/sources/us-federal-holidays.jsonl", import.meta.url));
const closed = new Set(
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => Date.parse((JSON.parse(line) as { observed: string }).observed)),
);
const DAY = 86_400_000;

/** The last day of the term of a row. */
export function termEnd({ served_on, business_days }: { served_on: string; business_days: number }): string {
  let moment = Date.parse(served_on);
  let left = business_days;
  while (left > 0) {
    moment += DAY;
    // 1 January 1970 was a Thursday.
    const weekday = (4 + moment / DAY) % 7;
    if (weekday !== 0 && weekday !== 6 && !closed.has(moment)) left -= 1;
  }
  return new Date(moment).toISOString().slice(0, 10);
}
