// What a command says of the warehouse that it opens.
import type { CorpusFile } from "../corpus/load.ts";
import type { Bootstrap } from "./bootstrap.ts";

export interface WarehouseOptions {
  /** Threads of DuckDB; by default its own choice, one a core. Results do not depend on it. */
  readonly threads?: number;
  /**
   * Reads only these runs, so that a question about one does not wait for the others: folder names of local runs (no
   * "/" in them) and `<suite>/<model-id>` of published results.
   */
  readonly runs?: readonly string[];
  /**
   * For a command that wants the figures of one long run: leaves out what none stands on (outputs, errors, titles, options, texts,
   * times of calls), which is NULL then, and keeps DuckDB to little memory as long as that is enough.
   */
  readonly figuresOnly?: boolean;
  /**
   * The last stage of the analysis whose views the command asks for: a view that is made and not asked takes time all the same.
   * All stages when not given.
   */
  readonly upTo?: "2_rows" | "3_metrics" | "5_standings";
  /** The least of this little memory, in MB; its own when not given. */
  readonly frugalMegabytes?: number;
  /** The corpus of the workspace, which this command has checked already; it is checked when not given. */
  readonly corpus?: CorpusFile;
  /** Reads nothing, so that every view is empty: for a workspace in which no corpus is active. */
  readonly empty?: boolean;
  /** What the bootstrap draws; what is published when not given. */
  readonly bootstrap?: Bootstrap;
  /** Told once each: unfinished lines, damaged lines, folders in `runs/` that are no runs. */
  readonly notify?: (message: string) => void;
  /** Stops the query or the reading that is going on; it rejects with an `InterruptedError`. */
  readonly signal?: AbortSignal;
}
