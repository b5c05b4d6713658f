// What every page knows: the results, the tasks, and where the files lie that are loaded one by one.
import { FileAttachment } from "observablehq:stdlib";
import { inline } from "./format.js";
import { marked, type Standing, withStanding } from "./standing.js";

/** A published result, or a local run that the report was told to include. */
export interface Run {
  readonly run_id: string;
  readonly source: "published" | "local";
  readonly model_id: string;
  readonly label: string | null;
  readonly vendor: string | null;
  readonly provider: string | null;
  readonly api_model: string | null;
  readonly status: string;
  readonly full_coverage: boolean;
  readonly baseline: boolean;
  readonly prompt_version: string | null;
  readonly prompt_sha256: string | null;
  readonly rows_completed: number;
  /** Beside which others it may be ranked. */
  readonly standing: Standing;
  /** Name of its files in the folders of {@link shard}. */
  readonly file: string;
}

export interface Task {
  readonly task: string;
  readonly task_name: string | null;
  readonly category: string;
  readonly category_name: string | null;
  readonly rows: number;
  readonly rows_with_picture: number;
}

export interface Site {
  readonly corpus: {
    readonly suite: string;
    readonly version: string;
    readonly sha256: string;
    readonly rows: number;
  } | null;
  /** On the active corpus: ranked ones by rank, then those of another prompt, partial ones, local runs. */
  readonly runs: readonly Run[];
  readonly tasks: readonly Task[];
  readonly about: About;
}

/** Written when the report is made. */
export interface About {
  readonly program_version: string;
  readonly analysis_version: string;
  /** Whether the SQL console is part of this site. */
  readonly console: boolean;
  /** Whether local runs are. */
  readonly local_runs: boolean;
  /** Changes with every file below {@link shard}, so that a browser never shows an old one. */
  readonly digest: string;
}

let loaded: Promise<Site> | undefined;

/** Loads {@link Site}, once a page. */
export function site(): Promise<Site> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Site> {
  const [data, about] = await Promise.all([
    FileAttachment("../data/site.json").json() as Promise<{
      corpus: NonNullable<Site["corpus"]>[];
      runs: Omit<Run, "standing">[];
      tasks: Task[];
    }>,
    FileAttachment("../data/about.json").json() as Promise<About>,
  ]);
  return { corpus: data.corpus[0] ?? null, runs: withStanding(data.runs), tasks: data.tasks, about };
}

/**
 * Address of a file that is not built by Framework: `rows/0001.json`, `runs/<file>.json`, `pictures/…`, `downloads/…`. These
 * lie beside the built files, in the preview as on a server.
 */
export function fileUrl(path: string, digest: string): string {
  const url = new URL(`../${path}`, new URL(FileAttachment("../data/about.json").href, document.baseURI));
  url.search = `?v=${digest}`;
  return url.href;
}

const fetched = new Map<string, Promise<unknown>>();
/** Files that are kept at most; the first one goes. */
const KEPT = 60;

/** Loads one of these files that is JSON; each once. */
export async function shard<T>(path: string): Promise<T> {
  const { about } = await site();
  let content = fetched.get(path) as Promise<T> | undefined;
  if (content === undefined) {
    content = fetchJson<T>(fileUrl(path, about.digest), path);
    fetched.set(path, content);
    const [oldest] = fetched.keys();
    if (fetched.size > KEPT && oldest !== undefined) fetched.delete(oldest);
    // A connection that broke may hold the next time.
    content.catch(() => fetched.delete(path));
  }
  return content;
}

/** What has not come by then does not come. In ms. */
const LOAD_MS = 120_000;

async function fetchJson<T>(url: string, path: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(LOAD_MS) }).catch(() => {
    throw new Error(`${path} cannot be loaded: is there a connection to the site?`);
  });
  if (!response.ok)
    throw new Error(`${path} cannot be loaded (HTTP ${response.status}): is the whole site there?`);
  return (await response.json()) as T;
}

/** What a reader calls a result. */
export function runName(run: Pick<Run, "label" | "model_id" | "run_id" | "source">): string {
  return inline(run.source === "local" ? `${run.run_id} (local)` : (run.label ?? run.model_id));
}

/** Names of all runs; where two are alike, the id is added. */
export function runNames(runs: readonly Run[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(runName(run), (counts.get(runName(run)) ?? 0) + 1);
  return new Map(
    runs.map((run) => {
      const name = runName(run);
      return [run.run_id, (counts.get(name) ?? 0) > 1 ? `${name} [${run.model_id}]` : name];
    }),
  );
}

/** The names with what keeps a result out of the ranking, for lists of all results. */
export function markedNames(runs: readonly Run[]): ReadonlyMap<string, string> {
  const names = runNames(runs);
  return new Map(runs.map((run) => [run.run_id, marked(names.get(run.run_id) ?? run.run_id, run)]));
}

/** `Finance` for `finance`, where the corpus says it. */
export function categoriesOf(
  tasks: readonly Task[],
): { readonly category: string; readonly name: string; readonly rows: number }[] {
  const found = new Map<string, { category: string; name: string; rows: number }>();
  for (const { category, category_name, rows } of tasks) {
    const entry = found.get(category) ?? { category, name: category_name ?? category, rows: 0 };
    entry.rows += rows;
    found.set(category, entry);
  }
  return [...found.values()];
}
