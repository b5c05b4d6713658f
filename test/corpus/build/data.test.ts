// The rules of the tasks of the category data, on cases small enough to check by hand.
import { describe, expect, test } from "vitest";
import { sharesOfUsual } from "../../../src/corpus/build/data/holiday-weekday.ts";
import { holidayOn } from "../../../src/corpus/build/holidays.ts";

describe("holidayOn", () => {
  // From the calendars that the US Office of Personnel Management published for these years.
  test.each([
    ["2004-12-24", "Christmas Day"],
    ["2004-12-31", "New Year's Day"],
    ["2005-12-26", "Christmas Day"],
    ["2006-11-10", "Veterans Day"],
    ["2009-07-03", "Independence Day"],
    ["2010-05-31", "Memorial Day"],
    ["2010-01-18", "Birthday of Martin Luther King"],
    ["2010-02-15", "Washington's Birthday"],
    ["2010-09-06", "Labor Day"],
    ["2010-10-11", "Columbus Day"],
    ["2012-11-22", "Thanksgiving Day"],
    ["2014-11-11", "Veterans Day"],
  ])("%s is %s", (date, name) => expect(holidayOn(date)).toBe(name));

  test.each(["2004-12-25", "2010-05-24", "2012-11-15", "2012-11-29", "2014-10-20", "2014-07-03"])(
    "%s is none",
    (date) => expect(holidayOn(date)).toBeNull(),
  );
});

test("the share of the usual is against the mean of the same weekday", () => {
  expect(sharesOfUsual([90, 50], [100, 100], [80, 100])).toEqual([1, 0.5]);
});
