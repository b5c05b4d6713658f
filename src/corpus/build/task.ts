// What a task of the corpus is: its texts, its sources, and a function from facts to candidate rows. Everything
// that a person reads about a task (manifest, SOURCES.md) is generated from here, so that it cannot disagree.
import type { Writable } from "../../answers/json.ts";
import type { FactStore } from "./sources.ts";

/** Label and one-line description, in an order that carries no meaning. */
export type Options = readonly (readonly [label: string, description: string])[];

export type Difficulty = "easy" | "medium" | "hard";

/** A picture of a row, drawn from facts by this project. */
export interface Picture {
  /** The drawing, made by `pictures/svg.ts`; its PNG is committed. */
  readonly svg: string;
  /** What the picture shows, for those who do not see it; it never says more than the picture. */
  readonly alt: string;
}

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
  /** The row's picture; every candidate of a task of modality `image` has one. Called for chosen candidates only. */
  readonly picture?: () => Picture;
  /** Options of this row; absent where the task has fixed ones. */
  readonly options?: Options;
  readonly gold: string;
  /** How the answer follows from the state. */
  readonly rationale: string;
  readonly difficulty: Difficulty;
  /** The source's own value behind the answer. */
  readonly originalLabel: string;
}

/** What nearest neighbours compare: numbers by their rank, words and truth values by equality, lists by what they share. */
export type Features = Readonly<Record<string, number | string | boolean | null | readonly string[]>>;

/** What a rule may look at beside state and options. */
export interface Knowledge {
  /** What somebody in the field knows or looks up: code lists, offsets of time zones. */
  readonly facts: FactStore;
  /** The row's picture as SVG; null where there is none. */
  readonly drawing: string | null;
}

/**
 * How the build shows that a row can be decided from what is shown. A computed label has a `rule`, run again over the
 * state alone, which must give the answer of every row. A recorded one has a rule of thumb or the features by which
 * like cases are found; either must do better than chance.
 */
export type Decision =
  | {
      readonly by: "rule";
      /** The label that follows from the state (parsed from its JSON) and the options (in any order). */
      readonly decide: (
        state: unknown,
        options: ReadonlyMap<string, string>,
        known: Knowledge,
      ) => string | null;
      /** One sentence for the documents. */
      readonly says: string;
    }
  | {
      readonly by: "neighbours";
      /** What is compared of a candidate's state. Never its answer, its key or its record id, nor a fact that is its answer. */
      readonly features: (state: unknown, facts: FactStore) => Features;
      /** One sentence for the documents: which features. */
      readonly says: string;
    };

export interface Task {
  /** For example `ENG-5`; its lower-case form opens the row ids. */
  readonly id: string;
  readonly name: string;
  /** What kind of decision it is: one verb. */
  readonly shape:
    | "classify"
    | "compare"
    | "decide"
    | "detect"
    | "extract"
    | "locate"
    | "predict"
    | "read"
    | "route"
    | "select"
    | "triage"
    | "verify";
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
  /** True where the state lacks what the picture shows, so that the row cannot be answered without it. */
  readonly pictureNeeded?: boolean;
  readonly decision?: Decision;
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
