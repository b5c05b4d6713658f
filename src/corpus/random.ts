// Randomness that is the same on every machine: a generator named by a text. Whatever looks random in the corpus
// (order of options, composed requests) comes from one of these, and its name says for which row.
import seedrandom from "seedrandom";

export interface Random {
  /** An integer from 0 to `below - 1`. */
  integer(below: number): number;
  /** One element; the list must not be empty. */
  pick<T>(list: readonly T[]): T;
  /** A shuffled copy (Fisher–Yates). */
  shuffle<T>(list: readonly T[]): T[];
  /** True with probability `p`. */
  chance(p: number): boolean;
}

/** The generator named `seed`. */
export function randomFrom(seed: string): Random {
  const next = seedrandom(seed);
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    pick(list) {
      if (list.length === 0) throw new RangeError(`nothing to pick from (${seed})`);
      return list[integer(list.length)] as (typeof list)[number];
    },
    shuffle(list) {
      const out = [...list];
      for (let last = out.length - 1; last > 0; last -= 1) {
        const other = integer(last + 1);
        const held = out[last] as (typeof out)[number];
        out[last] = out[other] as (typeof out)[number];
        out[other] = held;
      }
      return out;
    },
    chance: (p) => next() < p,
  };
}
