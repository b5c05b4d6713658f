// What a run folder holds at a moment, byte for byte: the least that every later moment has to show as well.
import { existsSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type Breach, readEntry } from "./judge.ts";

/** The bytes of a ledger: its terminated lines, and what stands behind the last of them. */
interface Bytes {
  readonly whole: Buffer;
  readonly tail: Buffer;
}

/** Ledgers by name; empty when there is no folder. */
export type Standing = ReadonlyMap<string, Bytes>;

export const GROWING = ["attempts.jsonl", "results.jsonl"] as const;

/** Takes down what a run folder holds. */
export function standingOf(folder: string): Standing {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const raw = names.includes("raw") ? readdirSync(join(folder, "raw")).map((name) => `raw/${name}`) : [];
  const ledgers = [...names, ...raw].filter((name) => /\.(?:jsonl|torn)$/.test(name));
  return new Map(
    ledgers.map((name) => {
      const bytes = readFileSync(join(folder, name));
      const end = bytes.lastIndexOf(10) + 1;
      return [name, { whole: bytes.subarray(0, end), tail: bytes.subarray(end) }];
    }),
  );
}

/** The rows that have a result on a whole line, by status of their latest one. */
export function finishedRows(standing: Standing): Map<string, string> {
  const lines = standing.get("results.jsonl")?.whole.toString("utf8").split("\n").slice(0, -1) ?? [];
  const rows = new Map<string, string>();
  for (const line of lines) {
    const entry = readEntry(line);
    if (typeof entry !== "string") rows.set(String(entry.row_id), String(entry.status));
  }
  return rows;
}

/** What is wrong with how a folder came from one standing to another. */
export function compareStandings(folder: string, before: Standing, after: Standing): Breach[] {
  const breaches: Breach[] = [];
  for (const [name, was] of before) {
    const is = after.get(name);
    const all = is === undefined ? Buffer.alloc(0) : Buffer.concat([is.whole, is.tail]);
    if (!all.subarray(0, was.whole.length).equals(was.whole)) {
      breaches.push({ kind: "lost", text: `${name} is not what it was` });
    }
    const rest = all.subarray(was.whole.length);
    if (was.tail.length === 0 || rest.equals(was.tail)) continue;
    if ((GROWING as readonly string[]).includes(name)) {
      const torn = after.get(`${name}.torn`)?.whole ?? Buffer.alloc(0);
      const moved = torn.subarray(before.get(`${name}.torn`)?.whole.length ?? 0);
      if (!moved.includes(Buffer.concat([was.tail, Buffer.from("\n")]))) {
        breaches.push({ kind: "lost", text: `the torn end of ${name} is not in ${name}.torn` });
      }
    } else if (!rest.subarray(0, was.tail.length).equals(was.tail)) {
      breaches.push({ kind: "lost", text: `the torn end of ${name} is not what it was` });
    }
  }
  if (after.size > 0) breaches.push(...checkMoment(folder, after));
  return breaches;
}

/** What holds at any moment, also right behind a kill: the first files are all there, and every whole line is a record. */
function checkMoment(folder: string, standing: Standing): Breach[] {
  const breaches: Breach[] = [];
  for (const name of ["selection.jsonl", ...GROWING]) {
    if (!standing.has(name)) breaches.push({ kind: "lost", text: `${name} is not there` });
  }
  for (const [name, { whole }] of standing) {
    if (name.endsWith(".torn")) continue;
    for (const line of whole.toString("utf8").split("\n").slice(0, -1)) {
      const entry = readEntry(line);
      if (typeof entry !== "string") continue;
      breaches.push({
        kind: entry === "glued" ? "glued" : "wrong",
        text: `${name} ${entry}: ${line.slice(0, 200)}`,
      });
    }
  }
  try {
    JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
  } catch (error) {
    breaches.push({ kind: "lost", text: `run.json: ${error instanceof Error ? error.message : error}` });
  }
  return breaches;
}

/**
 * Cuts a ledger at a random byte of its last record, as a power cut may; now and then only the line feed. Nothing that was
 * there in `before` is touched: it was synced long ago.
 */
export function powerCut(folder: string, name: string, before: Standing, random: () => number): void {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  if (bytes.length === 0) return;
  const end = bytes.at(-1) === 10 ? bytes.length - 1 : bytes.length;
  const start = bytes.subarray(0, end).lastIndexOf(10) + 1;
  if (start >= (before.get(name)?.whole.length ?? 0)) {
    truncateSync(path, start + Math.floor(random() * (end - start + 1)));
  }
}
