import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import type { ModelConfig } from "../../src/models/schema.ts";
import { createProvider } from "../../src/providers/registry.ts";

const options = { env: {}, corpusDir: "/nowhere", jobs: 3 };
const model = (provider: string) => ({ id: "m", label: "M", model: "x", provider }) as ModelConfig;

test.each(["typesafe", "laya"])("%s is planned, and says so", async (provider) => {
  await expect(createProvider(model(provider), options)).rejects.toThrow(UserError);
  await expect(createProvider(model(provider), options)).rejects.toThrow(
    /model m: .*not available in this version/,
  );
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
