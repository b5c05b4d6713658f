// Decides an AGT-5 row by a validator of JSON Schema.
import { Ajv } from "ajv";

interface Shown {
  name: string;
  type: string;
  required: boolean;
  permitted?: string[];
}

const LABELS: Readonly<Record<string, string>> = {
  required: "missing-required",
  type: "wrong-type",
  enum: "not-in-enum",
  additionalProperties: "unknown-parameter",
};

const schemaOf = (type: string): object =>
  type.startsWith("list of ") ? { type: "array", items: schemaOf(type.slice(8)) } : { type };

/** The label of a row; labels of several faults are joined by "+". */
export function toolVerdict(state: { parameters: Shown[]; arguments: unknown }): string {
  const validate = new Ajv({ allErrors: true, coerceTypes: false, strict: false }).compile({
    type: "object",
    additionalProperties: false,
    required: state.parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      state.parameters.map(({ name, type, permitted }) => [
        name,
        permitted === undefined ? schemaOf(type) : { ...schemaOf(type), enum: permitted },
      ]),
    ),
  });
  if (validate(state.arguments)) return "valid";
  const labels = (validate.errors ?? []).map(({ keyword }) => LABELS[keyword] ?? keyword);
  return [...new Set(labels)].join("+");
}
