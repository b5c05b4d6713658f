// What an examination of a run folder comes to: findings, which make the run not whole, and notes, which do not.
import type { RunRecord } from "../ledgers/schema.ts";

/**
 * What became of a finding: its bytes were moved to a file beside, a file was written as it must be (the old bytes moved
 * beside), or it was left as it is. `would_…` when nothing may be written.
 */
export type Action = "moved" | "would_move" | "mended" | "would_mend" | "left";

export interface DoctorFinding {
  /** Path inside the workspace, with "/" between the parts. */
  readonly file: string;
  /** From 1; null for the whole file. */
  readonly line: number | null;
  /** Path inside the line or document, "" for the whole. */
  readonly field: string;
  /** What was found and what was expected. */
  readonly message: string;
  readonly action: Action;
}

/** Something to know that is no damage. */
export interface DoctorNote {
  readonly file: string;
  readonly message: string;
}

/** How much of a ledger is whole. */
export interface LedgerState {
  readonly file: string;
  /** Terminated lines, as they were found. */
  readonly lines: number;
  readonly whole: number;
  readonly damaged: number;
  /** Bytes after the last line feed. */
  readonly tornBytes: number;
}

/** What was taken out of a file. */
export interface Moved {
  readonly file: string;
  readonly to: string;
  readonly lines: number;
  /** Line feeds not counted. */
  readonly bytes: number;
}

export interface Diagnosis {
  readonly runId: string;
  readonly dryRun: boolean;
  /** What `run.json` says; null when it says nothing that can be used. */
  readonly record: RunRecord | null;
  /** The selected rows in corpus order; null where they are not known for sure. */
  readonly selection: readonly string[] | null;
  readonly findings: readonly DoctorFinding[];
  /** Findings beyond {@link MAX_FINDINGS}, which are only counted. */
  readonly findingsLeftOut: number;
  readonly notes: readonly DoctorNote[];
  readonly files: readonly LedgerState[];
  readonly moved: readonly Moved[];
  readonly rows: {
    /** null without a `run.json`. */
    readonly selected: number | null;
    /** Rows with a whole result. */
    readonly finished: number;
    /** Of these, rows whose latest result is an error. */
    readonly errors: number;
    /** Results that a later one of the same row replaces. */
    readonly superseded: number;
  };
  readonly attempts: {
    readonly calls: number;
    /** Calls that began and have no end: interrupted ones, of unknown cost. */
    readonly incomplete: number;
  };
}

/** A disk full of garbage must not become a memory full of findings. */
export const MAX_FINDINGS = 10_000;

/** Collects findings and notes. */
export class Findings {
  readonly findings: DoctorFinding[] = [];
  readonly notes: DoctorNote[] = [];
  leftOut = 0;

  add(finding: DoctorFinding): void {
    if (this.findings.length < MAX_FINDINGS) this.findings.push(finding);
    else this.leftOut += 1;
  }

  note(file: string, message: string): void {
    this.notes.push({ file, message });
  }
}
