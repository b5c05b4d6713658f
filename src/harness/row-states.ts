// How the rows of a run stand: of a million rows a few bytes each, in the order in which they were selected.

/** No result yet. */
const OPEN = 0;

/** Status of every selected row, by its id; counts them as they change. */
export class RowStates {
  readonly #ids: readonly string[];
  readonly #places = new Map<string, number>();
  readonly #codes: Uint32Array;
  readonly #right: Uint8Array;
  /** The statuses that occur, by their code: a handful, unless an endpoint thinks up new ones. */
  readonly #names: string[] = [""];
  readonly #codeOf = new Map<string, number>();
  /** Where the row was that was asked about last. */
  #last = -1;
  #finished = 0;
  #correct = 0;
  #errors = 0;

  /** @param ids of the selected rows, each once. */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
    for (const id of ids) this.#places.set(id, this.#places.size);
    this.#codes = new Uint32Array(this.#places.size);
    this.#right = new Uint8Array(this.#places.size);
  }

  /** Selected rows. */
  get selected(): number {
    return this.#places.size;
  }

  /** Rows with a result. */
  get finished(): number {
    return this.#finished;
  }

  /** Rows whose latest result is right. */
  get correct(): number {
    return this.#correct;
  }

  /** Rows whose latest result is no valid answer. */
  get errors(): number {
    return this.#errors;
  }

  /** Status of the row's latest result; undefined when it has none, or is not selected. */
  status(id: string): string | undefined {
    const place = this.#place(id);
    const code = place === undefined ? OPEN : this.#codes[place];
    return code === undefined || code === OPEN ? undefined : this.#names[code];
  }

  /** Takes a result, the latest one of its row; false for a row that is not selected. */
  set(id: string, status: string, correct: boolean): boolean {
    const place = this.#place(id);
    if (place === undefined) return false;
    const before = this.#codes[place] ?? OPEN;
    if (before === OPEN) this.#finished += 1;
    else if (this.#names[before] !== "ok") this.#errors -= 1;
    if (status !== "ok") this.#errors += 1;
    this.#correct += Number(correct) - (this.#right[place] ?? 0);
    this.#codes[place] = this.#code(status);
    this.#right[place] = Number(correct);
    return true;
  }

  /** Rows are mostly asked about in their order, and looking at the next one is cheaper than looking one up among a million. */
  #place(id: string): number | undefined {
    const next = this.#last + 1;
    if (this.#ids[next] === id) {
      this.#last = next;
      return next;
    }
    if (this.#ids[this.#last] === id) return this.#last;
    const place = this.#places.get(id);
    if (place !== undefined) this.#last = place;
    return place;
  }

  #code(status: string): number {
    const known = this.#codeOf.get(status);
    if (known !== undefined) return known;
    const code = this.#names.push(status) - 1;
    this.#codeOf.set(status, code);
    return code;
  }
}
