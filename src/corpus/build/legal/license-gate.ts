// Whether a licence expression passes an allow-list: AND, OR and exact identifiers.
import { z } from "zod";
import { CheckError } from "../../../errors.ts";
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Options, Task } from "../task.ts";

const licenseSchema = z.strictObject({ id: z.string(), osi: z.boolean() });

/** A licence expression: one identifier, or parts joined by AND or OR. */
export type Expression =
  | string
  | { readonly and: readonly Expression[] }
  | { readonly or: readonly Expression[] };

/** Every way to choose at the ORs: the sets of identifiers that then apply together. */
export function alternatives(expression: Expression): string[][] {
  if (typeof expression === "string") return [[expression]];
  if ("or" in expression) return expression.or.flatMap(alternatives);
  return expression.and
    .map(alternatives)
    .reduce<string[][]>((joined, next) => joined.flatMap((a) => next.map((b) => [...a, ...b])), [[]]);
}

/** The expression as it stands in a package manifest. */
export function expressionText(expression: Expression, inside = false): string {
  if (typeof expression === "string") return expression;
  const [parts, word] = "or" in expression ? [expression.or, " OR "] : [expression.and, " AND "];
  const text = parts.map((part) => expressionText(part, true)).join(word);
  return inside ? `(${text})` : text;
}

/** Identifiers that companies list, and that must be in the source. */
const USUAL = [
  "0BSD",
  "AGPL-3.0-only",
  "Apache-2.0",
  "Artistic-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "CDDL-1.0",
  "EPL-2.0",
  "EUPL-1.2",
  "GPL-2.0-only",
  "GPL-2.0-or-later",
  "GPL-3.0-only",
  "GPL-3.0-or-later",
  "ISC",
  "LGPL-2.1-only",
  "LGPL-2.1-or-later",
  "LGPL-3.0-only",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "MS-PL",
  "OFL-1.1",
  "PostgreSQL",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

/** What people write instead of an identifier; none of them is in the source. */
const NEAR_MISSES = [
  "Apache-2",
  "Apache2.0",
  "BSD-2",
  "BSD-3",
  "EPL-2",
  "GPL-2-only",
  "GPL-3",
  "GPLv2",
  "ISC-License",
  "LGPL-2.1-later",
  "MIT-License",
  "MPL-2",
  "MPLv2.0",
  "Zlib-License",
];

const OUTCOMES: Options = [
  ["pass", "Every choice that the expression leaves is allowed"],
  ["pass-with-choice", "Some choices are allowed, others are not"],
  ["fail", "No choice that the expression leaves is allowed"],
  ["unknown-identifier", "Some name in it is not on the SPDX list"],
];

function randomExpression(random: Random, name: () => string): Expression {
  const or = (...parts: Expression[]): Expression => ({ or: parts });
  const and = (...parts: Expression[]): Expression => ({ and: parts });
  const forms: (() => Expression)[] = [
    () => or(name(), name()),
    () => and(name(), name()),
    () => and(or(name(), name()), name()),
    () => or(and(name(), name()), name()),
    () => and(or(name(), name()), or(name(), name())),
    () => or(and(name(), name()), and(name(), name())),
    () => and(name(), or(name(), and(name(), name()))),
  ];
  return random.pick(forms)();
}

/** Judges an expression against an allow-list. */
export function judge(
  expression: Expression,
  allowed: ReadonlySet<string>,
  known: (id: string) => boolean,
): string {
  const ways = alternatives(expression);
  if (!ways.flat().every(known)) return "unknown-identifier";
  const good = ways.filter((ids) => ids.every((id) => allowed.has(id))).length;
  return good === ways.length ? "pass" : good > 0 ? "pass-with-choice" : "fail";
}

/** Reads an expression as it stands in a manifest: brackets before AND, AND before OR. */
export function parseExpression(text: string): Expression {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  const unit = (): Expression => {
    const token = tokens.shift() ?? "";
    if (token !== "(") return token;
    const inner = joined("OR");
    tokens.shift();
    return inner;
  };
  const joined = (word: "AND" | "OR"): Expression => {
    const parts = [word === "OR" ? joined("AND") : unit()];
    while (tokens[0] === word) {
      tokens.shift();
      parts.push(word === "OR" ? joined("AND") : unit());
    }
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    return word === "OR" ? { or: parts } : { and: parts };
  };
  return joined("OR");
}

const stateSchema = z.strictObject({ expression: z.string(), allow_list: z.array(z.string()) });

function decide(state: unknown): string {
  const { expression, allow_list } = stateSchema.parse(state);
  return judge(parseExpression(expression), new Set(allow_list), (id) => !NEAR_MISSES.includes(id));
}

export const licenseGate: Task = {
  id: "LEG-2",
  name: "Licence allow-list",
  shape: "verify",
  ask: "Does this licence expression pass the company's allow-list?",
  instruction:
    "A build gate judges the licence expression of a dependency. AND means that all parts apply together, OR means " +
    "that the user may choose one part; brackets group. An identifier is allowed only if exactly that identifier " +
    "stands in the allow_list: X-only and X-or-later are two different identifiers, and versions differ. First check " +
    "that every identifier is an official SPDX licence identifier (current or deprecated, spelled exactly, whether " +
    "allowed or not); if one is not, choose unknown-identifier whatever else holds. Otherwise look at every way to " +
    "choose at the ORs. Choose pass if each way needs allowed identifiers only, pass-with-choice if at least one way " +
    "does but not each, and fail if no way does. An expression without OR leaves exactly one way.",
  modality: "text",
  options: OUTCOMES,
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["spdx-license-list"],
  rows: 24,
  chosen:
    "Numbered draws of an allow-list of seven well-known identifiers and an expression of two to four different names " +
    "in seven forms; one draw in four holds a spelling that is not on the SPDX list. Identifiers are approved by the " +
    "Open Source Initiative, so that an unusual one is no sign of a wrong one. Balanced over the four outcomes.",
  changed:
    "The identifiers are the source's; allow-lists, expressions and misspellings are composed by this project.",
  decision: {
    by: "rule",
    says: "Every way to choose at the ORs is held against the allow-list; a misspelt identifier comes first.",
    decide,
  },
  candidates(facts) {
    const licenses = facts.read("spdx-licenses.jsonl", licenseSchema);
    const ids = new Set(licenses.map((license) => license.id));
    for (const id of USUAL) if (!ids.has(id)) throw new CheckError(`LEG-2: ${id} is not in the source`);
    for (const id of NEAR_MISSES) if (ids.has(id)) throw new CheckError(`LEG-2: ${id} is in the source`);
    const approved = licenses.filter((license) => license.osi).map((license) => license.id);
    const candidates: Candidate[] = [];
    for (let draw = 1; draw <= 400; draw += 1) {
      const random = randomFrom(`LEG-2/${draw}`);
      const allowList = random.shuffle(USUAL).slice(0, 7);
      const others = USUAL.filter((id) => !allowList.includes(id));
      const used = new Set<string>();
      const name = (): string => {
        const pool = random.chance(0.6) ? allowList : random.chance(0.6) ? others : approved;
        const free = pool.filter((id) => !used.has(id));
        const id = random.pick(free);
        used.add(id);
        return id;
      };
      let expression = randomExpression(random, name);
      if (draw % 4 === 0) {
        const victim = random.pick([...used]);
        expression = replaced(expression, victim, random.pick(NEAR_MISSES));
      }
      const gold = judge(expression, new Set(allowList), (id) => ids.has(id));
      const ways = alternatives(expression);
      candidates.push({
        key: `draw-${draw}`,
        recordId: [...new Set(ways.flat())].join("; "),
        stratum: gold,
        title: `Expression with ${new Set(ways.flat()).size} names`,
        state: { expression: expressionText(expression), allow_list: [...allowList].sort() },
        gold,
        rationale: explain(gold, ways, new Set(allowList), ids),
        difficulty: ways.length > 1 ? "medium" : "easy",
        originalLabel: [...new Set(ways.flat())]
          .map((id) => (ids.has(id) ? `${id} listed` : `${id} not listed`))
          .join(", "),
      });
    }
    return candidates;
  },
};

function replaced(expression: Expression, victim: string, by: string): Expression {
  if (typeof expression === "string") return expression === victim ? by : expression;
  if ("or" in expression) return { or: expression.or.map((part) => replaced(part, victim, by)) };
  return { and: expression.and.map((part) => replaced(part, victim, by)) };
}

function explain(
  gold: string,
  ways: readonly string[][],
  allowed: ReadonlySet<string>,
  ids: ReadonlySet<string>,
): string {
  if (gold === "unknown-identifier") {
    const unknown = [...new Set(ways.flat())].filter((id) => !ids.has(id));
    return `${unknown.join(", ")} is not an SPDX identifier.`;
  }
  const judged = ways.map((way) => {
    const missing = way.filter((id) => !allowed.has(id));
    return `${way.join(" and ")}: ${missing.length === 0 ? "allowed" : `${missing.join(", ")} not allowed`}`;
  });
  return `${judged.join("; ")}.`;
}
