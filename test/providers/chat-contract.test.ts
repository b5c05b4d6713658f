// The contract that requests are held to does refuse what the documentation refuses.
import { expect, test } from "vitest";
import { violationsOf } from "./chat-contract.ts";

const strict = {
  type: "object",
  additionalProperties: false,
  required: ["a"],
  properties: { a: { type: "number" } },
};
const format = (schema: unknown, changes = {}) => ({
  type: "json_schema",
  json_schema: { name: "decision", strict: true, schema, ...changes },
});
const body = (changes: Record<string, unknown> = {}) => ({
  model: "m",
  messages: [
    { role: "system", content: "s" },
    { role: "user", content: "u" },
  ],
  ...changes,
});

test("a plain request and a strict one are within it", () => {
  expect(violationsOf(body())).toEqual([]);
  expect(violationsOf(body({ response_format: format(strict), max_tokens: 5 }))).toEqual([]);
});

test.each<[string, unknown]>([
  ["no object", []],
  ["no model", { messages: body().messages }],
  ["an unknown field", body({ state: {} })],
  [
    "a role that is none",
    body({
      messages: [
        { role: "policy", content: "x" },
        { role: "user", content: "u" },
      ],
    }),
  ],
  [
    "a field of a message that is none",
    body({
      messages: [
        { role: "user", content: "u", id: 1 },
        { role: "user", content: "u" },
      ],
    }),
  ],
  [
    "a picture by address",
    body({
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: [{ type: "image_url", image_url: { url: "http://h/a.png" } }] },
      ],
    }),
  ],
  ["both token limits", body({ max_tokens: 1, max_completion_tokens: 1 })],
  ["a token limit of 0", body({ max_tokens: 0 })],
  ["a temperature above 2", body({ temperature: 2.1 })],
  ["null in place of nothing", body({ temperature: null })],
  ["a format that is none", body({ response_format: { type: "json" } })],
  ["a schema that is not strict", body({ response_format: format(strict, { strict: false }) })],
  ["a bad name", body({ response_format: format(strict, { name: "my decision" }) })],
  ["an open object", body({ response_format: format({ ...strict, additionalProperties: true }) })],
  ["a property that is not required", body({ response_format: format({ ...strict, required: [] }) })],
  [
    "a bound on a number",
    body({ response_format: format({ ...strict, properties: { a: { type: "number", minimum: 0 } } }) }),
  ],
  ["a root that is no object", body({ response_format: format({ type: "number" }) })],
])("%s is not", (_, request) => {
  expect(violationsOf(request)).not.toEqual([]);
});
