// Where the other harnesses are: a folder outside of the project, given or made. Nothing of theirs runs while they are
// installed, but for the compiler that builds their SQLite.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Exactly these; evalite runs in the vitest beside it, and stands on parts of version 4 itself. */
const VERSIONS = { promptfoo: "0.119.6", evalite: "0.19.0", vitest: "4.1.12" } as const;
export const HARNESSES = ["promptfoo", "evalite"] as const;
export type HarnessName = (typeof HARNESSES)[number];

const INSTALL_MS = 15 * 60_000;
const BUILD_MS = 15 * 60_000;
const run = promisify(execFile);

export type Rivals =
  | { readonly folder: string; readonly versions: Readonly<Record<keyof typeof VERSIONS, string>> }
  | { readonly skipped: string };

/** Before anybody sets another folder for temporary files: what is installed serves the next time too. */
const CACHE = join(tmpdir(), "decision-bench-rivals");

/** The folder that `DECISION_BENCH_RIVALS` names, or one under the system's folder for temporary files. */
export async function findRivals(env: NodeJS.ProcessEnv): Promise<Rivals> {
  const given = env.DECISION_BENCH_RIVALS;
  const folder = given || CACHE;
  try {
    if (!given && !isReady(folder)) await install(folder);
    const versions = { promptfoo: "", evalite: "", vitest: "" };
    for (const name of Object.keys(VERSIONS) as (keyof typeof VERSIONS)[]) {
      versions[name] = versionOf(folder, name);
      if (name !== "vitest" && versions[name] !== VERSIONS[name]) {
        throw new Error(`${name} is ${versions[name]}, not ${VERSIONS[name]}`);
      }
    }
    for (const place of sqlitePlaces(join(folder, "node_modules"))) {
      readFileSync(join(place, "build", "Release", "better_sqlite3.node"));
    }
    return { folder, versions };
  } catch (error) {
    const { message } = error as Error;
    return { skipped: `could not be installed: ${message.split("\n")[0]?.replaceAll(folder, "…")}` };
  }
}

const MARK = "ready.json";

function isReady(folder: string): boolean {
  try {
    return readFileSync(join(folder, MARK), "utf8") === JSON.stringify(VERSIONS);
  } catch {
    return false;
  }
}

async function install(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  console.error(`installing ${HARNESSES.join(" and ")} in a folder of their own …`);
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"];
  await run("npm", ["install", ...quiet, ...packages], {
    cwd: folder,
    timeout: INSTALL_MS,
    maxBuffer: 2 ** 26,
  });
  for (const cwd of sqlitePlaces(join(folder, "node_modules"))) {
    console.error("building better-sqlite3 …");
    const build = ["--yes", "node-gyp", "rebuild", "--release", "--nodedir=/usr"];
    await run("npx", build, { cwd, timeout: BUILD_MS, maxBuffer: 2 ** 26 });
  }
  writeFileSync(join(folder, MARK), JSON.stringify(VERSIONS));
}

function versionOf(folder: string, name: string): string {
  const path = join(folder, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** Every better-sqlite3 that npm put there: the harnesses do not agree on one. */
export function sqlitePlaces(modules: string): string[] {
  const names = (folder: string): string[] => {
    try {
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name);
    } catch {
      return [];
    }
  };
  return names(modules).flatMap((name) => {
    const place = join(modules, name);
    if (name.startsWith("@"))
      return names(place).flatMap((own) => sqlitePlaces(join(place, own, "node_modules")));
    const nested = sqlitePlaces(join(place, "node_modules"));
    // A package has its own version at its root; `drizzle-orm/better-sqlite3` is a folder within a package.
    return name === "better-sqlite3" ? [place, ...nested] : nested;
  });
}
