// Spaces out the starts of calls for `--rpm`, retries included.
import type { Clock } from "./clock.ts";

/** Gives out turns at even distances, in the order in which they were asked for. */
export class Pacer {
  readonly #clock: Clock;
  readonly #gapMs: number;
  #nextStart: number;

  /** `rpm` null: no pace. */
  constructor(rpm: number | null, clock: Clock) {
    this.#clock = clock;
    this.#gapMs = rpm === null ? 0 : 60_000 / rpm;
    this.#nextStart = clock.steady();
  }

  /** Waits for this call's turn; resolves with how long that took in ms (early when the signal is aborted). */
  async turn(signal: AbortSignal): Promise<number> {
    if (this.#gapMs === 0) return 0;
    const asked = this.#clock.steady();
    // Turns that nobody took are not saved up: a pause is never followed by a burst.
    const start = Math.max(asked, this.#nextStart);
    this.#nextStart = start + this.#gapMs;
    if (start > asked) await this.#clock.sleep(start - asked, signal);
    return this.#clock.steady() - asked;
  }
}
