import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { bench } from "../support/commands.ts";
import { addTwoRuns } from "../support/runs.ts";
import { makeWorkspace, result } from "../support/workspace.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../docs/schemas/score.schema.json", import.meta.url), "utf8"),
) as object;
const valid = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

function problemsOf(document: unknown): string[] {
  valid(document);
  return (valid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

async function score(run: string): Promise<Record<string, unknown>> {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  workspace.addRun("empty", {});
  workspace.addRun("elsewhere", {
    config: { corpus_sha256: "0".repeat(64) },
    results: [result({ row: "a-1", gold: "yes", label: "yes" })],
  });
  const { stdout, error } = await bench(workspace, ["score", run, "--json"]);
  expect(error).toBeUndefined();
  return JSON.parse(stdout) as Record<string, unknown>;
}

test.each(["whole", "under-way", "empty", "elsewhere"])(
  "the score of the run %s has its shape",
  async (run) => {
    expect(problemsOf(await score(run))).toEqual([]);
  },
);

test("a document with a field too many, one too few, or a share above 1 has not", async () => {
  const whole = await score("whole");
  const { cost, ...rest } = whole;
  expect(problemsOf({ ...whole, extra: 1 })).toEqual([" must NOT have additional properties"]);
  expect(problemsOf(rest)).toEqual([" must have required property 'cost'"]);
  expect(problemsOf({ ...whole, cost: { ...(cost as object), coverage: 2 } })).toEqual([
    "/cost/coverage must be <= 1",
  ]);
  expect(problemsOf({ ...whole, overall: { ...(whole.overall as object), wilson95: [0] } })).not.toEqual([]);
});
