// What the built binary does when its outputs fail, and what its messages say about paths.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { bench, cleanEnv, cli } from "../support/bench.ts";
import { type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let endpoint: ScriptedEndpoint;
let scratch: Scratch;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  scratch = makeScratch(12);
});
afterEach(() => scratch.remove());

it("a run goes on when nobody reads its progress any more", async () => {
  endpoint.otherwise({ delayMs: 20 });
  const child = spawn(process.execPath, [cli, "run", "--model", "bench", "--jobs", "1"], {
    cwd: scratch.root,
    env: cleanEnv({ DECISION_BENCH_BASE_URL: endpoint.baseUrl }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.once("data", () => child.stderr.destroy());
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(0);
  const runs = join(scratch.root, "runs");
  const [run] = readdirSync(runs);
  const results = readFileSync(join(runs, run ?? "", "results.jsonl"), "utf8");
  expect(results.trimEnd().split("\n")).toHaveLength(12);
});

it.runIf(existsSync("/dev/full"))("an output that cannot be written is one line, no stack", async () => {
  const child = spawn("sh", ["-c", `exec "$0" "$1" sql "select 1" > /dev/full`, process.execPath, cli], {
    cwd: scratch.root,
    env: cleanEnv(),
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
  expect(stderr).toBe("bench: standard output cannot be written (ENOSPC)\n");
});

it("messages keep the words that only look like the folder of --root", async () => {
  // "data/corpus/" ends with the name of this workspace and a slash.
  const parent = join(scratch.root, "parent");
  mkdirSync(join(parent, "a"), { recursive: true });
  const wrong = await bench(parent, ["--root", "a", "runs"]);
  expect(wrong.stderr).toContain("data/corpus/current.json is not there");
  const folder = dirname(scratch.root);
  const name = basename(scratch.root);
  const file = await bench(folder, ["--root", name, "sql", "-f", `${name}/none.sql`]);
  expect(file.stderr).toContain(`--file ${name}/none.sql cannot be read`);
});

it("a query may begin with a comment", async () => {
  const done = await bench(scratch.root, ["sql", "--format", "csv", "-- one\nselect 1 as one"]);
  expect(done.stdout).toBe("one\n1\n");
});

it("the command to go on with keeps the folder, the limits and the names of the first one", async () => {
  const big = makeScratch(30);
  const up = dirname(big.root);
  try {
    endpoint.otherwise({ status: 400, body: { error: { message: "no" } } });
    const words = [
      "--root",
      basename(big.root),
      "--api-model",
      "it's a $model",
      "--jobs",
      "2",
      "--max-cost",
      "5",
    ];
    const failed = await bench(up, ["run", "--model", "bench", ...words], {
      DECISION_BENCH_BASE_URL: endpoint.baseUrl,
    });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(
      `go on with: bench run --root ${basename(big.root)} --model bench --api-model 'it'\\''s a $model' --jobs 2 --max-cost 5 --retry-errors`,
    );
  } finally {
    endpoint.otherwise({});
    big.remove();
  }
});
