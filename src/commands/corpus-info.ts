// What `bench corpus info` and `bench corpus verify` print.
import { findingText, inspectCorpus, loadCorpus } from "../corpus/load.ts";
import { visible } from "../output.ts";
import type { Context } from "./context.ts";
import { writeJson } from "./output.ts";
import { renderTable } from "./table.ts";

/** Prints what the active corpus holds, task by task. */
export async function describeCorpus(context: Context, json: boolean): Promise<void> {
  const corpus = await loadCorpus(await context.workspace());
  const { manifest } = corpus;
  const tasks = [...manifest.tasks].map(([id, task]) => {
    const rows = corpus.rows.filter((row) => row.task === id);
    const options = rows.map((row) => row.question.options.length);
    return {
      task: id,
      category: task.category,
      name: task.name,
      rows: rows.length,
      image_rows: rows.filter((row) => row.modality === "image").length,
      options_min: options.length === 0 ? null : Math.min(...options),
      options_max: options.length === 0 ? null : Math.max(...options),
    };
  });
  const summary = {
    suite: corpus.suite,
    version: corpus.version,
    sha256: corpus.sha256,
    label: manifest.label,
    license: manifest.license,
    rows: corpus.rows.length,
    categories: manifest.categories.size,
    tasks,
  };
  if (json) await writeJson(context, summary);
  else printSummary(context, summary);
}

/** What a corpus holds. */
export interface CorpusSummary {
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  readonly label: string;
  readonly license: string;
  readonly rows: number;
  readonly categories: number;
  readonly tasks: readonly {
    readonly task: string;
    readonly category: string;
    readonly name: string;
    readonly rows: number;
    readonly image_rows: number;
    readonly options_min: number | null;
    readonly options_max: number | null;
  }[];
}

/** Prints a summary for people. */
export function printSummary(context: Context, summary: CorpusSummary): void {
  const { tasks } = summary;
  context.stdout.write(
    `${visible(`${summary.label} (${summary.suite} ${summary.version}, ${summary.license})`)}\n` +
      `rows ${summary.rows}, tasks ${tasks.length}, categories ${summary.categories}\nsha256 ${summary.sha256}\n\n`,
  );
  const range = (task: (typeof tasks)[number]): string =>
    task.options_min === task.options_max
      ? String(task.options_min ?? "–")
      : `${task.options_min}–${task.options_max}`;
  context.stdout.write(
    renderTable(
      [
        { head: "task" },
        { head: "category" },
        { head: "name" },
        { head: "rows", align: "right" },
        { head: "with picture", align: "right" },
        { head: "options", align: "right" },
      ],
      tasks.map((task) => [
        task.task,
        task.category,
        task.name,
        String(task.rows),
        String(task.image_rows),
        range(task),
      ]),
    ),
  );
}

/** Prints every problem of the active corpus; exit code 1 when there is one. */
export async function verifyCorpus(context: Context, json: boolean): Promise<void> {
  const { corpus, findings } = await inspectCorpus(await context.workspace());
  if (findings.length > 0) context.exitCode = 1;
  if (json) {
    await writeJson(context, {
      ok: findings.length === 0,
      rows: corpus?.rows.length ?? null,
      sha256: corpus?.sha256 ?? null,
      findings,
    });
    return;
  }
  for (const finding of findings) context.stdout.write(`${visible(findingText(finding))}\n`);
  context.stdout.write(
    corpus === null
      ? `${findings.length} ${findings.length === 1 ? "problem" : "problems"}\n`
      : `${corpus.suite} ${visible(corpus.version)} is sound: ${corpus.rows.length} rows, digest ${corpus.sha256}\n`,
  );
}
