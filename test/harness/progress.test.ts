import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RowNote } from "../../src/harness/execute.ts";
import { progressOn } from "../../src/harness/progress.ts";
import type { Output } from "../../src/output.ts";

const standing = { selected: 40, finished: 10, correct: 5, errors: 1, knownCostUsd: 0.5 };
const note = (change: Partial<RowNote> = {}): RowNote => ({
  ...standing,
  rowId: "r-1",
  status: "ok",
  isCorrect: true,
  error: null,
  durationMs: 12.4,
  ...change,
});

test("where there is no terminal: plain lines, one a row, with nothing in them that a terminal obeys", async () => {
  let text = "";
  const observer = await progressOn({ write: (part) => (text += part) });
  observer.begin("mine", standing, 30, [{ file: "runs/mine/results.jsonl", line: 7, bytes: 12 }]);
  observer.row(note());
  observer.row(note({ isCorrect: false, finished: 11 }));
  observer.row(note({ rowId: "r\u001b[2J", status: "429", error: "later\nplease\u001b[31m", finished: 12 }));
  observer.notice("stopping");
  observer.end();
  expect(text.split("\n")).toEqual([
    "runs/mine/results.jsonl:7: a line that was not finished (12 bytes) is moved to runs/mine/results.jsonl.torn",
    "run mine: 30 rows to do, 10 of 40 rows are done already",
    "[10/40] r-1 right 12 ms",
    "[11/40] r-1 wrong 12 ms",
    "[12/40] r\\x1b[2J 429 12 ms (later\\nplease\\x1b[31m)",
    "stopping",
    "",
  ]);
});

test("on a terminal: one moving line with rows, accuracy, errors, cost, rate and time left", async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 160 });
  let text = "";
  terminal.on("data", (part: Buffer) => {
    text += part.toString("utf8");
  });
  const observer = await progressOn(terminal);
  observer.begin("mine", standing, 30, []);
  observer.row(note({ finished: 11, correct: 6 }));
  observer.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(text).toMatch(/^run mine: 30 rows to do/);
  expect(text).toContain("11/40 rows · accuracy 54.5 % · errors 1 · 0.5000 USD");
  expect(text).toMatch(/rows\/s · .* left/);
  // The cursor is shown again.
  expect(text).toContain("\u001b[?25h");
});

test("nothing is drawn when nothing is left to do", async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 160 });
  const observer = await progressOn(terminal);
  observer.begin("mine", { ...standing, finished: 40 }, 0, []);
  observer.end();
  expect(String(terminal.read())).toBe("run mine: nothing left to do, 40 of 40 rows are done already\n");
});

// The moving line of a terminal fits into it, to its last field.
test.each([80, 110, 200])("shows the time left in %i columns", async (columns) => {
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
