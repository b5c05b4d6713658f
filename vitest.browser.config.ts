import { defineConfig } from "vitest/config";

// The pages in a real browser: `npm run test:browser`. Apart from the suite, since it needs Chromium.
export default defineConfig({
  test: {
    include: ["test/browser/**/*.browser.ts"],
    globalSetup: ["test/build.ts", "test/browser/sites.ts"],
    // One browser at a time: its measures of time mean something only alone.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
