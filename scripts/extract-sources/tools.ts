// Facts about tools that an agent may call: their parameters.
import type { Extraction, Fact } from "./extraction.ts";

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  items?: Schema;
  nullable?: boolean;
  oneOf?: unknown;
  anyOf?: unknown;
  allOf?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
}
interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

const FILE = "generated/api.github.com.json";
const PLAIN = new Set(["string", "integer", "boolean"]);

/** The type in words; null for types that are not shown in one word or two. */
function typeOf({ type, items, ...schema }: Schema): string | null {
  if (schema.nullable === true) return null;
  if ([schema.oneOf, schema.anyOf, schema.allOf, schema.$ref].some((part) => part !== undefined)) return null;
  if (type === "array") {
    const of = items === undefined || items.enum !== undefined ? null : typeOf(items);
    return of !== null && PLAIN.has(of) ? `list of ${of}` : null;
  }
  return type !== undefined && PLAIN.has(type) ? type : null;
}

function parameter(name: string, schema: Schema, required: boolean): Fact | null {
  const type = typeOf(schema);
  if (type === null) return null;
  if (schema.enum === undefined) return { id: name, type, required };
  const values = schema.enum.filter((value) => typeof value === "string");
  if (type !== "string" || values.length !== schema.enum.length || values.length < 2) return null;
  return { id: name, type, required, values };
}

export const toolParameters: Extraction = {
  id: "octokit-openapi",
  title: "Operations of the GitHub API",
  registry: "npm",
  package: "@octokit/openapi",
  version: "23.0.2",
  license: "MIT",
  files: [FILE],
  attribution: "GitHub and Octokit contributors, @octokit/openapi (MIT).",
  taken:
    "For every operation with four to ten parameters, all of plain types, of which one has a list of values: the name of the operation, and the name, type, " +
    "permitted values and requiredness of each parameter of path, query and body. No descriptions, no examples.",
  async extract(unpacked) {
    const { paths, components } = unpacked.json(FILE) as Description;
    const resolve = (found: Parameter): Parameter =>
      (found.$ref === undefined ? found : components.parameters[found.$ref.split("/").at(-1) ?? ""]) ?? found;
    const facts = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, parameters = [], requestBody }): Fact[] => {
        const body = requestBody?.content?.["application/json"]?.schema;
        if (requestBody !== undefined && (body?.properties === undefined || body.oneOf || body.anyOf))
          return [];
        const all = [
          ...parameters
            .map(resolve)
            .map((p) => parameter(p.name, p.schema ?? {}, p.in === "path" || p.required === true)),
          ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
            parameter(name, schema, body?.required?.includes(name) === true),
          ),
        ];
        const known = all.filter((p) => p !== null);
        const usable =
          known.length === all.length &&
          new Set(known.map(({ id }) => id)).size === all.length &&
          all.length >= 4 &&
          all.length <= 10 &&
          known.some(({ values }) => values !== undefined) &&
          known.some(({ required }) => required === true) &&
          known.some(({ required }) => required === false) &&
          known.some(({ type }) => type !== "string");
        return usable ? [{ id: operationId, parameters: known }] : [];
      });
    return { "tool-parameters.jsonl": facts };
  },
};
