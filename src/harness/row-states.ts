// How the rows of a run stand: of a million rows a few bytes each, in the order in which they were selected.

/** No result yet. */
const OPEN = 0;

/** Status of every selected row, by its id; counts them as they change. */
export class RowStates {
  readonly #places = new Map<string, number>();
  readonly #codes: Uint32Array;
  readonly #right: Uint8Array;
  /** The statuses that occur, by their code: a handful, unless an endpoint thinks up new ones. */
  readonly #names: string[] = [""];
  readonly #codeOf = new Map<string, number>();
  #finished = 0;
  #correct = 0;
  #errors = 0;

  /** @param ids of the selected rows, each once. */
  constructor(ids: readonly string[]) {
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

  /** Whether the row is selected. */
  has(id: string): boolean {
    return this.#places.has(id);
  }

  /** Status of the row's latest result; undefined when it has none, or is not selected. */
  status(id: string): string | undefined {
    const place = this.#places.get(id);
    const code = place === undefined ? OPEN : this.#codes[place];
    return code === undefined || code === OPEN ? undefined : this.#names[code];
  }

  /** Takes a result, the latest one of its row. */
  set(id: string, status: string, correct: boolean): void {
    const place = this.#places.get(id);
    if (place === undefined) throw new Error(`row ${id} is not selected`);
    const before = this.#codes[place] ?? OPEN;
    if (before === OPEN) this.#finished += 1;
    else if (this.#names[before] !== "ok") this.#errors -= 1;
    if (status !== "ok") this.#errors += 1;
    this.#correct += Number(correct) - (this.#right[place] ?? 0);
    this.#codes[place] = this.#code(status);
    this.#right[place] = Number(correct);
  }

  #code(status: string): number {
    const known = this.#codeOf.get(status);
    if (known !== undefined) return known;
    const code = this.#names.push(status) - 1;
    this.#codeOf.set(status, code);
    return code;
  }
}
