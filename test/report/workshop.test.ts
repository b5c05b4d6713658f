// The private folder of a report: where it may lie, and what becomes of those that killed builds left behind.
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { UserError } from "../../src/errors.ts";
import { makeWorkshop, removeWorkshop } from "../../src/report/workshop.ts";

/** The folder for temporary files, as long as the test lasts. */
function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bench-test-")));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** What a killed build left, so many hours ago. */
function leftover(folder: string, name: string, hours: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  const then = new Date(Date.now() - hours * 3_600_000);
  utimesSync(path, then, then);
  return path;
}

/** No process has it. */
const NOBODY = 2 ** 30;

test("what a killed build left is removed a day later, unless it is another user's", () => {
  const folder = temporaryFolder();
  const old = leftover(folder, `decision-bench-report-${NOBODY}-abcdef`, 25);
  const fresh = leftover(folder, `decision-bench-report-${NOBODY}-ghijkl`, 23);
  const served = leftover(folder, `decision-bench-report-${process.pid}-abcdef`, 25);
  const other = leftover(folder, "decision-bench-report-mine", 25);
  const foreign = leftover(folder, `decision-bench-report-${NOBODY}-mnopqr`, 25);
  // Only root can give something away.
  const given = process.getuid?.() === 0;
  if (given) chownSync(foreign, 65_534, 65_534);
  removeWorkshop(makeWorkshop());
  expect([old, fresh, served, other, foreign].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
    given,
  ]);
});

test("it lies at its real place, whatever leads there", () => {
  const folder = temporaryFolder();
  symlinkSync(".", join(folder, "link"));
  vi.stubEnv("TMPDIR", join(folder, "link"));
  const workshop = makeWorkshop();
  expect(dirname(workshop.folder)).toBe(folder);
  removeWorkshop(workshop);
});

test("a place that is not there is a user's error", () => {
  vi.stubEnv("TMPDIR", join(temporaryFolder(), "nowhere"));
  expect(makeWorkshop).toThrow(UserError);
});
