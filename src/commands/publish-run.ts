// What `bench publish` does: makes sure that the run is whole, publishes it, and says where it stands now.
import { join } from "node:path";
import { loadCorpus } from "../corpus/load.ts";
import { interval, percent, usdAtLeast, whole } from "../figures.ts";
import { readRunRecord } from "../ledgers/record.ts";
import { RUN_FILES } from "../ledgers/schema.ts";
import { visible } from "../output.ts";
import { type Published, publishRun } from "../publish/publish.ts";
import { assertOwnWorkspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import { findLocalRun } from "./find-run.ts";
import { write, writeJson } from "./output.ts";
import { progressLine } from "./progress.ts";
import { withWarehouse } from "./warehouse.ts";
import { assertReadable, assertWhole } from "./whole-run.ts";

/**
 * Publishes a local run.
 *
 * @throws {UserError} when there is no such run; {@link CheckError} when it cannot be published, with the reason.
 */
export async function publish(
  name: string,
  context: Context,
  { force, json }: { readonly force: boolean; readonly json: boolean },
): Promise<void> {
  const workspace = await context.workspace();
  assertOwnWorkspace(workspace.root);
  const runId = findLocalRun(workspace, name, "published");
  assertReadable(workspace, runId);
  const record = readRunRecord(join(workspace.runsDir, runId, RUN_FILES.run));
  if (record === null || typeof record === "string") throw new Error(`${runId} was readable a moment ago`);
  const signal = context.interrupt;
  const progress = progressLine(context);
  const corpus = await loadCorpus(workspace, { signal });
  const published = await withWarehouse(
    context,
    { runs: [runId], corpus, upTo: "2_rows" },
    async (warehouse) => {
      await assertWhole(warehouse, workspace, runId);
      const notify = (message: string): void => {
        context.stderr.write(`${visible(message)}\n`);
      };
      const what = { workspace, warehouse, run: record, runId, corpus, force };
      return publishRun({ ...what, now: new Date(), notify, onProgress: progress.show, signal });
    },
  ).finally(progress.clear);
  if (json) await writeJson(context, documentOf(runId, published));
  else await write(context.stdout, textOf(published));
}

function documentOf(runId: string, { id, scores, entry, ranked, warnings }: Published): object {
  const { overall, cost, latency_ms: latency } = scores;
  return {
    schema_version: 1,
    result: id,
    path: `results/${id}`,
    run_id: runId,
    warnings,
    rows: overall.rows,
    correct: overall.correct,
    accuracy: overall.accuracy,
    wilson95: overall.wilson95,
    jackknife95: scores.extensions.jackknife95,
    errors: overall.errors,
    cost_usd: cost.usd,
    cost_coverage: cost.coverage,
    latency_p50_ms: latency.p50,
    rank_low: entry.rank_low,
    rank_high: entry.rank_high,
    ranked_models: ranked,
  };
}

function textOf({ id, scores, entry, ranked, warnings }: Published): string {
  const { overall, cost } = scores;
  const wilson = interval(overall.wilson95?.[0] ?? null, overall.wilson95?.[1] ?? null);
  const rank =
    entry.rank_low === null || entry.rank_high === null
      ? "not ranked: it does not cover the whole corpus"
      : `rank ${entry.rank_low === entry.rank_high ? entry.rank_low : `${entry.rank_low}–${entry.rank_high}`} of ${ranked}`;
  return [
    `published: results/${id}`,
    `${percent(overall.accuracy)} of ${whole(overall.rows)} rows ${wilson}, ${whole(overall.errors)} without a valid answer, ` +
      `cost ${usdAtLeast(cost.usd, cost.coverage)}; ${rank}`,
    ...warnings.map((text) => `warning: ${text}`),
    `leaderboard: results/${id.slice(0, id.indexOf("/"))}/leaderboard.md; \`bench validate\` checks all of it`,
    "",
  ]
    .map(visible)
    .join("\n");
}
