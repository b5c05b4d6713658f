// The request side of the public chat-completions contract as a JSON schema, written from its documentation and without a
// look at our own types, so that it can disagree:
// https://platform.openai.com/docs/api-reference/chat/create (fields and messages) and
// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas (what a strict schema may hold).
import { Ajv2020 } from "ajv/dist/2020.js";

const text = { type: "string", minLength: 1 };
const closed = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});

const textPart = closed({ type: { const: "text" }, text });
const imagePart = closed({
  type: { const: "image_url" },
  image_url: closed(
    {
      url: {
        type: "string",
        pattern: "^data:image/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$",
      },
      detail: { enum: ["auto", "low", "high"] },
    },
    ["url"],
  ),
});

/** Strict structured output: objects closed, every property required, none of the keywords that are not supported. */
const strictSchema = {
  type: "object",
  required: ["type"],
  oneOf: [
    closed({ type: { const: "number" } }),
    closed({
      type: { const: "string" },
      enum: { type: "array", minItems: 1, maxItems: 1000, uniqueItems: true, items: { type: "string" } },
    }),
    closed({
      type: { const: "object" },
      additionalProperties: { const: false },
      required: { type: "array", uniqueItems: true, items: { type: "string" } },
      properties: { type: "object", additionalProperties: { $ref: "#/$defs/strict" } },
    }),
  ],
};

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: { strict: strictSchema },
  ...closed(
    {
      model: text,
      stream: { type: "boolean" },
      messages: {
        type: "array",
        minItems: 2,
        items: {
          oneOf: [
            closed({ role: { enum: ["system", "developer"] }, content: text }),
            closed({
              role: { const: "user" },
              content: {
                oneOf: [text, { type: "array", minItems: 1, items: { oneOf: [textPart, imagePart] } }],
              },
            }),
          ],
        },
      },
      response_format: {
        oneOf: [
          closed({ type: { enum: ["text", "json_object"] } }),
          closed({
            type: { const: "json_schema" },
            json_schema: closed({
              name: { type: "string", pattern: "^[a-zA-Z0-9_-]{1,64}$" },
              strict: { const: true },
              // The root of a strict schema is an object.
              schema: { allOf: [{ $ref: "#/$defs/strict" }, { properties: { type: { const: "object" } } }] },
            }),
          }),
        ],
      },
      // Deprecated, and what many servers know alone; never both.
      max_tokens: { type: "integer", minimum: 1 },
      max_completion_tokens: { type: "integer", minimum: 1 },
      temperature: { type: "number", minimum: 0, maximum: 2 },
      reasoning_effort: text,
    },
    ["model", "messages"],
  ),
  not: { required: ["max_tokens", "max_completion_tokens"] },
};

const validate = new Ajv2020({ allErrors: true, strict: false }).compile(SCHEMA);

/** Everything in which a request body departs from the contract; empty for a good one. */
export function violationsOf(body: unknown): string[] {
  const found = validate(body)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath || "/"} ${error.message ?? "is wrong"}`);
  return [...found, ...notRequired(body)];
}

/** `required` must name exactly the properties of its object, which JSON schema itself cannot say. */
function notRequired(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(notRequired);
  const { type, properties, required } = value as Record<string, unknown>;
  const own =
    type === "object" && typeof properties === "object" && properties !== null && Array.isArray(required)
      ? [...Object.keys(properties)].sort().join("\0") === [...required].sort().join("\0")
        ? []
        : ["not every property of a strict schema is required"]
      : [];
  return [...own, ...Object.values(value).flatMap(notRequired)];
}
