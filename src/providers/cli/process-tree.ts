// Ends a child and everything that came of it: its group, its descendants, and those that left both. Nothing of a call
// outlives the call, and nothing of any call outlives this process.
import { rmSync } from "node:fs";
import { errorCode } from "../../errors.ts";
import { membersOf, readProcesses, readProcessesNow, type Tree } from "./process-table.ts";

/** How often what is left is looked for and killed; one look finds it all unless it forks all the time. */
const ROUNDS = 8;

/** Asks every member of a tree to end. Resolves with who they are: a parent that ends takes the trace of its children with it. */
export async function askToEnd(tree: Tree): Promise<readonly number[]> {
  const members = membersOf(tree, await readProcesses());
  sendToGroup(tree.root, "SIGTERM");
  for (const pid of members) send(pid, "SIGTERM");
  return members;
}

/** Kills every member of a tree, until there is none; `known` are those that were found to belong to it a moment ago. */
export async function killTree(tree: Tree, known: readonly number[] = []): Promise<void> {
  sendToGroup(tree.root, "SIGKILL");
  for (const pid of known) send(pid, "SIGKILL");
  for (let round = 0; round < ROUNDS; round += 1) {
    const members = membersOf(tree, await readProcesses());
    if (members.length === 0) return;
    for (const pid of members) send(pid, "SIGKILL");
  }
}

/** Kills what is left of a child's group, which takes no time. */
export function sendToGroup(root: number | null, signal: NodeJS.Signals): void {
  if (root !== null) send(-root, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended by itself, or belongs to another user and so is none of ours.
    if (errorCode(error) !== "ESRCH" && errorCode(error) !== "EPERM") throw error;
  }
}

const living = new Set<Tree>();
let hooked = false;

/** From now on the tree and its folder do not outlive this process, however that ends (but for SIGKILL). */
export function watchOver(tree: Tree): void {
  living.add(tree);
  if (hooked) return;
  hooked = true;
  process.on("exit", () => {
    for (const { root } of living) sendToGroup(root, "SIGKILL");
    if (living.size > 0) {
      const table = readProcessesNow();
      for (const left of living) for (const pid of membersOf(left, table)) send(pid, "SIGKILL");
    }
    for (const { folder } of living) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
}

/** The tree has ended and its folder is gone. */
export function letGo(tree: Tree): void {
  living.delete(tree);
}
