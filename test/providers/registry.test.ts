import { expect, test } from "vitest";
import type { ModelConfig } from "../../src/models/schema.ts";
import { createProvider } from "../../src/providers/registry.ts";

const options = { env: {}, corpusDir: "/nowhere", jobs: 3 };
const model = (provider: string) => ({ id: "m", label: "M", model: "x", provider }) as ModelConfig;

test.each([
  ["typesafe", /TYPESAFE_API_KEY is not set/],
  ["laya", /LAYA_BASE_URL is not set/],
])("%s says what it lacks", async (provider, expected) => {
  await expect(createProvider(model(provider), options)).rejects.toThrow(expected);
});

test("an environment that is not fit is refused before anything is asked", async () => {
  await expect(createProvider(model("openai-compatible"), options)).rejects.toThrow(
    /DECISION_BENCH_BASE_URL is not set/,
  );
});

test("a provider that is opened and closed does nothing", async () => {
  const env = {
    DECISION_BENCH_BASE_URL: "https://api.example.invalid/v1",
    DECISION_BENCH_API_KEY: "key-1234",
  };
  const provider = await createProvider(model("openai-compatible"), { ...options, env });
  expect(provider.endpointId).toMatch(/^endpoint-[0-9a-f]{12}$/);
  await provider.close();
  await provider.close();
});
