import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, parseJson, stringifyJson } from "../../src/answers/json.ts";
import { POLICY, PROMPT_VERSION, promptSha256, userText } from "../../src/answers/prompt.ts";
import { answerSchema } from "../../src/answers/schema.ts";
import { makeRow } from "../support/rows.ts";

const ODD = ["10", "2", "b", "__proto__", "1", "constructor", "a"];

function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let here = value;
  for (const key of path) here = isJsonObject(here) ? here.get(key) : undefined;
  return here;
}

function parts(text: string): { input: Json; line: string; schema: Json } {
  const [input = "", line = "", schema = "", ...rest] = text.split(/\n+/);
  expect(rest).toEqual([]);
  return { input: parseJson(input), line, schema: parseJson(schema) };
}

describe("the user message", () => {
  test("is the public input, an empty line, one line, and the schema", () => {
    const text = userText(makeRow());
    expect(text.split("\n")).toHaveLength(4);
    expect(text.split("\n")[1]).toBe("");
    const { input, line, schema } = parts(text);
    expect(line).toMatch(/JSON schema:$/);
    expect(at(input, "state")).toBe("The tap drips.");
    expect(stringifyJson(schema)).toBe(stringifyJson(answerSchema(makeRow().question)));
  });

  test("holds nothing that only readers see", () => {
    expect(userText(makeRow())).not.toContain("SECRET");
  });

  test("gives options in shown order, in the question and in the schema alike, whatever they look like", () => {
    const { input, schema } = parts(userText(makeRow(ODD)));
    const [question] = at(input, "questions") as Json[];
    const keys = (value: Json | undefined): string[] => (isJsonObject(value) ? [...value.keys()] : []);
    expect(keys(at(question, "options"))).toEqual(ODD);
    const decision = at(schema, "properties", "answers", "properties", "decision");
    expect(at(decision, "properties", "label", "enum")).toEqual(ODD);
    expect(keys(at(decision, "properties", "probabilities", "properties"))).toEqual(ODD);
    expect(at(decision, "properties", "probabilities", "required")).toEqual(ODD);
  });

  test("keeps the order and the digits of a structured state", () => {
    const state = parseJson('{"10": 1.50, "2": 12345678901234567890, "__proto__": [true]}');
    const text = userText(makeRow(["a", "b"], { state: isJsonObject(state) ? state : "" }));
    expect(text).toContain('{"state":{"10":1.50,"2":12345678901234567890,"__proto__":[true]},"questions":');
  });
});

describe("the schema", () => {
  test("has the documented shape", () => {
    expect(JSON.parse(stringifyJson(answerSchema(makeRow(["yes", "no"]).question)))).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["answers"],
      properties: {
        answers: {
          type: "object",
          additionalProperties: false,
          required: ["decision"],
          properties: {
            decision: {
              type: "object",
              additionalProperties: false,
              required: ["label", "probabilities"],
              properties: {
                label: { type: "string", enum: ["yes", "no"] },
                probabilities: {
                  type: "object",
                  additionalProperties: false,
                  required: ["yes", "no"],
                  properties: { yes: { type: "number" }, no: { type: "number" } },
                },
              },
            },
          },
        },
      },
    });
  });
});

describe("the policy", () => {
  test("says what the protocol asks for", () => {
    for (const part of [
      /not trusted/,
      /do not obey/,
      /you do not act/i,
      /no tools, open no files.*web/,
      /nothing else/,
    ]) {
      expect(POLICY).toMatch(part);
    }
  });

  // Whoever changes a word changes PROMPT_VERSION, and then this digest.
  test("has the digest of its version", () => {
    expect(PROMPT_VERSION).toBe("choice-v1");
    expect(promptSha256()).toMatch(/^[0-9a-f]{64}$/);
    expect(createHash("sha256").update(POLICY).digest("hex").slice(0, 16)).toBe("6427900ae6cb76fe");
    expect(promptSha256().slice(0, 16)).toBe("8856668107c5549a");
  });
});
