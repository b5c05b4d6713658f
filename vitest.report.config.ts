import { defineConfig } from "vitest/config";

// The report, built through the binary and shown in a real browser: `npm run test:report`. Apart from the suite, since it
// needs Chromium, and minutes.
export default defineConfig({
  test: {
    include: ["test/e2e/report*.test.ts", "test/browser/**/*.browser.ts"],
    globalSetup: ["test/build.ts", "test/browser/sites.ts"],
    // One browser at a time: its measures of time mean something only alone.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
