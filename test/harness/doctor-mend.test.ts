// What stands beside a ledger after lines were moved, also when the process that moved them was interrupted.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { InterruptedError, UserError } from "../../src/errors.ts";
import { moveAside } from "../../src/harness/doctor-mend.ts";
import { repairTail } from "../../src/harness/folder.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-mend-"));
  path = join(folder, "results.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LEDGER = "good 1\nbad é\ngood 2\r\n\nbad \u2028\n";
const options = {
  reason: ({ text }: { readonly text: string }) => (text.startsWith("bad") ? "it is bad" : null),
  signal: new AbortController().signal,
};
const entries = () =>
  readFileSync(`${path}.damaged`, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it.each(["link", "folder"])(
  "a %s in the place of a file that is added to is refused, and nothing is written",
  async (kind) => {
    const outside = join(folder, "outside");
    writeFileSync(outside, "theirs");
    for (const [end, text, mend] of [
      [".damaged", LEDGER, () => moveAside(path, "r", options)],
      [".torn", `${LEDGER}torn`, () => repairTail(path, "r")],
    ] as const) {
      writeFileSync(path, text);
      if (kind === "link") symlinkSync(outside, `${path}${end}`);
      else mkdirSync(`${path}${end}`);
      await expect(mend()).rejects.toThrow(kind === "link" ? `r${end} is a link` : `r${end} is not a file`);
      expect([readFileSync(path, "utf8"), readFileSync(outside, "utf8")]).toEqual([text, "theirs"]);
    }
  },
);

it("keeps the bytes, the order and the mode of the rest, and says where each moved line stood", async () => {
  writeFileSync(path, LEDGER);
  chmodSync(path, 0o640);
  expect(await moveAside(path, "runs/r/results.jsonl", options)).toEqual({
    file: "runs/r/results.jsonl",
    to: "runs/r/results.jsonl.damaged",
    lines: 2,
    bytes: 6 + 7,
  });
  expect(readFileSync(path, "utf8")).toBe("good 1\ngood 2\r\n\n");
  expect(statSync(path).mode & 0o777).toBe(0o640);
  const ledger_sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(entries()).toEqual([
    { ledger_sha256, line: 2, offset: 7, bytes: 6, reason: "it is bad", text: "bad é" },
    { ledger_sha256, line: 5, offset: 23, bytes: 7, reason: "it is bad", text: "bad \u2028" },
  ]);
  expect(readdirSync(folder).sort()).toEqual(["results.jsonl", "results.jsonl.damaged"]);
});

it("moves nothing twice when it was killed before the ledger was replaced, whatever half line that left", async () => {
  writeFileSync(path, LEDGER);
  await moveAside(path, "r", options);
  const aside = readFileSync(`${path}.damaged`, "utf8");
  for (const kept of [aside.length, aside.indexOf("\n") + 1, aside.indexOf("\n") + 90, 30, 0]) {
    writeFileSync(path, LEDGER);
    writeFileSync(`${path}.damaged`, aside.slice(0, kept));
    writeFileSync(join(folder, ".results.jsonl.tmp"), "half a draft");
    await moveAside(path, "r", options);
    const whole = readFileSync(`${path}.damaged`, "utf8")
      .split("\n")
      .filter((line) => line.endsWith('"}'));
    expect(whole.sort()).toEqual(aside.trimEnd().split("\n").sort());
    expect(existsSync(join(folder, ".results.jsonl.tmp"))).toBe(false);
  }
});

it("adds what another damage brings to what is there", async () => {
  writeFileSync(path, LEDGER);
  await moveAside(path, "r", options);
  appendFileSync(path, "bad 3\n");
  await moveAside(path, "r", options);
  expect(entries().map(({ text }) => text)).toEqual(["bad é", "bad \u2028", "bad 3"]);
});

it("leaves the ledger as it was when it is stopped, or something stands in the way", async () => {
  writeFileSync(path, LEDGER);
  await expect(moveAside(path, "r", { ...options, signal: AbortSignal.abort() })).rejects.toThrow(
    InterruptedError,
  );
  mkdirSync(`${path}.damaged`);
  await expect(moveAside(path, "r", options)).rejects.toThrow(UserError);
  expect(readFileSync(path, "utf8")).toBe(LEDGER);
  expect(readdirSync(folder).sort()).toEqual(["results.jsonl", "results.jsonl.damaged"]);
});
