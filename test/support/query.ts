// Opens a warehouse for one test and closes it again.
import { onTestFinished } from "vitest";
import { stringifyJson } from "../../src/answers/json.ts";
import { literal } from "../../src/warehouse/sources.ts";
import { type Row, Warehouse, type WarehouseOptions } from "../../src/warehouse/warehouse.ts";
import type { TestWorkspace } from "./workspace.ts";

export interface Opened {
  readonly warehouse: Warehouse;
  /** What was said about left-out lines and folders. */
  readonly notices: string[];
  readonly rows: <T extends Row = Row>(sql: string) => Promise<T[]>;
  /** The rows as exact JSON text. */
  readonly json: (sql: string) => Promise<string>;
}

export async function open({ workspace }: TestWorkspace, options: WarehouseOptions = {}): Promise<Opened> {
  const notices: string[] = [];
  const warehouse = await Warehouse.open(workspace, {
    notify: (message) => notices.push(message),
    ...options,
  });
  onTestFinished(() => warehouse.close());
  return {
    warehouse,
    notices,
    rows: (sql) => warehouse.rows(sql),
    json: async (sql) =>
      (await warehouse.rows(sql)).map((row) => stringifyJson(new Map(Object.entries(row)))).join("\n"),
  };
}

/** Runs of which {@link everything} compares every pair, in both orders. */
const COMPARED_RUNS = 2;

/**
 * Every view with a total order of its rows, and the table macros over the first runs, for comparing outputs as text.
 */
export async function everything({ warehouse, json, rows }: Opened): Promise<Record<string, string>> {
  const out: Record<string, string> = {};
  for (const view of warehouse.views) out[view] = await json(`SELECT * FROM ${view} ORDER BY ALL`);
  const runs = await rows<{ run_id: string }>(
    `SELECT run_id FROM runs ORDER BY run_id ASC LIMIT ${COMPARED_RUNS}`,
  );
  for (const a of runs) {
    for (const b of runs) {
      const pair = `(${literal(a.run_id)}, ${literal(b.run_id)})`;
      for (const macro of ["compare", "compare_by_task", "compare_by_category"]) {
        out[`${macro}${pair}`] = await json(`SELECT * FROM ${macro}${pair} ORDER BY ALL`);
      }
    }
  }
  return out;
}
