// What `bench export` does: chooses the results, has them written beside the place, and says what was written.
import { loadCorpus } from "../corpus/load.ts";
import { CheckError, UserError } from "../errors.ts";
import { whole } from "../figures.ts";
import { visible } from "../output.ts";
import { createRedactor } from "../providers/redact.ts";
import { Corpora } from "../publish/corpora.ts";
import { EEE_SCHEMA_VERSION, type EeeResult, writeEee } from "../publish/eee.ts";
import { type ExportHead, type ExportPlace, exportPlace, writeExport } from "../publish/export-folder.ts";
import { publishLocalTexts } from "../publish/local-texts.ts";
import { makingOf } from "../publish/making.ts";
import { TABLES, writeTables } from "../publish/tables.ts";
import { runIds } from "../warehouse/folders.ts";
import { publishedIds } from "../warehouse/published.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import type { ExportOptions } from "./export.ts";
import { write, writeJson } from "./output.ts";
import { withWarehouse } from "./warehouse.ts";
import { assertWhole } from "./whole-run.ts";

/** A result that is not exported. */
interface Skipped {
  readonly run_id: string;
  readonly reason: string;
}

/**
 * Writes an export. A crash leaves the old folder or the new one.
 *
 * @throws {UserError} when it cannot be written there; {@link CheckError} when there is nothing to export, or a result that
 * would be exported is damaged; {@link InterruptedError} when it was stopped.
 */
export async function exportResults(options: ExportOptions, context: Context): Promise<void> {
  const { format } = options;
  if (format === "parquet") refuseEeeOptions(options);
  if (options.organization?.trim() === "") {
    throw new UserError("--organization is empty: give a name, or leave the option away");
  }
  const workspace = await context.workspace();
  // Who reads it is asked to end, and not ended, so that nothing half is left.
  const { interrupt } = context;
  const place = await exportPlace(workspace, context.cwd, options.out ?? `export/${format}`);
  const runs = [
    ...publishedIds(workspace, (message) => say(context, message)),
    ...(options.includeRuns === true ? runIds(workspace) : []),
  ];
  if (runs.length === 0) {
    throw new CheckError(
      `there is nothing to export: no published result${options.includeRuns === true ? " and no run" : " (--include-runs exports local runs too)"}`,
    );
  }
  await (format === "eee" ? exportEee : exportTables)({
    workspace,
    place,
    runs,
    options,
    context,
    interrupt,
  });
}

interface Work {
  readonly workspace: Workspace;
  readonly place: ExportPlace;
  readonly runs: readonly string[];
  readonly options: ExportOptions;
  readonly context: Context;
  readonly interrupt: AbortSignal;
}

function refuseEeeOptions({ organization, relationship, withoutInputs }: ExportOptions): void {
  const given = Object.entries({
    "--organization": organization,
    "--relationship": relationship,
    "--without-inputs": withoutInputs,
  }).find(([, value]) => value !== undefined);
  if (given !== undefined) throw new UserError(`${given[0]} goes with --format eee only`);
}

async function exportEee({ workspace, place, runs, options, context, interrupt }: Work): Promise<void> {
  const redactor = createRedactor(workspace.env);
  const eee = {
    organization: options.organization?.trim() ?? "unknown",
    relationship: options.relationship ?? "other",
    withInputs: options.withoutInputs !== true,
  } as const;
  const results: EeeResult[] = [];
  const skipped: Skipped[] = [];
  const progress = progressOn(context);
  const head = {
    format: "eee",
    schema_version: EEE_SCHEMA_VERSION,
    analysis_version: ANALYSIS_VERSION,
    include_runs: options.includeRuns === true,
    with_inputs: eee.withInputs,
  };
  const exported = await writeExport(place, async (folder) => {
    for (const group of await byCorpus(workspace, runs, redactor, skipped)) {
      const { about, makings } = group;
      const corpus = await loadCorpus(about, { signal: interrupt });
      const ids = [...makings.keys()];
      await withWarehouse(context, { workspace: about, runs: ids }, async (warehouse) => {
        const found = new Set((await warehouse.rows("SELECT run_id FROM runs")).map((row) => row.run_id));
        for (const id of ids) if (found.has(id)) await assertWhole(warehouse, about, id);
        await publishLocal(warehouse, options, redactor);
        const written = await writeEee(warehouse, {
          folder,
          corpus,
          makings,
          options: eee,
          onSamples: (id, rows) => progress(`${id}: ${some(rows, "sample")} written`),
        });
        const done = new Set(written.map((result) => result.run_id));
        results.push(...written);
        for (const id of ids) {
          if (done.has(id)) continue;
          skipped.push({ run_id: id, reason: found.has(id) ? "has no finished row" : "cannot be read" });
        }
      });
    }
    return { ...head, results: results.length } satisfies ExportHead;
  });
  results.sort((a, b) => (a.run_id < b.run_id ? -1 : 1));
  skipped.sort((a, b) => (a.run_id < b.run_id ? -1 : 1));
  for (const { run_id: id, reason } of skipped) say(context, `${id} is left out: it ${reason}`);
  if (options.organization === undefined) {
    say(context, 'the records say that "unknown" provides the data: --organization gives a name');
  }
  if (options.json === true) {
    await writeJson(context, { ...head, out: place.name, ...exported, results, skipped });
    return;
  }
  const rows = results.reduce((sum, result) => sum + result.rows, 0);
  await tell(context, place, [some(results.length, "result"), some(rows, "sample")], exported.bytes);
}

/** The runs of each corpus that is there, with what they say of their making. */
async function byCorpus(
  workspace: Workspace,
  runs: readonly string[],
  redactor: ReturnType<typeof createRedactor>,
  skipped: Skipped[],
): Promise<{ about: Workspace; makings: Map<string, ReturnType<typeof pick>> }[]> {
  const corpora = await Corpora.in(workspace);
  const groups = new Map<string, { about: Workspace; makings: Map<string, ReturnType<typeof pick>> }>();
  for (const id of runs) {
    const found = makingOf(workspace, id, redactor);
    if (typeof found === "string") {
      skipped.push({ run_id: id, reason: found });
      continue;
    }
    const about = await corpora.workspaceOf(found.corpusSha256);
    if (about === null) {
      skipped.push({
        run_id: id,
        reason: `is about a corpus that is not in data/corpus/ (digest ${found.corpusSha256})`,
      });
      continue;
    }
    const group = groups.get(found.corpusSha256) ?? { about, makings: new Map() };
    group.makings.set(id, pick(found));
    groups.set(found.corpusSha256, group);
  }
  return [...groups.values()];
}

function pick({ corpusSha256: _, ...making }: Exclude<ReturnType<typeof makingOf>, string>) {
  return making;
}

async function exportTables({ workspace, place, runs, options, context }: Work): Promise<void> {
  const progress = progressOn(context);
  let head: ExportHead = {};
  const exported = await writeExport(place, async (folder) =>
    // Runs that are not named are never read, so that nothing of them can be written.
    withWarehouse(context, { runs }, async (warehouse) => {
      await publishLocal(warehouse, options, createRedactor(workspace.env));
      let done = 0;
      const counts = await writeTables(warehouse, folder, (view) => {
        done += 1;
        progress(`${view}.parquet is written (${done} of ${TABLES.length})`);
      });
      const [corpus] = await warehouse.rows("SELECT suite, version, sha256 FROM ledger.corpus");
      head = {
        format: "parquet",
        analysis_version: ANALYSIS_VERSION,
        include_runs: options.includeRuns === true,
        corpus: corpus ?? null,
        rows: counts,
      };
      return head;
    }),
  );
  if (options.json === true) {
    await writeJson(context, { ...head, out: place.name, ...exported });
    return;
  }
  const counts = head.rows as ReadonlyMap<string, number>;
  const parts = [
    some(counts.get("runs") ?? 0, "result"),
    some(counts.get("answers") ?? 0, "answer"),
    some(exported.files - 1, "table"),
  ];
  await tell(context, place, parts, exported.bytes);
}

async function publishLocal(
  warehouse: Warehouse,
  { includeRuns }: ExportOptions,
  redactor: ReturnType<typeof createRedactor>,
): Promise<void> {
  if (includeRuns === true) await publishLocalTexts(warehouse, redactor);
}

/** Says on standard error what is done once the command has taken a second, at most once a second. */
function progressOn(context: Context): (message: string) => void {
  let next = performance.now() + 1000;
  return (message) => {
    if (performance.now() < next) return;
    next = performance.now() + 1000;
    say(context, message);
  };
}

function say(context: Context, message: string): void {
  context.stderr.write(`${visible(message)}\n`);
}

function some(count: number, thing: string): string {
  return `${whole(count)} ${thing}${count === 1 ? "" : "s"}`;
}

async function tell(
  context: Context,
  { name }: ExportPlace,
  parts: readonly string[],
  bytes: number,
): Promise<void> {
  await write(
    context.stdout,
    `${visible(name)}: ${parts.join(", ")}; ${(bytes / 1_000_000).toFixed(1)} MB\n`,
  );
}
