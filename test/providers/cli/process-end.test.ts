// The end of this process where processes cannot be listed: those that are known end all the same.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { letGo, watchOver } from "../../../src/providers/cli/process-end.ts";
import { plantTree } from "../../../src/providers/cli/process-tree.ts";

vi.mock("../../../src/providers/cli/process-table.ts", () => {
  const refuse = () => {
    throw new Error("spawnSync ps ENOENT");
  };
  return {
    describeChild: () => ({ start: 0, pipes: [] }),
    readProcesses: async () => refuse(),
    readProcessesNow: refuse,
  };
});

test("without a list of processes the exit ends what is known and removes every folder", async () => {
  const wait = ["-e", "setInterval(() => {}, 1000)"];
  const [root, seen] = [
    spawn(process.execPath, wait, { detached: true, stdio: "ignore" }),
    spawn(process.execPath, wait),
  ];
  const ends = [root, seen].map((child) => once(child, "exit"));
  const removed: string[] = [];
  const before = process.listeners("exit");
  const tree = plantTree(root.pid as number, "/nowhere/folder");
  tree.members = new Map([[seen.pid as number, 1]]);
  watchOver(tree, (folder) => removed.push(folder));
  const added = process.listeners("exit").filter((listener) => !before.includes(listener));
  try {
    expect(added).toHaveLength(1);
    for (const listener of added) {
      process.off("exit", listener);
      expect(() => listener.call(process, 0)).not.toThrow();
    }
    expect(removed).toEqual(["/nowhere/folder"]);
    for (const end of ends) expect((await end)[1]).toBe("SIGKILL");
  } finally {
    letGo(tree);
    for (const child of [root, seen]) child.kill("SIGKILL");
  }
});
