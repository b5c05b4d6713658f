// A row that no system would start the command for is refused before anything is run.
import { expect, test } from "vitest";
import { stringifyJson } from "../../../src/answers/json.ts";
import { answerSchema } from "../../../src/answers/schema.ts";
import type { CorpusRow } from "../../../src/corpus/schema.ts";
import type { ModelConfig } from "../../../src/models/schema.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { createProvider } from "../../../src/providers/registry.ts";
import { GOOD, makeFakeCli } from "../../support/fake-cli.ts";
import { makeRow } from "../../support/rows.ts";

function open(name: "claude" | "codex"): Promise<Provider> {
  const model = { id: "m", label: "M", provider: `${name}-cli`, model: "x" } as ModelConfig;
  const keys = { ANTHROPIC_API_KEY: "anthropic-key-0001", OPENAI_API_KEY: "openai-key-0002" };
  const env = { ...keys, PATH: makeFakeCli(name, GOOD[name]).path };
  return createProvider(model, { env, corpusDir: "/nowhere", jobs: 2 });
}

const bytesOf = (row: CorpusRow): number => Buffer.byteLength(stringifyJson(answerSchema(row.question)));
/** The longest label for which a schema has 131,071 bytes at most: it stands there three times. */
const label = (() => {
  const spare = 128 * 1024 - 1 - bytesOf(makeRow(["", "no"]));
  return "é".repeat(Math.floor(spare / 6)) + "x".repeat(Math.floor((spare % 6) / 3));
})();
const fits = makeRow([label, "no"], { id: "fits" });
const long = makeRow([`${label}x`, "no"], { id: "long" });

test("claude: a schema that is too long for an argument, in bytes and not in characters, names its row", async () => {
  const provider = await open("claude");
  expect(() => provider.assertAskable?.([makeRow(), fits])).not.toThrow();
  expect(() => provider.assertAskable?.([fits, long])).toThrow(
    `row long cannot be asked through claude: its argument --json-schema has ${bytesOf(long)} bytes, and 131071 is the most`,
  );
  expect(() => provider.assertAskable?.([long, long, fits])).toThrow(/row long \(and 1 more\)/);
  await provider.close();
});

test("claude: the longest that is not refused can be asked", async () => {
  const provider = await open("claude");
  const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
  expect(await provider.call(fits, limits)).toMatchObject({ status: "ok" });
  await provider.close();
});

test("codex reads its schema from a file, of any length", async () => {
  const provider = await open("codex");
  expect(() => provider.assertAskable?.([long])).not.toThrow();
  await provider.close();
});
