// At which level of access a cloud service files an action that an agent wants to call.
import { z } from "zod";
import type { Candidate, Features, Options, Task } from "../task.ts";

const actionSchema = z.strictObject({
  id: z.string(),
  service: z.string(),
  name: z.string(),
  level: z.string(),
  resources: z.array(z.strictObject({ name: z.string(), required: z.boolean() })),
  conditions: z.array(z.string()),
  dependent: z.array(z.string()),
});
type Action = z.infer<typeof actionSchema>;

const LEVELS: Options = [
  ["list", "Shows which items there are, not what is in them"],
  ["read", "Gives back content, settings or results; no change"],
  ["write", "Makes, alters, runs or removes something; no grants"],
  ["permissions-management", "Alters who is allowed to do what"],
];

/** The source's level → ours. */
const LABELS: Readonly<Record<string, string>> = {
  List: "list",
  Read: "read",
  Write: "write",
  "Permissions management, Write": "permissions-management",
};

/** Says under what the provider files an action; management of rights is always filed under writing as well. */
function filing(name: string, level: string): string {
  const [first, second] = level.split(", ");
  const besides = second === undefined ? "" : ` and, like all such actions, under ${second} as well`;
  return `The provider files ${name} under ${first}${besides}.`;
}

/** A policy that steers a service and says nothing of who may do what. */
const STEERING =
  /Scaling|Lifecycle|Retention|Scheduling|Replication|Backup|Protection|Routing|Cache|Encryption|Firewall|Generation|Store/;

/** Words of names that are about rights. */
const RIGHTS = /Polic|Grant|Access|Authoriz|Acl|Shar|Role|Principal|User|Member|Allowed/;

/** What is content or a result, not an item that can be listed. */
const CONTENT = /Metrics|Settings|Results|Statistics|States/;

/** Verbs that change something whichever level they are filed under. */
const CHANGING =
  /^(Add|Allow|Associate|Attach|Authorize|Create|Delete|Detach|Disable|Disassociate|Enable|Modify|Put|Remove|Revoke|Set|Update)[A-Z]/;
/** Verbs that the source files under more than one level. */
const AMBIGUOUS =
  /^(Approve|Call|Check|Discover|Download|Evaluate|Execute|Export|Generate|Invoke|Poll|Preview|Query|Request|Resolve|Retrieve|Run|Scan|Stream|Test|Translate|Validate|Verify|View)[A-Z]/;
const LOOKING = /^(Describe|Get|Search|View|Query)[A-Z]/;

/** Whether an action of this level belongs into the task: a case that can be told by the definitions of the levels. */
function clear(action: Action, label: string): boolean {
  const { name } = action;
  const plural = /[^su]s$/.test(name);
  const required = action.resources.some((resource) => resource.required);
  if (/permission/i.test(name)) return false;
  switch (label) {
    case "list":
      return LOOKING.test(name) && plural && !required && !CONTENT.test(name);
    case "read":
      return AMBIGUOUS.test(name) || (LOOKING.test(name) && required && plural);
    case "write":
      return (
        AMBIGUOUS.test(name) ||
        /Principal|Member|Rule/.test(name) ||
        (/Polic/.test(name) && STEERING.test(name) && !/Access/.test(name))
      );
    default:
      return CHANGING.test(name) && RIGHTS.test(name) && !/LogDelivery/.test(name);
  }
}

export const accessLevel: Task = {
  id: "AGT-1",
  name: "Access level of a tool action",
  shape: "classify",
  ask: "Which access level does this action need approval for?",
  instruction:
    "Before an agent may call an action of a cloud service, its harness asks for approval at the action's access level. " +
    "The levels are: list, for finding out which items there are in the account, without naming one; read, for getting " +
    "what belongs to a named item, or content, settings or computed results, without changing anything; write, for " +
    "creating, altering, running, sending or removing something without changing anyone's rights; and " +
    "permissions-management, for granting, taking away or altering rights (access policies, grants, shares, who may " +
    "act as whom). Policies that only steer how a service works, such as scaling or retention, are no rights. The state " +
    "gives the service, the name of the action, the kinds of resource that it takes (required or not), the names of " +
    "condition keys that its approval may be limited by, and other actions that it needs. Choose the level at which the " +
    "provider files the action.",
  modality: "text",
  options: LEVELS,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["iam-data"],
  rows: 28,
  perGroup: 1,
  decision: {
    by: "neighbours",
    features,
    says: "Neighbours by the verb, the number of the noun, the required resources and words such as policy in the name.",
  },
  chosen:
    "No action whose name begins with list or tag. List: collections that are looked at without naming an item. Read: " +
    "what belongs to a named item, or verbs that the source files under several levels. Write: such verbs, or names with a word that " +
    "sounds like rights. Permissions management: changing verbs. Names that say permission are left out, and so are " +
    "writes of access policies, which are filed under two levels. Balanced over the four levels, one row per name.",
  changed:
    "Names are the source's; at most six condition keys and other actions are shown, and the level is hidden.",
  candidates(facts) {
    return facts.read("cloud-actions.jsonl", actionSchema).flatMap((action): Candidate[] => {
      const label = LABELS[action.level];
      if (label === undefined || !clear(action, label)) return [];
      return [
        {
          key: action.id,
          recordId: action.id,
          stratum: label,
          group: action.name,
          title: `${action.service}: ${action.name}`,
          state: {
            service: action.service,
            action: action.name,
            resources: action.resources.slice(0, 6).map(({ name, required }) => ({ kind: name, required })),
            condition_keys: action.conditions.slice(0, 6),
            also_needs: action.dependent.slice(0, 6),
          },
          gold: label,
          rationale: filing(action.name, action.level),
          difficulty: label === "write" || label === "read" ? "hard" : "medium",
          originalLabel: action.level,
        },
      ];
    });
  },
};

const shownSchema = z.object({
  action: z.string(),
  resources: z.array(z.object({ required: z.boolean() })),
});

function features(state: unknown): Features {
  const { action, resources } = shownSchema.parse(state);
  return {
    verb: /^[A-Z][a-z]*/.exec(action)?.[0] ?? "",
    changes: CHANGING.test(action),
    looks: LOOKING.test(action),
    plural: /[^su]s$/.test(action),
    required: resources.some((resource) => resource.required),
    rights: RIGHTS.test(action) && !STEERING.test(action),
  };
}
