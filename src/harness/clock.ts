// Time and chance, passed in so that tests can hold them still.

export interface Clock {
  /** Wall clock, ms since 1970; only for what is written as a time. */
  now(): number;
  /** Steady clock in ms; for every duration, so that a change of the system's time changes none. */
  steady(): number;
  /** Resolves after `ms`, or at once when the signal is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Uniform in [0, 1), for jitter only. */
  random(): number;
}

/** The clock and the chance of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted || ms <= 0) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done, { once: true });
    }),
};

/** ISO 8601 in UTC with ms, as all ledgers write times. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
