// An endless statement is stopped in whatever moment the person asks for it, also while it is only being prepared.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { openWorkspace } from "../../src/workspace.ts";
import { makeScratch } from "../support/scratch.ts";

const scratch = makeScratch(3);
const folder = mkdtempSync(join(tmpdir(), "decision-bench-interrupt-"));
afterAll(() => {
  scratch.remove();
  rmSync(folder, { recursive: true });
});

const ENDLESS = "select count(*) as n from range(1000000000000) a, range(1000000000000) b";

test.each([
  [
    "a query",
    async (warehouse: Warehouse) => {
      for await (const _ of (await warehouse.query(ENDLESS)).batches());
    },
  ],
  ["a Parquet file", (warehouse: Warehouse) => warehouse.writeParquet(ENDLESS, join(folder, "out.parquet"))],
])("%s", async (_, work) => {
  const workspace = openWorkspace({ root: scratch.root, cwd: scratch.root, env: {} });
  const warehouse = await Warehouse.open(workspace);
  try {
    for (let delay = 0; delay <= 24; delay += 1) {
      const controller = new AbortController();
      warehouse.listenTo(controller.signal);
      const stopped = expect(work(warehouse)).rejects.toThrow("interrupted");
      // Half of them within the same turn of the loop or the next one, where a statement is only prepared.
      if (delay % 2 === 0) await sleep(delay / 2);
      else for (let turn = 0; turn < delay; turn += 1) await new Promise(setImmediate);
      controller.abort();
      await stopped;
    }
  } finally {
    warehouse.close();
  }
});
