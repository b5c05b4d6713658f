// Facts about icons: what each one is called and which concepts it is found by. No drawings.
import type { Extraction, Fact } from "./extraction.ts";

/** Fewer concepts than this do not tell an icon from its relatives. */
const FEWEST_TAGS = 4;

export const iconTags: Extraction = {
  id: "lucide-static",
  title: "Search tags of the Lucide icons",
  registry: "npm",
  package: "lucide-static",
  version: "1.62.0",
  license: "ISC",
  files: ["tags.json"],
  attribution: "Lucide Icons and contributors, lucide-static (ISC).",
  taken: "For each icon with four or more search tags, its name and its tags. No drawings.",
  async extract(unpacked) {
    const icons = unpacked.json("tags.json") as Record<string, string[]>;
    return {
      "icon-tags.jsonl": Object.entries(icons).flatMap(([id, tags]): Fact[] => {
        const distinct = [...new Set(tags.map((tag) => tag.trim().toLowerCase()))];
        return distinct.length < FEWEST_TAGS ? [] : [{ id, tags: distinct }];
      }),
    };
  },
};
