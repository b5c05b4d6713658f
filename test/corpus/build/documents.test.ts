// The rules of the tasks of the category documents, on cases small enough to check by hand.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { meetingSlot } from "../../../src/corpus/build/documents/meeting-slot.ts";
import { printDate, readDate } from "../../../src/corpus/build/documents/printed-date.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";

test("dates are printed by the pattern and read by the order", () => {
  const date = { day: 7, month: 5, year: 2011 };
  expect(printDate("M/d/yy", date)).toBe("5/7/11");
  expect(printDate("d.MM.yy 'г'.", date)).toBe("7.05.11 г.");
  expect(printDate("yy. M. d.", { ...date, year: 2004 })).toBe("04. 5. 7.");
  expect(() => printDate("d MMM yy", date)).toThrow("MMM is not a field");
  expect(readDate("5/7/11", "MDY")).toEqual(date);
  expect(readDate("04. 5. 7.", "YMD")).toEqual({ ...date, year: 2004 });
});

test("the slot that suits everybody is the earliest, second, third or latest of the four about equally often", () => {
  const facts = openSources(fileURLToPath(new URL("../../../data", import.meta.url)));
  const ranks = meetingSlot.candidates(facts).flatMap((row) => {
    const slots = row.state.slots as readonly { slot: string; starts_at_utc: string }[];
    const earlierFirst = slots.toSorted((a, b) => (a.starts_at_utc < b.starts_at_utc ? -1 : 1));
    const rank = earlierFirst.findIndex(({ slot }) => slot === row.gold);
    return rank < 0 ? [] : [rank];
  });
  const counts = [0, 1, 2, 3].map((place) => ranks.filter((rank) => rank === place).length);
  for (const count of counts) expect(count / ranks.length).toBeGreaterThan(0.15);
});
