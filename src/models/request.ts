// The options a model is really asked with: what models.json says, with every default written out, so that a frozen
// run does not change its meaning when a default does. The providers send what this says.
import type { ModelConfig, ModelOf } from "./schema.ts";

/** Most tokens of a chat model's answer when its entry says nothing. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4096;

const OPTIONS = {
  "openai-compatible": (model: ModelOf<"openai-compatible">) => {
    const request = model.request ?? {};
    return {
      response_format: request.response_format ?? ("json_schema" as const),
      token_limit_field: request.token_limit_field ?? ("max_tokens" as const),
      max_output_tokens: request.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
      reasoning_effort: request.reasoning_effort ?? null,
      temperature: request.temperature ?? null,
      json_wrapper_policy: request.json_wrapper_policy ?? ("allow_single_code_fence" as const),
      // Whether pictures are sent changes what the model sees as much as any option does.
      vision: model.vision ?? false,
    };
  },
  "claude-cli": (model: ModelOf<"claude-cli">) => ({
    reasoning_effort: model.request?.reasoning_effort ?? null,
  }),
  "codex-cli": (model: ModelOf<"codex-cli">) => ({
    reasoning_effort: model.request?.reasoning_effort ?? null,
  }),
  baseline: (model: ModelOf<"baseline">) => ({
    method: model.request.method,
    seed: model.request.seed ?? 0,
  }),
  typesafe: () => ({}),
  laya: () => ({}),
} as const;

/** Request options of a model as plain data in a fixed order of keys; null means that the field is not sent. */
export function effectiveRequest<M extends ModelConfig>(
  model: M,
): ReturnType<(typeof OPTIONS)[M["provider"]]> {
  const options = OPTIONS[model.provider] as (model: M) => ReturnType<(typeof OPTIONS)[M["provider"]]>;
  return options(model);
}
