// What a task of the corpus is: its texts, its sources, and a function from facts to candidate rows. Everything
// that a person reads about a task (manifest, SOURCES.md) is generated from here, so that it cannot disagree.
import type { Writable } from "../../answers/json.ts";
import type { FactStore } from "./sources.ts";

/** Label and one-line description, in an order that carries no meaning. */
export type Options = readonly (readonly [label: string, description: string])[];

export type Difficulty = "easy" | "medium" | "hard";

/** A row before selection: everything of it but its id and the order of its options. */
export interface Candidate {
  /** Unique within the task. Its SHA-256 decides when the candidate's turn comes. */
  readonly key: string;
  /** Record id in the source; several are joined by "; ". */
  readonly recordId: string;
  /** What selection balances, usually the answer. */
  readonly stratum: string;
  /** At most `Task.perGroup` rows share a group (one record, one role, one service). */
  readonly group?: string;
  /** Source of the row, where a task has several; absent: the task's first one. */
  readonly source?: string;
  readonly title: string;
  readonly state: { readonly [key: string]: Writable };
  /** Options of this row; absent where the task has fixed ones. */
  readonly options?: Options;
  readonly gold: string;
  /** How the answer follows from the state. */
  readonly rationale: string;
  readonly difficulty: Difficulty;
  /** The source's own value behind the answer. */
  readonly originalLabel: string;
}

export interface Task {
  /** For example `ENG-5`; its lower-case form opens the row ids. */
  readonly id: string;
  readonly name: string;
  /** What kind of decision it is: one verb. */
  readonly shape: "classify" | "decide" | "detect" | "locate" | "route" | "verify";
  /** The reader's short question, at most 12 words. */
  readonly ask: string;
  /** What the model is told; every rule that a careful expert needs. */
  readonly instruction: string;
  readonly modality: "text" | "image";
  /** Fixed options; absent where every row has its own. */
  readonly options?: Options;
  /** Whether the answer has to stand in the state, because the task is to find it among listed candidates. */
  readonly listed: boolean;
  /** `recorded`: a field of the record that is hidden. `computed`: a stated rule run over recorded facts. */
  readonly labelOrigin: "recorded" | "computed";
  /** How likely it is that the answer can be recalled instead of worked out. */
  readonly contamination: "low" | "medium" | "high";
  /** Source ids. */
  readonly sources: readonly [string, ...string[]];
  readonly rows: number;
  readonly perGroup?: number;
  /** How candidates are made and which of them are left out, for SOURCES.md. */
  readonly chosen: string;
  /** What was done to the facts, for SOURCES.md and every row's provenance. */
  readonly changed: string;
  readonly candidates: (facts: FactStore) => readonly Candidate[];
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tasks: readonly Task[];
}
