// The rules of the tasks of the category documents, on cases small enough to check by hand.
import { expect, test } from "vitest";
import { printDate, readDate } from "../../../src/corpus/build/documents/printed-date.ts";

test("dates are printed by the pattern and read by the order", () => {
  const date = { day: 7, month: 5, year: 2011 };
  expect(printDate("M/d/yy", date)).toBe("5/7/11");
  expect(printDate("d.MM.yy 'г'.", date)).toBe("7.05.11 г.");
  expect(printDate("yy. M. d.", { ...date, year: 2004 })).toBe("04. 5. 7.");
  expect(() => printDate("d MMM yy", date)).toThrow("MMM is not a field");
  expect(readDate("5/7/11", "MDY")).toEqual(date);
  expect(readDate("04. 5. 7.", "YMD")).toEqual({ ...date, year: 2004 });
});
