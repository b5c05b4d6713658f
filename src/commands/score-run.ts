// What `bench score` does: makes sure that the run is whole, and prints its document.

import { materialiseScored, scoreOf } from "../warehouse/score.ts";
import type { Context } from "./context.ts";
import { findRun } from "./find-run.ts";
import { writeJson } from "./output.ts";
import { printScore } from "./score-table.ts";
import { withWarehouse } from "./warehouse.ts";
import { assertReadable, assertWhole } from "./whole-run.ts";

/**
 * Prints every figure of one run.
 *
 * @throws {UserError} when there is no such run; {@link CheckError} when one of its files is damaged, with file and line.
 */
export async function scoreRun(name: string, context: Context, json: boolean): Promise<void> {
  const workspace = await context.workspace();
  const run = await findRun(workspace, name);
  assertReadable(workspace, run);
  const score = await withWarehouse(
    context,
    { runs: [run], figuresOnly: true, upTo: "5_standings" },
    async (warehouse) => {
      await assertWhole(warehouse, workspace, run);
      await materialiseScored(warehouse);
      return scoreOf(warehouse, run);
    },
  );
  if (json) await writeJson(context, score);
  else await printScore(context, score);
}
