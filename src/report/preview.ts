// `bench report preview`: Framework's own server over the pages, with what is published now. When a result or a page
// changes, the data are made again and open pages follow.
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
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

/** A server that answers no call within this time after its start never will. In ms. */
const START_MS = 60_000;
/** Some addresses end Framework's server, such as one that is no valid text; it is started again this often. */
const RESTARTS = 20;

/**
 * Serves the report until the signal comes.
 *
 * @throws {CheckError} when the server cannot be started, or ends again and again.
 */
export async function previewReport(options: PreviewOptions): Promise<void> {
  const { signal, progress, port, host } = options;
  const workshop = makeWorkshop();
  try {
    let data = stateOf(options.watched);
    let pages = stateOf([join(packageRoot, "reports")]);
    await inWorkshop(() => options.fill(workshop));
    await fillNpmCache(workshop.pages);
    let server = await startServer(workshop, options);
    progress(`http://${host}:${port}/ shows the report until Ctrl-C`);
    let restarts = 0;
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      if (server.ended()) {
        if (restarts === RESTARTS) throw failure(await server.stderr(), workshop, options);
        restarts += 1;
        progress("the server has ended: starting it again");
        server = await startServer(workshop, options);
      }
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
    await server.stderr();
  } finally {
    removeWorkshop(workshop);
  }
}

/** Framework's server while it runs. */
interface Server {
  readonly ended: () => boolean;
  /** Waits for its end. */
  readonly stderr: () => Promise<string>;
}

/** Starts it and waits until it answers. */
async function startServer(workshop: Workshop, options: PreviewOptions): Promise<Server> {
  const { signal, port, host } = options;
  // Whatever listens there would answer in its place.
  if (await answers(host, port)) throw taken(port);
  const { execa } = await import("execa");
  const running = execa(
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
  let over = false;
  const end = running.then(({ stderr }) => {
    over = true;
    return stderr;
  });
  const until = performance.now() + START_MS;
  while (!signal.aborted && !(await answers(host, port))) {
    if (over) throw failure(await end, workshop, options);
    if (performance.now() > until) {
      running.kill("SIGKILL");
      throw new CheckError(`the server did not answer within ${START_MS / 1000} s`);
    }
    await delay(100, undefined, { signal }).catch(() => {});
  }
  return { ended: () => over, stderr: () => end };
}

/** Whether something listens there. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.setTimeout(2000, () => done(false));
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}

const taken = (port: number): CheckError =>
  new CheckError(`port ${port} is taken by another program: name another one with --port`);

function failure(stderr: string, workshop: Workshop, { progress, port }: PreviewOptions): CheckError {
  if (stderr.includes("EADDRINUSE")) return taken(port);
  for (const line of stderr.split("\n").slice(-5)) progress(line.replaceAll(workshop.folder, "…"));
  return new CheckError("the server has ended; its last lines stand above");
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
