import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/build.ts"],
    // Tests that start the built binary share two cores with everything else.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { TZ: "Pacific/Chatham" },
  },
});
