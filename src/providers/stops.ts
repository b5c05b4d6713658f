// What has to stop when a signal is aborted. Hundreds of calls share one signal, and each listener of their own would
// stand in a list that is meant for ten.

const bySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal is aborted; at once when it was already.
 *
 * @returns what to call when there is nothing to stop any more.
 */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  if (signal.aborted) {
    stop();
    return () => {};
  }
  let stops = bySignal.get(signal);
  if (stops === undefined) {
    const all = new Set<() => void>();
    bySignal.set(signal, all);
    const stopAll = (): void => {
      for (const one of all) one();
    };
    signal.addEventListener("abort", stopAll, { once: true });
    stops = all;
  }
  const own = stops;
  own.add(stop);
  return () => void own.delete(stop);
}
