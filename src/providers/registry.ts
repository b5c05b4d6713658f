// From a configured model to the provider that asks it. Each provider is loaded only when it is used: a run of the
// baselines never pays for an HTTP client.
import type { ModelConfig } from "../models/schema.ts";
import type { Environment } from "../workspace.ts";
import type { Commands } from "./cli/command.ts";
import type { Provider } from "./provider.ts";

export interface ProviderOptions {
  /** The environment of the workspace (`.env` below what is really set). */
  readonly env: Environment;
  /** Absolute path of the corpus folder, for the pictures of rows. */
  readonly corpusDir: string;
  /** How many calls can be under way at once. */
  readonly jobs: number;
  /** What is known already of the commands on PATH, so that each is asked once; a new one unless given. */
  readonly commands?: Commands;
  /** The clock that dates in `Retry-After` are compared with, in ms. */
  readonly now?: () => number;
}

/** Loads what {@link createProvider} will need for these models, so that it can be done while something else is waited for. */
export async function loadProviders(models: readonly ModelConfig[]): Promise<void> {
  const names = new Set(models.map((model) => model.provider));
  if (names.has("openai-compatible")) await import("./openai-compatible.ts");
  if (names.has("typesafe") || names.has("laya")) await import("./native.ts");
  if (names.has("claude-cli")) await import("./cli/claude.ts");
  if (names.has("codex-cli")) await import("./cli/codex.ts");
  if (names.has("baseline")) await import("./baseline.ts");
}

/**
 * The provider of a model, ready to be called. Reads the environment and checks it; opens no connection.
 *
 * @param model as configured; `model.model` is the name that is sent.
 * @throws {UserError} when the environment lacks or refuses something, naming the variable and never its value.
 */
export async function createProvider(model: ModelConfig, options: ProviderOptions): Promise<Provider> {
  switch (model.provider) {
    case "openai-compatible": {
      const { createOpenAiCompatible } = await import("./openai-compatible.ts");
      return createOpenAiCompatible(model, options);
    }
    case "typesafe":
    case "laya": {
      const { createNative } = await import("./native.ts");
      return createNative(model, options);
    }
    case "claude-cli": {
      const { createClaude } = await import("./cli/claude.ts");
      return createClaude(model, options);
    }
    case "codex-cli": {
      const { createCodex } = await import("./cli/codex.ts");
      return createCodex(model, options);
    }
    case "baseline": {
      const { createBaseline } = await import("./baseline.ts");
      return createBaseline(model);
    }
  }
}
