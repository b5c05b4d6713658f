// Facts about automated clients of the web: how they introduce themselves and what kind they are.
import { KINDS } from "../../src/corpus/build/safety/crawler-kind.ts";
import type { Extraction, Fact } from "./extraction.ts";

const LIST = "crawler-user-agents.json";
const TAKEN: ReadonlySet<string> = new Set(KINDS);

/** What the rest of a user agent looks like. */
function formOf(agent: string): string {
  if (/Mobile|Android|iPhone/.test(agent)) return "phone browser";
  if (/AppleWebKit|Gecko\/|Trident/.test(agent)) return "desktop browser";
  return /^Mozilla|compatible/.test(agent) ? "compatible with browsers" : "no browser";
}

export const crawlers: Extraction = {
  id: "crawler-user-agents",
  title: "User agents of crawlers",
  registry: "npm",
  package: "crawler-user-agents",
  version: "1.60.0",
  license: "MIT",
  files: [LIST],
  attribution: "M. Monperrus and contributors, crawler-user-agents (MIT).",
  taken:
    "For each crawler of exactly one of six kinds, its pattern, its kind, and from its shortest user agent the token by which it " +
    "names itself and whether the rest looks like a browser's. No addresses or descriptions.",
  async extract(unpacked) {
    const crawlers = unpacked.json(LIST) as { pattern: string; tags: string[]; instances: string[] }[];
    const facts = crawlers.flatMap(({ pattern, tags, instances }): Fact[] => {
      const [kind, ...more] = tags;
      if (kind === undefined || more.length > 0 || !TAKEN.has(kind)) return [];
      for (const agent of instances.toSorted((a, b) => a.length - b.length)) {
        const token = new RegExp(`[^\\s;()+,:@]*(?:${pattern})[^\\s;()+,:@]*`).exec(agent)?.[0].trim();
        if (token !== undefined && !/https?:|www\.|@/.test(token)) {
          return [{ id: pattern, kind, token, form: formOf(agent) }];
        }
      }
      return [];
    });
    return { "crawlers.jsonl": facts };
  },
};
