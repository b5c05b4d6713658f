// What no command can be made to do at a wanted moment: a publish that is stopped while it writes.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { InterruptedError } from "../../src/errors.ts";
import { bench } from "../support/commands.ts";
import { addTwoRuns } from "../support/runs.ts";
import { makeWorkspace } from "../support/workspace.ts";

const stop = vi.hoisted(() => new AbortController());

vi.mock("../../src/publish/predictions.ts", () => ({
  predictionLines: async function* () {
    yield "{}\n";
    stop.abort();
    yield "{}\n";
  },
}));

test("a publish that is stopped while it writes its lines is interrupted, and leaves nothing", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const { error } = await bench(workspace, ["publish", "whole", "--force"], { interrupt: stop.signal });
  expect(stop.signal.aborted).toBe(true);
  expect(error).toBeInstanceOf(InterruptedError);
  expect(existsSync(join(workspace.root, "results", ".new"))).toBe(false);
});
