// What `bench doctor` does: has a run examined and mended, prints what came of it, and says how to go on.
import type { Writable } from "../answers/json.ts";
import { type Corpus, loadCorpus } from "../corpus/load.ts";
import { InterruptedError, UserError } from "../errors.ts";
import { examineRun } from "../harness/doctor.ts";
import type { Diagnosis } from "../harness/doctor-report.ts";
import { loadModels } from "../models/registry.ts";
import type { ModelConfig } from "../models/schema.ts";
import { visible } from "../output.ts";
import type { Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import { printDiagnosis } from "./doctor-text.ts";
import { findLocalRun } from "./find-run.ts";
import { writeJson } from "./output.ts";
import { commandOn, type Resume, resumeOf } from "./resume-command.ts";

/** Progress is told after so long, and then as often, in ms. */
const PATIENCE_MS = 1000;

interface DoctorOptions {
  readonly dryRun: boolean;
  readonly json: boolean;
  /** The global `--root`, as it was given. */
  readonly root: string | undefined;
}

/**
 * Examines a run and moves aside what is broken. The exit code is 1 when anything was found, mended or not.
 *
 * @throws {UserError} when there is no such run, or a living process writes it.
 */
export async function doctorRun(
  name: string,
  context: Context,
  { dryRun, json, root }: DoctorOptions,
): Promise<void> {
  const workspace = await context.workspace();
  const runId = findLocalRun(workspace, name, "examined");
  const signal = context.interrupt;
  const corpus = await corpusOrWhy(workspace, signal);
  let told = performance.now();
  const diagnosis = await examineRun({
    workspace,
    runId,
    corpus,
    dryRun,
    signal,
    onProgress: (file, what, share) => {
      if (performance.now() - told < PATIENCE_MS) return;
      told = performance.now();
      context.stderr.write(`${visible(file)}: ${Math.floor(share * 100)} % ${what}\n`);
    },
  });
  const next = await nextStep(diagnosis, workspace, typeof corpus === "string" ? null : corpus, root);
  if (json) await writeJson(context, documentOf(diagnosis, next));
  else await printDiagnosis(context, diagnosis, next);
  if (diagnosis.findings.length > 0) context.exitCode = 1;
}

/** A run can be examined without its corpus, though not as well. */
async function corpusOrWhy(workspace: Workspace, signal: AbortSignal): Promise<Corpus | string> {
  try {
    return await loadCorpus(workspace, { signal });
  } catch (error) {
    if (error instanceof UserError && !(error instanceof InterruptedError)) return error.message;
    throw error;
  }
}

async function modelsOrNull(workspace: Workspace): Promise<readonly ModelConfig[] | null> {
  try {
    return await loadModels(workspace);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

async function nextStep(
  diagnosis: Diagnosis,
  workspace: Workspace,
  corpus: Corpus | null,
  root: string | undefined,
): Promise<Resume> {
  const { record, runId, rows, findings } = diagnosis;
  if (record === null) {
    return { command: null, message: "bring run.json back from a copy, then examine the run again." };
  }
  if (record.id !== runId) {
    return {
      command: null,
      message: "give the folder the name of its run.json, then examine the run again.",
    };
  }
  if (diagnosis.dryRun && findings.some(({ action }) => action.startsWith("would_"))) {
    return { command: commandOn("doctor", runId, root), message: "this moves aside what is broken." };
  }
  const isDone =
    rows.finished >= record.config.selected_rows.count &&
    (record.status === "completed" || record.status === "completed_with_errors");
  if (isDone)
    return { command: commandOn("score", runId, root), message: "every selected row has a result." };
  return resumeOf({
    record,
    runId,
    selection: diagnosis.selection,
    corpus,
    models: await modelsOrNull(workspace),
    root,
  });
}

function documentOf(diagnosis: Diagnosis, next: Resume): Record<string, Writable> {
  const { rows, attempts } = diagnosis;
  return {
    run_id: diagnosis.runId,
    dry_run: diagnosis.dryRun,
    whole: diagnosis.findings.length === 0,
    findings: diagnosis.findings.map((finding) => ({ ...finding })),
    findings_left_out: diagnosis.findingsLeftOut,
    notes: diagnosis.notes.map((note) => ({ ...note })),
    files: diagnosis.files.map(({ file, lines, whole, damaged, tornBytes }) => ({
      file,
      lines,
      whole,
      damaged,
      unfinished_bytes: tornBytes,
    })),
    moved: diagnosis.moved.map((moved) => ({ ...moved })),
    rows: {
      selected: rows.selected,
      finished: rows.finished,
      errors: rows.errors,
      superseded_results: rows.superseded,
    },
    attempts: { calls: attempts.calls, incomplete: attempts.incomplete },
    next: { command: next.command, message: next.message },
  };
}
