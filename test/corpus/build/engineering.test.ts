// The rules of the engineering tasks, checked by hand and by other code than the builder's.
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainState } from "../../../src/corpus/build/decidability.ts";
import { blockingBrowser } from "../../../src/corpus/build/engineering/blocking-browser.ts";
import { installedVersion } from "../../../src/corpus/build/engineering/installed-version.ts";
import { highestInRange, isInRange } from "../../../src/corpus/build/engineering/version-range.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { compareVersions } from "../../../src/corpus/build/versions.ts";
import { packageRoot } from "../../../src/workspace.ts";
import { installed } from "./range-rule.ts";

const facts = openSources(join(packageRoot, "data"));

test.each([
  ["^1.2.3", "1.2.3 1.10.0 1.99.99", "1.2.2 2.0.0 0.2.3"],
  ["^1.2", "1.2.0 1.9.4", "1.1.9 2.0.0"],
  ["^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3.0 1.2.3"],
  ["^0.0.3", "0.0.3", "0.0.2 0.0.4"],
  ["~1.2.3", "1.2.3 1.2.10", "1.2.2 1.3.0"],
  ["~1.2", "1.2.0 1.2.9", "1.1.9 1.3.0"],
  ["~1", "1.0.0 1.9.9", "0.9.9 2.0.0"],
  ["1.x", "1.0.0 1.9.9", "0.9.9 2.0.0"],
  ["1.2.*", "1.2.0 1.2.9", "1.1.9 1.3.0"],
  ["*", "0.0.0 99.0.0", ""],
  ["1.2.3", "1.2.3", "1.2.2 1.2.4"],
  ["1.2.3 - 2.3.4", "1.2.3 2.3.4", "1.2.2 2.3.5"],
  ["1.2.3 - 2.3", "1.2.3 2.3.9", "1.2.2 2.4.0"],
  ["1.2.3 - 2", "2.9.9", "3.0.0"],
  [">1.2.3 <=1.10.0", "1.2.4 1.10.0", "1.2.3 1.10.1"],
  [">=1.2.3 <1.10.0", "1.2.3 1.9.0", "1.2.2 1.10.0"],
  [">9.1 <=11", "9.2.0 11.9.9", "9.1.5 12.0.0"],
  [">9 <11.2", "10.0.0 11.1.9", "9.9.9 11.2.0"],
  ["~1.2.3 || ^3.0.0", "1.2.4 3.9.0", "1.3.0 2.0.0 4.0.0"],
])("%s holds %s, not %s", (range, inside, outside) => {
  const list = (text: string): string[] => text.split(" ").filter(Boolean);
  expect(list(inside).filter((version) => !isInRange(range, version))).toEqual([]);
  expect(list(outside).filter((version) => isInRange(range, version))).toEqual([]);
});

test("the highest by number is taken, none where none is inside, and what is not understood is an error", () => {
  expect(highestInRange("^9.0.0", ["9.4.1", "9.10.0", "10.1.0", "9.9.9"])).toBe("9.10.0");
  expect(highestInRange("^9.0.0", ["8.0.0", "10.0.0"])).toBeNull();
  expect(() => isInRange("^latest", "1.0.0")).toThrow('found the condition "^latest"');
  expect(() => isInRange("^1.0.0", "1.0.0-beta.1")).toThrow("found the version 1.0.0-beta.1");
});

test("every range is decided alike by other code, and the answer is neither the lowest nor the highest", () => {
  const candidates = installedVersion.candidates(facts);
  expect(candidates.length).toBeGreaterThan(150);
  const places = [0, 0, 0, 0, 0];
  for (const candidate of candidates) {
    const state = plainState(candidate) as Parameters<typeof installed>[0];
    expect(installed(state), candidate.key).toBe(candidate.gold);
    const versions = state.published.map(({ version }) => version);
    expect(new Set(versions).size, candidate.key).toBe(5);
    versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    places[versions.indexOf(candidate.gold)] = (places[versions.indexOf(candidate.gold)] ?? 0) + 1;
  }
  expect([places[0], places[4]]).toEqual([0, 0]);
  expect(Math.min(...places.slice(1, 4))).toBeGreaterThan(candidates.length / 6);
});

interface Shown {
  browsers: { browser: string; target_version: string; history: Record<string, unknown>[] }[];
}

const LIMITS = ["flag", "prefix", "other_name", "partial"];
const blocked = blockingBrowser
  .candidates(facts)
  .filter(({ gold }) => gold !== "none-blocks")
  .map((candidate) => {
    const { browsers } = plainState(candidate) as unknown as Shown;
    return { ...candidate, blocker: browsers.find(({ browser }) => browser === candidate.gold) };
  });

test("a target that an entry begins at or below is not tagged easy", () => {
  const easy = blocked.filter(({ difficulty }) => difficulty === "easy");
  expect(easy.length).toBeGreaterThan(0);
  const tempting = easy.filter(({ blocker }) =>
    blocker?.history.some(
      ({ added }) => /^\d/.test(String(added)) && compareVersions(String(added), blocker.target_version) <= 0,
    ),
  );
  expect(tempting.map(({ key }) => key)).toEqual([]);
});

test("the version that first has the feature is named without more only if it has all of it", () => {
  const bare = blocked.flatMap(({ key, rationale, blocker }) => {
    const first = /first in ([\d.]+)\. All/.exec(rationale)?.[1];
    return first === undefined ? [] : [{ key, entries: blocker?.history.filter((s) => s.added === first) }];
  });
  expect(bare.length).toBeGreaterThan(0);
  const limited = bare.filter(({ entries }) => !entries?.some((s) => LIMITS.every((limit) => !(limit in s))));
  expect(limited.map(({ key }) => key)).toEqual([]);
});
