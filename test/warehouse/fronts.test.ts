// Which models are as accurate as no other for their money or their time, against every pair of them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { corpus } from "../support/answered.ts";
import { publishedOracle } from "../support/oracle.ts";
import { addPublished, call, metadataOf, prediction } from "../support/published.ts";
import { type Opened, open } from "../support/query.ts";
import { makeWorkspace, type RowSpec, result, type TestWorkspace } from "../support/workspace.ts";

const ROWS = corpus({ "A-1": 4 });

interface Entry {
  readonly model: string;
  readonly right: number;
  /** Cost of each of the four rows in USD; null: unknown. */
  readonly costs: readonly (number | null)[];
  /** Latency of every row; null: unknown. */
  readonly ms: number | null;
  readonly prompt?: string;
  readonly provider?: string;
}

function enter(workspace: TestWorkspace, entry: Entry, rows: readonly RowSpec[] = ROWS): void {
  const { model, right, costs, ms, prompt = "p", provider = "openai-compatible" } = entry;
  const whole = metadataOf("tiny", model, workspace.sha256);
  addPublished(workspace, ["tiny", model], {
    metadata: { prompt_version: prompt, model: { ...(whole.model as object), provider } },
    predictions: rows.map(({ id: row, gold }, i) =>
      prediction({
        row,
        gold,
        label: i < right ? "yes" : "no",
        attempts: costs.length === 0 ? [] : [call({ cost: costs[i] ?? null })],
        changes: { latency_ms: ms },
      }),
    ),
  });
}

/** The fronts, each result compared with each other one. */
async function bruteForce({ rows }: Opened): Promise<unknown[]> {
  const entries = await rows<{
    run_id: string;
    prompt: string;
    k: number;
    usd: number | null;
    ms: number | null;
  }>(
    `SELECT r.run_id, concat(r.prompt_version, ' ', r.prompt_sha256) AS prompt, b.accuracy AS k,
       CASE WHEN b.cost_coverage = 1 THEN b.cost_per_1000_rows_usd END AS usd, b.p50_ms AS ms
     FROM leaderboard AS b JOIN runs AS r ON r.run_id = b.run_id
     WHERE b.full_coverage AND r.provider <> 'baseline' ORDER BY r.run_id`,
  );
  return entries.map((one) => {
    const on = (axis: "usd" | "ms"): boolean | null => {
      const mine = one[axis];
      if (mine === null) return null;
      return !entries.some((other) => {
        const theirs = other[axis];
        if (theirs === null || other.prompt !== one.prompt) return false;
        return other.k >= one.k && theirs <= mine && (other.k > one.k || theirs < mine);
      });
    };
    return { run_id: one.run_id, on_cost_front: on("usd"), on_latency_front: on("ms") };
  });
}

const FRONTS = "SELECT * FROM fronts ORDER BY run_id";

test("fronts by hand: ties together, zero is a cost, what is unknown is compared with nothing", async () => {
  const workspace = makeWorkspace(ROWS);
  const all = (usd: number): number[] => [usd, usd, usd, usd];
  enter(workspace, { model: "best", right: 4, costs: all(0.5), ms: 300 });
  enter(workspace, { model: "best-too", right: 4, costs: all(0.5), ms: 400 });
  enter(workspace, { model: "dear", right: 3, costs: all(0.5), ms: 100 });
  enter(workspace, { model: "free", right: 1, costs: all(0), ms: 100 });
  enter(workspace, { model: "known-in-part", right: 4, costs: [0, 0, 0, null], ms: null });
  enter(workspace, { model: "never-asked", right: 4, costs: [], ms: 500 });
  enter(workspace, { model: "other-prompt", right: 1, costs: all(9), ms: 900, prompt: "q" });
  enter(workspace, { model: "uniform", right: 4, costs: all(0), ms: 1, provider: "baseline" });
  enter(workspace, { model: "part", right: 3, costs: all(0), ms: 1 }, ROWS.slice(1));
  const results = ROWS.map(({ id, gold }) => result({ row: id, gold, label: "yes", ms: 1, attempts: [] }));
  workspace.addRun("local", { results });
  enter(workspace, { model: "elsewhere", right: 4, costs: all(0), ms: 1 });
  addPublished(workspace, ["tiny", "elsewhere"], {
    predictions: null,
    metadata: { corpus: { version: "0.9.0", sha256: "0".repeat(64), current: true }, prompt_version: "p" },
  });
  const opened = await open(workspace);
  const found = await opened.rows(FRONTS);
  expect(found.map((row) => [row.run_id, row.on_cost_front, row.on_latency_front])).toEqual([
    ["tiny/best", true, true],
    ["tiny/best-too", true, false],
    ["tiny/dear", false, true],
    ["tiny/free", true, false],
    ["tiny/known-in-part", null, null],
    ["tiny/never-asked", null, false],
    ["tiny/other-prompt", true, true],
  ]);
  expect(found).toEqual(await bruteForce(opened));
});

test("nothing, the oracle, and many made-up results agree with comparing each with each", async () => {
  expect(await (await open(makeWorkspace())).rows(FRONTS)).toEqual([]);
  const oracle = await open(publishedOracle());
  const found = await oracle.rows(FRONTS);
  expect(found).toHaveLength(5);
  expect(found).toEqual(await bruteForce(oracle));

  const amount = fc.constantFrom(null, 0, 0.1, 0.2, 0.3, 1e300, 5e-324);
  const entry = fc.record({
    right: fc.integer({ min: 0, max: 4 }),
    cost: amount,
    ms: amount,
    prompt: fc.constantFrom("p", "p", "q"),
  });
  let off = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 2, maxLength: 9 }), async (entries) => {
      const workspace = makeWorkspace(ROWS);
      entries.forEach(({ cost, ...rest }, i) => {
        enter(workspace, { model: `m${i}`, costs: [cost, cost, cost, cost], ...rest });
      });
      const opened = await open(workspace);
      const drawn = await opened.rows(FRONTS);
      expect(drawn).toHaveLength(entries.length);
      expect(drawn).toEqual(await bruteForce(opened));
      off += drawn.filter(({ on_cost_front }) => on_cost_front === false).length;
    }),
    { numRuns: 15, seed: 20260923, endOnFailure: true },
  );
  expect(off).toBeGreaterThan(10);
}, 120_000);
