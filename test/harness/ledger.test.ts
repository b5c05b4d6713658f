import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CheckError } from "../../src/errors.ts";
import { repairTail } from "../../src/harness/folder.ts";
import { LedgerWriter } from "../../src/harness/ledger.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "decision-bench-ledger-"));
  file = join(folder, "results.jsonl");
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it("keeps every line whole and in the order in which it came, however many come at once", async () => {
  const writer = await LedgerWriter.open(file, "results.jsonl");
  const lines = Array.from({ length: 2000 }, (_, index) =>
    JSON.stringify({ index, text: "é\u2028😀".repeat(index % 50) }),
  );
  await Promise.all(lines.map((line) => writer.append(line)));
  await writer.close();
  expect(readFileSync(file, "utf8")).toBe(lines.map((line) => `${line}\n`).join(""));
});

it("goes on behind what is there", async () => {
  writeFileSync(file, '{"a":1}\n');
  const writer = await LedgerWriter.open(file, "results.jsonl");
  await writer.append('{"b":2}');
  await writer.close();
  expect(readFileSync(file, "utf8")).toBe('{"a":1}\n{"b":2}\n');
});

it("resolves an append only after a sync that began after the write", async () => {
  const writer = await LedgerWriter.open(file, "results.jsonl");
  const handle = await open(file);
  const prototype = Object.getPrototypeOf(handle) as {
    datasync(): Promise<void>;
    appendFile(data: Buffer): Promise<void>;
  };
  await handle.close();
  const log: string[] = [];
  const { datasync, appendFile } = prototype;
  vi.spyOn(prototype, "datasync").mockImplementation(async function (this: unknown) {
    log.push("sync begins");
    await datasync.call(this);
    log.push("sync ends");
  });
  vi.spyOn(prototype, "appendFile").mockImplementation(async function (this: unknown, data: Buffer) {
    await appendFile.call(this, data);
    log.push("written");
  });
  await writer.append("1").then(() => log.push("resolved"));
  expect(log).toEqual(["written", "sync begins", "sync ends", "resolved"]);
  await writer.close();
});

it("writes at once what need not be synced at once, and syncs it within a second or at the end", async () => {
  const writer = await LedgerWriter.open(file, "attempts.jsonl");
  writer.write('{"a":1}');
  expect(readFileSync(file, "utf8")).toBe('{"a":1}\n');
  const handle = await open(file);
  const prototype = Object.getPrototypeOf(handle) as { datasync(): Promise<void> };
  await handle.close();
  const spy = vi.spyOn(prototype, "datasync");
  await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(1), 3000);
  writer.write('{"b":2}');
  await writer.close();
  expect(spy).toHaveBeenCalledTimes(2);
  expect(readFileSync(file, "utf8")).toBe('{"a":1}\n{"b":2}\n');
});

it("cuts a failed write off, tells why, and takes nothing more", async () => {
  const writer = await LedgerWriter.open(file, "runs/x/results.jsonl");
  await writer.append('{"whole":1}');
  const handle = await open(file);
  const prototype = Object.getPrototypeOf(handle) as { appendFile(data: Buffer): Promise<void> };
  await handle.close();
  const { appendFile } = prototype;
  const spy = vi.spyOn(prototype, "appendFile").mockImplementation(async function (
    this: unknown,
    data: Buffer,
  ) {
    await appendFile.call(this, data.subarray(0, 5));
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  });
  const failure = await writer.append('{"lost":1}').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CheckError);
  expect(String(failure)).toContain("runs/x/results.jsonl cannot be written: the disk is full");
  spy.mockRestore();
  await expect(writer.append('{"later":1}')).rejects.toThrow(/disk is full/);
  await writer.close();
  expect(readFileSync(file, "utf8")).toBe('{"whole":1}\n');
});

it("moves any torn tail aside byte for byte and leaves whole lines alone", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }),
      fc.nat(),
      async (texts, cut) => {
        rmSync(`${file}.torn`, { force: true });
        const whole = Buffer.from(texts.map((text) => `${JSON.stringify(text)}\n`).join(""), "utf8");
        const kept = whole.subarray(0, whole.length === 0 ? 0 : cut % (whole.length + 1));
        writeFileSync(file, kept);
        const end = kept.lastIndexOf(10) + 1;
        const repair = await repairTail(file, "results.jsonl");
        expect(readFileSync(file)).toEqual(kept.subarray(0, end));
        if (end === kept.length) expect(repair).toBeNull();
        else {
          expect(repair?.bytes).toBe(kept.length - end);
          expect(readFileSync(`${file}.torn`)).toEqual(
            Buffer.concat([kept.subarray(end), Buffer.from("\n")]),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});
