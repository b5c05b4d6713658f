// The task on icons: what holds of every row, read from the facts by other code than the build's.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { iconSearch } from "../../../src/corpus/build/design/icon-search.ts";
import { selectCandidates } from "../../../src/corpus/build/selection.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";

const data = fileURLToPath(new URL("../../../data", import.meta.url));
const facts = openSources(data);
const tags = new Map(
  readFileSync(`${data}/sources/icon-tags.jsonl`, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: string; tags: string[] })
    .map((icon) => [icon.id, new Set(icon.tags)] as const),
);
const rows = selectCandidates(iconSearch.candidates(facts), {
  name: iconSearch.id,
  rows: iconSearch.rows,
  perGroup: iconSearch.perGroup,
});

describe("DES-5", () => {
  test.each(rows.map((row) => [row.key, row] as const))("only %s carries all of its terms", (_, row) => {
    const terms = row.state.search_terms as string[];
    const names = (row.options ?? []).map(([name]) => name);
    expect(terms.length).toBeGreaterThanOrEqual(5);
    expect(names).toHaveLength(6);
    const carried = names.map((name) => terms.filter((term) => tags.get(name)?.has(term)).length);
    expect(carried[names.indexOf(row.gold)]).toBe(terms.length);
    names.forEach((name, i) => {
      if (name !== row.gold) expect(carried[i], name).toBeLessThanOrEqual(3);
    });
    // Some term belongs to another one too, and no name can be found among the terms.
    expect(names.some((name, i) => name !== row.gold && (carried[i] ?? 0) > 0)).toBe(true);
    const shown = new Set(terms.join(" ").split(/[^a-z0-9]+/));
    for (const word of names.join("-").split("-")) expect(shown.has(word), word).toBe(false);
  });

  test("the answer stands at every place among the options of the file", () => {
    const places = rows.map(({ options = [], gold }) => options.findIndex(([name]) => name === gold));
    expect([...new Set(places)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("there are thirty rows, and each is about another icon", () => {
    expect(new Set(rows.map(({ gold }) => gold)).size).toBe(30);
  });
});
