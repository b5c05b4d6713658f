// The engineering tasks: what is said of a row beside its answer.
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainState } from "../../../src/corpus/build/decidability.ts";
import { blockingBrowser } from "../../../src/corpus/build/engineering/blocking-browser.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { compareVersions } from "../../../src/corpus/build/versions.ts";
import { packageRoot } from "../../../src/workspace.ts";

interface Shown {
  browsers: { browser: string; target_version: string; history: Record<string, unknown>[] }[];
}

const LIMITS = ["flag", "prefix", "other_name", "partial"];
const blocked = blockingBrowser
  .candidates(openSources(join(packageRoot, "data")))
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
