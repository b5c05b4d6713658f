// What is loaded into the program before it begins, as NODE_OPTIONS: small modules as data URLs, which need no file.

function preload(code: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

/** Writes the most memory that the process ever had, in KB, into the file that BENCH_TEST_PEAK names. */
export const PEAK_MEMORY = preload(`
  import { writeFileSync } from "node:fs";
  process.on("exit", () => writeFileSync(process.env.BENCH_TEST_PEAK, String(process.resourceUsage().maxRSS)));
`);

/**
 * Shifts the clock of the system by up to ten days, to and fro, every few ms, beginning before anything reads it; steady
 * clocks go on as ever. Odd names of the seed give other shifts.
 */
export function jumpingClock(seed: number): string {
  return preload(`
    const Real = Date;
    let state = ${seed % 2147483647 || 1};
    let shift = 0;
    const jump = () => {
      state = (state * 48271) % 2147483647;
      shift = ((state % 2001) - 1000) * 864000;
    };
    jump();
    setInterval(jump, 7).unref();
    globalThis.Date = class Date extends Real {
      constructor(...given) {
        if (given.length === 0) super(Real.now() + shift);
        else super(...given);
      }
      static now() { return Real.now() + shift; }
    };
  `);
}
