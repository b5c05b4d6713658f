// Small statistics for the gates over a built corpus.

/** Upper 1 % points of the chi-square distribution, by degrees of freedom from 1 (any table of the distribution). */
export const CHI_SQUARE_1_PERCENT = [6.635, 9.21, 11.345, 13.277, 15.086, 16.812, 18.475, 20.09, 21.666];

/** P(X ≥ k) for X binomial(n, p), summed in logarithms. */
export function binomialUpperTail(k: number, n: number, p: number): number {
  let logChoose = 0;
  let tail = 0;
  for (let i = 0; i <= n; i += 1) {
    if (i > 0) logChoose += Math.log(n - i + 1) - Math.log(i);
    if (i >= k) tail += Math.exp(logChoose + i * Math.log(p) + (n - i) * Math.log1p(-p));
  }
  return Math.min(1, tail);
}

/** Groups items by a key, keeping the order. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
