// The parser against a second, independent reading of the rules: JSON.parse, integers instead of floats, no shared code.
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnswer } from "../../src/answers/parse.ts";
import { makeRow } from "../support/rows.ts";

/** Labels that objects, regular expressions and JSON stumble over, and ordinary ones. */
const label = fc.oneof(
  fc.constantFrom(
    "10",
    "2",
    "01",
    "-1",
    "__proto__",
    "constructor",
    "toString",
    "",
    " ",
    '"',
    "\\",
    "```",
    "é",
    "😀",
  ),
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => text.isWellFormed()),
);
const labels = fc.uniqueArray(label, { minLength: 2, maxLength: 6 });

/** Thousandths, so that sums are exact integers here. */
const thousandths = fc.oneof(fc.integer({ min: -10, max: 1010 }), fc.integer({ min: 0, max: 600 }));

const written = (value: number, form: number): string => {
  if (form === 0) return String(value / 1000);
  if (form === 1) return `${value}e-3`;
  return (value / 1000).toExponential();
};

interface Case {
  readonly options: readonly string[];
  readonly label: string;
  readonly stated: readonly (readonly [string, number])[];
}

const cases: fc.Arbitrary<Case> = labels.chain((options) =>
  fc.record({
    options: fc.constant(options),
    label: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...options) }, { weight: 1, arbitrary: label }),
    stated: fc.oneof(
      {
        weight: 6,
        // Mostly answers near a sum of 1: all but the last are free, the last one fills up, off by a little.
        arbitrary: fc
          .tuple(
            fc.array(fc.integer({ min: 0, max: Math.floor(1000 / options.length) }), {
              minLength: options.length - 1,
              maxLength: options.length - 1,
            }),
            fc.integer({ min: -25, max: 25 }),
            fc.shuffledSubarray([...options], { minLength: options.length, maxLength: options.length }),
          )
          .map(([free, off, order]) => {
            const last = 1000 + off - free.reduce((sum, value) => sum + value, 0);
            return order.map((option, index) => [option, free[index] ?? last] as const);
          }),
      },
      {
        weight: 2,
        arbitrary: fc.uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...options), label), thousandths), {
          selector: ([key]) => key,
          maxLength: 7,
        }),
      },
    ),
  }),
);

function isValid({ options, label, stated }: Case): boolean {
  const sum = stated.reduce((total, [, value]) => total + value, 0);
  return (
    options.includes(label) &&
    stated.length === options.length &&
    stated.every(([key, value]) => options.includes(key) && value >= 0 && value <= 1000) &&
    sum >= 980 &&
    sum <= 1020
  );
}

test("accepts exactly what the rules allow", () => {
  let valid = 0;
  fc.assert(
    fc.property(cases, fc.integer({ min: 0, max: 2 }), fc.boolean(), (made, form, fenced) => {
      const members = made.stated.map(([key, value]) => `${JSON.stringify(key)}:${written(value, form)}`);
      const json = `{"answers":{"decision":{"probabilities":{${members}},"label":${JSON.stringify(made.label)}}}}`;
      const text = fenced ? `\`\`\`json\n${json}\n\`\`\`` : json;
      const parsed = parseAnswer(text, makeRow(made.options).question, "allow_single_code_fence");
      expect(parsed.wrapper).toBe(fenced ? "code_fence" : "none");
      expect(parsed.ok).toBe(isValid(made));
      if (!parsed.ok) return;
      valid += 1;
      const { probabilities, rawProbabilitySum, labelIsArgmax } = parsed.answer;
      const stated = new Map(made.stated);
      const sum = [...stated.values()].reduce((total, value) => total + value, 0);
      expect([...(probabilities?.keys() ?? [])]).toEqual(made.options);
      for (const [key, value] of probabilities ?? []) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(value).toBeCloseTo((stated.get(key) ?? Number.NaN) / sum, 12);
      }
      expect(rawProbabilitySum).toBeCloseTo(sum / 1000, 12);
      expect(labelIsArgmax).toBe(stated.get(made.label) === Math.max(...stated.values()));
    }),
    { numRuns: 3000 },
  );
  expect(valid).toBeGreaterThan(500);
});

test("never throws, and never accepts what is not JSON", () => {
  const { question } = makeRow(["yes", "no"]);
  const good = '{"answers": {"decision": {"label": "yes", "probabilities": {"yes": 0.75, "no": 0.25}}}}';
  const damaged = fc
    .tuple(fc.nat(good.length), fc.nat(4), fc.string({ unit: "binary", maxLength: 4 }))
    .map(([at, count, text]) => good.slice(0, at) + text + good.slice(at + count));
  const noise = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.json({ maxDepth: 6 }),
    damaged,
    fc
      .array(fc.constantFrom(...'{}[]":,```json\n\r\t 01.e-truefalsnu\\\u0000\ud800'), { maxLength: 60 })
      .map((c) => c.join("")),
  );
  fc.assert(
    fc.property(noise, fc.constantFrom("strict", "allow_single_code_fence"), (text, policy) => {
      const parsed = parseAnswer(text, question, policy);
      if (!parsed.ok) {
        expect(parsed.reason).not.toBe("");
        expect(parsed.reason.length).toBeLessThan(250);
        expect(parsed.reason).not.toMatch(/[\r\n]/);
        return;
      }
      const json = parsed.wrapper === "none" ? text : text.trim().split("\n").slice(1, -1).join("\n");
      const { label, probabilities } = JSON.parse(json).answers.decision;
      expect(["yes", "no"]).toContain(label);
      expect(Object.keys(probabilities).sort()).toEqual(["no", "yes"]);
    }),
    { numRuns: 5000 },
  );
});
