// The private folder in which one report is made: a copy of the pages, the database that their loaders ask, and the
// site. Two reports can be made at once, and nothing is written into the package, which may belong to somebody else.
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode, UserError } from "../errors.ts";
import { isAlive } from "../processes.ts";
import { packageRoot } from "../workspace.ts";

const PREFIX = "decision-bench-report-";
/** No report takes as long; a preview touches its folder while it is served. In ms. */
const OLD_MS = 24 * 60 * 60 * 1000;

/** Absolute paths. */
export interface Workshop {
  readonly folder: string;
  /** The copy of reports/. */
  readonly pages: string;
  /** What the loaders ask. */
  readonly database: string;
  /** What Framework writes. */
  readonly site: string;
}

/**
 * Makes the folder and copies the pages into it.
 *
 * @throws {UserError} when there is no room for it.
 */
export function makeWorkshop(): Workshop {
  let folder: string;
  try {
    removeLeftovers();
    // Framework and its loaders work elsewhere, and see the folder without the links that may lead to it.
    folder = realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
  } catch (error) {
    throw cannotWrite(error);
  }
  const workshop = {
    folder,
    pages: join(folder, "reports"),
    database: join(folder, "report.duckdb"),
    site: join(folder, "site"),
  };
  try {
    copyPages(workshop);
    cpSync(join(packageRoot, "observablehq.config.ts"), join(folder, "observablehq.config.ts"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}\n');
    // So that a loader can import the program by its name, wherever it is installed.
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(packageRoot, join(modules, "decision-bench"), "junction");
  } catch (error) {
    removeWorkshop(workshop);
    throw isFull(error) ? cannotWrite(error) : error;
  }
  return workshop;
}

/**
 * Does what writes into a workshop and nowhere else.
 *
 * @throws {UserError} when there is no more room in it; whatever `work` throws.
 */
export async function inWorkshop(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw isFull(error) ? cannotWrite(error) : error;
  }
}

function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");
}

function cannotWrite(error: unknown): UserError {
  return new UserError(
    `the folder for temporary files cannot be written (${errorCode(error) ?? "error"}): ` +
      "set TMPDIR to the path of a folder that can be, with room for twice the report",
  );
}

/** Copies the pages again, over those that are there. */
export function copyPages({ pages }: Workshop): void {
  cpSync(join(packageRoot, "reports"), pages, { recursive: true, preserveTimestamps: true });
}

export function removeWorkshop({ folder }: Workshop): void {
  rmSync(folder, { recursive: true, force: true });
}

/** What killed commands left behind. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-[A-Za-z0-9]{6}$`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const info = lstatSync(path, { throwIfNoEntry: false });
    // What another user left is not ours to remove, nor could we.
    if (info === undefined || info.uid !== (process.getuid?.() ?? info.uid)) continue;
    // Of another container that shares the folder, the process cannot be seen.
    if (Date.now() - info.mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true });
  }
}
