// Where the numbers of processes are ours: containers and machines that share a folder for temporary files do not share them.
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Six hexadecimal digits that stand for this start of the machine and its namespaces of process ids and of time, in which the
 * start of a process is told; elsewhere for its name.
 */
export function processSpace(): string {
  return createHash("sha256").update(describeSpace()).digest("hex").slice(0, 6);
}

function describeSpace(): string {
  if (process.platform !== "linux") return hostname();
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8")}${readlinkSync("/proc/self/ns/pid")}${timeSpace()}`;
  } catch {
    return hostname();
  }
}

/** Older systems have one time for all. */
function timeSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/time");
  } catch {
    return "";
  }
}
