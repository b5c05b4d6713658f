// The rules of single tasks, on cases small enough to check by hand.
import { describe, expect, test } from "vitest";
import { qualifies, requestPrice } from "../../../src/corpus/build/agents/cheapest-model.ts";
import { rateOn, ratePeriods } from "../../../src/corpus/build/commerce/invoice-tax.ts";
import { addDays, addMonths } from "../../../src/corpus/build/dates.ts";
import { suits } from "../../../src/corpus/build/documents/meeting-slot.ts";
import { isSupported } from "../../../src/corpus/build/engineering/blocking-browser.ts";
import { ibanRemainder, withCheckDigits } from "../../../src/corpus/build/finance/account-check.ts";
import {
  alternatives,
  expressionText,
  judge,
  parseExpression,
} from "../../../src/corpus/build/legal/license-gate.ts";
import { baselineLevel } from "../../../src/corpus/build/product/ship-decision.ts";
import { skeleton } from "../../../src/corpus/build/safety/impersonation.ts";
import { isStaffed } from "../../../src/corpus/build/support/staffed-desk.ts";
import { compareVersions } from "../../../src/corpus/build/versions.ts";

test("versions compare part by part", () => {
  expect(compareVersions("9.1", "15.4")).toBeLessThan(0);
  expect(compareVersions("15.4", "15.10")).toBeLessThan(0);
  expect(compareVersions("6", "6.0")).toBe(0);
});

describe("isSupported", () => {
  const history = [
    { added: "84" },
    { added: "60", prefix: "-webkit-" },
    { added: "40", removed: "45" },
    { added: "70", removed: "84", flag: true as const },
  ];
  test.each([
    ["39", false],
    ["40", true],
    ["45", false],
    ["75", false],
    ["84", true],
    ["100", true],
  ])("%s: %s", (version, expected) => expect(isSupported(history, version)).toBe(expected));
  test("never and preview are in no released version", () => {
    expect(isSupported([{ added: "never" }], "100")).toBe(false);
    expect(isSupported([{ added: "preview" }], "100")).toBe(false);
    expect(isSupported([{ added: "3", partial: true }], "100")).toBe(false);
  });
});

describe("cheapest qualifying model", () => {
  const model = {
    id: "m",
    context: 1_000,
    output: 100,
    input: ["text"],
    tools: false,
    price_in: 2,
    price_out: 10,
  };
  const request = { input_tokens: 900, output_tokens: 100, has_image: false, needs_tools: false };
  test("limits are inclusive", () => {
    expect(qualifies(model, request)).toBe(true);
    expect(qualifies(model, { ...request, input_tokens: 901 })).toBe(false);
    expect(qualifies(model, { ...request, input_tokens: 1, output_tokens: 101 })).toBe(false);
    expect(qualifies(model, { ...request, has_image: true })).toBe(false);
    expect(qualifies(model, { ...request, needs_tools: true })).toBe(false);
  });
  test("price in millionths", () => expect(requestPrice(model, request)).toBe(2_800));
});

describe("account numbers", () => {
  test("the published examples of the standard have the remainder 1", () => {
    expect(ibanRemainder("GB82WEST12345698765432")).toBe(1);
    expect(ibanRemainder("DE89370400440532013000")).toBe(1);
    expect(ibanRemainder("DE89370400440532013001")).not.toBe(1);
  });
  test("check digits have two places", () => {
    expect(withCheckDigits("GB", "WEST12345698765432")).toBe("GB82WEST12345698765432");
    expect(withCheckDigits("DE", "370400440532013000")).toBe("DE89370400440532013000");
  });
});

describe("licence expressions", () => {
  const expression = { and: ["A", { or: ["B", { and: ["C", "D"] }] }] };
  test("text and alternatives", () => {
    expect(expressionText(expression)).toBe("A AND (B OR (C AND D))");
    expect(alternatives(expression)).toEqual([
      ["A", "B"],
      ["A", "C", "D"],
    ]);
  });
  test.each([
    [["A", "B", "C", "D"], "pass"],
    [["A", "C", "D"], "pass-with-choice"],
    [["B", "C", "D"], "fail"],
    [["A", "C"], "fail"],
  ])("%j: %s", (allowed, outcome) => expect(judge(expression, new Set(allowed), () => true)).toBe(outcome));
  test.each(["A", "A AND (B OR (C AND D))", "(A AND B) OR (C AND D)", "(A OR B) AND (C OR D)"])(
    "%s is read back",
    (text) => expect(expressionText(parseExpression(text))).toBe(text),
  );
  test("an unknown name comes before everything else", () => {
    expect(judge(expression, new Set(["A", "B", "C", "D"]), (id) => id !== "D")).toBe("unknown-identifier");
  });
});

describe("baselineLevel", () => {
  const releases = ["2020-01-15", "2021-03-10", "2019-12-01"];
  test.each([
    ["2021-03-09", "limited"],
    ["2021-03-10", "newly-available"],
    ["2023-09-09", "newly-available"],
    ["2023-09-10", "widely-available"],
  ])("%s: %s", (day, level) => expect(baselineLevel(releases, day)).toBe(level));
  test("a browser without it keeps it limited", () =>
    expect(baselineLevel([...releases, null], "2030-01-01")).toBe("limited"));
});

test("dates", () => {
  expect(addMonths("2021-12-05", 30)).toBe("2024-06-05");
  expect(addMonths("2021-06-05", 6)).toBe("2021-12-05");
  expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
  expect(addDays("2024-01-01", -1)).toBe("2023-12-31");
});

test("skeletons undo look-alikes only", () => {
  const prototypes = new Map([["а", "a"]]);
  expect(skeleton("cаsa", prototypes)).toBe("casa");
  expect(skeleton("c_äsa", prototypes)).toBe("c_äsa");
});

describe("isStaffed", () => {
  const hours = { opens: 9, closes: 17 };
  test.each([
    ["2026-03-09T09:00:00Z", 0, true],
    ["2026-03-09T08:59:00Z", 0, false],
    ["2026-03-09T17:00:00Z", 0, false],
    ["2026-03-08T23:30:00Z", 600, true], // Sunday in UTC, Monday 09:30 there
    ["2026-03-13T22:30:00Z", 720, false], // Saturday there
    ["2026-03-14T00:30:00Z", -480, true], // still Friday 16:30
  ])("%s at %d: %s", (instant, offset, open) => expect(isStaffed(hours, instant, offset)).toBe(open));
});

test("a rate holds from its first day to the day before the next", () => {
  const record = {
    id: "XX",
    eu: true,
    rate: 0.255,
    earlier: [
      { until: "2022-01-01", rate: 0.2 },
      { until: "2024-09-01", rate: 0.24 },
    ],
  };
  expect(ratePeriods(record).map((p) => [p.from, p.until, p.rate_percent])).toEqual([
    [null, "2022-01-01", 20],
    ["2022-01-01", "2024-09-01", 24],
    ["2024-09-01", null, 25.5],
  ]);
  expect(["2021-12-31", "2022-01-01", "2024-08-31", "2024-09-01"].map((d) => rateOn(record, d))).toEqual([
    20, 24, 24, 25.5,
  ]);
});

test("a meeting suits whoever works through all of it, on a working day of the place", () => {
  const hours = { from: 9 * 60, until: 17 * 60 };
  const zurich = (start: string): boolean => suits(hours, start, 60);
  expect(zurich("2026-01-16T08:00:00Z")).toBe(true);
  expect(zurich("2026-01-16T07:30:00Z")).toBe(false);
  expect(zurich("2026-01-16T15:00:00Z")).toBe(true);
  expect(zurich("2026-01-16T15:30:00Z")).toBe(false);
  expect(zurich("2026-01-17T10:00:00Z")).toBe(false);
  // Saturday in UTC, Friday afternoon in Honolulu; Sunday in UTC, Monday in Auckland.
  expect(suits(hours, "2026-01-17T01:00:00Z", -600)).toBe(true);
  expect(suits(hours, "2026-01-18T21:00:00Z", 780)).toBe(true);
  expect(suits(hours, "2026-01-16T21:00:00Z", 780)).toBe(false);
});
