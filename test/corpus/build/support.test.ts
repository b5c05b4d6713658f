// The rules of the support tasks, on cases small enough to check by hand, and what their picture shows.
import { describe, expect, test } from "vitest";
import { nationalDigits } from "../../../src/corpus/build/support/phone-line.ts";
import { supportPhase } from "../../../src/corpus/build/support/release-support.ts";
import { scheduleChart } from "../../../src/corpus/build/support/schedule-chart.ts";

describe("supportPhase", () => {
  const longTerm = {
    id: "v10",
    start: "2018-04-24",
    lts: "2018-10-30",
    maintenance: "2020-05-19",
    end: "2021-04-30",
  };
  test.each([
    ["2018-04-24", "current"],
    ["2018-10-29", "current"],
    ["2018-10-30", "active-lts"],
    ["2020-05-18", "active-lts"],
    ["2020-05-19", "maintenance"],
    ["2021-04-30", "maintenance"],
    ["2021-05-01", "end-of-life"],
  ])("%s: %s", (day, phase) => expect(supportPhase(longTerm, day)).toBe(phase));
  test("a line without a long-term phase goes straight into maintenance", () => {
    expect(supportPhase({ ...longTerm, lts: null }, "2020-05-18")).toBe("current");
    expect(supportPhase({ ...longTerm, lts: null }, "2020-05-19")).toBe("maintenance");
  });
});

test("the chart shows the days of every line and the ticket's, and names no answer beside its legend", () => {
  const line = { id: "v9", start: "2017-10-01", lts: null, maintenance: "2018-04-01", end: "2018-06-30" };
  const { svg, alt } = scheduleChart([line], "v9", "2018-05-15", 30);
  expect(svg).toContain("2017-10-01 &gt; 2018-04-01 &gt; 2018-06-30");
  expect(svg).toContain("Ticket 2018-05-15, fix 30 days later");
  // Two bars and no third: the line has no long-term phase. The legend has one mark of each.
  expect(svg.match(/fill="#228833"/g)).toHaveLength(1);
  expect(svg.match(/fill="#ccbb44"/g)).toHaveLength(2);
  expect(alt).toContain("customer's line v9");
});

test.each([
  ["+44 7400 123456", "+44", "7400123456"],
  ["+39 02 1234 5678", "+39", "0212345678"],
  ["+82 2-212-3456", "+82", "22123456"],
])("the digits of %s after %s are %s", (number, code, digits) => {
  expect(nationalDigits(number, code)).toBe(digits);
});
