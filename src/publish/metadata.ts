// metadata.json: which model, corpus, prompt and run a published result is about.
import type { RunRecord } from "../ledgers/schema.ts";
import type { Scores, Totals } from "./scores.ts";

/** How much of the corpus a result covers, in rows. */
export interface Coverage {
  readonly rows_in_corpus: number;
  readonly rows_selected: number;
  readonly rows_completed: number;
  readonly rows_ok: number;
  readonly rows_error: number;
  readonly full: boolean;
}

/** What the run alone says: everything but the figures. */
export interface MetadataHead {
  readonly schema_version: 1;
  readonly suite: string;
  readonly model: {
    readonly id: string;
    readonly label: string | null;
    readonly short_label: string | null;
    readonly vendor: string | null;
    readonly provider: string;
    readonly color: string | null;
    readonly api_model: string;
    readonly resolved_models: readonly string[];
  };
  readonly request: Readonly<Record<string, unknown>>;
  readonly pricing: RunRecord["pricing"];
  readonly prompt_version: string;
  readonly prompt_sha256: string;
  readonly corpus: { readonly version: string; readonly sha256: string; readonly current: boolean };
  readonly harness: {
    readonly version: string;
    readonly git_commit: string | null;
    readonly git_dirty: boolean | null;
    readonly git_commits: readonly string[];
  };
  readonly run: {
    readonly run_id: string;
    readonly status: string;
    readonly created_at: string;
    readonly completed_at: string | null;
    readonly published_at: string;
    readonly executions: number;
    /** Versions of the command that asked the model, in the order of their use; absent without a command. */
    readonly cli_versions?: readonly string[];
    readonly jobs: number | null;
    readonly timeout_seconds: number | null;
    readonly max_attempts: number | null;
    readonly endpoint_id: string | null;
    readonly platform: Readonly<Record<string, unknown>>;
  };
  readonly published_with_warnings?: readonly string[];
  readonly analysis_version: string;
}

/** The document `metadata.json`. */
export type Metadata = MetadataHead & { readonly coverage: Coverage; readonly totals: Totals };

/** What is known of a run before its figures are. */
export interface MetadataInput {
  readonly run: RunRecord;
  /** Names under which the provider says that it answered, sorted, fit to be published. */
  readonly resolvedModels: readonly string[];
  readonly warnings: readonly string[];
  /** ISO 8601. */
  readonly publishedAt: string;
  readonly analysisVersion: string;
  /** Masks what must not be published. */
  readonly mask: (text: string) => string;
}

/** Warning of a result whose times are not in order. */
export const CLOCK_WARNING = "the clock of its machine was set back: its times are not in order";

/** Warning of a result that was made with more than one version of the command that asks its model. */
export function cliVersionsWarning(versions: readonly string[]): string {
  return `${CLI_VERSIONS}: ${versions.join(", ")}`;
}
const CLI_VERSIONS = "its command changed its version while the run was resumed";

/** Whether a text is {@link cliVersionsWarning}, of whatever versions. */
export function isCliVersionsWarning(text: string): boolean {
  return text.startsWith(`${CLI_VERSIONS}: `);
}

/** The versions of the command that a run was made with, in the order of their use. */
export function cliVersionsOf(run: RunRecord): string[] {
  return [...new Set(run.executions.flatMap((execution) => execution.cli_version ?? []))];
}

/** Warning of a result that does not have all rows. */
export function coverageWarning(rows: number, rowsInCorpus: number): string {
  return `it covers ${rows} of ${rowsInCorpus} rows`;
}

/** The times of a run and of its publication, in ISO 8601; null where there is none. */
export interface RunTimes {
  readonly created_at: string | null;
  readonly completed_at: string | null;
  readonly published_at: string | null;
}

/** The first time that is before one that it should follow, and which; null when they are in order. */
export function timeOutOfOrder(
  times: RunTimes,
): { readonly name: keyof RunTimes; readonly after: keyof RunTimes } | null {
  const names = (["created_at", "completed_at", "published_at"] as const).filter(
    (name) => times[name] !== null,
  );
  for (const [index, name] of names.entries()) {
    const after = names[index - 1];
    if (after === undefined) continue;
    if (Date.parse(times[after] ?? "") > Date.parse(times[name] ?? "")) return { name, after };
  }
  return null;
}

/** The head of the metadata of a local run; its free texts are masked. */
export function metadataHead(input: MetadataInput): MetadataHead {
  const { run, mask } = input;
  const { config, model } = run;
  const masked = (text: string | null): string | null => (text === null ? null : mask(text));
  const last = run.executions.at(-1);
  const versions = cliVersionsOf(run).map(mask);
  const commits = run.executions.flatMap((execution) => execution.git_commit ?? []);
  return {
    schema_version: 1,
    suite: config.suite,
    model: {
      id: config.model_id,
      label: masked(model.label),
      short_label: masked(model.short_label),
      vendor: masked(model.vendor),
      provider: config.provider,
      color: model.color,
      api_model: mask(config.api_model),
      resolved_models: input.resolvedModels,
    },
    request: config.request,
    pricing: run.pricing,
    prompt_version: config.prompt_version,
    prompt_sha256: config.prompt_sha256,
    corpus: { version: config.corpus_version, sha256: config.corpus_sha256, current: true },
    harness: {
      version: run.harness.version,
      git_commit: last?.git_commit ?? null,
      // One changed file in one of its invocations is enough.
      git_dirty: run.executions.some((execution) => execution.git_dirty === true)
        ? true
        : (last?.git_dirty ?? null),
      git_commits: [...new Set(commits)].sort(),
    },
    run: {
      run_id: run.id,
      status: run.status,
      created_at: run.created_at,
      completed_at: run.completed_at,
      published_at: input.publishedAt,
      executions: run.executions.length,
      ...(versions.length === 0 ? {} : { cli_versions: versions }),
      jobs: last?.jobs ?? null,
      timeout_seconds: last?.timeout_s ?? null,
      max_attempts: last?.max_attempts ?? null,
      endpoint_id: config.endpoint_id,
      platform: run.platform,
    },
    ...(input.warnings.length === 0 ? {} : { published_with_warnings: input.warnings }),
    analysis_version: input.analysisVersion,
  };
}

/** Coverage as the figures count it. */
export function coverageOf(
  scores: Scores,
  rows: { readonly inCorpus: number; readonly selected: number },
): Coverage {
  const { rows: completed, errors } = scores.overall;
  return {
    rows_in_corpus: rows.inCorpus,
    rows_selected: rows.selected,
    rows_completed: completed,
    rows_ok: completed - errors,
    rows_error: errors,
    full: completed === rows.inCorpus,
  };
}
