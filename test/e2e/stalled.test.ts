// Hundreds of calls that never get an answer: the run ends at their limit, with a result for every row and no socket left.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allFiles, bench } from "../support/bench.ts";
import { type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { HTTP_TABLE } from "../support/http-providers.ts";
import { makeScratch, type ScratchWorkspace } from "../support/scratch.ts";

const CALLS = 500;

let endpoint: ScriptedEndpoint;
let scratch: ScratchWorkspace;
beforeEach(async () => {
  endpoint = await startEndpoint({ stall: "start" });
  scratch = makeScratch(CALLS, 2);
});
afterEach(async () => {
  await endpoint.close();
  scratch.remove();
});

describe.each(HTTP_TABLE)("%s", (_name, one) => {
  it("ends 500 stalled calls at their time limit", async () => {
    scratch.models([one.model]);
    const begun = performance.now();
    const ended = await bench(
      scratch.root,
      [
        "run",
        "--model",
        "m",
        "--jobs",
        "500",
        "--timeout",
        "2",
        "--max-attempts",
        "1",
        "--keep-going",
        "--json",
      ],
      { [one.url]: endpoint.baseUrl },
    );
    // Twice the limit and more, for machines that do other things; alone it takes less than three seconds.
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ runs: [{ rows_completed: CALLS, errors: CALLS }] });
    expect(endpoint.requests).toHaveLength(CALLS);
    await expect.poll(() => endpoint.connections).toBe(0);
    const results = [...allFiles(scratch.root)].find(([path]) => path.endsWith("results.jsonl"))?.[1] ?? "";
    expect(results.match(/"status":"transport_error"/g)?.length).toBeGreaterThanOrEqual(CALLS);
  });
});
