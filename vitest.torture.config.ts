import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// The torture tests in their long form, `npm run torture`: ten minutes of kills and broken endpoints, then a table.
export default defineConfig({
  test: {
    include: ["test/torture/*.test.ts"],
    maxWorkers: 2,
    globalSetup: ["test/build.ts", "test/torture/table.ts"],
    testTimeout: 60_000,
    env: {
      TZ: "Pacific/Chatham",
      BENCH_TORTURE: "long",
      BENCH_TORTURE_TABLE: join(tmpdir(), `decision-bench-torture-${process.pid}.jsonl`),
    },
  },
});
