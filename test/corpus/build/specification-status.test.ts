// The task on stages of specifications: every answer read from the facts by other code than the build's.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { specificationStatus } from "../../../src/corpus/build/product/specification-status.ts";
import { selectCandidates } from "../../../src/corpus/build/selection.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";

const data = fileURLToPath(new URL("../../../data", import.meta.url));
const records = new Map(
  readFileSync(`${data}/sources/specifications.jsonl`, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: string; status: string; series: string; title: string })
    .map((record) => [record.id, record] as const),
);
const rows = selectCandidates(specificationStatus.candidates(openSources(data)), {
  name: specificationStatus.id,
  rows: specificationStatus.rows,
  perGroup: specificationStatus.perGroup,
});
const STATUSES: Record<string, RegExp> = {
  "editors-draft": /^Editor's Draft$/,
  "under-way": /^(Working Draft|Candidate Recommendation (Draft|Snapshot))$/,
  recommendation: /^Recommendation$/,
  "group-note": /^(Draft )?Note$/,
};

describe("PRD-2", () => {
  test.each(rows.map((row) => [row.key, row] as const))("%s", (key, { gold, state }) => {
    const record = records.get(key);
    expect(record?.status).toMatch(STATUSES[gold] ?? /^$/);
    expect(state.specification).toBe(record?.title);
    // Nothing that is shown names a stage.
    expect(JSON.stringify(state)).not.toMatch(/recommendation|candidate|\bdrafts?\b|\bnotes?\b|snapshot/i);
  });

  test("thirty rows of thirty series, about as many of each stage", () => {
    expect(new Set(rows.map(({ key }) => records.get(key)?.series)).size).toBe(30);
    for (const stage of Object.keys(STATUSES)) {
      expect([7, 8]).toContain(rows.filter(({ gold }) => gold === stage).length);
    }
  });

  test("notes on media formats are fewer than half of the notes", () => {
    const notes = rows.filter(({ gold }) => gold === "group-note").map(({ title }) => title);
    expect(2 * notes.filter((title) => title.endsWith("Format")).length).toBeLessThan(notes.length);
  });
});
