// The rules of the agents' tasks, checked by hand and by an independent validator.
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolCall } from "../../../src/corpus/build/agents/tool-call.ts";
import { checkCall, hasType } from "../../../src/corpus/build/agents/tool-check.ts";
import { plainState } from "../../../src/corpus/build/decidability.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { packageRoot } from "../../../src/workspace.ts";
import { toolVerdict } from "./tool-call-rule.ts";

const parameters = [
  { name: "owner", type: "string", required: true },
  { name: "state", type: "string", required: false, values: ["open", "closed"] },
  { name: "per_page", type: "integer", required: false },
  { name: "labels", type: "list of string", required: false },
];

test.each([
  [{ owner: "42" }, ["valid"]],
  [{ owner: "", per_page: 0, labels: [], state: "open" }, ["valid"]],
  [{ state: "open" }, ["missing-required"]],
  [{ owner: null }, ["wrong-type"]],
  [{ owner: "a", per_page: "30" }, ["wrong-type"]],
  [{ owner: "a", per_page: 2.5 }, ["wrong-type"]],
  [{ owner: "a", labels: "bug" }, ["wrong-type"]],
  [{ owner: "a", labels: ["bug", 1] }, ["wrong-type"]],
  [{ owner: "a", state: "Open" }, ["not-in-enum"]],
  [{ owner: "a", state: 1 }, ["wrong-type"]],
  [{ owner: "a", perPage: 30 }, ["unknown-parameter"]],
  [{ Owner: "a" }, ["unknown-parameter", "missing-required"]],
])("%j: %j", (call, verdicts) => expect(checkCall(parameters, call)).toEqual(verdicts));

test("a text is never a truth value, nor a number one", () => {
  expect([hasType(true, "boolean"), hasType("true", "boolean"), hasType(1, "boolean")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a validator of JSON Schema finds the one fault of every call, or none", () => {
  const candidates = toolCall.candidates(openSources(join(packageRoot, "data")));
  expect(candidates.length).toBeGreaterThan(300);
  for (const candidate of candidates) {
    expect(toolVerdict(plainState(candidate) as never), candidate.key).toBe(candidate.gold);
  }
});
