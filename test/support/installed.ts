// The package as a user has it: what `npm pack` packs, and beside it what it needs to run and nothing else.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../../src/errors.ts";
import { packageRoot } from "../../src/workspace.ts";

/** What package-lock.json says of a package, or package.json of ours. */
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Packs the package into a folder.
 *
 * @returns the path of the archive.
 */
export function packPackage(folder: string): string {
  const args = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", folder];
  const said = execFileSync("npm", args, {
    cwd: packageRoot,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [packed] = JSON.parse(said) as { filename: string }[];
  return join(folder, packed?.filename ?? "");
}

/**
 * Installs an archive below `folder`, as npm would with `--omit=dev`, from what is installed here.
 *
 * @param omitted packages of ours that are left out.
 * @returns the path of its command.
 */
export function installPackage(archive: string, folder: string, omitted: readonly string[] = []): string {
  const modules = join(folder, "node_modules");
  const own = join(modules, "decision-bench");
  mkdirSync(own, { recursive: true });
  execFileSync("tar", ["-xzf", archive, "-C", own, "--strip-components=1"]);
  for (const path of neededPackages(omitted)) mirror(join(packageRoot, path), join(folder, path));
  const command = join(modules, ".bin", "bench");
  mkdirSync(dirname(command));
  symlinkSync(join("..", "decision-bench", "dist", "cli.js"), command);
  return command;
}

/** The folders of all packages that ours needs to run, as the lock file has them: `node_modules/…`. */
function neededPackages(omitted: readonly string[]): readonly string[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(packageRoot, name), "utf8"));
  const { packages } = read("package-lock.json") as { packages: Readonly<Record<string, Locked>> };
  const found = new Set<string>();
  const visit = (from: string, of: Locked): void => {
    const peers = Object.keys(of.peerDependencies ?? {}).filter(
      (name) => of.peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...of.dependencies, ...of.optionalDependencies }), ...peers]) {
      if (from === "" && omitted.includes(name)) continue;
      const path = nearest(packages, from, name);
      // Optional ones of other systems are in the lock file, and not here.
      if (path === null || found.has(path)) continue;
      found.add(path);
      visit(path, packages[path] ?? {});
    }
  };
  visit("", read("package.json") as Locked);
  return [...found];
}

/** Where Node finds a package from another one's folder. */
function nearest(packages: Readonly<Record<string, Locked>>, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, path)) return path;
    if (folder === "") return null;
  }
}

/** Links the files of a package, without the packages in it, to another place; copies them where the place is another disk. */
function mirror(from: string, to: string): void {
  // One of another system.
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) mirror(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    copyFileSync(source, target);
  }
}

const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
const SMALL = 'mount -t tmpfs -o size=8m none "$0" && exec "$@"';
const OTHER_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/**
 * What comes before a command that must not be able to write into a folder, although root may write anywhere: a view of the disk
 * of its own, in which the folder is mounted to be read; else another user. Without root the folders themselves are locked.
 *
 * @returns null where none of these is to be had.
 */
export function readOnly(folder: string): readonly string[] | null {
  const cannotWrite = ["sh", "-c", `! touch "$0/tried" 2>/dev/null && ls "$0" >/dev/null`, folder];
  const view = inView(READ_ONLY, folder);
  if (succeeds([...view, ...cannotWrite])) return view;
  if (process.getuid?.() === 0) return succeeds([...OTHER_USER, ...cannotWrite]) ? OTHER_USER : null;
  setFolderModes(folder, 0o555);
  return succeeds(cannotWrite) ? [] : null;
}

/** What comes before a command that sees a small empty disk in place of a folder; null where the system does not allow that. */
export function smallDisk(folder: string): readonly string[] | null {
  const view = inView(SMALL, folder);
  return succeeds([...view, "true"]) ? view : null;
}

/** Of a folder and all below it. */
export function setFolderModes(folder: string, mode: number): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) setFolderModes(join(folder, entry.name), mode);
  }
  chmodSync(folder, mode);
}

function inView(script: string, folder: string): readonly string[] {
  return ["unshare", "-r", "-m", "sh", "-c", script, folder];
}

function succeeds([program = "", ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
