import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// The long form of test/fuzz/: `npm run fuzz`. BENCH_TEST_SEED repeats a run.
const seed = process.env.BENCH_TEST_SEED ?? String(Date.now());
process.env.BENCH_FUZZ_TABLE = join(mkdtempSync(join(tmpdir(), "bench-fuzz-")), "table.jsonl");

export default defineConfig({
  test: {
    include: ["test/fuzz/**/*.test.ts"],
    globalSetup: ["test/build.ts", "test/fuzz/table.ts"],
    maxWorkers: "100%",
    testTimeout: 600_000,
    hookTimeout: 120_000,
    env: {
      TZ: "Pacific/Chatham",
      BENCH_FUZZ: "long",
      BENCH_TEST_SEED: seed,
      BENCH_FUZZ_TABLE: process.env.BENCH_FUZZ_TABLE,
    },
  },
});
