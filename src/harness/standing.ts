// Counts what a run has come to, over all its invocations: for the progress on screen and for the rules that stop a run.
import type { RunRecord } from "../ledgers/schema.ts";
import type { RunState } from "./resume.ts";
import type { RowStates } from "./row-states.ts";

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

/** The counts of one run; begins with what earlier invocations have left. */
export class Tally {
  readonly #states: RowStates;
  #lastStatus = "ok";
  failuresInARow = 0;
  knownCostUsd: number;
  /** Rows that this invocation has finished. */
  added = 0;

  /** Takes the states over: they are counted on in place, since there may be a million of them. */
  constructor({ states, knownCostUsd }: RunState) {
    this.#states = states;
    this.knownCostUsd = knownCostUsd;
  }

  addCost(usd: number | null): void {
    this.knownCostUsd += usd ?? 0;
  }

  addRow(rowId: string, status: string, correct: boolean): void {
    this.#states.set(rowId, status, correct);
    this.added += 1;
    if (MODEL_STATUSES.has(status)) this.failuresInARow = 0;
    else this.failuresInARow = status === this.#lastStatus ? this.failuresInARow + 1 : 1;
    this.#lastStatus = status;
  }

  standing(): Standing {
    const { selected, finished, correct, errors } = this.#states;
    return { selected, finished, correct, errors, knownCostUsd: this.knownCostUsd };
  }

  finalStatus(): RunRecord["status"] {
    const { selected, finished, errors } = this.#states;
    if (finished < selected) return "interrupted";
    return errors > 0 ? "completed_with_errors" : "completed";
  }
}
