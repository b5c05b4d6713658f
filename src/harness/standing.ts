// Counts what a run has come to, over all its invocations: for the progress on screen and for the rules that stop a run.
import type { RunRecord } from "../ledgers/schema.ts";
import type { RunState } from "./resume.ts";

/** Statuses that are a model's doing, not the endpoint's: they never end a run. */
const MODEL_STATUSES = new Set(["ok", "invalid_output"]);

/** How far a run is. */
export interface Standing {
  readonly selected: number;
  readonly finished: number;
  readonly correct: number;
  readonly errors: number;
  /** Known cost of all attempts so far, in USD. */
  readonly knownCostUsd: number;
}

export class Tally {
  readonly #selected: number;
  readonly #statuses: Map<string, string>;
  #correct: number;
  #errors = 0;
  #lastStatus = "ok";
  failuresInARow = 0;
  knownCostUsd: number;

  /** Takes the statuses over: they are counted on in place, since there may be a million of them. */
  constructor(selected: number, state: RunState) {
    this.#selected = selected;
    this.#statuses = state.statuses;
    this.#correct = state.correct;
    for (const status of state.statuses.values()) if (status !== "ok") this.#errors += 1;
    this.knownCostUsd = state.knownCostUsd;
  }

  addCost(usd: number | null): void {
    this.knownCostUsd += usd ?? 0;
  }

  addRow(rowId: string, status: string, correct: boolean): void {
    const before = this.#statuses.get(rowId);
    if (before !== undefined && before !== "ok") this.#errors -= 1;
    this.#statuses.set(rowId, status);
    if (status !== "ok") this.#errors += 1;
    if (correct) this.#correct += 1;
    if (MODEL_STATUSES.has(status)) this.failuresInARow = 0;
    else this.failuresInARow = status === this.#lastStatus ? this.failuresInARow + 1 : 1;
    this.#lastStatus = status;
  }

  standing(): Standing {
    return {
      selected: this.#selected,
      finished: this.#statuses.size,
      correct: this.#correct,
      errors: this.#errors,
      knownCostUsd: this.knownCostUsd,
    };
  }

  finalStatus(): RunRecord["status"] {
    if (this.#statuses.size < this.#selected) return "interrupted";
    return this.#errors > 0 ? "completed_with_errors" : "completed";
  }
}
