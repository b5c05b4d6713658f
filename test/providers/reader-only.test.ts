// Every row of the corpus that is shipped, through every provider: what is for readers is in no request. The file is read
// here by plain JSON, not by the loader, so that the two can disagree.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stringifyJson } from "../../src/answers/json.ts";
import { POLICY } from "../../src/answers/prompt.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import type { ModelConfig } from "../../src/models/schema.ts";
import { COMMAND_OF } from "../../src/providers/cli/find-command.ts";
import { createProvider } from "../../src/providers/registry.ts";
import { openWorkspace, packageRoot } from "../../src/workspace.ts";
import { makeFakeCli } from "../support/fake-cli.ts";

interface FileRow {
  readonly state: unknown;
  readonly questions: readonly [Record<string, unknown>];
  readonly [field: string]: unknown;
}

const chat = { id: "m", label: "M", provider: "openai-compatible", model: "served" } as const;
const MODELS: readonly [string, ModelConfig][] = [
  ["openai-compatible", chat],
  ["openai-compatible with pictures", { ...chat, vision: true }],
  ["openai-compatible without a schema", { ...chat, request: { response_format: "prompt" } }],
  ["typesafe", { ...chat, provider: "typesafe" }],
  ["laya", { ...chat, provider: "laya", vision: true }],
  ["claude-cli", { ...chat, provider: "claude-cli" }],
  ["codex-cli", { ...chat, provider: "codex-cli" }],
  ["baseline-uniform", { ...chat, provider: "baseline", request: { method: "uniform" } }],
  ["baseline-lexical", { ...chat, provider: "baseline", request: { method: "lexical" } }],
];

const workspace = openWorkspace({ root: packageRoot, cwd: packageRoot, env: {} });
const pointer = JSON.parse(readFileSync(workspace.corpusPointer, "utf8")) as { path: string };
const fileRows = readFileSync(join(packageRoot, pointer.path), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as FileRow);

/** All texts inside a value, names of fields included. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}

/** What a request says about the row, wherever the provider puts it. */
function inputOf(request: Record<string, unknown>): unknown {
  if ("questions" in request) {
    const [[id, { type, instructions, criteria }] = expect.unreachable()] = Object.entries(
      request.questions as Record<string, { type: string; instructions: string; criteria: unknown }>,
    );
    const policy = `${POLICY}\n\n`;
    expect(instructions.startsWith(policy)).toBe(true);
    const question = { id, type, instructions: instructions.slice(policy.length), options: criteria };
    return { state: request.state, questions: [question] };
  }
  if ("stdin" in request) return JSON.parse(String(request.stdin).split("\n\n")[0] ?? "");
  if (!("messages" in request)) return request.input;
  const [, user] = request.messages as [unknown, { content: string | readonly [{ text: string }] }];
  const text = typeof user.content === "string" ? user.content : user.content[0].text;
  return JSON.parse(text.split("\n\n")[0] ?? "");
}

test.each(MODELS)("%s", async (_, model) => {
  const command = COMMAND_OF[model.provider];
  const provider = await createProvider(model, {
    env: {
      ...Object.fromEntries(
        ["DECISION_BENCH", "TYPESAFE", "LAYA"].map((name) => [`${name}_BASE_URL`, "http://127.0.0.1:9/v1"]),
      ),
      OPENAI_API_KEY: "openai-key-0001",
      ...(command === undefined ? {} : { PATH: makeFakeCli(command, "").path }),
    },
    corpusDir: dirname(join(packageRoot, pointer.path)),
    jobs: 1,
  });
  const { rows } = await loadCorpus(workspace);
  expect(rows).toHaveLength(fileRows.length);
  for (const [index, row] of rows.entries()) {
    const { state, questions, assets, ...reader } = fileRows[index] ?? expect.unreachable();
    const { id, type, instructions, options, ...hidden } = questions[0];
    // The name of a setting of a command, which the category "support" is a part of.
    const text = stringifyJson(await provider.preview(row)).replaceAll("supports_websockets", "");
    expect(inputOf(JSON.parse(text)), row.id).toEqual({
      state,
      questions: [{ id, type, instructions, options }],
    });
    // The type of a picture is part of the address that it is sent as.
    const pictures = ((assets ?? []) as Record<string, unknown>[]).map(
      ({ media_type: _, ...asset }) => asset,
    );
    // A text for readers may stand in the record, too; anywhere else it must not be.
    const shown = JSON.stringify([state, id, type, instructions, options]);
    const labels = Object.keys(options as object);
    for (const secret of textsOf([Object.values(reader), Object.values(hidden), pictures])) {
      if (secret.length < 6 || shown.includes(secret) || labels.includes(secret)) continue;
      expect(text.includes(secret), `${row.id}: ${secret}`).toBe(false);
    }
    for (const field of ["gold", "rationale", "option_order", "provenance"]) {
      if (!shown.includes(`"${field}"`)) expect(text, row.id).not.toContain(`\\"${field}\\":`);
    }
  }
  await provider.close();
});
