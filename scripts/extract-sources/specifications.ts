// Facts about specifications of the web: who writes them, where they stand in their series and on the way to a standard.
import type { Extraction, Fact } from "./extraction.ts";

interface Specification {
  shortname: string;
  title: string;
  organization: string;
  groups: { name: string }[];
  series: { shortname: string };
  seriesComposition: string;
  seriesVersion?: string;
  seriesPrevious?: string;
  seriesNext?: string;
  standing: string;
  release?: { status: string };
  nightly?: { status: string };
  tests?: unknown;
}

export const specifications: Extraction = {
  id: "web-specs",
  title: "Specifications of the web platform",
  registry: "npm",
  package: "web-specs",
  version: "4.16.0",
  license: "CC0-1.0",
  files: ["index.json"],
  attribution: "W3C, web-specs (CC0 1.0).",
  taken:
    "For each specification of a W3C working group in good standing, its title, group, place in its series, whether platform tests " +
    "cover it, and its status.",
  async extract(unpacked) {
    const all = unpacked.json("index.json") as Specification[];
    const facts = all.flatMap((spec): Fact[] => {
      const [group, ...more] = spec.groups;
      const status = spec.release?.status ?? spec.nightly?.status;
      if (spec.organization !== "W3C" || spec.standing !== "good" || status === undefined) return [];
      if (group === undefined || more.length > 0 || !group.name.endsWith("Working Group")) return [];
      return [
        {
          id: spec.shortname,
          title: spec.title,
          group: group.name,
          series: spec.series.shortname,
          level: spec.seriesVersion ?? null,
          composition: spec.seriesComposition,
          previous: spec.seriesPrevious ?? null,
          next: spec.seriesNext ?? null,
          tested: spec.tests !== undefined,
          status,
        },
      ];
    });
    return { "specifications.jsonl": facts };
  },
};
