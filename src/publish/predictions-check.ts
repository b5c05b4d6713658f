// Reads predictions.jsonl of one result line by line and lists what is wrong with it. Memory and time are bounded by the corpus,
// not by the file.
import { createHash } from "node:crypto";
import { parseJson } from "../answers/json.ts";
import { errorMessage, InterruptedError } from "../errors.ts";
import { isRecord, issuesOf } from "../fields.ts";
import { type LedgerLine, readBatches } from "../ledgers/reader.ts";
import { parseStrictly } from "../ledgers/strict.ts";
import { quoted } from "../quote.ts";
import type { SoundCorpus } from "./corpora.ts";
import { checkLine, type ResultFacts } from "./prediction-line.ts";
import type { ProblemList, Said } from "./problem.ts";
import { type PredictionLine, predictionFileSchema } from "./schema.ts";
import type { SecretScan } from "./secret-scan.ts";

/** What the lines of a result come to, for the figures that are no scores. */
export interface Tally {
  /** Terminated lines. */
  readonly lines: number;
  readonly ok: number;
  /** Of all attempts, and of those that the older tool leaves out. */
  readonly attempts: number;
  readonly knownCosts: number;
  readonly throttled: number;
  readonly throttledKnown: number;
  /** Attempts whose cost is an estimate by prices that the result does not name. */
  readonly unpriced: number;
  /** Answers that could not be held against the model's own words. */
  readonly unread: number;
}

export interface ReadLines {
  readonly tally: Tally;
  /** Why no figure can be made of the lines; null when they can be counted. */
  readonly unsound: string | null;
}

/** So many times the corpus's rows are looked at before the rest is left alone. */
const SURPLUS = 10;
/** The same where the corpus is not known. */
const MOST_LINES = 1_000_000;
/** Rows without a line that are named. */
const MOST_NAMES = 5;
const LONG_ID = 200;

/**
 * Checks every line and their order.
 *
 * @param partial whether the result says that it does not have all rows.
 * @throws {InterruptedError} when it was stopped; {@link UserError} when the file cannot be read.
 */
export async function checkPredictions(
  path: string,
  {
    corpus,
    partial,
    facts,
    problems,
    scan,
    signal,
  }: {
    readonly corpus: SoundCorpus | null;
    readonly partial: boolean;
    /** What the result says of all its lines. */
    readonly facts: ResultFacts;
    readonly problems: ProblemList;
    readonly scan: SecretScan;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReadLines> {
  const reader = new LineReader(corpus, facts, problems, scan);
  const most = corpus === null ? MOST_LINES : (SURPLUS + 1) * corpus.rows.length;
  const onTorn = ({ line }: { line: number }): void => {
    reader.spoil("its last line is unfinished");
    problems.add(line, "", { message: "is unfinished: expected a line feed at its end" });
  };
  for await (const batch of readBatches(path, { onTorn })) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    for (const line of batch) {
      reader.add(line);
      if (line.line >= most) break;
    }
    if (reader.lines >= most) {
      problems.add(null, "", {
        message: `has more than ${most} lines, ${corpus === null ? "more than are read" : `the corpus has ${corpus.rows.length} rows`}: the rest was not read`,
      });
      reader.spoil("it has far too many lines");
      break;
    }
  }
  if (reader.lines < most && !partial) reader.tellMissing();
  return reader.end();
}

/** The state of one file while it is read. */
class LineReader {
  lines = 0;
  readonly #corpus: SoundCorpus | null;
  readonly #facts: ResultFacts;
  readonly #problems: ProblemList;
  readonly #scan: SecretScan;
  /** Of every row of the corpus the line that has it, 0 for none; without a corpus, of every id. */
  readonly #lineOf: Uint32Array;
  readonly #lineOfId = new Map<string, number>();
  #last = { place: -1, id: "" };
  #unsound: string | null = null;
  #tally = { ok: 0, attempts: 0, knownCosts: 0, throttled: 0, throttledKnown: 0, unpriced: 0, unread: 0 };

  constructor(corpus: SoundCorpus | null, facts: ResultFacts, problems: ProblemList, scan: SecretScan) {
    this.#corpus = corpus;
    this.#facts = facts;
    this.#problems = problems;
    this.#scan = scan;
    this.#lineOf = new Uint32Array(corpus?.rows.length ?? 0);
  }

  add({ line, text, problem }: LedgerLine): void {
    this.lines = line;
    const tell = (field: string, said: Said): void => this.#problems.add(line, field, said);
    if (problem !== null) {
      tell("", { message: `is ${problem}` });
      this.spoil(`line ${line} cannot be read`);
      return;
    }
    let value: unknown;
    try {
      value = parseStrictly(text);
    } catch (error) {
      tell("", { message: text.trim() === "" ? "is empty" : `is not JSON: ${errorMessage(error)}` });
      if (this.#scan.suspects([text])) this.#scan.foreign(text, this.#problems, line);
      this.spoil(`line ${line} cannot be read`);
      return;
    }
    const place = isRecord(value) && typeof value.row_id === "string" ? this.#order(value.row_id, tell) : -1;
    const texts: string[] = [];
    collectTexts(value, texts);
    if (this.#scan.suspects(texts)) {
      // What the corpus says stands in the corpus: keys are kept out of it before a run begins.
      const said = this.#corpus?.rows[place];
      const known = said === undefined ? [] : [said.id, said.task, said.category, ...said.labels];
      this.#scan.foreign(parseJson(text), this.#problems, line, new Set(known));
    }
    const parsed = predictionFileSchema.safeParse(value);
    if (!parsed.success) {
      const { error } = predictionFileSchema.safeParse(value, { reportInput: true });
      this.#problems.addIssues(line, issuesOf(error ?? parsed.error));
      this.spoil(`line ${line} is no prediction`);
      return;
    }
    this.#count(parsed.data);
    const row = this.#corpus?.rows[place] ?? null;
    const { countable, read } = checkLine(parsed.data, { ...this.#facts, row }, tell);
    if (!read) this.#tally.unread += 1;
    if (!countable) this.spoil(`line ${line} has no probabilities that add up to 1`);
    for (const [field, error] of errorsOf(parsed.data)) this.#scan.error(error, this.#problems, line, field);
  }

  /** Remembers the first reason for which no figure can be made of the lines. */
  spoil(why: string): void {
    this.#unsound ??= why;
  }

  /** Where the corpus has the row, -1 when it has not; tells when the row was there before, or stands behind a later one. */
  #order(id: string, tell: (field: string, said: Said) => void): number {
    const place = this.#corpus === null ? -1 : (this.#corpus.places.get(id) ?? -1);
    const name = quoted(id);
    if (this.#corpus !== null && place < 0) {
      tell("row_id", { message: `${name} is no row of the corpus`, found: name });
      this.spoil(`line ${this.lines} is about a row that the corpus does not have`);
      return place;
    }
    const key = id.length <= LONG_ID ? id : createHash("sha256").update(id).digest("hex");
    const first = place < 0 ? (this.#lineOfId.get(key) ?? 0) : (this.#lineOf[place] ?? 0);
    if (first > 0) {
      tell("row_id", { message: `${name} stands on line ${first} already`, found: name });
      this.spoil(`line ${this.lines} repeats a row`);
      return place;
    }
    if (place < 0) this.#lineOfId.set(key, this.lines);
    else this.#lineOf[place] = this.lines;
    if (place >= 0 && place < this.#last.place) {
      const before = quoted(this.#last.id);
      tell("row_id", {
        message: `${name} stands behind ${before}: expected the order of the corpus`,
        found: name,
      });
    }
    if (place > this.#last.place) this.#last = { place, id };
    return place;
  }

  #count(line: PredictionLine): void {
    const tally = this.#tally;
    if (line.status === "ok") tally.ok += 1;
    for (const { status, cost_usd: cost, cost_basis: basis } of line.attempts) {
      tally.attempts += 1;
      if (basis === "price_table_estimate" && this.#facts.pricing === null) tally.unpriced += 1;
      if (cost !== null) tally.knownCosts += 1;
      if (status !== "429") continue;
      tally.throttled += 1;
      if (cost !== null) tally.throttledKnown += 1;
    }
  }

  /** Tells which rows of the corpus have no line. */
  tellMissing(): void {
    const rows = this.#corpus?.rows ?? [];
    const missing: string[] = [];
    let count = 0;
    for (const [place, row] of rows.entries()) {
      if (this.#lineOf[place] !== 0) continue;
      count += 1;
      if (missing.length < MOST_NAMES) missing.push(quoted(row.id));
    }
    if (count === 0) return;
    const more = count > missing.length ? `, … (${count} rows)` : "";
    const names = missing.join(", ");
    this.#problems.add(null, "", {
      message: `has no line for ${names}${more}: expected all ${rows.length} rows of the corpus, since coverage.full is true`,
      expected: `${rows.length} rows`,
      found: `${rows.length - count} rows`,
    });
  }

  end(): ReadLines {
    return { tally: { lines: this.lines, ...this.#tally }, unsound: this.#unsound };
  }
}

/** All texts in plain data, keys too. What is parsed is at most 256 levels deep. */
function collectTexts(value: unknown, out: string[]): void {
  if (typeof value === "string") out.push(value);
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, out);
  else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      out.push(key);
      collectTexts(value[key], out);
    }
  }
}

/** The texts of errors that are none of the fixed ones: those may say anything. */
function errorsOf(line: PredictionLine): [field: string, error: string][] {
  const out: [string, string][] = [];
  const add = (field: string, error: string | null): void => {
    if (error !== null && !/^(?:HTTP \d+|[A-Z][a-z]+ (?:model output|error))$/.test(error))
      out.push([field, error]);
  };
  add("error", line.error);
  for (const [index, { error }] of line.attempts.entries()) add(`attempts[${index}].error`, error);
  return out;
}
