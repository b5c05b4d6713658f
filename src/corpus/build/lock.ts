// The frozen corpora: a build never writes other bytes over one of them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CheckError, errorCode } from "../../errors.ts";

/** Where the frozen corpora are named, from the root of the checkout. */
export const CORPUS_LOCK = "data/corpus/LOCK.json";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const lockSchema = z.record(
  z.string(),
  z.strictObject({ version: z.string().min(1), sha256: digest, manifest_sha256: digest }),
);

/**
 * A frozen corpus by the name of its suite: `sha256` is the digest of its rows, which hold the digests of their
 * pictures, and `manifest_sha256` is that of the bytes of `manifest.json`.
 */
export type CorpusLock = z.infer<typeof lockSchema>;

/** What a lock is compared with. */
export interface Lockable {
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

/** How a lock names this corpus. */
export function lockEntry({ suite, version, sha256, files }: Lockable): CorpusLock[string] {
  const manifest = files.get(`data/corpus/${suite}/manifest.json`);
  if (manifest === undefined) throw new Error(`no manifest was built for ${suite}`);
  return { version, sha256, manifest_sha256: createHash("sha256").update(manifest).digest("hex") };
}

/**
 * The corpora that are frozen; none where there is no such file.
 *
 * @throws {CheckError} when the file is damaged.
 */
export function readCorpusLock(root: string): CorpusLock {
  let text: string;
  try {
    text = readFileSync(join(root, CORPUS_LOCK), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    throw error;
  }
  try {
    return lockSchema.parse(JSON.parse(text));
  } catch {
    // Whatever is wrong with it, the committed file is right.
    throw new CheckError(`${CORPUS_LOCK} is damaged: take it from the version history, it is never edited`);
  }
}

/**
 * Lets a corpus pass that is not frozen, or is built exactly as it was frozen.
 *
 * @throws {CheckError} when it is frozen and would become another one.
 */
export function assertAsFrozen(root: string, built: Lockable): void {
  const frozen = readCorpusLock(root)[built.suite];
  if (frozen === undefined) return;
  const now = lockEntry(built);
  const differs = (["version", "sha256", "manifest_sha256"] as const).find((key) => frozen[key] !== now[key]);
  if (differs === undefined) return;
  throw new CheckError(
    `${built.suite} ${frozen.version} is frozen, and would be built with ${differs} ${now[differs]} instead of ${frozen[differs]}: nothing was written. A correction is a corpus of its own beside it, see docs/decisions/0012-frozen-corpora.md; \`bench corpus build --out DIR\` writes this one elsewhere, \`bench corpus diff\` then shows what differs.`,
  );
}
