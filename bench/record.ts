// What was measured last of each measure, kept on this machine, so that the table can be made again measure by measure.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Line } from "./figures.ts";
import type { Circumstances } from "./machine.ts";

/** One measure that has run to its end. */
export interface Taken {
  readonly name: string;
  readonly circumstances: Circumstances;
  readonly lines: readonly Line[];
}

/** Replaces what was taken of this measure before. */
export function keep(folder: string, taken: Taken): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${taken.name}.json`);
  writeFileSync(`${path}.new`, `${JSON.stringify(taken, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** All that was kept, in the order of `names`. */
export function kept(folder: string, names: readonly string[]): Taken[] {
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => files.includes(`${name}.json`))
    .map((name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Taken);
}

/** Under what the figures were taken, one line for each circumstance that measures share. */
export function circumstancesText(taken: readonly Taken[]): string {
  const groups = new Map<string, Taken[]>();
  for (const one of taken) {
    const { commit, machine } = one.circumstances;
    const key = JSON.stringify([commit, machine]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map(groupText).join("\n");
}

function groupText(group: readonly Taken[]): string {
  const [first] = group;
  if (first === undefined) return "";
  const { machine, commit } = first.circumstances;
  const dates = group.map(({ circumstances }) => circumstances.date).sort();
  const [begun = "", ended = ""] = [dates.at(0), dates.at(-1)];
  const loads = group.map(({ circumstances }) => circumstances.load);
  const load = [...new Set([Math.min(...loads), Math.max(...loads)].map((value) => value.toFixed(1)))];
  return (
    `- ${begun === ended ? begun : `${begun} to ${ended}`}, ${commit === null ? "outside a checkout" : `commit ${commit}`}, ` +
    `${machine}, load at the start of a measure ${load.join(" to ")}: ${group.map(({ name }) => name).join(", ")}`
  );
}
