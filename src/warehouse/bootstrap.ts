// What the bootstrap draws. Apart from the drawing, so that a command's help can name the defaults without loading DuckDB.

export interface Bootstrap {
  readonly seed: number;
  /** How many times the tasks are drawn. */
  readonly repetitions: number;
}

/** The defaults give the figures that are published. */
export const DEFAULT_SEED = 20260923;
export const DEFAULT_REPETITIONS = 2000;
