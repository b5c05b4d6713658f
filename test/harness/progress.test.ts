// The moving line of a terminal fits into it, to its last field.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { progressOn } from "../../src/harness/progress.ts";
import type { Output } from "../../src/output.ts";

it.each([80, 110, 200])("shows the time left in %i columns", async (columns) => {
  let text = "";
  const output = {
    isTTY: true,
    columns,
    write: (part: string) => {
      text += part;
      return true;
    },
  } as unknown as Output;
  const observer = await progressOn(output);
  const standing = { selected: 12_345, finished: 9_999, correct: 5000, errors: 321, knownCostUsd: 123.4567 };
  observer.begin("r", standing, 2346, []);
  for (const finished of [10_000, 10_001]) {
    await sleep(150);
    observer.row({
      rowId: "x",
      status: "ok",
      isCorrect: true,
      error: null,
      durationMs: 1,
      ...standing,
      finished,
    });
  }
  observer.end();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of the terminal
  const lines = text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "\n").split(/[\r\n]+/);
  const bars = lines.filter((line) => /[━─]/.test(line));
  expect(bars.length).toBeGreaterThan(0);
  for (const line of bars) {
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).toMatch(/\/s · \S+( left)?$/);
  }
});
