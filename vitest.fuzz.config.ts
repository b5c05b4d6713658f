import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// The long form of test/fuzz/: `npm run fuzz`. BENCH_TEST_SEED repeats a run.
const seed = process.env.BENCH_TEST_SEED ?? String(Date.now());
process.env.BENCH_FUZZ_TABLE = join(mkdtempSync(join(tmpdir(), "bench-fuzz-")), "table.jsonl");
/** Ten minutes in all, with what is begun then and the table. */
const LIMIT_MS = 570_000;

/** Many quick cases come before few slow ones, which are cut first when time is up. */
const ORDER = ["answers", "models", "corpus", "ledgers", "pack", "published", "ledger-views", "binary"];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => ORDER.indexOf(basename(moduleId, ".test.ts"));
    return [...files].sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/fuzz/**/*.test.ts"],
    globalSetup: ["test/build.ts", "test/fuzz/table.ts"],
    maxWorkers: "100%",
    sequence: { sequencer: QuickFirst },
    testTimeout: 600_000,
    hookTimeout: 120_000,
    env: {
      TZ: "Pacific/Chatham",
      BENCH_FUZZ: "long",
      BENCH_TEST_SEED: seed,
      BENCH_FUZZ_TABLE: process.env.BENCH_FUZZ_TABLE,
      BENCH_FUZZ_UNTIL: String(Date.now() + LIMIT_MS),
    },
  },
});
