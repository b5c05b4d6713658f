// What all attempts of a run have cost. One attempt may stand in both ledgers and counts once, so every id is remembered: a
// million of them in a table of numbers, since as texts they would take more memory than everything else.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const WORDS = 4;
const FIRST_SLOTS = 1024;

/** Sum of known costs over attempts, each counted once. */
export class AttemptCosts {
  /** In USD. */
  sum = 0;
  // Open addressing; a slot holds the 128 bits of an id. Zero bits are an empty slot: that one id is kept apart.
  #slots = FIRST_SLOTS;
  #table = new Uint32Array(FIRST_SLOTS * WORDS);
  #used = 0;
  /** Ids of another form than the harness gives. */
  readonly #others = new Set<string>();

  /** Adds the cost of an attempt, in USD, unless that attempt was added before. What cost nothing need not be remembered. */
  add(id: string, usd: number): void {
    if (usd === 0 || !this.#isNew(id)) return;
    this.sum += usd;
  }

  #isNew(id: string): boolean {
    if (!UUID.test(id)) return this.#isNewOther(id);
    const a = hexWord(id, 0);
    const b = (hexHalf(id, 9) << 16) | hexHalf(id, 14);
    const c = (hexHalf(id, 19) << 16) | hexHalf(id, 24);
    const d = hexWord(id, 28);
    if ((a | b | c | d) === 0) return this.#isNewOther(id);
    const slot = find(this.#table, this.#slots, a, b, c, d);
    if (slot < 0) return false;
    put(this.#table, slot, a, b, c, d);
    this.#used += 1;
    if (this.#used * 2 > this.#slots) this.#grow();
    return true;
  }

  #isNewOther(id: string): boolean {
    if (this.#others.has(id)) return false;
    this.#others.add(id);
    return true;
  }

  #grow(): void {
    const before = this.#table;
    this.#slots *= 2;
    this.#table = new Uint32Array(this.#slots * WORDS);
    for (let at = 0; at < before.length; at += WORDS) {
      const [a = 0, b = 0, c = 0, d = 0] = before.subarray(at, at + WORDS);
      if ((a | b | c | d) !== 0) put(this.#table, find(this.#table, this.#slots, a, b, c, d), a, b, c, d);
    }
  }
}

/** Where an id belongs, as an index of its first word; -1 when it is there. */
function find(table: Uint32Array, slots: number, a: number, b: number, c: number, d: number): number {
  // Ids are drawn at random, but a test's may count up: every word takes part.
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca77) ^ d, 0xc2b2ae3d);
  hash ^= hash >>> 15;
  for (let slot = hash & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
    const at = slot * WORDS;
    const [w, x, y, z] = [table[at], table[at + 1], table[at + 2], table[at + 3]];
    if (w === 0 && x === 0 && y === 0 && z === 0) return at;
    if (w === a >>> 0 && x === b >>> 0 && y === c >>> 0 && z === d >>> 0) return -1;
  }
}

function put(table: Uint32Array, at: number, a: number, b: number, c: number, d: number): void {
  table[at] = a;
  table[at + 1] = b;
  table[at + 2] = c;
  table[at + 3] = d;
}

/** Eight hexadecimal digits as 32 bits. */
function hexWord(text: string, at: number): number {
  return (hexHalf(text, at) << 16) | hexHalf(text, at + 4);
}

/** Four lower-case hexadecimal digits as 16 bits. */
function hexHalf(text: string, at: number): number {
  let out = 0;
  for (let digit = at; digit < at + 4; digit += 1) {
    const code = text.charCodeAt(digit);
    out = (out << 4) | (code < 0x3a ? code - 0x30 : code - 0x57);
  }
  return out;
}
