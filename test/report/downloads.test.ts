// What the site hands on: published files as they are, and nothing that merely lies beside them.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { POLICY, promptSha256, promptTexts } from "../../src/answers/prompt.ts";
import { type Download, writeDownloads } from "../../src/report/downloads.ts";
import { protocolData } from "../../src/report/protocol-data.ts";
import type { FileSource } from "../../src/report/site-files.ts";
import { openWorkspace } from "../../src/workspace.ts";
import { makeScratch } from "../support/scratch.ts";

const scratch = makeScratch(3);
const folder = mkdtempSync(join(tmpdir(), "decision-bench-downloads-"));
afterAll(() => {
  scratch.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("published files are copied and listed; strays and links stay behind", async () => {
  const result = join(scratch.root, "results", "load", "model");
  mkdirSync(result, { recursive: true });
  writeFileSync(join(result, "predictions.jsonl"), "{}\n");
  writeFileSync(join(result, "README.md"), "# Model\n");
  writeFileSync(join(result, "notes.txt"), "mine");
  writeFileSync(join(scratch.root, "results", ".env"), "KEY=1");
  writeFileSync(join(scratch.root, "elsewhere"), "secret");
  symlinkSync(join(scratch.root, "elsewhere"), join(result, "metadata.json"));
  const workspace = openWorkspace({ root: scratch.root, cwd: scratch.root, env: {} });
  await writeDownloads({ workspace, signal: new AbortController().signal } as FileSource, folder);

  const list = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Download[];
  const paths = (group: string): string[] =>
    list.filter((one) => one.group === group).map(({ path }) => path);
  expect(paths("results")).toEqual(["results/load/model/README.md", "results/load/model/predictions.jsonl"]);
  expect(paths("corpus")).toEqual(["corpus/load/cases.jsonl", "corpus/load/manifest.json"]);
  expect(paths("sql")).toContain("sql/v1/5_standings/leaderboard.sql");
  expect(paths("docs")).toContain("docs/protocol.md");
  for (const { file, bytes } of list) {
    expect(readFileSync(join(folder, file)).length, file).toBe(bytes);
    // Framework would make a page of it.
    expect(file).not.toMatch(/\.md$/);
  }
  expect(readFileSync(join(folder, "results/load/model/README.md.txt"), "utf8")).toBe("# Model\n");
  expect(existsSync(join(folder, "results/load/model/notes.txt"))).toBe(false);
});

test("the wording on the page is the one that is sent, and every SQL file is there", () => {
  const { prompt, sql, queries, pages } = protocolData([{ file: "pairs/", text: "SELECT 1" }]);
  expect(prompt).toEqual(promptTexts());
  expect([prompt.policy, prompt.sha256]).toEqual([POLICY, promptSha256()]);
  expect(sql.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["wilson", "leaderboard", "comparisons"]),
  );
  expect(pages.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["data/board.json", "data/calibration.json", "pairs/"]),
  );
  expect(pages.find(({ file }) => file === "data/board.json")?.text).toContain("FROM runs AS r");
  expect(queries.find(({ name }) => name === "compare-two")?.title).toBe("Is A better than B?");
});
