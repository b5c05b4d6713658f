// The task on automated clients: what holds of every row, and of the source's other records beside it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { crawlerKind } from "../../../src/corpus/build/safety/crawler-kind.ts";
import { selectCandidates } from "../../../src/corpus/build/selection.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";

const data = fileURLToPath(new URL("../../../data", import.meta.url));
const records = readFileSync(`${data}/sources/crawlers.jsonl`, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as { id: string; kind: string; token: string });
const rows = selectCandidates(crawlerKind.candidates(openSources(data)), {
  name: crawlerKind.id,
  rows: crawlerKind.rows,
  perGroup: crawlerKind.perGroup,
});

/** Words which say in a name what its bearer is for. */
const TELLING =
  /feed|rss|read|news|search|seo|monitor|uptime|status|check|scan|secur|advert|^ads|ads?bot|preview|link|share|social|subscri|index|podcast/i;

describe("TNS-1", () => {
  test.each(rows.map((row) => [String(row.state.client), row] as const))(
    "%s",
    (client, { gold, recordId }) => {
      expect(client).not.toMatch(TELLING);
      expect(records.find(({ id }) => id === recordId)).toMatchObject({ token: client, kind: gold });
      // The source gives no other kind to a client that goes by the same name.
      const name = client.split("/")[0]?.toLowerCase();
      const bearers = records.filter(({ token }) => token.split("/")[0]?.toLowerCase() === name);
      expect(new Set(bearers.map(({ kind }) => kind)).size).toBe(1);
    },
  );

  test("each kind is the answer five times", () => {
    for (const [kind] of crawlerKind.options ?? []) {
      expect(rows.filter(({ gold }) => gold === kind)).toHaveLength(5);
    }
  });

  test("no degree of difficulty stands for one kind", () => {
    for (const degree of ["easy", "medium", "hard"]) {
      const kinds = rows.filter(({ difficulty }) => difficulty === degree).map(({ gold }) => gold);
      expect(new Set(kinds).size).toBeGreaterThan(1);
    }
  });

  test("the facts hold no address of a page or of mail", () => {
    for (const { token } of records) expect(token).not.toMatch(/https?:|www\.|@/);
  });
});
