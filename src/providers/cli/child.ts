// One command from its start to the end of its last descendant: one time limit, one limit of what it may print, and
// always an end that says what happened.
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../workspace.ts";
import { MAX_BODY_BYTES } from "../provider.ts";
import { onAbort } from "../stops.ts";
import { removeFolderNow } from "./call-folder.ts";
import { coverInherited } from "./inherited-files.ts";
import { endTree, letGo, stopGroup, watchOver } from "./process-end.ts";
import { plantTree } from "./process-tree.ts";
import { openTether, withTether } from "./tether.ts";

/** What a command that has ended usually needs until its pipes are closed, in ms. */
const SETTLE_MS = 20;
/** What pipes are given to run dry when nobody should be left to write into them, in ms. */
const DRAIN_MS = 500;
/** A timer with more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface ChildRequest {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing is added to it. */
  readonly env: Environment;
  readonly cwd: string;
  /** Written to standard input, which is then closed. */
  readonly input: string;
  /** The folder of the call: its folder for temporary files is the TMPDIR of the child, and the child works below it. */
  readonly folder: string;
  /** In ms from now. */
  readonly timeoutMs: number;
  /** Any of them ends it. */
  readonly signals: readonly AbortSignal[];
}

/** How a command ended. */
export interface ChildEnd {
  /**
   * `exit`: by itself (or somebody else killed it); `timeout`: at the limit; `stopped`: the signal; `too_large`: it printed
   * more than {@link MAX_BODY_BYTES}; `not_started`: the system refused to start it.
   */
  readonly how: "exit" | "timeout" | "stopped" | "too_large" | "not_started";
  readonly exitCode: number | null;
  readonly exitSignal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** The code of the system's refusal, e.g. `E2BIG`. */
  readonly refusal: string | null;
  /** Resolves when nothing of it is alive any more; after an `exit` that may be a moment later. */
  readonly gone: Promise<void>;
}

const NOTHING = new Uint8Array();

/** Runs a command. Never rejects. */
export async function runChild(request: ChildRequest): Promise<ChildEnd> {
  const none = { exitCode: null, exitSignal: null, stdout: NOTHING, stderr: NOTHING, refusal: null };
  const gone = Promise.resolve();
  const limit = performance.now() + request.timeoutMs;
  const { execa } = await import("execa");
  await nextStart();
  if (request.signals.some((signal) => signal.aborted)) return { ...none, how: "stopped", gone };
  if (performance.now() >= limit) return { ...none, how: "timeout", gone };

  const tether = openTether(request.folder);
  const child = execa(request.file, [...request.args], {
    cwd: request.cwd,
    env: request.env,
    extendEnv: false,
    input: request.input,
    stdio: ["pipe", "pipe", "pipe", ...withTether(coverInherited(), tether)],
    encoding: "buffer",
    maxBuffer: MAX_BODY_BYTES,
    stripFinalNewline: false,
    reject: false,
    cleanup: false,
    // A group and a session of its own: it can be ended as a whole, and Ctrl-C on the terminal does not reach it.
    detached: true,
  });
  // The child has its own by now.
  if (tether !== null) closeSync(tether);
  const { pid } = child;
  if (pid === undefined) {
    const { code } = (await child) as { code?: string };
    return { ...none, how: "not_started", refusal: code ?? null, gone };
  }
  const tree = plantTree(pid, request.folder);
  watchOver(tree, removeFolderNow);

  let how: ChildEnd["how"] = "exit";
  let ending: Promise<void> | null = null;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = (reason: "timeout" | "stopped" | "too_large"): void => {
    if (ending !== null) return;
    how = reason;
    ending = endTree(tree);
  };
  // Execa reads no further then, but waits for the command, which may go on whether anybody reads or not.
  for (const stream of [child.stdout, child.stderr]) {
    let bytes = 0;
    stream.on("data", (piece: Uint8Array) => {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) end("too_large");
    });
  }
  const timer = setTimeout(() => end("timeout"), Math.min(limit - performance.now(), MAX_TIMER_MS));
  const unwatch = request.signals.map((signal) => onAbort(signal, () => end("stopped")));
  let isSettled = false;
  const settled = child.then((result) => {
    isSettled = true;
    return result;
  });
  // Whoever inherited the pipes would keep them open for as long as it likes.
  const drained = exited.then(async () => {
    stopGroup(pid);
    await Promise.race([settled, pause(SETTLE_MS)]);
    if (isSettled) return;
    await endTree(tree);
    await Promise.race([settled, pause(DRAIN_MS)]);
    if (!isSettled) for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  });
  const result = await settled;
  clearTimeout(timer);
  for (const stop of unwatch) stop();
  if (result.isMaxBuffer) end("too_large");
  const cleared = (async () => {
    await (ending ?? exited);
    await drained;
    if (ending === null) await endTree(tree);
    letGo(tree);
  })();
  // A call that was cut off has ended when nothing of it is left; one that ended by itself need not wait for the look.
  if (ending !== null) await cleared;
  return {
    how,
    exitCode: result.exitCode ?? null,
    exitSignal: result.signal ?? null,
    stdout: result.stdout ?? NOTHING,
    stderr: result.stderr ?? NOTHING,
    refusal: null,
    gone: cleared,
  };
}

/** A wait that keeps no process alive. */
function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}

let starts: Promise<void> = Promise.resolve();

/**
 * Starting a process stops everything else for some milliseconds. One at a time, so that time limits and answers of others
 * are seen in between.
 */
function nextStart(): Promise<void> {
  starts = starts.then(() => new Promise((resolve) => setImmediate(resolve)));
  return starts;
}
