// The command that goes on with a run, as a person would type it: from the options of an invocation, or from what the
// folder of the run says.
import type { Corpus } from "../corpus/load.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { configDifferences, defaultRunId, freezeConfig } from "../harness/freeze.ts";
import type { RunRecord } from "../ledgers/schema.ts";
import type { ModelConfig } from "../models/schema.ts";
import { quoted } from "../quote.ts";
import { RUN_DEFAULTS, type RunOptions } from "./run.ts";

/** The same command again, as a person would type it. */
export function resumeCommand(options: RunOptions): string {
  const flags: [string, string | number | undefined][] = [
    ["--root", options.root],
    ["--model", options.model.join(",")],
    ["--ids", options.ids?.join(",")],
    ["--task", options.task?.join(",")],
    ["--category", options.category?.join(",")],
    ["--limit", options.limit],
    ["--run-id", options.runId],
    ["--api-model", options.apiModel],
    ["--jobs", options.jobs === RUN_DEFAULTS.jobs ? undefined : options.jobs],
    ["--timeout", options.timeout === RUN_DEFAULTS.timeout ? undefined : options.timeout],
    ["--max-attempts", options.maxAttempts === RUN_DEFAULTS.maxAttempts ? undefined : options.maxAttempts],
    ["--rpm", options.rpm],
    // Without it a pasted command would spend what the person had set a limit to.
    ["--max-cost", options.maxCost],
  ];
  return [
    "bench run",
    ...flags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${shellWord(String(value))}`])),
  ].join(" ");
}

/** The text as one word of a shell. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How to go on with a run; `command` is null where none can be given. */
export interface Resume {
  readonly command: string | null;
  /** One sentence. */
  readonly message: string;
}

/** A command about one run. */
export function commandOn(command: string, runId: string, root: string | undefined): string {
  return `bench ${command} ${shellWord(runId)}${root === undefined ? "" : ` --root ${shellWord(root)}`}`;
}

/** The command that goes on with the run of a record, or why there is none. */
export function resumeOf({
  record,
  runId,
  selection,
  corpus,
  models,
  root,
}: {
  readonly record: RunRecord;
  readonly runId: string;
  /** The selected rows in corpus order; null where they are not known. */
  readonly selection: readonly string[] | null;
  /** The active one; null where it cannot be read. */
  readonly corpus: Corpus | null;
  /** Those of config/models.json; null where they cannot be read. */
  readonly models: readonly ModelConfig[] | null;
  /** The global `--root`, as it was given. */
  readonly root: string | undefined;
}): Resume {
  const { config } = record;
  if (corpus === null || corpus.sha256 !== config.corpus_sha256) {
    const message = `make ${quoted(config.suite)} ${quoted(config.corpus_version)} the active corpus again, then repeat the command of the first time.`;
    return { command: null, message };
  }
  if (selection === null) {
    return { command: null, message: "repeat the command of the first time, with the same choice of rows." };
  }
  const model = models?.find(({ id }) => id === config.model_id);
  if (model === undefined) {
    const message = `config/models.json has no model ${quoted(config.model_id)} that can be read: put it back, then repeat the command of the first time.`;
    return { command: null, message };
  }
  const wanted = new Set(selection);
  const rows = corpus.rows.filter((row) => wanted.has(row.id));
  const last = record.executions.at(-1);
  const command = resumeCommand({
    root,
    model: [config.model_id],
    ...choiceOf(rows, corpus.rows),
    ...(defaultRunId(config, corpus.rows.length) === runId ? {} : { runId }),
    ...(model.model === config.api_model ? {} : { apiModel: config.api_model }),
    jobs: last?.jobs || RUN_DEFAULTS.jobs,
    timeout: last?.timeout_s ?? RUN_DEFAULTS.timeout,
    maxAttempts: last?.max_attempts || RUN_DEFAULTS.maxAttempts,
    ...(last?.rpm == null ? {} : { rpm: last.rpm }),
  });
  const now = freezeConfig({
    corpus,
    model,
    apiModel: config.api_model,
    endpointId: config.endpoint_id,
    rows,
  });
  const changed = configDifferences(config, now);
  if (changed.length === 0) return { command, message: "this goes on with the run." };
  return { command, message: `this goes on with the run once ${changed.join(", ")} are as they were.` };
}

/** The options that choose exactly these rows; `all` is the corpus. */
function choiceOf(
  rows: readonly CorpusRow[],
  all: readonly CorpusRow[],
): Pick<RunOptions, "limit" | "task" | "category" | "ids"> {
  if (rows.length === all.length) return {};
  if (rows.every((row, index) => row === all[index])) return { limit: rows.length };
  for (const [flag, group] of [
    ["category", (row: CorpusRow) => row.category],
    ["task", (row: CorpusRow) => row.task],
  ] as const) {
    const groups = new Set(rows.map(group));
    const fitting = all.filter((row) => groups.has(group(row)));
    if (fitting.length === rows.length) return { [flag]: [...groups] };
    if (rows.every((row, index) => row === fitting[index])) {
      return { [flag]: [...groups], limit: rows.length };
    }
  }
  return { ids: rows.map((row) => row.id) };
}
