// Whether a tool call fits the parameters of the tool, and if not, what is wrong with it.
import { z } from "zod";
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Difficulty, Options, Task } from "../task.ts";
import { checkCall, type Parameter, type Verdict } from "./tool-check.ts";

const toolSchema = z.strictObject({
  id: z.string(),
  parameters: z.array(
    z.strictObject({
      id: z.string(),
      type: z.string(),
      required: z.boolean(),
      values: z.array(z.string()).optional(),
    }),
  ),
});

const VERDICTS: Options = [
  ["valid", "The call can be made exactly as it stands"],
  ["missing-required", "An argument that must be given is absent"],
  ["wrong-type", "An argument is of another kind than declared"],
  ["not-in-enum", "A text is none of those that are permitted"],
  ["unknown-parameter", "An argument is given that nobody declared"],
];

const WORDS = ["harbor", "meadow", "lantern", "granite", "juniper", "compass", "willow", "saffron"];
/** Texts that look like other types, and are texts all the same. */
const ODD_TEXTS = ["42", "true", "", "0", "null"];

type Value = string | number | boolean | null | readonly (string | number | boolean)[];
/** Arguments by name. */
type Call = ReadonlyMap<string, Value>;

/** A call and what was done to it. */
interface Composed {
  readonly call: Call;
  readonly why: string;
  readonly difficulty: Difficulty;
}

function scalar(type: string, random: Random): string | number | boolean {
  if (type === "integer") return random.integer(4) === 0 ? 0 : 1 + random.integer(900);
  if (type === "boolean") return random.chance(0.5);
  return random.chance(0.25) ? random.pick(ODD_TEXTS) : random.pick(WORDS);
}

function fitting({ type, values }: Parameter, random: Random): Value {
  if (values !== undefined) return random.pick(values);
  if (!type.startsWith("list of ")) return scalar(type, random);
  const item = type.slice("list of ".length);
  return Array.from({ length: random.integer(4) }, () => scalar(item, random));
}

/** Values that are almost of the type. */
function misfits(type: string, random: Random): Value[] {
  const number = 1 + random.integer(900);
  const word = random.pick(WORDS);
  switch (type) {
    case "integer":
      return [String(number), String(number), number + 0.5, [number], null];
    case "boolean":
      return ["true", "false", 0, 1, null];
    case "string":
      return [number, -number, random.chance(0.5), [word], null];
    case "list of integer":
      return [number, [number, String(number + 1)], [String(number)], `${number},${number + 1}`];
    default:
      return [word, [word, number], `${word},${random.pick(WORDS)}`];
  }
}

/** Texts that are almost a permitted one. */
function nearTexts(values: readonly string[]): string[] {
  const near = values.flatMap((value) => [
    value.toUpperCase(),
    value.slice(0, 1).toUpperCase() + value.slice(1),
    value.replaceAll("_", "-"),
    value.replaceAll("-", "_"),
    `${value}s`,
    value.slice(0, -1),
  ]);
  return near.filter((text) => text !== "" && !values.includes(text));
}

/** Names that are almost the parameter's. */
function nearNames(name: string): string[] {
  return [
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    name.replaceAll("_", "-"),
    name.replaceAll("_", ""),
    name.endsWith("s") ? name.slice(0, -1) : `${name}s`,
    name.slice(name.indexOf("_") + 1),
    name.split("_", 1).join(""),
    `${name}_id`,
  ].filter((near) => near !== name);
}

/** Nearly every list of a service is read by pages: as misspelt names they would be all alike. */
const PAGING: ReadonlySet<string> = new Set(["page", "per_page"]);

function compose(verdict: Verdict, parameters: readonly Parameter[], random: Random): Composed | null {
  const optional = parameters.filter(({ required }) => !required);
  const given = parameters.filter(({ required }) => required || random.chance(0.75));
  const call = new Map(given.map((parameter) => [parameter.name, fitting(parameter, random)] as const));
  switch (verdict) {
    case "valid":
      return {
        call,
        why: "Every argument is declared and fits, and what must be given is there.",
        difficulty: "medium",
      };
    case "missing-required": {
      const { name } = random.pick(parameters.filter(({ required }) => required));
      call.delete(name);
      return { call, why: `${name} has to be given and is not there.`, difficulty: "easy" };
    }
    case "wrong-type": {
      const candidates = given.filter(({ values }) => values === undefined);
      if (candidates.length === 0) return null;
      const { name, type } = random.pick(candidates);
      const value = random.pick(misfits(type, random));
      call.set(name, value);
      return { call, why: `${name} is ${JSON.stringify(value)}, which is no ${type}.`, difficulty: "medium" };
    }
    case "not-in-enum": {
      const candidates = parameters.filter(({ values }) => values !== undefined);
      if (candidates.length === 0) return null;
      const { name, values = [] } = random.pick(candidates);
      // A text that another parameter permits tempts as much as a misspelt one.
      const others = candidates
        .flatMap((other) => other.values ?? [])
        .filter((text) => !values.includes(text));
      const value = random.pick(others.length > 0 && random.chance(0.4) ? others : nearTexts(values));
      call.set(name, value);
      return {
        call,
        why: `${name} is "${value}", which is not among its permitted values.`,
        difficulty: "medium",
      };
    }
    case "unknown-parameter": {
      const own = optional.filter(({ name }) => !PAGING.has(name));
      if (own.length === 0) return null;
      const parameter = random.pick(own);
      const names = nearNames(parameter.name).filter((name) => !parameters.some((p) => p.name === name));
      if (names.length === 0) return null;
      const name = random.pick(names);
      call.delete(parameter.name);
      call.set(name, fitting(parameter, random));
      return { call, why: `${name} is not declared; ${parameter.name} is.`, difficulty: "medium" };
    }
  }
}

const stateSchema = z.object({
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      permitted: z.array(z.string()).optional(),
    }),
  ),
  arguments: z.record(z.string(), z.unknown()),
});

export const toolCall: Task = {
  id: "AGT-5",
  name: "Check of a tool call",
  shape: "verify",
  ask: "Is this tool call valid, and if not, what is wrong?",
  instruction:
    "An agent wants to call a tool. The state gives the parameters that the tool declares and the arguments of the " +
    "call, as JSON. Every argument has to bear the name of a parameter, letter by letter, and to have its type: a " +
    "string is any text in quotes, also an empty one or one of digits; an integer is a whole number without quotes; a " +
    'boolean is true or false without quotes; "list of" a type is a list of none or more such values; null is of no ' +
    "type. Where a parameter names permitted texts, the argument has to be one of them, upper and lower case as they " +
    "stand. Parameters with required true must be given, others may be left out. What a value means, its form and its " +
    "length do not matter. A call has at most one fault. Choose valid if it has none; missing-required if a required " +
    "parameter is not given; wrong-type if an argument is not of its type; not-in-enum if a text is of the right type " +
    "but not permitted; unknown-parameter if an argument bears a name that is not declared.",
  modality: "text",
  options: VERDICTS,
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["octokit-openapi"],
  rows: 30,
  perGroup: 1,
  chosen:
    "Operations with four to ten parameters, all of plain types. For each of them one call without a fault and one with " +
    "each fault, close to what would be right: another case, a number in quotes, another spelling of a name. Calls of " +
    "every kind hold texts that look like numbers, zeros and empty lists. Balanced over the five answers; one row per " +
    "operation.",
  changed:
    "Names, types, permitted values and requiredness are the source's; the arguments are composed by this project.",
  decision: {
    by: "rule",
    says: "Every argument is held against its parameter; the only fault found, or none.",
    decide(state) {
      const shown = stateSchema.parse(state);
      const verdicts = checkCall(
        shown.parameters.map(({ permitted, ...parameter }) => ({ ...parameter, values: permitted })),
        shown.arguments,
      );
      return verdicts.length === 1 ? (verdicts[0] ?? null) : null;
    },
  },
  candidates(facts) {
    return facts.read("tool-parameters.jsonl", toolSchema).flatMap((tool) => {
      const parameters = tool.parameters.map(
        ({ id, ...parameter }): Parameter => ({ name: id, ...parameter }),
      );
      return VERDICTS.flatMap(([label]): Candidate[] => {
        const random = randomFrom(`AGT-5/${tool.id}/${label}`);
        const composed = compose(label as Verdict, parameters, random);
        if (composed === null) return [];
        return [
          {
            key: `${tool.id}#${label}`,
            recordId: tool.id,
            stratum: label,
            group: tool.id,
            title: `Call of ${tool.id}`,
            state: {
              tool: tool.id,
              parameters: parameters.map(({ name, type, required, values }) => ({
                name,
                type,
                required,
                permitted: values,
              })),
              arguments: new Map(random.shuffle([...composed.call])),
            },
            gold: label,
            rationale: composed.why,
            difficulty: composed.difficulty,
            originalLabel: `required: ${parameters
              .filter(({ required }) => required)
              .map(({ name }) => name)
              .join(", ")}`,
          },
        ];
      });
    });
  },
};
