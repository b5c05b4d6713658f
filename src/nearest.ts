// Which names a person may have meant.

/** The `count` names that differ least from `name`, the nearest first. */
export function nearest(names: readonly string[], name: string, count: number): string[] {
  const wanted = name.toLowerCase();
  return names
    .map((candidate) => {
      const lower = candidate.toLowerCase();
      // A part of a long name is nearer than any name of the same length.
      const inside = wanted !== "" && (lower.includes(wanted) || wanted.includes(lower));
      return { candidate, far: inside ? 0 : distance(lower, wanted) };
    })
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** How many characters must be put in, taken out or changed to turn one text into the other (Levenshtein). */
function distance(a: string, b: string): number {
  // Names beyond this length are compared by their beginning: the cost grows with the product of the lengths.
  const [x, y] = [a.slice(0, 100), b.slice(0, 100)];
  let row = Array.from({ length: y.length + 1 }, (_, i) => i);
  for (let i = 1; i <= x.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= y.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (x[i - 1] === y[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[y.length] ?? 0;
}
