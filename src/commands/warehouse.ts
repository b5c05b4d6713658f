// Opens the warehouse for one command: Ctrl-C stops it, what was left out is said, and it is closed again.

import { visible } from "../output.ts";
import { Warehouse, type WarehouseOptions } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";

/** Notices beyond these are only counted: a broken disk may leave one in each of a thousand runs. */
const MAX_NOTICES = 20;

/**
 * Runs `work` with a warehouse over the workspace of the command.
 *
 * @throws {InterruptedError} when the person stopped the command.
 */
export async function withWarehouse<T>(
  context: Context,
  {
    workspace,
    ...options
  }: Pick<WarehouseOptions, "runs" | "bootstrap" | "figuresOnly" | "corpus" | "empty" | "upTo"> & {
    /** The workspace of the command when not given. */
    readonly workspace?: Workspace;
  },
  work: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  let notices = 0;
  const warehouse = await Warehouse.open(workspace ?? (await context.workspace()), {
    ...options,
    signal: context.interrupt,
    notify: (message) => {
      notices += 1;
      if (notices <= MAX_NOTICES) context.stderr.write(`${visible(message)}\n`);
    },
  });
  try {
    return await work(warehouse);
  } finally {
    if (notices > MAX_NOTICES) context.stderr.write(`… and ${notices - MAX_NOTICES} more of these.\n`);
    warehouse.close();
  }
}
