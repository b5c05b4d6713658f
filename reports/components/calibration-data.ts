// How far the probabilities of the results can be trusted, as the loader of calibration.json and the files of the
// results give it.
import { FileAttachment } from "observablehq:stdlib";
import { markedNames, type Run, type Site, shard, site } from "./site.js";

/** A result. Means and scores are of its rows with a label and probabilities, and null when it has none. */
export interface CalibrationLine {
  readonly run_id: string;
  /** Finished rows; null for a result without any. */
  readonly rows: number | null;
  readonly valid_rows: number;
  /** valid_rows / rows */
  readonly coverage: number | null;
  /** Of all finished rows. */
  readonly error_rate: number | null;
  readonly mean_confidence: number | null;
  /** Of the rows with probabilities. */
  readonly accuracy: number | null;
  readonly sources: readonly string[];
  /** 0 (best) to 2. */
  readonly brier: number | null;
  /** In nats. */
  readonly log_loss: number | null;
  readonly ece: number | null;
  readonly adaptive_ece: number | null;
  readonly murphy_reliability: number | null;
  readonly murphy_resolution: number | null;
  readonly murphy_uncertainty: number | null;
  readonly aurc: number | null;
  readonly high_confidence_errors: number;
  readonly argmax_disagreements: number;
}

/** Rows of a result whose confidence lies between two edges. */
export interface Bin {
  readonly run_id: string;
  readonly bin: number;
  readonly low: number;
  readonly high: number;
  readonly rows: number;
  readonly mean_confidence: number | null;
  readonly accuracy: number | null;
  /** Wilson, 95 %. */
  readonly accuracy_low: number | null;
  readonly accuracy_high: number | null;
}

/** What happens when only answers of at least this confidence are accepted. */
export interface RiskPoint {
  readonly threshold: number;
  /** Of all finished rows. */
  readonly coverage: number;
  /** Share of the accepted rows that are wrong. */
  readonly risk: number;
  readonly accepted: number;
  readonly errors: number;
}

/** An answer with what its model believed. */
export interface BelievedRow {
  readonly row_id: string;
  readonly title: string | null;
  readonly task: string | null;
  readonly label: string;
  readonly gold: string;
  readonly confidence: number;
  readonly p_gold: number | null;
}

/** A result that has finished rows, with its name. */
export interface Calibrated {
  readonly run: Run;
  readonly name: string;
  readonly line: CalibrationLine;
}

export interface CalibrationData {
  readonly site: Site;
  /** In the order of the site. */
  readonly results: readonly Calibrated[];
  readonly binsOf: (run: string) => readonly Bin[];
  readonly taskName: (task: string) => string;
}

/** What the file of one result adds. */
export interface Beliefs {
  /** By falling threshold; only those at which something is accepted. */
  readonly risk: readonly RiskPoint[];
  /** Surest first. */
  readonly mistakes: readonly BelievedRow[];
  readonly disagreements: readonly BelievedRow[];
}

export async function calibrationData(): Promise<CalibrationData> {
  const [about, data] = await Promise.all([
    site(),
    FileAttachment("../data/calibration.json").json() as Promise<{
      calibration: CalibrationLine[];
      reliability: Bin[];
    }>,
  ]);
  const lines = new Map(data.calibration.map((line) => [line.run_id, line]));
  const names = markedNames(about.runs);
  const taskNames = new Map(about.tasks.map(({ task, task_name }) => [task, task_name ?? task]));
  return {
    site: about,
    results: about.runs.flatMap((run) => {
      const line = lines.get(run.run_id);
      return line === undefined || line.rows === null
        ? []
        : [{ run, name: names.get(run.run_id) ?? run.run_id, line }];
    }),
    binsOf: (run) => data.reliability.filter(({ run_id }) => run_id === run),
    taskName: (task) => taskNames.get(task) ?? task,
  };
}

/** Columns of one part of a result's file. */
type Columns<T> = { readonly [K in keyof T]: readonly T[K][] };

/** Loads the file of a result, and the titles of the rows. */
export async function beliefsOf(run: Run): Promise<Beliefs> {
  const [file, corpus] = await Promise.all([
    shard<{
      risk_coverage: Columns<Omit<RiskPoint, "risk"> & { readonly risk: number | null }>;
      confident_mistakes: Columns<Omit<BelievedRow, "title">>;
      argmax_disagreements: Columns<Omit<BelievedRow, "title">>;
    }>(`runs/${run.file}.json`),
    FileAttachment("../data/corpus.json").json() as Promise<{
      rows: Columns<{ readonly row_id: string; readonly title: string | null }>[];
    }>,
  ]);
  const rows = corpus.rows[0];
  const titles = new Map(rows?.row_id.map((id, i) => [id, rows.title[i] ?? null]));
  const titled = (row: Omit<BelievedRow, "title">): BelievedRow => ({
    ...row,
    title: titles.get(row.row_id) ?? null,
  });
  return {
    risk: linesOf(file.risk_coverage).flatMap((point) =>
      point.risk === null ? [] : [{ ...point, risk: point.risk }],
    ),
    mistakes: linesOf(file.confident_mistakes).map(titled),
    disagreements: linesOf(file.argmax_disagreements).map(titled),
  };
}

/** The lines of some columns, all of one length. */
function linesOf<T extends object>(columns: Columns<T>): T[] {
  const entries = Object.entries(columns) as [keyof T, readonly T[keyof T][]][];
  return Array.from(
    { length: entries[0]?.[1].length ?? 0 },
    (_, i) => Object.fromEntries(entries.map(([name, values]) => [name, values[i]])) as T,
  );
}
