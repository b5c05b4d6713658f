// Groups of neighbours that the data do not tell apart, against all groups that there could be.
import fc from "fast-check";
import { expect, test } from "vitest";
import { corpus, publish } from "../support/answered.ts";
import { publishedOracle } from "../support/oracle.ts";
import { addPublished } from "../support/published.ts";
import { type Opened, open } from "../support/query.ts";
import { makeWorkspace, type RowSpec, type TestWorkspace } from "../support/workspace.ts";

interface Tied {
  readonly [column: string]: number | string;
  readonly run_id: string;
  readonly first_group: number;
  readonly last_group: number;
}

/** For results in the order of their accuracy: every interval without a pair that is apart, and within no other such. */
function groupsOf(count: number, apart: (i: number, j: number) => boolean): [first: number, last: number][] {
  const alike = (first: number, last: number): boolean => {
    for (let i = first; i <= last; i += 1) {
      for (let j = i + 1; j <= last; j += 1) if (apart(i, j)) return false;
    }
    return true;
  };
  const groups: [number, number][] = [];
  for (let first = 0; first < count; first += 1) {
    for (let last = first; last < count; last += 1) {
      const wider = (first > 0 && alike(first - 1, last)) || (last + 1 < count && alike(first, last + 1));
      if (alike(first, last) && !wider) groups.push([first, last]);
    }
  }
  return groups;
}

/** The groups of each prompt's results as they must be, from the ranks and the pairs. */
async function expectedGroups({ rows }: Opened): Promise<{ found: Tied[]; want: Tied[]; groups: number }> {
  const board = await rows<{ run_id: string; prompt: string }>(
    "SELECT run_id, concat(prompt_version, ' ', prompt_sha256) AS prompt FROM leaderboard WHERE full_coverage ORDER BY rank",
  );
  const decided = await rows<{ run_a: string; run_b: string }>(
    "SELECT run_a, run_b FROM pair_tests(NULL, NULL) WHERE p_holm < 0.05",
  );
  const pairs = new Set(decided.flatMap(({ run_a, run_b }) => [`${run_a} ${run_b}`, `${run_b} ${run_a}`]));
  const want: Tied[] = [];
  let most = 0;
  for (const prompt of new Set(board.map((row) => row.prompt))) {
    const ids = board.filter((row) => row.prompt === prompt).map(({ run_id }) => run_id);
    const groups = groupsOf(ids.length, (i, j) => pairs.has(`${ids[i]} ${ids[j]}`));
    most = Math.max(most, groups.length);
    ids.forEach((run_id, i) => {
      const numbers = groups.flatMap(([first, last], n) => (first <= i && i <= last ? [n + 1] : []));
      // Neighbours, so that the first and the last say all.
      expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n));
      want.push({ run_id, first_group: numbers[0] ?? 0, last_group: numbers.at(-1) ?? 0 });
    });
  }
  const byId = (a: Tied, b: Tied): number => (a.run_id < b.run_id ? -1 : 1);
  const found = (await rows<Tied>("SELECT * FROM tied_groups")).sort(byId);
  return { found, want: want.sort(byId), groups: most };
}

test("the oracle: the best and the worst alone, those between them together", async () => {
  const opened = await open(publishedOracle());
  const { found, want } = await expectedGroups(opened);
  expect(found).toEqual(want);
  expect(found.map(({ run_id, first_group, last_group }) => [run_id, first_group, last_group])).toEqual([
    ["oracle-1/alpha", 1, 1],
    ["oracle-1/bravo", 2, 2],
    ["oracle-1/charlie", 2, 2],
    ["oracle-1/delta", 3, 3],
    ["oracle-1/echo-label-only", 2, 2],
  ]);
});

const TASKS = { "A-1": 4, "A-2": 4, "A-3": 4, "A-4": 4, "A-5": 4, "A-6": 4 };

/** The first rows of every task are right, as many as this says. */
function firstOf(counts: readonly number[]): string[] {
  return Object.keys(TASKS).flatMap((task, t) =>
    Array.from({ length: counts[t] ?? 0 }, (_, i) => `${task}-${i + 1}`),
  );
}

function prompted(
  workspace: TestWorkspace,
  model: string,
  rows: readonly RowSpec[],
  counts: readonly number[],
  prompt: string,
): void {
  publish(workspace, model, rows, firstOf(counts));
  addPublished(workspace, ["tiny", model], { predictions: null, metadata: { prompt_version: prompt } });
}

test("a result between two that are told apart is in the groups of both", async () => {
  const rows = corpus(TASKS);
  const workspace = makeWorkspace(rows);
  prompted(workspace, "best", rows, [3, 3, 3, 3, 3, 4], "p");
  prompted(workspace, "middle", rows, [4, 1, 3, 0, 3, 1], "p");
  prompted(workspace, "worst", rows, [1, 0, 1, 1, 0, 1], "p");
  // None of these is in a group with them: a part, another corpus, another prompt.
  publish(workspace, "part", rows.slice(1), []);
  prompted(workspace, "elsewhere", rows, [2, 2, 2, 2, 2, 2], "p");
  addPublished(workspace, ["tiny", "elsewhere"], {
    predictions: null,
    metadata: { corpus: { version: "0.9.0", sha256: "0".repeat(64), current: true } },
  });
  prompted(workspace, "other-prompt", rows, [2, 2, 2, 2, 2, 2], "q");
  workspace.addRun("local", { results: [] });
  const { rows: ask } = await open(workspace);
  expect(await ask("SELECT * FROM tied_groups ORDER BY run_id")).toEqual([
    { run_id: "tiny/best", first_group: 1, last_group: 1 },
    { run_id: "tiny/middle", first_group: 1, last_group: 2 },
    { run_id: "tiny/other-prompt", first_group: 1, last_group: 1 },
    { run_id: "tiny/worst", first_group: 2, last_group: 2 },
  ]);
});

test("without a full result there is no group, and one alone is one", async () => {
  const rows = corpus(TASKS);
  const workspace = makeWorkspace(rows);
  expect(await (await open(workspace)).rows("SELECT * FROM tied_groups")).toEqual([]);
  publish(workspace, "alone", rows, []);
  expect(await (await open(workspace)).rows("SELECT * FROM tied_groups")).toEqual([
    { run_id: "tiny/alone", first_group: 1, last_group: 1 },
  ]);
});

test("no pair of a group is told apart, and every group that could be wider is", async () => {
  const counts = fc.tuple(...Object.values(TASKS).map((size) => fc.integer({ min: 0, max: size })));
  const level = fc.integer({ min: 0, max: 4 }).map((n) => Object.keys(TASKS).map(() => n));
  // Near one level, so that some pairs are told apart and others not.
  const near = fc
    .tuple(level, counts)
    .map(([base, noise]) => base.map((n, i) => (noise[i] === 0 ? Math.max(0, n - 1) : n)));
  const models = fc.array(
    fc.record({ counts: fc.oneof(counts, level, near, near), prompt: fc.constantFrom("p", "p", "p", "q") }),
    {
      minLength: 2,
      maxLength: 9,
    },
  );
  let several = 0;
  let overlapping = 0;
  await fc.assert(
    fc.asyncProperty(models, async (drawn) => {
      const rows = corpus(TASKS);
      const workspace = makeWorkspace(rows);
      drawn.forEach(({ counts: right, prompt }, i) => {
        prompted(workspace, `m${i}`, rows, right, prompt);
      });
      const opened = await open(workspace);
      await opened.warehouse.materialise({ answers: null });
      const { found, want, groups } = await expectedGroups(opened);
      expect(found).toEqual(want);
      if (groups > 1) several += 1;
      if (found.some(({ first_group, last_group }) => last_group > first_group)) overlapping += 1;
    }),
    { numRuns: 25, seed: 20260923, endOnFailure: true },
  );
  // It was about something.
  expect(several).toBeGreaterThan(5);
  expect(overlapping).toBeGreaterThan(3);
}, 180_000);
