// The table at the end of `npm run fuzz`.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Row } from "./fuzz.ts";

/** The long form is worth its name from this many cases on. */
const LEAST_CASES = 100_000;

export default function setup(): () => void {
  const began = performance.now();
  return () => {
    const path = process.env.BENCH_FUZZ_TABLE ?? "";
    const rows = existsSync(path)
      ? readFileSync(path, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Row)
      : [];
    if (path !== "") rmSync(dirname(path), { recursive: true, force: true });
    const sum = (name: "cases" | "refused" | "accepted"): number =>
      rows.reduce((total, row) => total + row[name], 0);
    const lines = [
      ["target", "cases", "refused", "accepted", "slowest ms", "seconds"],
      ...rows
        .sort((a, b) => (a.target < b.target ? -1 : 1))
        .map((row) => [
          row.target,
          String(row.cases),
          String(row.refused),
          String(row.accepted),
          row.slowestMs.toFixed(0),
          row.seconds.toFixed(0),
        ]),
      [
        "all",
        String(sum("cases")),
        String(sum("refused")),
        String(sum("accepted")),
        "",
        ((performance.now() - began) / 1000).toFixed(0),
      ],
    ];
    const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
    for (const line of lines) {
      const cells = line.map((cell, at) =>
        at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      );
      console.log(cells.join("  "));
    }
    const cut = rows.filter((row) => row.cut).map(({ target }) => target);
    if (cut.length > 0) console.log(`time was up before all cases were taken: ${cut.join(", ")}`);
    console.log(`seed: BENCH_TEST_SEED=${rows[0]?.seed ?? "none"}`);
    if (sum("cases") < LEAST_CASES) {
      console.log(`fewer than ${LEAST_CASES} cases`);
      process.exitCode = 1;
    }
  };
}
