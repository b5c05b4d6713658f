// Ranges of version numbers as package manifests write them, without pre-releases.
import { CheckError } from "../../../errors.ts";

/** Major, minor and patch number. */
export type Version = readonly [major: number, minor: number, patch: number];

/** The versions from `from` on and before `below`. */
interface Span {
  readonly from: Version;
  readonly below: Version;
}

const FIRST: Version = [0, 0, 0];
const BEYOND: Version = [Number.POSITIVE_INFINITY, 0, 0];
const OPERAND = /^(>=|<=|>|<|=|\^|~)?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/;

/**
 * The numbers of a full version such as "9.4.1".
 *
 * @throws {CheckError} for anything else, also for a pre-release.
 */
export function parseVersion(text: string): Version {
  if (!/^\d+\.\d+\.\d+$/.test(text)) {
    throw new CheckError(`found the version ${text}, expected three numbers such as 9.4.1`);
  }
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return [major, minor, patch];
}

/** Negative, zero or positive. */
export function compareNumbers(a: Version, b: Version): number {
  const place = a.findIndex((number, index) => number !== b[index]);
  return place === -1 ? 0 : (a[place] as number) - (b[place] as number);
}

/**
 * The highest of `versions` that lies in `range`; null where none does.
 *
 * @throws {CheckError} for a range or version that is not understood.
 */
export function highestInRange(range: string, versions: readonly string[]): string | null {
  const inside = versions.filter((version) => isInRange(range, version));
  return inside.sort((a, b) => compareNumbers(parseVersion(b), parseVersion(a)))[0] ?? null;
}

/**
 * Whether a full version lies in a range: alternatives joined by "||", of which each is "A - B" or conditions that all hold.
 *
 * @throws {CheckError} for a range or version that is not understood.
 */
export function isInRange(range: string, version: string): boolean {
  const numbers = parseVersion(version);
  return range
    .split("||")
    .map(spansOf)
    .some((spans) =>
      spans.every(
        ({ from, below }) => compareNumbers(numbers, from) >= 0 && compareNumbers(numbers, below) < 0,
      ),
    );
}

function spansOf(alternative: string): Span[] {
  const bounds = alternative.trim().split(" - ");
  if (bounds.length === 2) return [spanOf(`>=${bounds[0]}`), spanOf(`<=${bounds[1]}`)];
  return alternative.trim().split(/\s+/).map(spanOf);
}

function spanOf(condition: string): Span {
  const match = OPERAND.exec(condition);
  if (match === null) {
    throw new CheckError(`found the condition "${condition}", expected an operator and up to three numbers`);
  }
  const [, operator = "", ...parts] = match;
  const wild = parts.findIndex((part) => part === undefined || /[xX*]/.test(part));
  const given = (wild === -1 ? parts : parts.slice(0, wild)).map(Number);
  const from: Version = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0];
  // A version with parts missing stands for all that begin with it; a full one for itself.
  const after = next(from, given.length);
  switch (operator) {
    case ">=":
      return { from, below: BEYOND };
    case ">":
      return { from: after, below: BEYOND };
    case "<":
      return { from: FIRST, below: from };
    case "<=":
      return { from: FIRST, below: after };
    case "~":
      return { from, below: next(from, Math.min(given.length, 2)) };
    case "^": {
      const leading = given.findIndex((number) => number > 0);
      return { from, below: next(from, leading === -1 ? given.length : leading + 1) };
    }
    default:
      return { from, below: after };
  }
}

/** The first version after all whose first `kept` numbers are those of `version`. */
function next([major, minor, patch]: Version, kept: number): Version {
  if (kept === 0) return BEYOND;
  if (kept === 1) return [major + 1, 0, 0];
  return kept === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}
