// How an accessibility attribute stands to a role: required, allowed or not allowed.
import { z } from "zod";
import type { Candidate, Options, Task } from "../task.ts";

const roleSchema = z.strictObject({
  id: z.string(),
  superclasses: z.array(z.string()),
  attributes: z.array(z.string()),
  required: z.array(z.string()),
});
const attributeSchema = z.strictObject({ id: z.string(), type: z.string() });

/** Global in ARIA 1.1, limited to some roles since: what a given checker says depends on its version. */
const DISPUTED = new Set(["aria-disabled", "aria-errormessage", "aria-haspopup", "aria-invalid"]);
/** Not in WAI-ARIA 1.2. */
const LATER = new Set(["aria-braillelabel", "aria-brailleroledescription", "aria-description"]);
/** Roles whose required attributes differ between versions, or with whether the element can be focused. */
const UNSETTLED = new Set(["option", "separator", "treeitem"]);

/** Roles that the source files under superclasses of an earlier version: what they inherit differs, what they require does not. */
const REFILED = new Set(["menuitemcheckbox", "menuitemradio"]);

function statusOf(role: z.infer<typeof roleSchema>, attribute: string): string {
  if (role.required.includes(attribute)) return "required";
  return role.attributes.includes(attribute) ? "allowed" : "not-allowed";
}

const STATUS: Options = [
  ["required", "The author has to set it on this role"],
  ["allowed", "The author may set it on this role"],
  ["not-allowed", "The author must leave it off this role"],
];

export const ariaAttribute: Task = {
  id: "DES-4",
  name: "Attribute on a role",
  shape: "verify",
  ask: "May this accessibility attribute be used on this role?",
  instruction:
    "A design system review checks an element with the WAI-ARIA role in the state. Decide by the role definitions of " +
    "WAI-ARIA 1.2 how the attribute stands to this role: required (the author has to provide a value on every element " +
    "with the role), allowed (the role supports it, itself or by inheritance from a superclass, without requiring it), " +
    "or not-allowed (the role neither supports nor inherits it, or prohibits it). No attribute in question is a global " +
    "one.",
  modality: "text",
  options: STATUS,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["aria-query"],
  rows: 24,
  perGroup: 1,
  chosen:
    "Concrete roles that take some attribute beyond the global ones; attributes that are not allowed are taken only where a role " +
    "with a common superclass has them. Four attributes that were global in an earlier version and three roles whose " +
    "required attributes changed between versions are left out, as are attributes newer than 1.2; two roles whose superclasses the " +
    "source gives by an earlier version stand only with what they require. One row per role and " +
    "status, balanced over: required; allowed and not allowed, each with attributes that another role requires and " +
    "with attributes that none does.",
  changed:
    "Role, superclasses and value type are the source's; how the attribute stands to the role is hidden.",
  decision: {
    by: "neighbours",
    says: "Like cases by how many of the five roles with the likest superclasses, the role itself left out, require and support the attribute.",
    features(state, facts) {
      const shown = state as { role: string; superclasses: string[]; attribute: string };
      const alike = (role: z.infer<typeof roleSchema>): number => {
        const shared = role.superclasses.filter((name) => shown.superclasses.includes(name)).length;
        return shared / new Set([...role.superclasses, ...shown.superclasses]).size;
      };
      const nearest = facts
        .read("aria-roles.jsonl", roleSchema)
        .filter(({ id }) => id !== shown.role)
        .sort((a, b) => alike(b) - alike(a))
        .slice(0, 5)
        .map((role) => statusOf(role, shown.attribute));
      return {
        requiring: nearest.filter((status) => status === "required").length,
        supporting: nearest.filter((status) => status !== "not-allowed").length,
      };
    },
  },
  candidates(facts) {
    const roles = facts.read("aria-roles.jsonl", roleSchema);
    const types = new Map(
      facts.read("aria-attributes.jsonl", attributeSchema).map(({ id, type }) => [id, type]),
    );
    const candidates: Candidate[] = [];
    const demanded = new Set(roles.flatMap((role) => role.required));
    const settled = roles.filter(
      ({ id, attributes }) => !UNSETTLED.has(id) && attributes.some((name) => !DISPUTED.has(name)),
    );
    for (const role of settled) {
      const relatives = roles.filter(
        (other) => other !== role && other.superclasses.some((name) => role.superclasses.includes(name)),
      );
      for (const [attribute, type] of types) {
        if (DISPUTED.has(attribute) || LATER.has(attribute)) continue;
        const status = statusOf(role, attribute);
        if (status !== "required" && REFILED.has(role.id)) continue;
        if (status === "not-allowed" && !relatives.some((other) => other.attributes.includes(attribute)))
          continue;
        candidates.push({
          key: `${role.id}#${attribute}`,
          recordId: `${role.id} ${attribute}`,
          // Half of the other attributes are ones that some role requires: the name alone must not tell.
          stratum:
            status === "required" || !demanded.has(attribute) ? status : `${status}, required elsewhere`,
          group: `${role.id}#${status}`,
          title: `${attribute} on ${role.id}`,
          state: { role: role.id, superclasses: role.superclasses, attribute, attribute_type: type },
          gold: status,
          rationale:
            status === "required"
              ? `${role.id} requires ${role.required.join(" and ")}.`
              : status === "allowed"
                ? `${role.id} supports ${attribute} without requiring it.`
                : `${attribute} is neither among the attributes of ${role.id} nor inherited.`,
          difficulty: "medium",
          originalLabel: status,
        });
      }
    }
    return candidates;
  },
};
