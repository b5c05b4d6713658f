// The manifest of a built corpus: what is in it, generated from the declared tasks and the rows that were chosen.
import type { Writable } from "../../answers/json.ts";
import { CANARY } from "./canary.ts";
import type { Row } from "./rows.ts";
import type { Source } from "./sources.ts";
import type { Category, Task } from "./task.ts";

/** What names a corpus. */
export interface CorpusIdentity {
  readonly suite: string;
  readonly version: string;
  readonly label: string;
  /** Licence of the rows as composed here; the facts keep the licences of their sources. */
  readonly license: string;
}

/** The source's say about a label, as the manifest puts it. */
export function labelOriginText(task: Task): string {
  return task.labelOrigin === "recorded"
    ? "recorded: a field of the source's record"
    : "computed: a stated rule over recorded facts";
}

/** The content of `manifest.json`, keys in the order of the file format. */
export function corpusManifest(
  identity: CorpusIdentity,
  categories: readonly Category[],
  rows: readonly Row[],
  sources: ReadonlyMap<string, Source>,
  sha256: string,
): Writable {
  const tasks = categories.flatMap((category) => category.tasks.map((task) => ({ category, task })));
  const used = new Set(tasks.flatMap(({ task }) => task.sources as readonly string[]));
  return {
    version: identity.version,
    suite: identity.suite,
    label: identity.label,
    sha256,
    license: identity.license,
    canary: CANARY,
    categories: new Map(categories.map(({ id, name, description }) => [id, { name, description }])),
    tasks: new Map(
      tasks.map(({ category, task }) => [
        task.id,
        {
          category: category.id,
          name: task.name,
          ask: task.ask,
          instruction: task.instruction,
          shape: task.shape,
          modality: task.modality,
          label_origin: labelOriginText(task),
          per_row_options: task.options === undefined,
          picture_needed: task.pictureNeeded === true,
          ...(task.options === undefined ? {} : { options: new Map(task.options) }),
          rows: rows.filter((row) => row.task === task.id).length,
          datasets: task.sources,
        },
      ]),
    ),
    counts: { cases: rows.length, categories: categories.length, tasks: tasks.length },
    datasets: [...sources.values()]
      .filter((source) => used.has(source.id))
      .map((source) => ({
        id: source.id,
        title: source.title,
        package: source.package,
        version: source.version,
        license: source.license,
      })),
  };
}
