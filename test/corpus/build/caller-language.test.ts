// The task on language queues: every answer and every rival, read from the facts by other code than the build's.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { selectCandidates } from "../../../src/corpus/build/selection.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { callerLanguage } from "../../../src/corpus/build/support/caller-language.ts";
import { LANGUAGE_NAMES } from "../../../src/corpus/build/support/language-names.ts";

interface Fact {
  id: string;
  calling_code: number;
  currencies: string[];
  population: number;
  languages: { code: string; percent: number }[];
}
const data = fileURLToPath(new URL("../../../data", import.meta.url));
const lines = (name: string): Fact[] =>
  readFileSync(`${data}/sources/${name}.jsonl`, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Fact);
const codes = new Map(lines("calling-codes").map(({ id, calling_code }) => [id, calling_code]));
const places = lines("territories");
const rows = selectCandidates(callerLanguage.candidates(openSources(data)), {
  name: callerLanguage.id,
  rows: callerLanguage.rows,
  perGroup: callerLanguage.perGroup,
});

describe("SUP-4", () => {
  test.each(rows.map((row) => [row.key, row] as const))("%s", (_, { state, gold, options }) => {
    const found = places.filter(
      ({ id, currencies }) =>
        `+${codes.get(id)}` === state.calling_code && currencies.includes(String(state.currency)),
    );
    expect(found).toHaveLength(1);
    const [place] = found;
    expect(Math.abs(Number(state.population_millions) * 1e6 - (place?.population ?? 0))).toBeLessThan(
      (place?.population ?? 0) * 0.06,
    );
    const shares = (place?.languages ?? []).map(({ percent }) => percent);
    const top = place?.languages.find(({ percent }) => percent === Math.max(...shares));
    expect(
      LANGUAGE_NAMES.get(top?.code ?? "")
        ?.toLowerCase()
        .replaceAll(" ", "-"),
    ).toBe(gold);
    // No other language, offered or not, comes within ten points.
    expect(shares.filter((percent) => percent > (top?.percent ?? 0) - 10)).toHaveLength(1);
    const labels = options?.map(([label]) => label) ?? [];
    expect(new Set(labels).size).toBe(6);
    // Their order tells nothing of the answer.
    expect(labels).toEqual([...labels].sort());
  });

  test("no language is the answer of more than three rows", () => {
    const answers = rows.map(({ gold }) => gold);
    for (const answer of answers)
      expect(answers.filter((one) => one === answer).length).toBeLessThanOrEqual(3);
  });
});
