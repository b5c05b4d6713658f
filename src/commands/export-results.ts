// What `bench export` does: chooses the results, has them written beside the place, and says what was written.
import { loadCorpus } from "../corpus/load.ts";
import { UserError } from "../errors.ts";
import { whole } from "../figures.ts";
import { visible } from "../output.ts";
import { Corpora } from "../publish/corpora.ts";
import { EEE_SCHEMA_VERSION, type EeeResult, type Making, writeEee } from "../publish/eee.ts";
import { type ExportHead, type ExportPlace, exportPlace, writeExport } from "../publish/export-folder.ts";
import { publishLocalTexts } from "../publish/local-texts.ts";
import { makingOf } from "../publish/making.ts";
import { SecretScan } from "../publish/secret-scan.ts";
import { TABLES, writeTables } from "../publish/tables.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import type { ExportOptions } from "./export.ts";
import { assertSomething, chooseRuns, damagedResult, type Skipped, skippedText } from "./export-runs.ts";
import { write, writeJson } from "./output.ts";
import { withWarehouse } from "./warehouse.ts";
import { damageOf } from "./whole-run.ts";

/**
 * Writes an export. A crash leaves the old folder or the new one. What is damaged is left out, said, and makes the exit code 1.
 *
 * @throws {UserError} when it cannot be written there; {@link CheckError} when there is nothing to export;
 * {@link InterruptedError} when it was stopped.
 */
export async function exportResults(options: ExportOptions, context: Context): Promise<void> {
  const { format } = options;
  if (format === "parquet") refuseEeeOptions(options);
  if (options.organization?.trim() === "") {
    throw new UserError("--organization is empty: give a name, or leave the option away");
  }
  const workspace = await context.workspace();
  const place = await exportPlace(workspace, context.cwd, options.out ?? `export/${format}`);
  const scan = new SecretScan(workspace.env);
  const { runs, skipped } = chooseRuns(workspace, scan, {
    includeRuns: options.includeRuns === true,
    notify: (message) => say(context, message),
  });
  const work = { workspace, place, runs, skipped, options, context, scan };
  await (format === "eee" ? exportEee : exportTables)(work);
}

interface Work {
  readonly workspace: Workspace;
  readonly place: ExportPlace;
  readonly runs: readonly string[];
  /** Those that are left out from the start. */
  readonly skipped: readonly Skipped[];
  readonly options: ExportOptions;
  readonly context: Context;
  readonly scan: SecretScan;
}

function refuseEeeOptions({ organization, relationship, withoutInputs }: ExportOptions): void {
  const given = Object.entries({
    "--organization": organization,
    "--relationship": relationship,
    "--without-inputs": withoutInputs,
  }).find(([, value]) => value !== undefined);
  if (given !== undefined) throw new UserError(`${given[0]} goes with --format eee only`);
}

async function exportEee(work: Work): Promise<void> {
  const { place, options, context, scan } = work;
  // Who reads it is asked to end, and not ended, so that nothing half is left.
  const { interrupt } = context;
  const eee = {
    organization: options.organization?.trim() ?? "unknown",
    relationship: options.relationship ?? "other",
    withInputs: options.withoutInputs !== true,
  } as const;
  const results: EeeResult[] = [];
  const skipped = [...work.skipped];
  const progress = progressOn(context);
  const head = {
    format: "eee",
    schema_version: EEE_SCHEMA_VERSION,
    analysis_version: ANALYSIS_VERSION,
    include_runs: options.includeRuns === true,
    with_inputs: eee.withInputs,
  };
  const exported = await writeExport(place, async (folder) => {
    for (const { about, makings } of await byCorpus(work, skipped)) {
      const corpus = await loadCorpus(about, { signal: interrupt });
      await withWarehouse(context, { workspace: about, runs: [...makings.keys()] }, async (warehouse) => {
        for (const id of makings.keys()) {
          const why = await damageOf(warehouse, about, id);
          if (why === null) continue;
          // A record with a hole in it would look like a whole one.
          makings.delete(id);
          skipped.push(damagedResult(id, why, scan));
        }
        const names = await publishLocal(warehouse, options, scan);
        const named = (id: string): string => names.get(id) ?? id;
        const written = await writeEee(warehouse, {
          folder,
          corpus,
          makings: new Map(Array.from(makings, ([id, making]) => [named(id), making])),
          options: eee,
          onSamples: (id, rows) => progress(`${id}: ${some(rows, "sample")} written`),
        });
        results.push(...written);
        const done = new Set(written.map((result) => result.run_id));
        for (const id of makings.keys()) {
          if (!done.has(named(id)))
            skipped.push({ run_id: id, reason: "has no finished row", damaged: false });
        }
      });
    }
    saySkipped(work, skipped);
    assertSomething(results.length, skipped);
    return { ...head, results: results.length } satisfies ExportHead;
  });
  results.sort((a, b) => (a.run_id < b.run_id ? -1 : 1));
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

/** Says what is left out, in the order of the ids; a damaged result among them makes the exit code 1. */
function saySkipped({ context, scan }: Work, skipped: Skipped[]): void {
  skipped.sort((a, b) => (a.run_id < b.run_id ? -1 : 1));
  for (const left of skipped) say(context, skippedText(left, scan));
  if (skipped.some(({ damaged }) => damaged)) context.exitCode = 1;
}

/** The runs of each corpus that is there, with what they say of their making. */
async function byCorpus({ workspace, runs, scan }: Work, skipped: Skipped[]): Promise<CorpusRuns[]> {
  const corpora = await Corpora.in(workspace);
  const groups = new Map<string, CorpusRuns>();
  for (const id of runs) {
    const found = makingOf(workspace, id, scan);
    if (typeof found === "string") {
      skipped.push(damagedResult(id, found, scan));
      continue;
    }
    const { corpusSha256, ...making } = found;
    const about = await corpora.workspaceOf(corpusSha256);
    if (about === null) {
      const digest = scan.maskOurs(corpusSha256);
      const reason = `is about a corpus that is not in data/corpus/ (digest ${digest})`;
      skipped.push({ run_id: id, reason, damaged: false });
      continue;
    }
    const group = groups.get(corpusSha256) ?? { about, makings: new Map<string, Making>() };
    group.makings.set(id, making);
    groups.set(corpusSha256, group);
  }
  return [...groups.values()];
}

interface CorpusRuns {
  /** A workspace whose corpus it is. */
  readonly about: Workspace;
  readonly makings: Map<string, Making>;
}

async function exportTables(work: Work): Promise<void> {
  const { place, runs, options, context, scan } = work;
  const skipped = [...work.skipped];
  const progress = progressOn(context);
  let head: ExportHead = {};
  saySkipped(work, skipped);
  assertSomething(runs.length, skipped);
  const exported = await writeExport(place, async (folder) =>
    // Runs that are not named are never read, so that nothing of them can be written.
    withWarehouse(context, { runs }, async (warehouse) => {
      await publishLocal(warehouse, options, scan);
      // The lines that can be read are there, and each was said.
      const damaged = await warehouse.rows("SELECT run_id FROM runs WHERE damaged_lines > 0");
      if (damaged.length > 0) context.exitCode = 1;
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
    await writeJson(context, { ...head, out: place.name, ...exported, skipped });
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
  scan: SecretScan,
): Promise<ReadonlyMap<string, string>> {
  return includeRuns === true ? await publishLocalTexts(warehouse, scan) : new Map<string, string>();
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
