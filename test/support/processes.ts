// What processes show of where they came from, for tests that look for leftovers of calls.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The environments and working folders of our processes that hold a text; behind the command where only `ps` tells. */
export function processesThatMention(text: string): string[] {
  if (process.platform !== "linux") {
    const all = execFileSync("ps", ["-A", "-E", "-ww", "-o", "command="], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    return all.split("\n").filter((line) => line.includes(text));
  }
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const shown = `${readFileSync(`/proc/${pid}/environ`, "utf8")}\0${readlinkSync(`/proc/${pid}/cwd`)}`;
      return shown.includes(text) ? [shown] : [];
    } catch {
      // No process, or one that has ended meanwhile, or another person's.
      return [];
    }
  });
}
