// The table as it is printed and as it stands in the document.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { circumstancesText, keep, kept, type Taken } from "../../bench/record.ts";
import { BEGIN, END, figure, tableOf, withTable } from "../../bench/table.ts";

test("a line has median, least and most, its limits, what was found besides, and its largest memory", () => {
  const table = tableOf([
    {
      what: "a | b",
      unit: "s",
      values: [2, 1, 12.34],
      limit: { below: 3 },
      memory: { mb: [512.3, 99], most: 600 },
      besides: [{ text: "left 0 sockets", ok: true }],
      detail: "one\ntwo",
    },
    { what: "c", unit: "×", values: [0.5], limit: { least: 0.8 } },
    { what: "d", unit: "%", values: [94, 96], limit: { least: 93, most: 97, every: true } },
    { what: "e", unit: "×", values: [], limit: { least: 4 }, skipped: "no compiler" },
  ]);
  expect(table.split("\n")).toEqual([
    "| what | median | min | max | rounds | limit | met | peak memory | detail |",
    "| --- | ---: | ---: | ---: | ---: | --- | --- | ---: | --- |",
    "| a \\| b | 2.00 s | 1.00 s | 12.3 s | 3 | < 3 s; ≤ 600 MB | yes | 512 MB | left 0 sockets; one two |",
    "| c | 0.500× | 0.500× | 0.500× | 1 | ≥ 0.8× | NO | – | – |",
    "| d | 95.0 % | 94.0 % | 96.0 % | 2 | each ≥ 93 %, ≤ 97 % | yes | – | – |",
    "| e | – | – | – | 0 | ≥ 4× | skipped | – | skipped: no compiler |",
  ]);
});

test("figures have three digits, whole numbers from a hundred on, and none where there is none", () => {
  expect([0, 0.01234, 1.234, 12.34, 123.4, 1234.5].map((value) => figure(value, "MB"))).toEqual([
    "0.00 MB",
    "0.012 MB",
    "1.23 MB",
    "12.3 MB",
    "123 MB",
    "1235 MB",
  ]);
  expect(figure(Number.NaN, "×")).toBe("–");
});

test("the table replaces what stands between the marks, again and again, and nothing else", () => {
  const document = `# Before\n\n${BEGIN}\nold\n${END}\n\nAfter.\n`;
  const once = withTable(document, "| new |");
  expect(once).toBe(`# Before\n\n${BEGIN}\n\n| new |\n\n${END}\n\nAfter.\n`);
  expect(withTable(once, "| new |")).toBe(once);
});

test.each([
  ["no marks", "text"],
  ["no end", `${BEGIN} text`],
  ["the end first", `${END} text ${BEGIN}`],
  ["two tables", `${BEGIN}${END}${BEGIN}${END}`],
  ["two ends", `${BEGIN}${END}${END}`],
])("a document with %s is refused", (_, document) => {
  expect(() => withTable(document, "x")).toThrow("once each");
});

const taken = (name: string, date: string, commit: string, load = 0.1): Taken => ({
  name,
  circumstances: { date, commit, machine: "2 × CPU", load },
  lines: [{ what: name, unit: "s", values: [1] }],
});

test("the last figures of each measure are kept, in the order of the table", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "decision-bench-record-")), "kept");
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true }));
  expect(kept(folder, ["a", "b"])).toEqual([]);
  keep(folder, taken("b", "1", "old"));
  keep(folder, taken("a", "2", "new"));
  keep(folder, taken("b", "3", "new"));
  expect(kept(folder, ["a", "b", "c"])).toEqual([taken("a", "2", "new"), taken("b", "3", "new")]);
});

test("figures of another commit are told apart, with their dates and loads", () => {
  const text = circumstancesText([
    taken("a", "2026-01-02 03:04 UTC", "new", 0.3),
    taken("b", "2026-01-01 03:04 UTC", "old"),
    taken("c", "2026-01-02 02:04 UTC", "new", 1.2),
  ]);
  expect(text.split("\n")).toEqual([
    "- 2026-01-02 02:04 UTC to 2026-01-02 03:04 UTC, commit new, 2 × CPU, load at the start of a measure 0.3 to 1.2: a, c",
    "- 2026-01-01 03:04 UTC, commit old, 2 × CPU, load at the start of a measure 0.1: b",
  ]);
});
