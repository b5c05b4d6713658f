// Every call of a run once, from both ledgers, and where what they say of it does not fit together.
import { hash } from "node:crypto";
import { type FinishedEvent, RUN_FILES, type StartedEvent } from "../ledgers/schema.ts";
import { quoted } from "../quote.ts";
import type { Tell } from "./doctor-content.ts";

interface Call {
  readonly row: string;
  readonly number: number;
  readonly startedAt: string;
  /** Where the call was met first. */
  readonly place: string;
  started: boolean;
  /** Digest of its finished event and where that stands; null while there is none. */
  finished: { readonly digest: string; readonly place: string } | null;
}

/** The calls of a run. `attempts.jsonl` has to be added before `results.jsonl`. */
export class AttemptBook {
  readonly #calls = new Map<string, Call>();
  /** The same text over and over is kept once. */
  readonly #texts = new Map<string, string>();
  /** Events that stand in `attempts.jsonl` a second time, word for word. */
  repeated = 0;
  /** Finished calls of `attempts.jsonl` that have no `started` event. */
  #startless = 0;
  /** Calls that only a result tells of. */
  onlyInResults = 0;
  firstStart: string | null = null;
  lastStart: string | null = null;
  readonly models = new Set<string>();

  get calls(): number {
    return this.#calls.size;
  }

  get startless(): number {
    return this.#startless;
  }

  get incomplete(): number {
    let count = 0;
    for (const { finished } of this.#calls.values()) if (finished === null) count += 1;
    return count;
  }

  /** Adds a line of `attempts.jsonl`. */
  add(event: StartedEvent | FinishedEvent, line: number, tell: Tell): void {
    const place = `line ${line}`;
    const call = this.#call(event, place, tell);
    if (event.event === "started") {
      if (call.started) this.repeated += 1;
      else if (call.finished !== null) this.#startless -= 1;
      call.started = true;
      return;
    }
    if (event.resolved_model !== null && this.models.size < 5) this.models.add(event.resolved_model);
    const digest = digestOf(event);
    if (call.finished === null) {
      if (!call.started) this.#startless += 1;
    } else if (call.finished.digest === digest) this.repeated += 1;
    else {
      tell(
        "",
        `another finished event of this attempt, on ${call.finished.place}, says something else; this one counts`,
      );
    }
    call.finished = { digest, place };
  }

  /** Adds a call that a result brings along. */
  addFromResult(event: FinishedEvent, line: number, tell: Tell): void {
    const before = this.#calls.size;
    const call = this.#call(event, `${RUN_FILES.results}:${line}`, tell);
    if (this.#calls.size > before) this.onlyInResults += 1;
    const digest = digestOf(event);
    if (call.finished === null) call.finished = { digest, place: this.#text(`${RUN_FILES.results}:${line}`) };
    else if (call.finished.digest !== digest) {
      const place = call.finished.place.replace(/^line /, `${RUN_FILES.attempts}:`);
      tell("", `the finished event of this attempt at ${place} says something else; that one counts`);
    }
  }

  #call(event: StartedEvent | FinishedEvent, place: string, tell: Tell): Call {
    const known = this.#calls.get(event.attempt_id);
    if (known === undefined) {
      const fresh: Call = {
        row: this.#text(event.row_id),
        number: event.number,
        startedAt: event.started_at,
        place,
        started: false,
        finished: null,
      };
      this.#calls.set(event.attempt_id, fresh);
      if (this.firstStart === null || fresh.startedAt < this.firstStart) this.firstStart = fresh.startedAt;
      if (this.lastStart === null || fresh.startedAt > this.lastStart) this.lastStart = fresh.startedAt;
      return fresh;
    }
    const compare = (field: string, found: string | number, expected: string | number): void => {
      if (found === expected) return;
      const text = (value: string | number): string =>
        typeof value === "string" ? quoted(value) : `${value}`;
      const where = place.startsWith("line ")
        ? known.place
        : known.place.replace(/^line /, `${RUN_FILES.attempts}:`);
      tell(field, `is ${text(found)}, the same attempt at ${where} says ${text(expected)}`);
    };
    compare("row_id", event.row_id, known.row);
    compare("number", event.number, known.number);
    compare("started_at", event.started_at, known.startedAt);
    return known;
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

/** Keys come in the schema's order, so that the order in the file does not matter. */
function digestOf(event: FinishedEvent): string {
  return hash("sha1", JSON.stringify(event), "base64");
}
