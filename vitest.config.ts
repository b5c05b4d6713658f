import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // `npm run test:report` runs these.
    exclude: ["test/e2e/report*.test.ts"],
    // One worker a core: by default one core is left idle, which on two cores doubles the time.
    maxWorkers: "100%",
    globalSetup: ["test/build.ts"],
    // Tests that start the built binary share two cores with everything else.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { TZ: "Pacific/Chatham" },
  },
});
