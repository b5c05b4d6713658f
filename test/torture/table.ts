// The table at the end of `npm run torture`: what every scenario did, and what it broke. Also the last guard: no run without
// five hundred kills, and none that lasts longer than ten minutes.
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import type { TestProject } from "vitest/node";

const LEAST_KILLS = 500;
const LONGEST_MS = 10 * 60_000;
const HEADS = [
  "scenario",
  "rounds",
  "kills",
  "faults",
  "lost",
  "doubled",
  "glued",
  "wrong",
  "seconds",
  "seed",
  "note",
];

/** A line of the table. */
export interface Line {
  readonly scenario: string;
  readonly rounds: number;
  readonly kills: number;
  readonly faults: number;
  readonly lost: number;
  readonly doubled: number;
  readonly glued: number;
  readonly wrong: number;
  readonly seconds: number;
  readonly seed: string;
  readonly note: string;
}

/** Adds a line, where a table is wanted. */
export function addLine(line: Line): void {
  const file = process.env.BENCH_TORTURE_TABLE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Prints the table when all scenarios are done, or when their time is up. */
export default function setup(project: TestProject): () => void {
  const file = String(project.config.env.BENCH_TORTURE_TABLE);
  const timer = setTimeout(() => {
    print(file);
    console.error(`not done within ${LONGEST_MS / 60_000} minutes`);
    process.exit(1);
  }, LONGEST_MS);
  return () => {
    clearTimeout(timer);
    const kills = print(file);
    if (kills >= LEAST_KILLS) return;
    console.error(`only ${kills} kills, at least ${LEAST_KILLS} are due`);
    process.exitCode = 1;
  };
}

function print(file: string): number {
  const lines = existsSync(file)
    ? readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line)
    : [];
  rmSync(file, { force: true });
  const sum = (name: keyof Line): number => lines.reduce((total, line) => total + Number(line[name]), 0);
  const total = [
    "all",
    ...HEADS.slice(1, 9).map((head) => String(Math.round(sum(head as keyof Line)))),
    "",
    "",
  ];
  const cells = lines.map((line) => HEADS.map((head) => String(line[head as keyof Line])));
  const widths = HEADS.map((head, at) =>
    Math.max(...[[...HEADS], ...cells, total].map((row) => (row[at] ?? "").length), head.length),
  );
  const row = (texts: readonly string[]): string =>
    `| ${texts.map((text, at) => (at > 0 && at < 9 ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (at > 0 && at < 9 ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`;
  console.log(["", row(HEADS), rule, ...cells.map(row), row(total), ""].join("\n"));
  return sum("kills");
}
