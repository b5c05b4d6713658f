// The options a model is really asked with: what models.json says, with every default written out, so that a frozen
// run does not change its meaning when a default does.
import type { ModelConfig } from "./schema.ts";

/** Default limit of output tokens for chat models. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 4096;

/** Request options of a model as plain data in a fixed order of keys; null means that the field is not sent. */
export function effectiveRequest(model: ModelConfig): Record<string, string | number | boolean | null> {
  switch (model.provider) {
    case "openai-compatible": {
      const request = model.request ?? {};
      return {
        response_format: request.response_format ?? "json_schema",
        token_limit_field: request.token_limit_field ?? "max_tokens",
        max_output_tokens: request.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
        reasoning_effort: request.reasoning_effort ?? null,
        temperature: request.temperature ?? null,
        json_wrapper_policy: request.json_wrapper_policy ?? "allow_single_code_fence",
        // Whether pictures are sent changes what the model sees as much as any option does.
        vision: model.vision ?? false,
      };
    }
    case "claude-cli":
    case "codex-cli":
      return { reasoning_effort: model.request?.reasoning_effort ?? null };
    case "baseline":
      return { method: model.request.method, seed: model.request.seed ?? 0 };
    case "typesafe":
    case "laya":
      return {};
  }
}
