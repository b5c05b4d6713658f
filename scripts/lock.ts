// `npm run lock`: freezes what is not frozen yet, the corpus as it is built now and the SQL of the present analysis.
// What is frozen is never changed: docs/decisions/0012-frozen-corpora.md.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { composeCorpus } from "../src/corpus/build/index.ts";
import { assertAsFrozen, CORPUS_LOCK, lockEntry, readCorpusLock } from "../src/corpus/build/lock.ts";
import { replaceFile } from "../src/files.ts";
import { ANALYSIS_VERSION, sqlFiles } from "../src/warehouse/views.ts";
import { packageRoot } from "../src/workspace.ts";

/** Where the digests of a frozen version of the analysis stand. */
export const sqlLock = (version: string): string => `sql/${version}/LOCK.json`;

/** Path under `sql/<version>/` → SHA-256 of the file, in the order in which they run. */
export function sqlDigests(version: string): Record<string, string> {
  return Object.fromEntries(
    sqlFiles(version).map(({ stage, name }) => {
      const path = `${stage}/${name}.sql`;
      const bytes = readFileSync(join(packageRoot, "sql", version, path));
      return [path, createHash("sha256").update(bytes).digest("hex")];
    }),
  );
}

async function lock(): Promise<void> {
  const built = await composeCorpus(packageRoot);
  const frozen = readCorpusLock(packageRoot);
  if (frozen[built.suite] === undefined) {
    await write(CORPUS_LOCK, { ...frozen, [built.suite]: lockEntry(built) });
  } else {
    assertAsFrozen(packageRoot, built);
  }
  const file = sqlLock(ANALYSIS_VERSION);
  const path = join(packageRoot, file);
  const held: Record<string, string> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  // An entry that is there wins; the test says what does not agree with it.
  await write(file, { ...sqlDigests(ANALYSIS_VERSION), ...held });
}

async function write(path: string, content: unknown): Promise<void> {
  await replaceFile(join(packageRoot, path), `${JSON.stringify(content, null, 2)}\n`);
  console.error(`${path} is written`);
}

if (process.argv[1] === import.meta.filename) await lock();
