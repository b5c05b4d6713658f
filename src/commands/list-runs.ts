// What `bench runs` does. The figures are the views' own; here they are only put side by side.

import { interval, minute, percent, UNKNOWN, usd, whole } from "../figures.ts";
import type { Context } from "./context.ts";
import { write, writeJson } from "./output.ts";
import { colours, renderTable, type TableColumn } from "./table.ts";
import { withWarehouse } from "./warehouse.ts";

// The last activity is the end of the last call, or what run.json says when there was none.
const QUERY = `
SELECT
  r.run_id, r.model_id, r.label, r.suite, r.corpus_version, r.current_corpus, r.status,
  r.rows_selected, r.rows_completed, a.correct, a.accuracy, a.wilson_low, a.wilson_high,
  coalesce(a.errors, 0) AS errors, c.cost_usd, c.cost_coverage, r.damaged_lines, r.created_at,
  coalesce(greatest(r.created_at, r.completed_at, t.last_at), r.created_at) AS last_activity
FROM runs AS r
LEFT JOIN accuracy_overall AS a USING (run_id)
LEFT JOIN cost AS c USING (run_id)
LEFT JOIN (
  SELECT run_id, max(started_at + to_milliseconds(coalesce(duration_ms, 0))) AS last_at FROM attempts GROUP BY run_id
) AS t USING (run_id)
WHERE r.source = 'local'
ORDER BY last_activity DESC, r.run_id`;

interface ListedRun {
  readonly run_id: string;
  readonly model_id: string;
  readonly status: string;
  readonly current_corpus: boolean;
  readonly rows_selected: number;
  readonly rows_completed: number;
  readonly accuracy: number | null;
  readonly wilson_low: number | null;
  readonly wilson_high: number | null;
  readonly errors: number;
  readonly cost_usd: number | null;
  readonly cost_coverage: number | null;
  readonly damaged_lines: number;
  readonly last_activity: string | null;
}

const COLUMNS: readonly TableColumn[] = [
  { head: "run" },
  { head: "model" },
  { head: "status" },
  { head: "rows", align: "right" },
  { head: "errors", align: "right" },
  { head: "accuracy", align: "right" },
  { head: "95 %", align: "right" },
  { head: "cost", align: "right" },
  { head: "last activity (UTC)" },
  { head: "damaged", align: "right" },
];

/**
 * Prints the local runs, the one that did something last first.
 *
 * @param only the runs to print instead of all, in this order.
 */
export async function listRuns(
  context: Context,
  { only, json }: { readonly only?: readonly string[]; readonly json?: boolean },
): Promise<void> {
  // Every run ends with this list.
  const scope = { ...(only === undefined ? {} : { runs: only }), upTo: "3_metrics" } as const;
  const runs = await withWarehouse(context, scope, (warehouse) => warehouse.rows(QUERY));
  if (only !== undefined) {
    runs.sort((a, b) => only.indexOf(String(a.run_id)) - only.indexOf(String(b.run_id)));
  }
  if (json) {
    await writeJson(context, { runs: runs.map((run) => new Map(Object.entries(run))) });
    return;
  }
  if (runs.length === 0) {
    await write(context.stdout, "There is no run yet: `bench run --model baseline-lexical` makes one.\n");
    return;
  }
  const { bold, red, yellow } = colours(context);
  const rows = (runs as unknown as ListedRun[]).map((run) => [
    run.run_id,
    run.model_id,
    run.current_corpus ? run.status : `${run.status}, another corpus`,
    `${whole(run.rows_completed)}/${whole(run.rows_selected)}`,
    whole(run.errors),
    percent(run.accuracy),
    interval(run.wilson_low, run.wilson_high),
    cost(run),
    minute(run.last_activity),
    whole(run.damaged_lines),
  ]);
  await write(context.stdout, renderTable(COLUMNS, rows, bold));
  const damaged = (runs as unknown as ListedRun[]).filter((run) => run.damaged_lines > 0).length;
  if (damaged > 0) {
    const text = `${damaged} ${damaged === 1 ? "run has" : "runs have"} damaged lines: \`bench score RUN\` names the first one.\n`;
    await write(context.stderr, context.stderr.isTTY === true ? red(text) : text);
  }
  if ((runs as unknown as ListedRun[]).some((run) => (run.cost_coverage ?? 1) < 1 && run.cost_usd !== null)) {
    await write(context.stdout, yellow("+ the cost of some calls is not known and not in the sum\n"));
  }
}

function cost(run: ListedRun): string {
  if (run.cost_usd === null) return UNKNOWN;
  return (run.cost_coverage ?? 1) < 1 ? `${usd(run.cost_usd)}+` : usd(run.cost_usd);
}
