// Pages for readers, README.md and leaderboard.md: what may not stand there, and that they say what the documents beside them say.
import { readBytes } from "../documents.ts";
import type { ProblemList } from "./problem.ts";
import type { SecretScan } from "./secret-scan.ts";

/** Largest document or page that is read. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** What a page should be. */
export interface ExpectedPage {
  /** The last line by which this program knows its own pages, with the number of their layout. */
  readonly mark: string;
  /** The whole page; null when the documents that it is made of are not as they should be. */
  readonly text: string | null;
  /** Whether the documents beside it are this program's, so that the page must be as well. */
  readonly isOurs: boolean;
}

/**
 * Checks a page: what it says, if this program has written it or should have, and what may not stand there.
 *
 * @param names that may look like addresses; null when these are not known.
 * @returns whether it is another program's page: nothing of what it says was compared then.
 */
export async function checkPage(
  path: string,
  problems: ProblemList,
  scan: SecretScan,
  names: readonly string[] | null,
  expected: ExpectedPage,
): Promise<boolean> {
  const page = await scanPage(path, problems, scan, names);
  if (page === null) return false;
  const { mark, text, isOurs } = expected;
  const [anyLayout = ""] = mark.split(/\d+/);
  if (!page.includes(mark)) {
    if (page.includes(anyLayout)) {
      problems.add(null, "", {
        message: `has another layout than the one that this version writes (${mark}): check it with the version of bench that wrote it`,
        expected: mark,
      });
      return false;
    }
    if (!isOurs) return true;
    problems.add(null, "", {
      message: `has no line ${mark}, though the documents beside it are by bench: publish the result again to have it written`,
      expected: mark,
    });
    return false;
  }
  if (text === null) return false;
  const found = page.split("\n");
  const wanted = text.split("\n");
  const line = Array.from({ length: Math.max(found.length, wanted.length) }).findIndex(
    (_, index) => found[index] !== wanted[index],
  );
  if (line < 0) return false;
  problems.add(Math.min(line, found.length - 1) + 1, "", {
    message: "is not what the documents beside it say: publish the result again to have it written",
  });
  return false;
}

/**
 * Looks for what may not stand on a page.
 *
 * @param names that may look like addresses; null when these are not known: then addresses are let pass.
 * @returns its text with plain line feeds, since some tools put others in when files are copied; null when it cannot be read.
 */
export async function scanPage(
  path: string,
  problems: ProblemList,
  scan: SecretScan,
  names: readonly string[] | null,
): Promise<string | null> {
  const { value, refusal } = await readBytes(path, MAX_DOCUMENT_BYTES);
  if (refusal !== undefined) {
    if (problems.count === 0) problems.add(refusal.line, "", refusal);
    return null;
  }
  const text = value.toString("utf8").replaceAll("\r\n", "\n");
  if (names !== null) scan.page(text, problems, names);
  else for (const [index, line] of text.split("\n").entries()) scan.foreign(line, problems, index + 1);
  return text;
}
