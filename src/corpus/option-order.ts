// The shown order of a row's options: seeded, and with the place of the answer dealt evenly, so that a model that prefers
// the first option gains nothing.
import { CheckError } from "../errors.ts";
import { randomFrom } from "./random.ts";

/** What the order of one row's options depends on. */
export interface Presentation {
  readonly rowId: string;
  readonly labels: readonly string[];
  readonly gold: string;
}

/** {@link optionOrders} for rows that come one by one. */
export function optionDealer(name: string): (row: Presentation) => string[] {
  const decks = new Map<number, number[]>();
  return ({ rowId, labels, gold }) => {
    if (!labels.includes(gold))
      throw new CheckError(`${rowId}: the answer ${JSON.stringify(gold)} is no option`);
    if (new Set(labels).size !== labels.length) throw new CheckError(`${rowId}: an option stands twice`);
    let deck = decks.get(labels.length);
    if (deck === undefined || deck.length === 0) {
      deck = randomFrom(`${name}/places/${rowId}`).shuffle(labels.map((_, place) => place));
      decks.set(labels.length, deck);
    }
    const others = randomFrom(`${name}/${rowId}`).shuffle(labels.filter((label) => label !== gold));
    others.splice(deck.pop() ?? 0, 0, gold);
    return others;
  };
}

/**
 * The shown order of every row's options. Each is a shuffle named by the row; the place of the answer is dealt from
 * a shuffled deck of all places, so that over a task every place holds the answer equally often (within one row).
 *
 * @throws {CheckError} for an answer that is no option, and for an option that stands twice.
 */
export function optionOrders(rows: readonly Presentation[], name: string): string[][] {
  return rows.map(optionDealer(name));
}
