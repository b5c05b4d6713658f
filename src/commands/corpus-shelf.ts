// What `bench corpus list`, `use` and `import` do and print.
import { basename, join, resolve } from "node:path";
import { importCorpus } from "../corpus/import.ts";
import { corporaOf } from "../corpus/shelf.ts";
import { useCorpus } from "../corpus/use.ts";
import { UNKNOWN, whole } from "../figures.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { readMetadata, readRunRecord } from "../ledgers/record.ts";
import { RUN_FILES } from "../ledgers/schema.ts";
import { visible } from "../output.ts";
import { orWhy, runIds } from "../warehouse/folders.ts";
import { publishedIds } from "../warehouse/published.ts";
import { assertOwnWorkspace, type Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import { writeJson } from "./output.ts";
import { renderTable } from "./table.ts";

/** Prints what stands in data/corpus/, by the manifests alone. */
export async function listCorpora(context: Context, json: boolean): Promise<void> {
  const corpora = (await corporaOf(await context.workspace())).map(({ name, manifest, problem, active }) => ({
    name,
    active,
    suite: manifest?.suite ?? null,
    version: manifest?.version ?? null,
    label: manifest?.label ?? null,
    license: manifest?.license ?? null,
    rows: manifest?.cases ?? null,
    tasks: manifest?.tasks.size ?? null,
    sha256: manifest?.sha256 ?? null,
    problem,
  }));
  if (json) {
    await writeJson(context, { active: corpora.find(({ active }) => active)?.name ?? null, corpora });
    return;
  }
  context.stdout.write(
    renderTable(
      [
        { head: "" },
        { head: "corpus" },
        { head: "suite" },
        { head: "version" },
        { head: "rows", align: "right" },
        { head: "tasks", align: "right" },
        { head: "sha256" },
        { head: "label" },
      ],
      corpora.map((corpus) => [
        corpus.active ? "*" : "",
        corpus.name,
        corpus.suite ?? UNKNOWN,
        corpus.version ?? UNKNOWN,
        whole(corpus.rows),
        whole(corpus.tasks),
        corpus.sha256?.slice(0, 12) ?? UNKNOWN,
        corpus.label ?? corpus.problem ?? UNKNOWN,
      ]),
    ),
  );
  if (!corpora.some(({ active }) => active)) {
    context.stderr.write(
      "The active corpus is none of these: `bench corpus verify` says what data/corpus/current.json leads to.\n",
    );
  }
}

/** Makes a corpus the active one, and says what is about others now. */
export async function switchCorpus(context: Context, name: string, json: boolean): Promise<void> {
  const workspace = await context.workspace();
  assertOwnWorkspace(workspace.root);
  const { corpus, written } = await useCorpus(workspace, name, context.interrupt);
  const others = aboutOthers(workspace, corpus.sha256);
  if (json) {
    const { suite, version, sha256, rowCount: rows } = corpus;
    await writeJson(context, { name, suite, version, sha256, rows, written, others });
    return;
  }
  context.stdout.write(
    visible(
      `${name} is the active corpus${written ? "" : " already, nothing was written"}: ${corpus.suite} ${corpus.version}, ${corpus.rowCount} rows, digest ${corpus.sha256}`,
    ),
  );
  context.stdout.write("\n");
  if (others.runs + others.results > 0) {
    context.stdout.write(
      `Of other corpora: local runs ${others.runs}, published results ${others.results}; they stay as they are.\n`,
    );
  }
}

/** How many local runs and published results are about other rows than those with this digest. */
function aboutOthers(workspace: Workspace, sha256: string): { runs: number; results: number } {
  // What cannot be read is said by the commands that are about it.
  const isOther = (read: () => string | undefined): boolean => {
    const found = orWhy(read);
    return found !== undefined && found !== sha256 && /^[0-9a-f]{64}$/.test(found);
  };
  const runs = runIds(workspace).filter((id) =>
    isOther(() => {
      const record = readRunRecord(join(workspace.runsDir, id, RUN_FILES.run));
      return record === null || typeof record === "string" ? undefined : record.config.corpus_sha256;
    }),
  );
  const results = publishedIds(workspace).filter((id) =>
    isOther(() => {
      const record = readMetadata(join(workspace.resultsDir, id, PUBLISHED_FILES.metadata));
      return record === null || typeof record === "string" ? undefined : record.corpus.sha256;
    }),
  );
  return { runs: runs.length, results: results.length };
}

/** Brings a corpus in, and says how to make it the active one. */
export async function bringCorpus(
  context: Context,
  folder: string,
  options: { readonly as?: string; readonly json?: boolean },
): Promise<void> {
  const workspace = await context.workspace();
  assertOwnWorkspace(workspace.root);
  const report = await importCorpus(workspace, resolve(context.cwd, folder), {
    // An absolute path names places of this machine.
    said: visible(basename(resolve(context.cwd, folder))) || "the folder",
    as: options.as,
    signal: context.interrupt,
  });
  if (options.json === true) {
    await writeJson(context, report);
    return;
  }
  const { name, suite, version, rows, sha256, pictures, written, renamed_from: from } = report;
  const what = `${suite} ${version}: ${rows} rows, ${pictures} pictures, digest ${sha256}`;
  context.stdout.write(
    `${visible(written ? `imported ${what}` : `is there already, nothing was written: ${what}`)}\n`,
  );
  if (from !== null) {
    context.stdout.write(
      `${visible(`it was ${from.suite} ${from.version}, digest ${from.sha256}; under its new name it is a corpus of its own, and results of the two are never mixed`)}\n`,
    );
  }
  context.stdout.write(`\`bench corpus use ${name}\` makes it the active corpus.\n`);
}
