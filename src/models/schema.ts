// The shape of config/models.json: which models exist, how they are asked and what they cost. Never where they are.
import { z } from "zod";
import { folderNameSchema } from "../folder-name.ts";
import { pricingSchema } from "../ledgers/schema.ts";

const effort = z.string().min(1, "expected a text, not empty").nullish();

/** The request options of one provider; any other key is refused with the list of these. */
function options<S extends z.ZodRawShape>(provider: string, shape: S) {
  const names = Object.keys(shape).join(", ");
  const expected = names === "" ? `${provider} takes no request options` : `${provider} takes only ${names}`;
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? expected : undefined),
  });
}

const requests = {
  "openai-compatible": options("openai-compatible", {
    response_format: z.enum(["json_schema", "json_object", "prompt"]).nullish(),
    token_limit_field: z.enum(["max_tokens", "max_completion_tokens"]).nullish(),
    max_output_tokens: z.number().int().positive().nullish(),
    reasoning_effort: effort,
    temperature: z.number().min(0).max(2).nullish(),
    json_wrapper_policy: z.enum(["allow_single_code_fence", "strict"]).nullish(),
  }),
  typesafe: options("typesafe", {}),
  laya: options("laya", {}),
  "claude-cli": options("claude-cli", { reasoning_effort: effort }),
  "codex-cli": options("codex-cli", { reasoning_effort: effort }),
  baseline: options("baseline", {
    method: z.enum(["uniform", "lexical"]),
    seed: z.number().int().nullish(),
  }),
} as const;

/** The id of a model: it becomes the name of a folder. */
export const modelIdSchema: typeof folderNameSchema = folderNameSchema;

/** The colour of a model in plots. */
export const colorSchema = z.string().regex(/^#[0-9a-fA-F]{6}$/, "expected a colour like #1f77b4");

const display = {
  id: modelIdSchema,
  label: z.string().min(1, "expected a text, not empty"),
  model: z.string().min(1, "expected a text, not empty"),
  short_label: z.string().nullish(),
  vendor: z.string().nullish(),
  color: colorSchema.nullish(),
  pricing: pricingSchema.nullish(),
  vision: z.boolean().nullish(),
  notes: z.string().nullish(),
};

const entry = <P extends keyof typeof requests>(provider: P) =>
  z.looseObject({ ...display, provider: z.literal(provider), request: requests[provider].nullish() });

export const modelSchema = z.discriminatedUnion(
  "provider",
  [
    z.looseObject({
      ...display,
      provider: z.literal("openai-compatible"),
      endpoint: z
        .string()
        .regex(/^[a-z][a-z0-9_-]{0,31}$/, "expected a short name of a-z, 0-9, '_' and '-', never a URL")
        .nullish(),
      request: requests["openai-compatible"].nullish(),
    }),
    entry("typesafe"),
    entry("laya"),
    entry("claude-cli"),
    entry("codex-cli"),
    z.looseObject({ ...display, provider: z.literal("baseline"), request: requests.baseline }),
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union" ? `expected one of ${Object.keys(requests).join(", ")}` : undefined,
  },
);

/** One configured model. */
export type ModelConfig = z.infer<typeof modelSchema>;
export type ProviderName = ModelConfig["provider"];
export type ModelOf<P extends ProviderName> = Extract<ModelConfig, { provider: P }>;

/** The file; its entries are checked one by one, so that a message can name the model. */
export const modelsFileSchema = z.looseObject({
  schema_version: z.literal(1, "expected 1"),
  models: z.array(z.unknown()),
});
