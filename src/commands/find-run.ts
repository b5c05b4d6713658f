// Finds what a person meant by the name of a run, and says what is there when there is no such run.
import { activeSuite } from "../corpus/manifest.ts";
import { UserError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { runIds } from "../warehouse/folders.ts";
import { publishedIds } from "../warehouse/published.ts";
import type { Workspace } from "../workspace.ts";

/**
 * The `run_id` that a name means: the folder of a local run, `<suite>/<model-id>` of a published result, or the bare id
 * of a model that has a published result in the suite of the active corpus. A local run of that name comes first.
 *
 * @throws {UserError} naming the runs and published results whose names are nearest.
 */
export async function findRun(workspace: Workspace, name: string): Promise<string> {
  const local = runIds(workspace);
  if (local.includes(name)) return name;
  const published = publishedIds(workspace);
  if (published.includes(name)) return name;
  if (published.length > 0) {
    const suite = await activeSuite(workspace);
    if (suite !== null && published.includes(`${suite}/${name}`)) return `${suite}/${name}`;
  }
  const runs = offer("run", local, name);
  if (published.length === 0) throw new UserError(`there is no run ${JSON.stringify(name)}. ${runs}`);
  throw new UserError(
    `there is no run ${JSON.stringify(name)}. ${runs.replace(/\.$/, "")}. ${offerPublished(published, name)}`,
  );
}

function offerPublished(names: readonly string[], name: string): string {
  const some = names.length > 5 ? `, nearest of ${names.length}` : "";
  return `Published results${some}: ${nearest(names, name, 5).join(", ")}`;
}

/**
 * The id of a local run, for a command that needs what only the run's own folder holds.
 *
 * @param purpose what the command does, as the end of a sentence.
 * @throws {UserError} naming the runs whose names are nearest, or saying that the name is that of a published result.
 */
export function findLocalRun(workspace: Workspace, name: string, purpose: string): string {
  const ids = runIds(workspace);
  if (ids.includes(name)) return name;
  if (publishedIds(workspace).includes(name)) {
    throw new UserError(
      `${JSON.stringify(name)} is a published result; only a local run can be ${purpose}. ${offer("run", ids, name)}`,
    );
  }
  throw new UserError(`there is no run ${JSON.stringify(name)}. ${offer("run", ids, name)}`);
}

/** A sentence with the names that are nearest to `name`, or with all of a few. */
export function offer(kind: string, names: readonly string[], name: string): string {
  if (names.length === 0) return `There is no ${kind} yet.`;
  const shown = names.length <= 5 ? names : nearest(names, name, 5);
  return `${names.length <= 5 ? "There are" : `Nearest of ${names.length}`}: ${shown.join(", ")}`;
}
