// `bench export` as a user runs it, and as it is killed: the folder is the former one or the new one, whole.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bench, startBench, until } from "../support/bench.ts";
import { bytesIn } from "../support/exports.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "decision-bench-export-"));
  cpSync(fileURLToPath(new URL("../fixtures/oracle", import.meta.url)), root, { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ARGS = ["export", "--format", "eee", "--out", "out/eee", "--organization", "Example Lab"];
const place = () => join(root, "out", "eee");

it("says what it wrote, and names no place of this machine", async () => {
  const done = await bench(root, ARGS);
  // Where it takes more than a second it says how far it is.
  expect(done).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^(oracle-1\/\S+: \d+ samples written\n)*$/),
  });
  expect(done.stdout).toMatch(/^out\/eee: 6 results, 2,385 samples; \d\.\d MB\n$/);
  for (const bytes of bytesIn(place()).values()) expect(bytes).not.toContain(root);
  const tables = await bench(root, ["export", "--format", "parquet", "--out", "out/parquet"]);
  expect(tables.stdout).toMatch(/^out\/parquet: 6 results, 2,385 answers, 29 tables; \d\.\d MB\n$/);
  for (const bytes of bytesIn(join(root, "out", "parquet")).values()) expect(bytes).not.toContain(root);
});

it("killed at any moment, or stopped, it leaves the former export or the new one", async () => {
  await bench(root, ARGS);
  const former = bytesIn(place());
  // From now on a result less: the new export is another one.
  rmSync(join(root, "results", "oracle-1", "delta"), { recursive: true });
  const begun = performance.now();
  await bench(root, [...ARGS.slice(0, 4), "out/other", ...ARGS.slice(5)]);
  const whole = performance.now() - begun;
  const next = bytesIn(join(root, "out", "other"));
  expect(next.size).toBe(former.size - 2);
  let formers = 0;
  for (const share of [0.4, 0.7, 0.9]) {
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      const running = startBench(root, ARGS);
      await new Promise((resolve) => setTimeout(resolve, whole * share));
      running.child.kill(signal);
      await running.ended;
      const found = bytesIn(place());
      expect([former, next]).toContainEqual(found);
      if (found.size === former.size) formers += 1;
      if (signal === "SIGINT") {
        expect(
          readdirSync(join(root, "out")).filter((name) => name.includes(`.${running.child.pid}-`)),
        ).toEqual([]);
      }
    }
  }
  // The first ones were killed before the end.
  expect(formers).toBeGreaterThan(0);
});

it("stopped while it writes, it takes its beginning away", async () => {
  const drafts = () => (existsSync(join(root, "stop")) ? readdirSync(join(root, "stop")) : []);
  const running = startBench(root, [...ARGS.slice(0, 4), "stop/eee"]);
  await until(() => drafts().length > 0, "the draft");
  running.child.kill("SIGINT");
  const { code, stdout } = await running.ended;
  expect([code, stdout]).toEqual([130, ""]);
  expect(existsSync(join(root, "stop"))).toBe(false);
});

it("a swap that was cut in two is mended by the next export", async () => {
  const former = bytesIn(place());
  const old = join(root, "out", ".eee.4194999-0123456789ab.old");
  cpSync(place(), old, { recursive: true });
  rmSync(place(), { recursive: true });
  for (const model of readdirSync(join(root, "results", "oracle-1"))) {
    const metadata = join(root, "results", "oracle-1", model, "metadata.json");
    if (existsSync(metadata)) writeFileSync(metadata, "{");
  }
  // This export fails, for there is nothing whole any more; the former one stands again.
  const failed = await bench(root, ARGS);
  expect(failed.code).toBe(1);
  expect(bytesIn(place())).toEqual(former);
  expect(readFileSync(join(place(), "decision-bench-export.json"), "utf8")).toContain('"format":"eee"');
});
