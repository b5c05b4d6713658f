// Facts that a support desk works with: which release lines are supported when.
import type { Extraction, Fact } from "./extraction.ts";

interface Schedule {
  start: string;
  lts?: string;
  maintenance?: string;
  end: string;
}

export const releaseSchedule: Extraction = {
  id: "node-releases",
  title: "Node.js release schedule",
  registry: "npm",
  package: "node-releases",
  version: "2.0.66",
  license: "MIT",
  files: ["data/release-schedule/release-schedule.json"],
  attribution: "Sergey Rubanov and contributors, node-releases (MIT); schedule of the Node.js project.",
  taken:
    "For each release line with a maintenance phase, the days on which it starts, becomes long-term, goes into " +
    "maintenance and ends. No code names.",
  async extract(unpacked) {
    const lines = unpacked.json("data/release-schedule/release-schedule.json") as Record<string, Schedule>;
    const facts: Fact[] = Object.entries(lines).flatMap(([id, { start, lts, maintenance, end }]) =>
      maintenance === undefined ? [] : [{ id, start, lts: lts ?? null, maintenance, end }],
    );
    return { "release-schedule.jsonl": facts };
  },
};
