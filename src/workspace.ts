// Where things are. A workspace is a folder with config/, data/, runs/ and results/; SQL and report pages always
// come from the package itself.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseDotenv } from "dotenv";
import { errorCode, UserError } from "./errors.ts";
import { quoted } from "./quote.ts";

/** The environment a command sees: `.env` of the workspace under what is really set. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Workspace {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  readonly modelsFile: string;
  readonly corpusPointer: string;
  /** Absolute path of the rows of a corpus that takes the place of the active one, for a command about that corpus. */
  readonly casesFile?: string;
  readonly runsDir: string;
  readonly resultsDir: string;
  readonly env: Environment;
}

const POINTER = join("data", "corpus", "current.json");

/** Absolute path of the installed package (the folder that holds `sql/` and `package.json`). */
export const packageRoot: string = dirname(dirname(fileURLToPath(import.meta.url)));

/** Version of this package, as written into runs. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string };
  return manifest.version;
}

/**
 * Finds the workspace: `--root`, else `DECISION_BENCH_ROOT`, else the nearest ancestor of `cwd` that holds
 * `data/corpus/current.json`, else the package's own folder, which is then told.
 *
 * @param options.notify takes a sentence for people when nobody has named or entered a workspace.
 * @throws {UserError} when the named folder is not a workspace, or its `.env` cannot be read.
 */
export function openWorkspace(options: {
  readonly root?: string | undefined;
  readonly cwd: string;
  readonly env: Environment;
  readonly notify?: ((message: string) => void) | undefined;
}): Workspace {
  const root = findRoot(options);
  return {
    root,
    modelsFile: join(root, "config", "models.json"),
    corpusPointer: join(root, POINTER),
    runsDir: join(root, "runs"),
    resultsDir: join(root, "results"),
    env: { ...readDotenv(join(root, ".env")), ...definedOnly(options.env) },
  };
}

function findRoot(options: {
  readonly root?: string | undefined;
  readonly cwd: string;
  readonly env: Environment;
  readonly notify?: ((message: string) => void) | undefined;
}): string {
  // An empty variable is one that is not set; an empty option is a variable that was, somewhere before us.
  if (options.root === "") throw new UserError("--root is empty: name a folder, or leave the option away");
  const named = options.root ?? (options.env.DECISION_BENCH_ROOT || undefined);
  if (named !== undefined) {
    const root = resolve(options.cwd, named);
    if (existsSync(join(root, POINTER))) return root;
    const by = options.root === undefined ? "DECISION_BENCH_ROOT" : "--root";
    throw new UserError(
      `${by} ${/^[\x20-\x7e]+$/.test(named) ? named : quoted(named, 200)} is not a workspace: ${POINTER} is not there. ` +
        "Name a folder that holds it, or leave it away inside one.",
    );
  }
  for (let folder = resolve(options.cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, POINTER))) return folder;
    if (dirname(folder) === folder) break;
  }
  // Nobody has chosen it, so what is read and written there must not be taken for something here.
  options.notify?.(
    `there is no workspace here (${POINTER} is neither in this folder nor in one above it), so this is about the program's ` +
      `own folder, ${packageRoot}. Name another with --root or DECISION_BENCH_ROOT; the README says how to make one.`,
  );
  return packageRoot;
}

/**
 * Refuses to write runs, results and corpora into an installed package, where the next install would delete them.
 *
 * @throws {UserError} when the workspace is the package's own folder inside a `node_modules`.
 */
export function assertOwnWorkspace(root: string, packageFolder: string = packageRoot): void {
  if (root !== packageFolder || !/[\\/]node_modules[\\/]/.test(packageFolder)) return;
  throw new UserError(
    "there is no workspace here, and nothing of yours belongs into the installed package: the next install would delete it. " +
      "Name a folder with --root that holds data/corpus/current.json ({} is enough to begin with) and, to run models, config/models.json.",
  );
}

function readDotenv(path: string): Record<string, string> {
  try {
    // A named pipe or a device would be waited for without end.
    if (!statSync(path).isFile()) {
      throw new UserError(
        ".env in the workspace is not a file: write it anew with NAME=value lines, or remove it",
      );
    }
    return parseDotenv(readFileSync(path, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    if (error instanceof UserError) throw error;
    throw new UserError(
      `.env in the workspace cannot be read (${errorCode(error) ?? "unknown error"}): make it readable, or remove it`,
    );
  }
}

function definedOnly(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
