// The request side of the public chat-completions contract, as its documentation describes it: which fields there are,
// of what type, and what a strict schema may hold. Written without a look at our own types, so that it can disagree.

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  model: (value) => isText(value),
  messages: (value) => Array.isArray(value) && value.length > 0,
  stream: (value) => typeof value === "boolean",
  response_format: (value) => isObject(value),
  max_tokens: (value) => Number.isInteger(value) && (value as number) > 0,
  max_completion_tokens: (value) => Number.isInteger(value) && (value as number) > 0,
  temperature: (value) => typeof value === "number" && value >= 0 && value <= 2,
  reasoning_effort: (value) => isText(value),
};

/** Everything in which a request body departs from the contract; empty for a good one. */
export function violationsOf(body: unknown): string[] {
  if (!isObject(body)) return ["the body is not an object"];
  const found: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (check === undefined) found.push(`unknown field ${name}`);
    else if (!check(value)) found.push(`wrong value of ${name}`);
  }
  for (const name of ["model", "messages"]) if (!(name in body)) found.push(`no ${name}`);
  if ("max_tokens" in body && "max_completion_tokens" in body) found.push("two token limits");
  for (const message of Array.isArray(body.messages) ? body.messages : [])
    found.push(...messageViolations(message));
  if (isObject(body.response_format)) found.push(...formatViolations(body.response_format));
  return found;
}

function messageViolations(message: unknown): string[] {
  if (!isObject(message)) return ["a message is not an object"];
  const { role, content } = message;
  if (role === "system") return isText(content) ? [] : ["a system message is not a text"];
  if (role !== "user") return [`unexpected role ${String(role)}`];
  if (isText(content)) return [];
  if (!Array.isArray(content) || content.length === 0) return ["a user message is neither text nor parts"];
  return content.flatMap((part) => {
    if (!isObject(part)) return ["a part is not an object"];
    if (part.type === "text") return isText(part.text) ? [] : ["a text part without text"];
    if (part.type !== "image_url") return [`unexpected part ${String(part.type)}`];
    const url = isObject(part.image_url) ? part.image_url.url : undefined;
    return typeof url === "string" && /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$/.test(url)
      ? []
      : ["an image part without a data URI"];
  });
}

function formatViolations(format: Record<string, unknown>): string[] {
  if (format.type === "json_object")
    return Object.keys(format).length === 1 ? [] : ["extra fields in json_object"];
  if (format.type !== "json_schema") return [`unknown response format ${String(format.type)}`];
  const { json_schema: named } = format;
  if (!isObject(named)) return ["json_schema is not an object"];
  const found: string[] = [];
  if (typeof named.name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(named.name))
    found.push("a bad schema name");
  if (named.strict !== true) found.push("not strict");
  return [...found, ...strictViolations(named.schema, "schema")];
}

/** Strict structured output: closed objects, every property required, and only these keywords. */
function strictViolations(schema: unknown, where: string): string[] {
  if (!isObject(schema)) return [`${where} is not an object`];
  if (schema.type === "number") return Object.keys(schema).length === 1 ? [] : [`${where}: extra keywords`];
  if (schema.type === "string") {
    const { enum: values } = schema;
    const good =
      Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === "string");
    return good && new Set(values).size === values.length ? [] : [`${where}: a bad enum`];
  }
  if (schema.type !== "object") return [`${where}: unexpected type`];
  if (schema.additionalProperties !== false) return [`${where}: open object`];
  if (!isObject(schema.properties)) return [`${where}: no properties`];
  const names = Object.keys(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const found =
    [...names].sort().join("\0") === [...required].sort().join("\0") ? [] : [`${where}: not all required`];
  const { properties } = schema;
  return [...found, ...names.flatMap((name) => strictViolations(properties[name], `${where}.${name}`))];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
