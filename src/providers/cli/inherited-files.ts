// Files that were open when this program was started, such as a redirection of the shell that started it. Node keeps its own
// files from children, and of these the ones with small numbers, but not the others: a command could read on in them.
import { openSync, readdirSync, readFileSync } from "node:fs";
import { errorCode } from "../../errors.ts";

/**
 * Numbers from here on are not looked at. Each child gets a list of what stands behind every number up to the highest that is
 * inherited, and what execa takes for it grows with the square: 1 ms for 60 of them, more than 20 ms for 250, on every call.
 * Shells and people stay far below.
 */
const MAX_DESCRIPTOR = 64;

/** For file descriptors from 3 on, in order. Some are numbers of open files, which execa takes but does not declare. */
type Cover = readonly "ignore"[];

let cover: Cover | null = null;

/**
 * What covers the inherited files in a child: the empty device in the place of each. Whatever has such a number is covered,
 * also what no child would have inherited. For `stdio`, behind the three standard streams.
 */
export function coverInherited(): Cover {
  if (cover !== null) return cover;
  const inherited = listDescriptors().filter((descriptor) => !closesItself(descriptor));
  const length = Math.max(2, ...inherited) - 2;
  if (length === 0) {
    cover = [];
    return cover;
  }
  const nothing = openSync("/dev/null", "r+");
  cover = Array.from({ length }, (_, index) =>
    inherited.includes(index + 3) ? (nothing as unknown as "ignore") : "ignore",
  );
  return cover;
}

function listDescriptors(): number[] {
  try {
    return readdirSync("/dev/fd")
      .map(Number)
      .filter((descriptor) => descriptor >= 3 && descriptor < MAX_DESCRIPTOR);
  } catch (error) {
    // A system without this folder.
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** Linux says which files are closed at the start of another program, and 0o2000000 is its sign for it. */
function closesItself(descriptor: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return (Number.parseInt(flags ?? "0", 8) & 0o2000000) !== 0;
  } catch {
    // The one that the list itself was read through.
    return true;
  }
}
