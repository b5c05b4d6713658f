// Whether a process that has left something behind is still at work.
import { errorCode } from "./errors.ts";

/** Whether a process with this id lives on this machine, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, under another user.
    return errorCode(error) === "EPERM";
  }
}
