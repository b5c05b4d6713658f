// `bench report preview`: Framework's own server over the pages, with what is published now. When a result or a page
// changes, the data are made again and open pages follow.
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CheckError } from "../errors.ts";
import { packageRoot } from "../workspace.ts";
import { frameworkCommand, surroundings } from "./framework.ts";
import { fillNpmCache } from "./npm-cache.ts";
import { copyPages, inWorkshop, makeWorkshop, removeWorkshop, type Workshop } from "./workshop.ts";

/** How often is looked for changes, in ms. */
const LOOK_MS = 1000;

export interface PreviewOptions {
  readonly port: number;
  readonly host: string;
  readonly signal: AbortSignal;
  /** Folders in whose files the data lie. */
  readonly watched: readonly string[];
  /** Fills the workshop with the data as they are now. */
  readonly fill: (workshop: Workshop) => Promise<void>;
  readonly progress: (message: string) => void;
}

/**
 * Serves the report until the signal comes.
 *
 * @throws {CheckError} when the server ends by itself.
 */
export async function previewReport(options: PreviewOptions): Promise<void> {
  const { signal, progress, port, host } = options;
  const workshop = makeWorkshop();
  try {
    let data = stateOf(options.watched);
    let pages = stateOf([join(packageRoot, "reports")]);
    await inWorkshop(() => options.fill(workshop));
    await fillNpmCache(workshop.pages);
    const { execa } = await import("execa");
    const server = execa(
      process.execPath,
      [frameworkCommand(), "preview", "--no-open", "--host", host, "--port", String(port)],
      {
        ...surroundings(workshop),
        reject: false,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
        cancelSignal: signal,
      },
    );
    let ended = false;
    void server.then(() => {
      ended = true;
    });
    progress(`http://${host}:${port}/ shows the report until Ctrl-C`);
    while (!signal.aborted && !ended) {
      await delay(LOOK_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted || ended) break;
      const [dataNow, pagesNow] = [stateOf(options.watched), stateOf([join(packageRoot, "reports")])];
      if (pagesNow !== pages) copyPages(workshop);
      if (dataNow !== data) {
        progress("the data have changed: making them anew");
        await inWorkshop(() => options.fill(workshop));
        await forget(workshop);
      }
      data = dataNow;
      pages = pagesNow;
    }
    const { stderr } = await server;
    if (!signal.aborted) {
      for (const line of stderr.split("\n").slice(-5)) progress(line.replaceAll(workshop.folder, "…"));
      throw new CheckError(`the server has ended: is port ${port} taken? Name another with --port`);
    }
  } finally {
    removeWorkshop(workshop);
  }
}

/** Lets Framework run the data loaders again, and open pages ask for what they say. */
async function forget({ pages }: Workshop): Promise<void> {
  await rm(join(pages, ".observablehq", "cache", "data"), { recursive: true, force: true });
  const now = new Date();
  for (const name of readdirSync(join(pages, "data"))) utimesSync(join(pages, "data", name), now, now);
}

/** Changes when a file in the folders does. */
function stateOf(folders: readonly string[]): string {
  const parts: string[] = [];
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const info = statSync(join(folder, name), { throwIfNoEntry: false });
      if (info !== undefined) parts.push(`${name} ${info.size} ${info.mtimeMs}`);
    }
  }
  return parts.sort().join("\n");
}
