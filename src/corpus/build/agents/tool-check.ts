// What is wrong with a tool call: its arguments are held against the parameters of the tool.

/** A parameter as the state shows it. */
export interface Parameter {
  readonly name: string;
  /** "string", "integer", "boolean", or "list of" one of these. */
  readonly type: string;
  readonly required: boolean;
  /** The only values that are permitted, where not every text is. */
  readonly values?: readonly string[] | undefined;
}

export type Arguments = Readonly<Record<string, unknown>>;

export type Verdict = "valid" | "missing-required" | "wrong-type" | "not-in-enum" | "unknown-parameter";

/** Whether a value has a type; null has none, and a text never counts as a number or truth value. */
export function hasType(value: unknown, type: string): boolean {
  if (type.startsWith("list of ")) {
    return Array.isArray(value) && value.every((item) => hasType(item, type.slice("list of ".length)));
  }
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

/** Every fault of a call, each kind once; `["valid"]` where there is none. */
export function checkCall(parameters: readonly Parameter[], call: Arguments): Verdict[] {
  const faults = new Set<Verdict>();
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  for (const [name, value] of Object.entries(call)) {
    const parameter = known.get(name);
    if (parameter === undefined) faults.add("unknown-parameter");
    else if (!hasType(value, parameter.type)) faults.add("wrong-type");
    else if (parameter.values !== undefined && !parameter.values.some((permitted) => permitted === value)) {
      faults.add("not-in-enum");
    }
  }
  if (parameters.some(({ name, required }) => required && !Object.hasOwn(call, name))) {
    faults.add("missing-required");
  }
  return faults.size === 0 ? ["valid"] : [...faults];
}
