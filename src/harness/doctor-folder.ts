// What lies in a run folder beside the records: what stands in the place of a ledger, leftovers, files of others.
import { constants } from "node:fs";
import { access, lstat, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../errors.ts";
import { readRunRecord } from "../ledgers/record.ts";
import { RUN_FILES } from "../ledgers/schema.ts";
import { quoted } from "../quote.ts";
import { ASIDE } from "./doctor-mend.ts";
import type { Findings } from "./doctor-report.ts";
import { DRAFT } from "./folder.ts";

/** What stands under the name of a file. */
export type Place =
  | { readonly kind: "file"; readonly bytes: number; readonly isLink: boolean }
  | { readonly kind: "nothing" }
  /** `why` goes on after its name. */
  | { readonly kind: "unusable"; readonly why: string };

/** Looks, and opens nothing that would be waited for. */
export async function placeOf(path: string): Promise<Place> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink();
    const info = await stat(path).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    });
    if (info === null) return { kind: "unusable", why: "is a link to nothing: bring back what it points to" };
    if (!info.isFile()) return { kind: "unusable", why: "is not a file: move it away" };
    await access(path, constants.R_OK);
    return { kind: "file", bytes: info.size, isLink };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return { kind: "nothing" };
    if (code === undefined) throw error;
    return { kind: "unusable", why: `cannot be read (${code}): make it readable` };
  }
}

/** Names beyond these are only counted. */
const MAX_NAMES = 20;

/** Notes what else lies in the folder of a run and beside it; nothing of it is touched. */
export async function noteLeftovers(
  runsDir: string,
  runId: string,
  isRunWhole: boolean,
  found: Findings,
): Promise<void> {
  const folder = `runs/${runId}`;
  const ledgers = [RUN_FILES.run, RUN_FILES.selection, RUN_FILES.attempts, RUN_FILES.results];
  const known = new Set<string>([RUN_FILES.raw, "lock"]);
  for (const name of ledgers) for (const end of ["", ".torn", ASIDE]) known.add(`${name}${end}`);
  const strange = (await readdir(join(runsDir, runId))).filter((name) => !known.has(name)).sort();
  for (const name of strange.slice(0, MAX_NAMES)) {
    if (!/^\.(?:\d+-[a-z0-9]+|[a-z]+\.jsonl)\.tmp$/.test(name)) {
      found.note(folder, `${quoted(name)} is no file of a run; nothing reads it`);
    } else if (!isRunWhole && isRunRecord(join(runsDir, runId, name))) {
      found.note(
        folder,
        `${name} is a whole ${RUN_FILES.run} that a killed process did not put in its place`,
      );
    } else found.note(folder, `${name} was left by a killed process; it may be deleted`);
  }
  if (strange.length > MAX_NAMES) {
    found.note(folder, `${strange.length - MAX_NAMES} more files are no files of a run`);
  }
  for (const name of (await readdir(runsDir)).sort()) {
    if (name.startsWith(`${DRAFT}${runId}-`)) {
      found.note(
        `runs/${name}`,
        "a run folder that a killed process did not finish; the next run removes it",
      );
    }
  }
  await noteTornRaw(join(runsDir, runId, RUN_FILES.raw), `${folder}/${RUN_FILES.raw}`, found);
}

function isRunRecord(path: string): boolean {
  const record = readRunRecord(path);
  return record !== null && typeof record !== "string";
}

/** No figure stands on the raw answers, and no reader goes on with them: a torn one is as good as it ever will be. */
async function noteTornRaw(path: string, name: string, found: Findings): Promise<void> {
  let files: string[];
  try {
    files = (await readdir(path)).sort();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT") found.note(name, `cannot be listed (${code}); only raw answers belong there`);
    return;
  }
  let torn = 0;
  for (const file of files) {
    const place = await placeOf(join(path, file));
    if (place.kind !== "file") continue;
    if (place.bytes > 0 && !(await endsWhole(join(path, file), place.bytes))) torn += 1;
  }
  if (torn > 0) {
    const what = torn === 1 ? "1 file ends" : `${torn} files end`;
    found.note(name, `${what} with an unfinished line; raw answers are read by nobody, so it stays`);
  }
}

async function endsWhole(path: string, bytes: number): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const last = Buffer.alloc(1);
    await file.read(last, 0, 1, bytes - 1);
    return last[0] === 0x0a;
  } finally {
    await file.close();
  }
}
