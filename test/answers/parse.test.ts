import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/answers/json.ts";
import {
  exactSum,
  parseAnswer,
  readAnswer,
  readNativeAnswer,
  type WrapperPolicy,
} from "../../src/answers/parse.ts";
import { answerText, makeRow } from "../support/rows.ts";

const FENCE: WrapperPolicy = "allow_single_code_fence";
const { question } = makeRow(["yes", "no"]);
const GOOD = answerText("yes", [
  ["yes", 0.8],
  ["no", 0.2],
]);

const read = (text: string, policy: WrapperPolicy = FENCE, q = question) => parseAnswer(text, q, policy);

function accepted(text: string, policy: WrapperPolicy = FENCE, q = question) {
  const parsed = read(text, policy, q);
  if (!parsed.ok) throw new Error(`refused: ${parsed.reason}`);
  return { ...parsed.answer, wrapper: parsed.wrapper };
}

function reason(text: string, policy: WrapperPolicy = FENCE, q = question): string {
  const parsed = read(text, policy, q);
  if (parsed.ok) throw new Error("accepted");
  expect(parsed.reason.length).toBeLessThan(250);
  return parsed.reason;
}

describe("what is accepted", () => {
  test("a label of the options and exactly one probability per option", () => {
    const answer = accepted(GOOD);
    expect(answer.label).toBe("yes");
    expect([...(answer.probabilities ?? [])]).toEqual([
      ["yes", 0.8],
      ["no", 0.2],
    ]);
    expect(answer.rawProbabilitySum).toBe(1);
    expect(answer.labelIsArgmax).toBe(true);
    expect(answer.probabilitySource).toBe("verbalized");
    expect(answer.wrapper).toBe("none");
  });

  test("probabilities come in shown order, however the model ordered them", () => {
    const row = makeRow(["10", "2", "__proto__"]);
    const text = answerText("2", [
      ["__proto__", 0.1],
      ["2", 0.7],
      ["10", 0.2],
    ]);
    expect([...(accepted(text, FENCE, row.question).probabilities?.keys() ?? [])]).toEqual([
      "10",
      "2",
      "__proto__",
    ]);
  });

  test.each([
    ["with a tag", `\`\`\`json\n${GOOD}\n\`\`\``],
    ["with a tag in capitals", `\`\`\`JSON\n${GOOD}\n\`\`\``],
    ["without a tag", `\`\`\`\n${GOOD}\n\`\`\``],
    ["with \\r\\n", `\`\`\`json\r\n${GOOD}\r\n\`\`\`\r\n`],
    ["with space around", `\n  \`\`\` json \n\n${GOOD}\n\n\`\`\` \n`],
  ])("one whole code fence %s", (_, text) => {
    expect(accepted(text).wrapper).toBe("code_fence");
    expect(reason(text, "strict")).toMatch(/^not JSON/);
  });

  test("white space around the JSON, and extra keys at every level beside the asked ones", () => {
    const text =
      '\r\n\t {"note": [1], "answers": {"other": 1, "decision": {"why": "x", "label": "no", "probabilities": {"yes": 0, "no": 1}}}} \n';
    expect(accepted(text, "strict").label).toBe("no");
  });

  test("a label that is not the most probable option is scored, and said", () => {
    const answer = accepted(
      answerText("no", [
        ["yes", 0.6],
        ["no", 0.4],
      ]),
    );
    expect(answer.label).toBe("no");
    expect(answer.labelIsArgmax).toBe(false);
  });

  test("a tie within 1e-9 is the most probable option too", () => {
    const close = (low: number) =>
      answerText("no", [
        ["yes", 0.5],
        ["no", low],
      ]);
    expect(accepted(close(0.5 - 1e-10)).labelIsArgmax).toBe(true);
    expect(accepted(close(0.5 - 1e-8)).labelIsArgmax).toBe(false);
  });

  test.each([
    [[0.49, 0.49], 0.98],
    [[0.51, 0.51], 1.02],
    [[0.5, 0.51], 1.01],
    [[0.1, 0.88], 0.98],
    [[0.29, 0.73], 1.02],
  ])("the sum of %j is within the limit, normalised, and kept as it was", ([yes = 0, no = 0], sum) => {
    const answer = accepted(
      answerText("yes", [
        ["yes", yes],
        ["no", no],
      ]),
    );
    expect(answer.rawProbabilitySum).toBeCloseTo(sum, 12);
    expect(exactSum(answer.probabilities?.values() ?? [])).toBeCloseTo(1, 12);
    expect(answer.probabilities?.get("yes")).toBeCloseTo(yes / sum, 12);
  });

  test("many small parts that add up to exactly 0.98 and 1.02 are within the limit", () => {
    for (const [count, part] of [
      [98, "0.01"],
      [102, "0.01"],
      [14, "0.07"],
      [34, "0.03"],
    ] as const) {
      const row = makeRow(Array.from({ length: count }, (_, index) => `o${index}`));
      const text = answerText(
        "o0",
        row.question.options.map((option) => [option.label, part]),
      );
      expect(accepted(text, FENCE, row.question).rawProbabilitySum).toBeCloseTo(Number(part) * count, 12);
    }
  });

  test.each(["-0", "0.0", "0e5", "1e-400", "-1e-400"])("%s is the probability 0", (zero) => {
    const answer = accepted(
      answerText("no", [
        ["yes", zero],
        ["no", "1E0"],
      ]),
    );
    expect(Object.is(answer.probabilities?.get("yes"), 0)).toBe(true);
  });

  test("a normalised probability is never above 1", () => {
    const answer = accepted(
      answerText("no", [
        ["yes", 0],
        ["no", 0.98],
      ]),
    );
    expect(answer.probabilities?.get("no")).toBe(1);
  });

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "%s as a label of the row",
    (label) => {
      const row = makeRow([label, "other"]);
      expect(
        accepted(
          answerText(label, [
            [label, 1],
            ["other", 0],
          ]),
          FENCE,
          row.question,
        ).label,
      ).toBe(label);
    },
  );
});

describe("what is refused", () => {
  test.each([
    [
      "a sum of 0.9799",
      answerText("yes", [
        ["yes", 0.5],
        ["no", 0.4799],
      ]),
      /add up to 0.9799/,
    ],
    [
      "a sum of 1.0201",
      answerText("yes", [
        ["yes", 0.5],
        ["no", 0.5201],
      ]),
      /add up to 1.0201/,
    ],
    [
      "all zero",
      answerText("yes", [
        ["yes", 0],
        ["no", 0],
      ]),
      /add up to 0,/,
    ],
    [
      "NaN",
      answerText("yes", [
        ["yes", "NaN"],
        ["no", 0],
      ]),
      /^not JSON/,
    ],
    [
      "Infinity",
      answerText("yes", [
        ["yes", "Infinity"],
        ["no", 0],
      ]),
      /^not JSON/,
    ],
    [
      "a text as probability",
      answerText("yes", [
        ["yes", '"0.5"'],
        ["no", 0.5],
      ]),
      /"yes" is not a number but a text/,
    ],
    [
      "a boolean as probability",
      answerText("yes", [
        ["yes", "true"],
        ["no", 0],
      ]),
      /not a number but a boolean/,
    ],
    [
      "null as probability",
      answerText("yes", [
        ["yes", "null"],
        ["no", 1],
      ]),
      /not a number but null/,
    ],
    [
      "a list as probability",
      answerText("yes", [
        ["yes", "[1]"],
        ["no", 0],
      ]),
      /not a number but a list/,
    ],
    [
      "a negative probability",
      answerText("yes", [
        ["yes", -0.1],
        ["no", 1],
      ]),
      /is -0.1, not between 0 and 1/,
    ],
    [
      "one above 1",
      answerText("yes", [
        ["yes", 1.01],
        ["no", 0],
      ]),
      /is 1.01, not between/,
    ],
    [
      "one too large for a double",
      answerText("yes", [
        ["yes", "1e999"],
        ["no", 0],
      ]),
      /is 1e999, not between/,
    ],
    [
      "a huge number",
      answerText("yes", [
        ["yes", "9".repeat(5000)],
        ["no", 0],
      ]),
      /not between/,
    ],
    ["a missing option", answerText("yes", [["yes", 1]]), /no probability for the option "no"/],
    [
      "an extra option",
      answerText("yes", [
        ["yes", 1],
        ["no", 0],
        ["maybe", 0],
      ]),
      /for "maybe", which is not/,
    ],
    [
      "an inherited name as extra",
      answerText("yes", [
        ["yes", 1],
        ["no", 0],
        ["__proto__", 0],
      ]),
      /"__proto__"/,
    ],
    [
      "a label outside the options",
      answerText("maybe", [
        ["yes", 1],
        ["no", 0],
      ]),
      /"label" is "maybe"/,
    ],
    [
      "a label in another case",
      answerText("Yes", [
        ["yes", 1],
        ["no", 0],
      ]),
      /"label" is "Yes"/,
    ],
    [
      "a label with a space",
      answerText("yes ", [
        ["yes", 1],
        ["no", 0],
      ]),
      /"label" is "yes "/,
    ],
    [
      "an inherited name",
      answerText("constructor", [
        ["yes", 1],
        ["no", 0],
      ]),
      /"constructor"/,
    ],
    ["null as label", GOOD.replace('"yes"', "null"), /"label" is not a text but null/],
    ["a number as label", GOOD.replace('"yes"', "1"), /"label" is not a text but a number/],
    ["no label", '{"answers": {"decision": {"probabilities": {"yes": 1, "no": 0}}}}', /no "label"/],
    ["choice instead of label", GOOD.replace('"label"', '"choice"'), /no "label"/],
    ["no probabilities", '{"answers": {"decision": {"label": "yes"}}}', /no "probabilities"/],
    [
      "a list of probabilities",
      '{"answers": {"decision": {"label": "yes", "probabilities": [1, 0]}}}',
      /a list/,
    ],
    ["another question id", GOOD.replace("decision", "other"), /no answer to the question "decision"/],
    ["an inherited question id", '{"answers": {}}', /no answer to the question/],
    ["a text as answer", '{"answers": {"decision": "yes"}}', /not an object but a text/],
    ["no answers", "{}", /no "answers"/],
    ["answers as a list", '{"answers": []}', /"answers" is not an object but a list/],
    ["answers as null", '{"answers": null}', /not an object but null/],
    ["a list on top", "[]", /expected a JSON object, found a list/],
    ["a text on top", '"yes"', /found a text/],
    ["null on top", "null", /found null/],
    ["plain words", "yes", /^not JSON/],
    ["text before", `Sure! ${GOOD}`, /^not JSON/],
    ["text after", `${GOOD} Done.`, /^not JSON/],
    ["text before a fence", `Here:\n\`\`\`json\n${GOOD}\n\`\`\``, /^not JSON/],
    ["text after a fence", `\`\`\`json\n${GOOD}\n\`\`\`\nDone.`, /^not JSON/],
    ["two fences", `\`\`\`json\n${GOOD}\n\`\`\`\n\`\`\`json\n${GOOD}\n\`\`\``, /^not JSON/],
    ["a fence in a fence", `\`\`\`\n\`\`\`json\n${GOOD}\n\`\`\`\n\`\`\``, /^not JSON/],
    ["an open fence", `\`\`\`json\n${GOOD}`, /^not JSON/],
    ["a fence on one line", `\`\`\`json ${GOOD}\`\`\``, /^not JSON/],
    ["a fence with another tag", `\`\`\`yaml\n${GOOD}\n\`\`\``, /^not JSON/],
    ["an empty fence", "```json\n\n```", /empty/],
    ["nothing", "", /the answer is empty/],
    ["white space", " \r\n\t ", /the answer is empty/],
    ["a byte order mark", `\ufeff${GOOD}`, /byte order mark/],
    ["a key twice", GOOD.replace('"label": "yes"', '"label": "no", "label": "yes"'), /stands twice/],
    [
      "a probability twice",
      answerText("yes", [
        ["yes", 0.5],
        ["yes", 1],
        ["no", 0],
      ]),
      /stands twice/,
    ],
    ["a trailing comma", GOOD.replace(/}$/, ",}"), /^not JSON/],
    ["single quotes", GOOD.replaceAll('"', "'"), /^not JSON/],
    ["nesting without end", "[".repeat(100_000), /nested more than 256/],
    ["objects without end", '{"answers":'.repeat(100_000), /nested more than 256/],
  ])("%s", (_, text, why) => {
    expect(reason(text)).toMatch(why);
  });

  test("a reason quotes the model briefly and never half a word", () => {
    const long = `${"a ".repeat(29)}😀${"b".repeat(500_000)}`;
    const why = reason(
      answerText(long, [
        ["yes", 1],
        ["no", 0],
      ]),
    );
    expect(why).toContain(`"${"a ".repeat(29)}…"`);
    expect(why.isWellFormed()).toBe(true);
    expect(
      reason(
        answerText("\ud800", [
          ["yes", 1],
          ["no", 0],
        ]),
      ).isWellFormed(),
    ).toBe(true);
    expect(reason(`{"${"k".repeat(5000)}": 1, "${"k".repeat(5000)}": 2}`).length).toBeLessThan(200);
  });

  test("a megabyte of white space inside a fence line is read in linear time", () => {
    const start = performance.now();
    reason(`\`\`\`${" ".repeat(1_000_000)}x\n${GOOD}\n\`\`\``);
    reason(`\`\`\`json\n${GOOD}\n${" ".repeat(1_000_000)}x\`\`\``);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe("native answers", () => {
  const native = (body: string) => readAnswer(parseJson(body), question, "native");

  test("choice instead of label, the same rules for the rest", () => {
    const read = native(
      '{"answers": {"decision": {"choice": "no", "probabilities": {"yes": 0.3, "no": 0.7}}}}',
    );
    expect(read).toMatchObject({ ok: true, answer: { label: "no", probabilitySource: "native" } });
    expect(native(GOOD)).toMatchObject({ ok: false, reason: 'no "choice" in the answer' });
  });

  test("a null choice is a valid answer without label and confidence", () => {
    expect(native('{"answers": {"decision": {"choice": null, "probabilities": {}}}}')).toEqual({
      ok: true,
      answer: {
        label: null,
        probabilities: null,
        rawProbabilitySum: null,
        labelIsArgmax: null,
        probabilitySource: "native",
      },
    });
  });

  test("what was read is told without what stands around it, keys and numbers as they came", () => {
    const answers =
      '{"decision":{"choice":"no","probabilities":{"no":0.70,"yes":3e-1}},"10":{},"2":{},"__proto__":1}';
    const body = `{"request_id":"r-1","usage":{"input_tokens":7},"answers":${answers},"model":"m"}`;
    expect(readNativeAnswer(body, question)).toMatchObject({
      ok: true,
      answersText: `{"answers":${answers}}`,
      answer: { label: "no" },
    });
    expect(readNativeAnswer('{"model":"m"}', question)).toMatchObject({ ok: false, answersText: null });
    expect(readNativeAnswer("```json\n{}\n```", question)).toMatchObject({ ok: false, answersText: null });
  });
});
