// Names of columns that each mean one column.

/** Repeated names get `:1`, `:2` behind them, passing over names that stand elsewhere: each names one column. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 1; seen.has(own) || (own !== name && taken.has(own)); number += 1) {
      own = `${name}:${number}`;
    }
    seen.add(own);
    return own;
  });
}
