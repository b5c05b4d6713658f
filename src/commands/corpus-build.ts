// What `bench corpus build` does and prints.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildCorpus } from "../corpus/build/index.ts";
import { UserError } from "../errors.ts";
import type { Context } from "./context.ts";
import { writeJson } from "./output.ts";

/**
 * Rebuilds the corpus of the workspace; exit code 1 when `check` finds a difference.
 *
 * @throws {UserError} in a workspace that holds no facts to build from.
 */
export async function rebuildCorpus(
  context: Context,
  options: {
    readonly out?: string;
    readonly check?: boolean;
    readonly redraw?: boolean;
    readonly json?: boolean;
  },
): Promise<void> {
  const workspace = await context.workspace();
  const { root } = workspace;
  if (!existsSync(join(root, "data", "sources.json"))) {
    throw new UserError(
      "data/sources.json is not there: this workspace holds no facts to build a corpus from. Run it in a checkout of Decision Bench.",
    );
  }
  const out = options.out === undefined ? undefined : resolve(context.cwd, options.out);
  const report = await buildCorpus({
    root,
    out,
    check: options.check === true,
    redraw: options.redraw === true,
  });
  if (options.check === true && report.changed.length > 0) context.exitCode = 1;
  if (options.json === true) {
    await writeJson(context, report);
    return;
  }
  const verb = options.check === true ? "differs" : "written";
  for (const path of report.changed) context.stdout.write(`${verb}: ${path}\n`);
  if (report.changed.length === 0) context.stdout.write("every file is the built one, byte for byte\n");
  context.stdout.write(`${report.suite} ${report.version}: ${report.rows} rows, digest ${report.sha256}\n`);
}
