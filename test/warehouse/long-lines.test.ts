// Lines of every length are read with the room that they need, and a corpus that is not the frozen one leaves nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { open } from "../support/query.ts";
import { makeWorkspace, result } from "../support/workspace.ts";

test("short, long and very long lines are all read, in a finished run and in one that goes on", async () => {
  const workspace = makeWorkspace();
  const sizes = [10, 1024 * 1024 - 1, 2 * 1024 * 1024, 9 * 1024 * 1024];
  for (const status of ["completed", "running"]) {
    for (const size of sizes) {
      workspace.addRun(`${status}-${size}`, {
        run: { status },
        results: [result({ row: "a-1", gold: "yes", label: "yes", text: "x".repeat(size) })],
      });
    }
  }
  const { rows } = await open(workspace);
  expect(await rows("SELECT count(*) AS n, sum(length(output_text))::BIGINT AS length FROM answers")).toEqual(
    [{ n: sizes.length * 2, length: 2 * sizes.reduce((sum, size) => sum + size, 0) }],
  );
  expect(await rows("SELECT sum(damaged_lines)::BIGINT AS n FROM runs")).toEqual([{ n: 0 }]);
});

test("a corpus that turns out not to be the frozen one leaves no rows behind", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [result({ row: "a-1", gold: "yes", label: "yes" })] });
  const cases = join(workspace.root, "data", "corpus", "tiny-1", "cases.jsonl");
  const sound = readFileSync(cases, "utf8");
  const { rows } = await open(workspace);
  writeFileSync(cases, sound.replace('"title":"', '"title":"Another '));
  await expect(rows("SELECT * FROM answers")).rejects.toThrow(UserError);
  await expect(rows("SELECT * FROM answers")).rejects.toThrow("the manifest froze");
  writeFileSync(cases, sound);
  const [count] = await rows("SELECT count(*) AS n, count(DISTINCT row_id) AS ids FROM corpus_rows");
  expect(count?.n).toBe(count?.ids);
  expect(await rows("SELECT count(*) AS n FROM answers")).toEqual([{ n: 1 }]);
});
