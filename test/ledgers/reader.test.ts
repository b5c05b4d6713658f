import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { UserError } from "../../src/errors.ts";
import { type DamagedLine, readLedger, readRecords, type TornTail } from "../../src/ledgers/reader.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-reader-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(content: string | Buffer): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  writeFileSync(path, content);
  return path;
}

async function all(path: string, maxLineBytes?: number) {
  let torn: TornTail | null = null;
  const lines = [];
  const options = {
    onTorn: (tail: TornTail) => {
      torn = tail;
    },
  };
  for await (const line of readLedger(
    path,
    maxLineBytes === undefined ? options : { ...options, maxLineBytes },
  ))
    lines.push(line);
  return { lines, torn: torn as TornTail | null };
}

describe("lines", () => {
  test("a file that is missing or empty has none", async () => {
    expect(await all(join(folder, "none"))).toEqual({ lines: [], torn: null });
    expect(await all(file(""))).toEqual({ lines: [], torn: null });
  });

  test("end at a line feed and nowhere else", async () => {
    const odd = "a\u2028b\u2029c\u0085d\re\u000bf\u000cg\u0000h\ufeff";
    const { lines, torn } = await all(file(`${odd}\nzweite\r\n\n😀\n`));
    expect(lines.map((line) => line.text)).toEqual([odd, "zweite\r", "", "😀"]);
    expect(lines.map((line) => line.line)).toEqual([1, 2, 3, 4]);
    const size = Buffer.byteLength(odd) + 1;
    expect(lines.map((line) => line.offset)).toEqual([0, size, size + 8, size + 9]);
    expect(torn).toBeNull();
  });

  test("an unterminated last line is told, not yielded", async () => {
    const { lines, torn } = await all(file('{"é":1}\n{"whole":"but unterminated"}'));
    expect(lines.map((line) => line.text)).toEqual(['{"é":1}']);
    expect(torn).toEqual({ line: 2, offset: 9, bytes: 28 });
    expect((await all(file("x"))).torn).toEqual({ line: 1, offset: 0, bytes: 1 });
  });

  test("an unterminated last line is a line like any other where people write the file", async () => {
    const path = file(Buffer.concat([Buffer.from("a\nb"), Buffer.from([0xff])]));
    const found: unknown[] = [];
    for await (const line of readLedger(path, { wholeTail: true, onTorn: () => expect.unreachable() })) {
      found.push([line.line, line.text, line.problem]);
    }
    expect(found).toEqual([
      [1, "a", null],
      [2, "", "not UTF-8"],
    ]);
  });

  test("stay whole across chunks, also where a character is cut", async () => {
    const texts = Array.from({ length: 400 }, (_, i) => `${i}:${"é😀".repeat((i * 37) % 4000)}`);
    const { lines } = await all(file(`${texts.join("\n")}\n`));
    expect(lines.map((line) => line.text)).toEqual(texts);
    expect(lines.every((line) => line.problem === null)).toBe(true);
    const long = "y".repeat(3_500_000);
    expect((await all(file(`${long}\nz\n`))).lines.map((line) => line.text.length)).toEqual([3_500_000, 1]);
  });

  test("that are too long or not UTF-8 are named and do not hide their neighbours", async () => {
    const bytes = Buffer.concat([
      Buffer.from("good\n"),
      Buffer.from([0x22, 0xc3, 0x28, 0x22, 10]),
      Buffer.from(`${"x".repeat(2_500_000)}\nlast\n`),
      Buffer.from("y".repeat(2_500_000)),
    ]);
    const { lines, torn } = await all(file(bytes), 2_000_000);
    expect(lines.map(({ text, problem }) => [text, problem])).toEqual([
      ["good", null],
      ["", "not UTF-8"],
      ["", "longer than 2000000 bytes"],
      ["last", null],
    ]);
    expect(torn).toEqual({ line: 5, offset: 5 + 5 + 2_500_001 + 5, bytes: 2_500_000 });
  });

  test("of a folder or a named pipe are refused, not waited for", async () => {
    mkdirSync(join(folder, "folder"));
    await expect(all(join(folder, "folder"))).rejects.toThrow(UserError);
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await expect(all(join(folder, "pipe"))).rejects.toThrow(/is not a file/);
  });

  test("100,000 of 1.5 KB take less than a second or so", async () => {
    const path = file(`${JSON.stringify({ row_id: "r", text: "x".repeat(1480) })}\n`.repeat(100_000));
    const start = performance.now();
    let count = 0;
    for await (const { text } of readLedger(path)) count += text.length > 0 ? 1 : 0;
    const ms = performance.now() - start;
    console.log(`100,000 lines of 1.5 KB: ${Math.round(ms)} ms`);
    expect(count).toBe(100_000);
    expect(ms).toBeLessThan(4000);
  });

  test("a reader that stops early lets go of the file", async () => {
    for await (const { text } of readLedger(file("a\nb\n"))) {
      expect(text).toBe("a");
      break;
    }
  });
});

describe("records", () => {
  const schema = z.looseObject({ row_id: z.string(), n: z.number().int() });

  test("are the lines that satisfy the schema; every other one is told with its number", async () => {
    const path = file(
      [
        '{"row_id":"a","n":1,"extra":true}',
        "{broken",
        "",
        "null",
        "[]",
        '{"row_id":"b"}',
        '{"row_id":"c","n":"7"}',
        '{"row_id":"d","n":2}{"row_id":"e","n":3}',
        '\ufeff{"row_id":"f","n":4}',
        '{"row_id":"g","n":5}',
        '{"row_id":"torn","n":6}',
      ].join("\n"),
    );
    const damaged: DamagedLine[] = [];
    const torn: TornTail[] = [];
    const records = [];
    for await (const found of readRecords(path, schema, {
      onDamaged: (damage) => damaged.push(damage),
      onTorn: (tail) => torn.push(tail),
    }))
      records.push([found.line, found.record]);
    expect(records).toEqual([
      [1, { row_id: "a", n: 1, extra: true }],
      [10, { row_id: "g", n: 5 }],
    ]);
    expect(damaged.map((damage) => damage.line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(damaged[0]?.message).toMatch(/^not JSON: /);
    expect(damaged[1]?.message).toBe("an empty line");
    expect(damaged[5]?.message).toMatch(/^n: /);
    expect(torn.map((tail) => tail.line)).toEqual([11]);
  });

  test("can be read with a stricter parser", async () => {
    const damaged: DamagedLine[] = [];
    const parse = (): never => {
      throw new Error("the key stands twice");
    };
    for await (const _ of readRecords(file('{"row_id":"a","n":1,"n":2}\n'), schema, {
      parse,
      onDamaged: (damage) => damaged.push(damage),
    }))
      expect.unreachable();
    expect(damaged[0]?.message).toContain("twice");
  });
});

test("any bytes: lines, numbers and offsets are those of a plain split at line feeds", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("\n", "\r", "a", "é", "😀", "\u2028", "\u0000")),
      async (parts) => {
        const text = parts.join("");
        const { lines, torn } = await all(file(text));
        const split = text.split("\n");
        const tail = split.pop() ?? "";
        expect(lines.map((line) => line.text)).toEqual(split);
        for (const { text: line, offset } of lines) {
          const bytes = Buffer.from(text).subarray(offset, offset + Buffer.byteLength(line) + 1);
          expect(bytes.toString()).toBe(`${line}\n`);
        }
        expect(torn?.bytes ?? 0).toBe(Buffer.byteLength(tail));
      },
    ),
    { numRuns: 200 },
  );
});

test("a line that begins with no value is told by its first character", async () => {
  const damaged: string[] = [];
  const path = file("```\n\u001b[31m\n\u{1f600}\n");
  const records = readRecords(path, z.unknown(), { onDamaged: ({ message }) => damaged.push(message) });
  for await (const _ of records) expect.unreachable();
  expect(damaged).toEqual([
    'not JSON: begins with "`"',
    'not JSON: begins with "\\u001b"',
    'not JSON: begins with "\u{1f600}"',
  ]);
});
