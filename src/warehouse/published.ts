// What lies in results/: which folders are published results, and what their metadata.json says.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../errors.ts";
import { PUBLISHED_FILES, type PublishedMetadata } from "../ledgers/published.ts";
import { readMetadata } from "../ledgers/record.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { restoreResults } from "./aside.ts";
import { foldersIn, type LedgerFile, oddName, orWhy, scanLedger } from "./folders.ts";

/** A published result with a readable metadata.json. */
export interface PublishedFolder {
  /** `<suite>/<model-id>`, the names of the two folders. */
  readonly id: string;
  readonly metadata: PublishedMetadata;
  readonly predictions: LedgerFile;
}

/** Whether the id of a run is that of a published result: a local run's folder name has no "/". */
export function isPublishedId(id: string): boolean {
  return id.includes("/");
}

/**
 * `<suite>/<model-id>` of every folder two levels below `results/`, in code point order; files and folders whose names
 * begin with a dot are passed over.
 *
 * @param notify told of a suite that cannot be read; the others are listed.
 * @throws {UserError} when `results/` cannot be read.
 */
export function publishedIds(workspace: Workspace, notify: (message: string) => void = () => {}): string[] {
  restoreResults(workspace.resultsDir, notify);
  return foldersIn(workspace.resultsDir, "results").flatMap((suite) => {
    try {
      const models = foldersIn(join(workspace.resultsDir, suite), `results/${suite}`);
      return models.map((model) => `${suite}/${model}`);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      notify(`${error.message}; its results are not counted`);
      return [];
    }
  });
}

/**
 * Reads what the folder of a published result holds, without its records. The answer is a text, why it is none, when
 * its metadata.json is missing, damaged or that of another result, or its predictions cannot be read.
 */
export function readPublishedFolder(workspace: Workspace, id: string): PublishedFolder | string {
  const [suite = "", model = "", ...rest] = id.split("/");
  const name = `results/${id}`;
  if (rest.length > 0 || [suite, model].some((part) => ["", ".", ".."].includes(part))) {
    return `${name} is no folder of a published result`;
  }
  const odd = oddName(suite) ?? oddName(model);
  if (odd !== null) return `${name} ${odd}`;
  const folder = join(workspace.resultsDir, suite, model);
  const metadata = orWhy(() => readMetadata(join(folder, PUBLISHED_FILES.metadata)));
  if (metadata === null) return `${name}/${PUBLISHED_FILES.metadata} is not there`;
  if (typeof metadata === "string") return `${name}/${PUBLISHED_FILES.metadata} ${metadata}`;
  if (metadata.suite !== suite || metadata.model.id !== model) {
    // Two folders could say that they are the same result; only one place can be right.
    return (
      `${name}/${PUBLISHED_FILES.metadata} is about model ${quoted(metadata.model.id)} of suite ${quoted(metadata.suite)}, ` +
      "which is another folder's name"
    );
  }
  const file = join(folder, PUBLISHED_FILES.predictions);
  if (!existsSync(file)) return `${name}/${PUBLISHED_FILES.predictions} is not there`;
  const predictions = orWhy(() => scanLedger(file));
  if (typeof predictions === "string") return `${name}/${PUBLISHED_FILES.predictions} ${predictions}`;
  return { id, metadata, predictions };
}
