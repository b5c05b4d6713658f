// Ends a child and everything that came of it. Nothing of a call outlives the call, and nothing of any call outlives this
// process.
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../errors.ts";
import { readProcesses, readProcessesNow } from "./process-table.ts";
import { findMembers, type Tree } from "./process-tree.ts";

/** How often those that are new are looked for and stopped; one look finds them all unless they fork all the time. */
const ROUNDS = 8;
/** What killed processes are given to be gone, in ms: large ones take a while, and one that waits for a dead disk never is. */
const DYING_MS = 2000;
/** How often is looked for that in ms. */
const LOOK_AGAIN_MS = 5;
/** How often the descendants of commands that run are noted, in ms. */
const NOTE_MS = 250;
/** What of all time noting may take at most. */
const NOTE_SHARE = 0.1;

const living = new Set<Tree>();

/**
 * Ends every member of a tree, and resolves when there is none. They are stopped before they are killed: who runs on while
 * others are killed can start something that has lost its parent before anybody has seen it. None is asked to end, since
 * whoever is asked can do the same.
 */
export async function endTree(tree: Tree): Promise<void> {
  living.add(tree);
  stopGroup(tree.root);
  const stopped = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    await look();
    if (!stopNew(tree, stopped)) break;
  }
  const end = performance.now() + DYING_MS;
  for (;;) {
    killMembers(tree);
    if (tree.members.size === 0 || performance.now() > end) break;
    await look();
    if (tree.members.size > 0) await sleep(LOOK_AGAIN_MS);
  }
  if (tree.root === null) living.delete(tree);
}

/** Stops what is left of a child's group, which takes no time. */
export function stopGroup(root: number | null): void {
  if (root !== null) send(-root, "SIGSTOP");
}

/** Stops those that were not stopped yet; false when there were none. */
function stopNew(tree: Tree, stopped: Set<number>): boolean {
  const before = stopped.size;
  for (const pid of tree.members.keys()) {
    if (stopped.has(pid)) continue;
    stopped.add(pid);
    send(pid, "SIGSTOP");
  }
  return stopped.size > before;
}

function killMembers({ root, members }: Tree): void {
  for (const pid of members.keys()) send(pid, "SIGKILL");
  if (root !== null) send(-root, "SIGKILL");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended by itself, or belongs to another user and so is none of ours.
    if (errorCode(error) !== "ESRCH" && errorCode(error) !== "EPERM") throw error;
  }
}

let coming: Promise<void> | null = null;

/**
 * Brings the members of all living trees up to date. All who ask before a look begins share it: hundreds of calls may reach
 * their limit in one moment. Where processes cannot be listed, those that are known stay.
 */
function look(): Promise<void> {
  coming ??= new Promise<void>((resolve) => setImmediate(resolve))
    .then(() => {
      coming = null;
      return readProcesses();
    })
    .then(
      (table) => findMembers(living, table),
      () => {},
    );
  return coming;
}

let hooked = false;
let noting: NodeJS.Timeout | null = null;

/** From now on the tree and its folder do not outlive this process, however that ends, but for signals that no program takes. */
export function watchOver(tree: Tree, removeFolder: (folder: string) => void): void {
  living.add(tree);
  noteLater(NOTE_MS);
  if (hooked) return;
  hooked = true;
  process.on("exit", () => {
    try {
      if (living.size > 0) endAllNow();
    } finally {
      for (const { folder } of living) removeFolder(folder);
    }
  });
}

/** The tree has ended and its folder is gone. */
export function letGo(tree: Tree): void {
  living.delete(tree);
}

/** While commands run, their descendants are noted: who has given up every tie since then is still known. */
function noteLater(ms: number): void {
  if (noting !== null) return;
  noting = setTimeout(async () => {
    noting = null;
    if (living.size === 0) return;
    const begun = performance.now();
    await look();
    noteLater(Math.max(NOTE_MS, (performance.now() - begun) / NOTE_SHARE));
  }, ms);
  noting.unref();
}

/** Whoever is stopped here is killed here, too, also where processes cannot be listed: nobody else would wake them. */
function endAllNow(): void {
  for (const { root } of living) stopGroup(root);
  const stopped = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    lookNow();
    const anyNew = [...living].map((tree) => stopNew(tree, stopped)).includes(true);
    if (!anyNew) break;
  }
  for (const tree of living) killMembers(tree);
  lookNow();
  for (const tree of living) killMembers(tree);
}

/** {@link look} of a process that is on its way out. */
function lookNow(): void {
  try {
    findMembers(living, readProcessesNow());
  } catch {
    // Those that are known stay known.
  }
}
