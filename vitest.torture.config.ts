import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// The torture tests in their long form, `npm run torture`: ten minutes of kills and broken endpoints, then a table.
export default defineConfig({
  test: {
    include: ["test/torture/*.test.ts"],
    // The kills keep one busy to the end; the others wait for their endpoints half of the time.
    maxWorkers: 3,
    globalSetup: ["test/build.ts", "test/torture/table.ts"],
    testTimeout: 60_000,
    env: {
      TZ: "Pacific/Chatham",
      BENCH_TORTURE: "long",
      BENCH_TORTURE_TABLE: join(tmpdir(), `decision-bench-torture-${process.pid}.jsonl`),
    },
  },
});
