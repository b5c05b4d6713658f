// The commands that only look: models, the plan of a run, and the corpus.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/workspace.ts";
import { bench } from "../support/bench.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch(12);
});
afterEach(() => scratch.remove());

const ENV = { DECISION_BENCH_BASE_URL: "http://127.0.0.1:9/v1" };
const PRICE = {
  input_per_mtok: 2,
  output_per_mtok: 10,
  source_url: "https://prices.example/",
  as_of: "2026-12-01",
};

function withModels(...models: object[]): void {
  const file = { schema_version: 1, models };
  writeFileSync(join(scratch.root, "config", "models.json"), JSON.stringify(file));
}
const chat = { label: "B", provider: "openai-compatible", model: "m" };

describe("bench models", () => {
  it("says which models can run now, and what the others lack", async () => {
    withModels(
      { id: "base", label: "U", provider: "baseline", model: "u", request: { method: "uniform" } },
      { id: "bench", ...chat, pricing: PRICE },
      { id: "team", ...chat, endpoint: "team", vision: true },
    );
    const { stdout, code } = await bench(scratch.root, ["models", "--json"], ENV);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      models: [
        { id: "base", provider: "baseline", ready: true, problem: null, pricing: null },
        { id: "bench", ready: true, problem: null, pricing: PRICE, vision: false },
        {
          id: "team",
          ready: false,
          problem: expect.stringContaining("DECISION_BENCH_TEAM_BASE_URL is not set"),
          vision: true,
        },
      ],
    });
    const table = (await bench(scratch.root, ["models"], ENV)).stdout;
    expect(table).toMatch(/^bench +openai-compatible +m +2 +10 +yes$/m);
    expect(table).toMatch(/^team +openai-compatible +m +– +– +no$/m);
    expect(table).toContain("team: DECISION_BENCH_TEAM_BASE_URL is not set");
    expect(table + stdout).not.toContain("127.0.0.1");
  });
});

describe("bench run --dry-run", () => {
  it("checks what a run checks: without address or key it is refused, and on loopback nothing has to listen", async () => {
    withModels({ id: "bench", ...chat });
    const args = ["run", "--model", "bench", "--limit", "1", "--dry-run"];
    for (const [env, said] of [
      [{}, "DECISION_BENCH_BASE_URL is not set"],
      [{ DECISION_BENCH_BASE_URL: "https://models.test/v1" }, "DECISION_BENCH_API_KEY is not set"],
    ] as const) {
      const refused = await bench(scratch.root, args, env);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain(said);
    }
    const plan = await bench(scratch.root, args, { DECISION_BENCH_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.stdout).toContain("Nothing was called and nothing was written.");
  });

  it("estimates tokens and cost from the price table, for the selected rows alone", async () => {
    withModels({ id: "bench", ...chat, pricing: PRICE });
    const args = ["run", "--model", "bench", "--limit", "3", "--max-attempts", "4", "--dry-run"];
    const { stdout } = await bench(scratch.root, [...args, "--json"], ENV);
    const { selection, plans } = JSON.parse(stdout) as {
      selection: string[];
      plans: [Record<string, number>];
    };
    expect(selection).toHaveLength(3);
    const [plan] = plans;
    expect(plan).toMatchObject({ rows: 3, calls_min: 3, calls_max: 12, estimated_output_tokens: 360 });
    const tokens = plan.estimated_input_tokens ?? 0;
    const request = JSON.stringify(plan.first_request).length;
    expect(tokens).toBeGreaterThan((3 * request) / 4 - 50);
    expect(tokens).toBeLessThan((3 * request) / 4 + 50);
    expect(plan.estimated_cost_usd).toBeCloseTo((tokens * 2 + 360 * 10) / 1e6, 12);
    const text = (await bench(scratch.root, args, ENV)).stdout;
    expect(text).toContain("3, with retries at most 12");
    expect(text).toMatch(/about 0\.\d{4} USD/);
    expect(text).toMatch(/Nothing was called and nothing was written\.\n$/);
    expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  });
});

describe("bench corpus", () => {
  it("info and verify describe a sound corpus", async () => {
    const info = JSON.parse((await bench(scratch.root, ["corpus", "info", "--json"])).stdout);
    expect(info).toMatchObject({ rows: 12, categories: 1, version: "1.0.0" });
    expect(info.tasks[0]).toMatchObject({ task: "T-0", category: "load", rows: 1, image_rows: 0 });
    expect((await bench(scratch.root, ["corpus", "info"])).stdout).toContain(
      "rows 12, tasks 40, categories 1",
    );
    const verify = await bench(scratch.root, ["corpus", "verify", "--json"]);
    expect(verify.code).toBe(0);
    expect(JSON.parse(verify.stdout)).toEqual({ ok: true, rows: 12, sha256: info.sha256, findings: [] });
  });

  it("build makes the committed bytes, says what differs, and needs facts", async () => {
    expect((await bench(packageRoot, ["corpus", "build", "--check"])).code).toBe(0);
    const root = mkdtempSync(join(tmpdir(), "decision-bench-build-"));
    try {
      cpSync(join(packageRoot, "data"), join(root, "data"), { recursive: true });
      const cases = join(root, "data", "corpus", "bench-v4", "cases.jsonl");
      const committed = readFileSync(cases);
      writeFileSync(cases, "{}\n");
      const check = await bench(root, ["corpus", "build", "--check"]);
      expect(check.code).toBe(1);
      expect(check.stdout).toMatch(/^differs: .*cases\.jsonl$/m);
      expect((await bench(root, ["corpus", "build"])).code).toBe(0);
      expect(readFileSync(cases)).toEqual(committed);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
    const none = await bench(scratch.root, ["corpus", "build"]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("data/sources.json is not there");
    // Every row of the corpus is made anew, beside other tests.
  }, 180_000);
});
