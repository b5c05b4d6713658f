// The work of `bench run`: everything that can be wrong is found before the first run folder is made, then the models
// are evaluated one after another.
import type { Corpus } from "../corpus/load.ts";
import { openCorpus } from "../corpus/open.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { InterruptedError, UserError } from "../errors.ts";
import { systemClock } from "../harness/clock.ts";
import type { RunObserver, RunSettings } from "../harness/execute.ts";
import { checkRunId, freezeConfig } from "../harness/freeze.ts";
import { progressOn } from "../harness/progress.ts";
import { type RunReport, runModel } from "../harness/run.ts";
import { selectRows } from "../harness/select.ts";
import { checkApiModel } from "../models/private.ts";
import { findModels, loadModels } from "../models/registry.ts";
import type { ModelConfig } from "../models/schema.ts";
import { Commands } from "../providers/cli/command.ts";
import type { Provider } from "../providers/provider.ts";
import {
  assertKeysOutsideLabels,
  assertKeysOutsideSettings,
  configuredKeys,
  createRedactor,
  keysStandIn,
  type Redactor,
} from "../providers/redact.ts";
import { createProvider, loadProviders } from "../providers/registry.ts";
import { assertOwnWorkspace, type Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import { writeJson } from "./output.ts";
import { resumeCommand } from "./resume-command.ts";
import type { RunOptions } from "./run.ts";
import { printPlan } from "./run-plan.ts";

interface Candidate {
  readonly model: ModelConfig;
  readonly apiModel: string;
  readonly provider: Provider;
}

/**
 * Evaluates the models that were asked for.
 *
 * @throws {UserError} for anything that is wrong with options, corpus, models, keys or endpoints; nothing is made then.
 */
export async function evaluate(options: RunOptions, context: Context): Promise<void> {
  const workspace = await context.workspace();
  assertOwnWorkspace(workspace.root);
  if (options.runId !== undefined) checkRunId(options.runId);
  for (const [flag, value] of [
    ["--run-id", options.runId],
    ["--api-model", options.apiModel],
  ] as const) {
    if (value !== undefined && options.model.length > 1) {
      throw new UserError(`${flag} goes with one model; --model names ${options.model.length}`);
    }
  }
  if (options.apiModel !== undefined) checkApiModel(options.apiModel, workspace.env);
  const models = findModels(await loadModels(workspace), options.model);
  const mayWrite = options.dryRun !== true;
  const [{ corpus, verified, noted }] = await Promise.all([
    openCorpus(workspace, mayWrite),
    loadProviders(models),
  ]);
  const rows = selectRows(corpus, {
    ids: options.ids,
    tasks: options.task,
    categories: options.category,
    limit: options.limit,
  });
  const keys = configuredKeys(workspace.env);
  // Most corpora say at once that no key stands in any of their labels; only else every selected row is looked at.
  assertKeysOutsideLabels(keys, keysStandIn(keys, corpus.words) ? rows : []);
  const redactor = createRedactor(workspace.env);
  const commands = new Commands(workspace.env);
  const candidates: Candidate[] = [];
  try {
    for (const model of models) {
      const apiModel = options.apiModel ?? model.model;
      assertPublicName(apiModel, model, redactor);
      const config = freezeConfig({ corpus, model, apiModel, endpointId: null, rows });
      assertKeysOutsideSettings(keys, { ...config, platform: process.platform });
      const provider = await createProvider(
        { ...model, model: apiModel },
        {
          env: workspace.env,
          corpusDir: corpus.dir,
          jobs: options.jobs,
          commands,
        },
      );
      candidates.push({ model, apiModel, provider });
      provider.assertAskable?.(rows);
    }
    if (options.dryRun === true) {
      await verified;
      await printPlan(candidates, rows, options, context);
    } else await runAll(candidates, rows, { options, context, corpus, verified, workspace, redactor });
    await noted;
  } finally {
    for (const { provider } of candidates) {
      await provider.close();
      const left = provider.leftBehind?.() ?? null;
      if (left !== null) context.stderr.write(`bench: ${left}\n`);
    }
  }
}

/** Every record holds the name of the model, and a masked one would be another model's. */
function assertPublicName(apiModel: string, { id }: ModelConfig, redactor: Redactor): void {
  if (redactor.text(apiModel) === apiModel) return;
  throw new UserError(
    `model ${id}: the name that is sent (--api-model, or "model" in config/models.json) holds a key, a host or a folder of this machine. ` +
      "It would be masked in every record: have the server list the model under a plain name (vLLM: --served-model-name, llama.cpp: --alias).",
  );
}

interface Task {
  readonly options: RunOptions;
  readonly context: Context;
  readonly corpus: Corpus;
  readonly verified: Promise<unknown>;
  readonly workspace: Workspace;
  readonly redactor: Redactor;
}

async function runAll(
  candidates: readonly Candidate[],
  rows: readonly CorpusRow[],
  task: Task,
): Promise<void> {
  const { options, context } = task;
  const settings: RunSettings = {
    jobs: options.jobs,
    timeoutS: options.timeout,
    maxAttempts: options.maxAttempts,
    rpm: options.rpm ?? null,
    retryErrors: options.retryErrors === true,
    maxCostUsd: options.maxCost ?? null,
    keepGoing: options.keepGoing === true,
  };
  const observer = await progressOn(context.stderr);
  const reports: RunReport[] = [];
  for (const { model, apiModel, provider } of candidates) {
    if (context.interrupt.aborted) break;
    warnAboutCost(model, settings, observer);
    const { isOneAtATime = false } = provider;
    if (isOneAtATime && settings.jobs > 1) {
      observer.notice(
        `${model.id}: one call at a time, since the sign-in is looked up in your own home, which every call writes into (with a key there is no need)`,
      );
    }
    const report = await runModel({
      workspace: task.workspace,
      corpus: task.corpus,
      verified: task.verified,
      rows,
      model,
      apiModel,
      provider,
      redactor: task.redactor,
      runId: options.runId,
      settings: isOneAtATime ? { ...settings, jobs: 1 } : settings,
      clock: systemClock,
      interrupt: context.interrupt,
      observer,
    });
    reports.push(report);
    if (report.stopped !== null) {
      if (report.stopped.why !== "interrupted") context.exitCode = 1;
      observer.notice(stopText(report, options));
    }
  }
  await printReports(reports, task);
  if (context.interrupt.aborted && reports.some((report) => report.stopped?.why === "interrupted")) {
    throw new InterruptedError("interrupted; the same command goes on from here");
  }
  if (reports.length < candidates.length) {
    throw new InterruptedError("interrupted before the last model; the same command goes on from here");
  }
}

function warnAboutCost(model: ModelConfig, settings: RunSettings, observer: RunObserver): void {
  if (settings.maxCostUsd === null || model.pricing != null || model.provider === "baseline") return;
  observer.notice(
    `${model.id} has no price in config/models.json: --max-cost counts only what the provider itself reports`,
  );
}

function stopText(report: RunReport, options: RunOptions): string {
  const left = report.left === 1 ? "1 row is left" : `${report.left} rows are left`;
  const head = `run ${report.runId} stopped: ${report.stopped?.message}. ${left}.`;
  if (report.stopped?.why === "failures") {
    const command = resumeCommand(options);
    return `${head} Mend the cause, then go on with: ${command} --retry-errors (or --keep-going to go on regardless)`;
  }
  if (report.stopped?.why === "cost") return `${head} Go on with a higher --max-cost.`;
  return head;
}

async function printReports(reports: readonly RunReport[], task: Task): Promise<void> {
  const { context, options } = task;
  if (options.json === true) {
    const runs = reports.map((report) => ({
      run_id: report.runId,
      status: report.status,
      rows_selected: report.selected,
      rows_completed: report.finished,
      correct: report.correct,
      errors: report.errors,
      known_cost_usd: report.knownCostUsd,
      stopped: report.stopped,
    }));
    await writeJson(context, { runs });
    return;
  }
  // A person who stopped the run wants the prompt back, not a query.
  if (reports.length === 0 || context.interrupt.aborted) return;
  const { printRuns } = await import("./runs.ts");
  await printRuns(context, { only: reports.map((report) => report.runId) });
}
