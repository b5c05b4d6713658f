// The report through the built binary: what is in the site, and what is never in it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { allFiles, bench, startBench } from "../support/bench.ts";
import { addPublished, prediction } from "../support/published.ts";
import { makeWorkspace, result, type TestWorkspace, TINY } from "../support/workspace.ts";

// Each builds a site or two, with processes of their own beside the other tests.
vi.setConfig({ testTimeout: 240_000 });

/** A published result that has so many of the first rows right. */
function publish(workspace: TestWorkspace, model: string, right: number): void {
  addPublished(workspace, ["tiny", model], {
    metadata: {
      model: { id: model, label: `Label of ${model}`, vendor: null, provider: "p", api_model: "x" },
    },
    predictions: TINY.map(({ id, task, category, gold, options }, i) => {
      const wrong = options.find((option) => option !== gold) ?? "";
      return prediction({ row: id, task, category, gold, label: i < right ? gold : wrong });
    }),
  });
}

/** What a data loader has put into a site. */
function dataOf(site: string, name: string): Record<string, Record<string, unknown>[]> {
  const folder = join(site, "_file", "data");
  const file = readdirSync(folder).find((one) => one.startsWith(`${name}.`)) ?? "";
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, Record<string, unknown>[]>;
}

test("a report made again shows the new numbers, whole, and nothing is left beside it", async () => {
  const workspace = makeWorkspace();
  const { root } = workspace;
  publish(workspace, "one", 3);
  const first = await bench(root, ["report", "build"]);
  expect(first).toMatchObject({ code: 0, stdout: "" });
  const site = join(root, "public");
  expect(dataOf(site, "board").board).toMatchObject([{ run_id: "tiny/one", accuracy: 0.5, rank: 1 }]);
  expect(existsSync(join(site, "index.html"))).toBe(true);

  publish(workspace, "one", 6);
  publish(workspace, "two", 1);
  expect(await bench(root, ["report", "build"])).toMatchObject({ code: 0 });
  expect(dataOf(site, "board").board).toMatchObject([
    { run_id: "tiny/one", accuracy: 1, rank: 1 },
    { run_id: "tiny/two", accuracy: 1 / 6, rank: 2 },
  ]);
  expect(readdirSync(root).filter((name) => /public|report|site|dist/.test(name))).toEqual(["public"]);
});

test("two workspaces at once, one of them empty: each gets its own numbers", async () => {
  const [full, empty] = [makeWorkspace(), makeWorkspace()];
  publish(full, "one", 6);
  const ended = await Promise.all(
    [full, empty].map(({ root }) => bench(root, ["report", "build", "--out", "site"])),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(dataOf(join(full.root, "site"), "board").board).toHaveLength(1);
  expect(dataOf(join(empty.root, "site"), "board")).toEqual({ board: [] });
  expect(dataOf(join(empty.root, "site"), "site").corpus).toMatchObject([{ suite: "tiny", rows: 6 }]);
});

test("a workspace that was just begun gives a site whose pages say so", async () => {
  const { root } = makeWorkspace();
  writeFileSync(join(root, "data", "corpus", "current.json"), "{}");
  const built = await bench(root, ["report", "build"]);
  expect(built).toMatchObject({ code: 0, stdout: "" });
  expect(built.stderr).toContain("no corpus is active");
  const site = join(root, "public");
  expect(dataOf(site, "site")).toEqual({ corpus: [], tasks: [], runs: [] });
  expect(dataOf(site, "board")).toEqual({ board: [] });
  // What is broken is not taken for what was just begun.
  writeFileSync(join(root, "data", "corpus", "current.json"), '{"path":"data/corpus/nowhere/cases.jsonl"}');
  expect(await bench(root, ["report", "build"])).toMatchObject({ code: 2 });
  expect(existsSync(join(site, "index.html"))).toBe(true);
});

test("local runs are in it only when they are asked for, and then without keys; no file names another host or this machine", async () => {
  const workspace = makeWorkspace();
  const { root } = workspace;
  const key = "sk-marked-0123456789abcdef";
  publish(workspace, "one", 6);
  workspace.addRun("mine", {
    results: [result({ row: "a-1", gold: "yes", label: "yes", text: `the key is ${key}` })],
  });
  const env = { DECISION_BENCH_API_KEY: key };
  expect(await bench(root, ["report", "build", "--out", "plain"], env)).toMatchObject({ code: 0 });
  expect(dataOf(join(root, "plain"), "site").runs).toMatchObject([{ run_id: "tiny/one" }]);
  expect(await bench(root, ["report", "build", "--out", "mixed", "--include-runs"], env)).toMatchObject({
    code: 0,
  });
  expect(dataOf(join(root, "mixed"), "site").runs).toMatchObject([
    { run_id: "tiny/one" },
    { run_id: "mine" },
  ]);
  for (const site of ["plain", "mixed"]) {
    const files = allFiles(join(root, site));
    expect(files.size).toBeGreaterThan(10);
    for (const [name, text] of files) {
      expect(text.includes(key), `${site}/${name}`).toBe(false);
      expect(text.includes(root), `${site}/${name}`).toBe(false);
      // What a browser reads on its own; links in texts and DuckDB's own strings are not loaded.
      if (!/\.(?:html|css)$/.test(name)) continue;
      expect(text, `${site}/${name}`).not.toMatch(
        /(?:src|href)="(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//,
      );
    }
  }
});

test("a place that cannot be had is said, and nothing is written", async () => {
  const workspace = makeWorkspace();
  const ended = await bench(workspace.root, ["report", "build", "--out", "data/corpus/current.json/site"]);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain("current.json/site cannot be written (ENOTDIR)");
  // Replacing a folder would delete what is in it.
  const own = await bench(workspace.root, ["report", "build", "--out", "."]);
  expect(own).toMatchObject({ code: 2, stdout: "" });
  expect(own.stderr).toContain("holds files that are no export of ours");
  expect(existsSync(join(workspace.root, "data", "corpus", "current.json"))).toBe(true);
});

test("a preview serves the pages, follows what is published and which corpus is active, and ends with its server", async () => {
  const workspace = makeWorkspace();
  publish(workspace, "one", 3);
  const port = 20_000 + (process.pid % 20_000);
  const running = startBench(workspace.root, ["report", "preview", "--port", String(port)]);
  const address = `http://127.0.0.1:${port}`;
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${address}${path}`).catch(() => null);
    return response?.ok === true ? await response.text() : "";
  };
  try {
    let board = "";
    const rightly = async (share: string): Promise<void> => {
      for (let i = 0; i < 100 && !board.includes(`"accuracy":${share},`); i += 1) {
        await delay(300);
        board = await ask("/_file/data/board.json");
      }
      expect(board, running.stderr()).toContain(`"accuracy":${share},`);
    };
    await rightly("0.5");
    expect(await ask("/")).toContain("Leaderboard");
    expect(await ask("/_file/data/about.json")).toContain('"analysis_version":"v1"');
    publish(workspace, "one", 6);
    await rightly("1");
    expect(running.stderr()).toContain("the data have changed");
    // So it does when another corpus is made the active one, or none.
    const pointer = join(workspace.root, "data", "corpus", "current.json");
    const active = readFileSync(pointer, "utf8");
    writeFileSync(pointer, "{}");
    for (let i = 0; i < 100 && board.includes("tiny/one"); i += 1) {
      await delay(300);
      board = (await ask("/_file/data/board.json")) || board;
    }
    expect(JSON.parse(board), running.stderr()).toEqual({ board: [] });
    writeFileSync(pointer, active);
    // This address ends Framework's server.
    await fetch(`${address}/%E0%A4%A`).catch(() => {});
    for (let i = 0; i < 100 && !running.stderr().includes("starting it again"); i += 1) await delay(100);
    let again = "";
    for (let i = 0; i < 100 && again === ""; i += 1) {
      await delay(200);
      again = await ask("/");
    }
    expect(again, running.stderr()).toContain("Leaderboard");
    // A second one is told that the port is taken, and does not say that it serves.
    const second = await bench(workspace.root, ["report", "preview", "--port", String(port)]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`port ${port} is taken`);
    expect(second.stderr).not.toContain("until Ctrl-C");
  } finally {
    running.child.kill("SIGINT");
  }
  // Ctrl-C is how a preview ends.
  expect((await running.ended).code).toBe(0);
  expect(await ask("/")).toBe("");
});
