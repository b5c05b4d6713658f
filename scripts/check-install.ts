// `npm run check:install`: whether what `npm ci` installs is what was looked at. Everything comes from the registry, by exact
// version and with a digest; no package's install script runs; `npm audit` knows of nothing serious that could be reached.
// Where the registry answers no audit (offline, say), that is said, and the rest is checked all the same.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../src/workspace.ts";

/** Packages that bring an install script, and why we can do without it. `allowScripts` of package.json switches each off. */
const KNOWN_SCRIPTS: Readonly<Record<string, string>> = {
  esbuild:
    "its binary is a package of its own for each system; the script only tries it, or downloads it where that is missing",
};

/** Advisories of high or critical severity that are no problem here, by their GHSA id, and why they cannot be reached. */
const UNREACHABLE: Readonly<Record<string, string>> = {};

/** No answer within this time counts as none. In ms. */
const AUDIT_LIMIT_MS = 60_000;

/** What package-lock.json says of a package. */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

export interface Lock {
  readonly lockfileVersion?: number;
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}

export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Overrides;
  readonly allowScripts?: Readonly<Record<string, unknown>>;
}

interface Overrides {
  readonly [name: string]: string | Overrides;
}

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** What of a lock is not from the registry, not exact or without a digest; a sentence each. */
export function lockProblems({ lockfileVersion, packages = {} }: Lock): string[] {
  const problems: string[] = [];
  if (lockfileVersion !== 3) problems.push("package-lock.json is not of version 3");
  const entries = Object.entries(packages).filter(([path]) => path !== "");
  if (entries.length === 0) problems.push("package-lock.json names no package");
  for (const [path, { version, resolved, integrity, link }] of entries) {
    if (link === true || !path.startsWith("node_modules/")) problems.push(`${path} is a folder of this disk`);
    // The lock is written without addresses of the registry (.npmrc).
    else if (resolved !== undefined) problems.push(`${path} comes from ${resolved}, not from the registry`);
    else if (!EXACT.test(version ?? "")) problems.push(`${path} has no exact version`);
    else if (!SHA512.test(integrity ?? "")) problems.push(`${path} has no SHA-512 digest`);
  }
  return problems;
}

/** Dependencies of package.json that are ranges, tags, addresses or folders; a sentence each. */
export function manifestProblems(manifest: Manifest): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies, overrides } = manifest;
  const problems: string[] = [];
  const visit = (wanted: Overrides, path: string): void => {
    for (const [name, version] of Object.entries(wanted)) {
      if (typeof version !== "string") visit(version, `${path} ${name}:`);
      else if (!EXACT.test(version)) problems.push(`${path} ${name} is "${version}", not an exact version`);
    }
  };
  visit(
    { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies },
    "package.json:",
  );
  visit(overrides ?? {}, "overrides of package.json:");
  return problems;
}

/**
 * What is wrong with install scripts; a sentence each. A package that brings one must be known, and switched off.
 *
 * @param known name → why it does without.
 */
export function scriptProblems(
  { packages = {} }: Lock,
  { allowScripts = {} }: Manifest,
  known: Readonly<Record<string, string>> = KNOWN_SCRIPTS,
): string[] {
  const bring = new Set(
    Object.entries(packages)
      .filter(([path, { hasInstallScript }]) => path !== "" && hasInstallScript === true)
      .map(
        ([path, { name }]) => name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      ),
  );
  const problems: string[] = [];
  for (const name of bring) {
    if (!Object.hasOwn(known, name)) {
      problems.push(
        `${name} brings an install script that nobody has looked at (KNOWN_SCRIPTS in scripts/check-install.ts)`,
      );
    }
    if (!Object.hasOwn(allowScripts, name))
      problems.push(`allowScripts of package.json does not switch ${name} off`);
  }
  for (const [name, allowed] of Object.entries(allowScripts)) {
    if (allowed !== false) problems.push(`allowScripts of package.json lets ${name} run`);
    else if (!bring.has(name))
      problems.push(`allowScripts of package.json names ${name}, which brings no script`);
  }
  for (const name of Object.keys(known)) {
    if (!bring.has(name)) problems.push(`KNOWN_SCRIPTS names ${name}, which brings no script`);
  }
  return problems;
}

/**
 * What `npm audit --json` says.
 *
 * @param unreachable advisories that cannot be reached, by GHSA id.
 * @returns a sentence for each other finding of high or critical severity; null when the text is no such report.
 */
export function auditProblems(
  text: string,
  unreachable: Readonly<Record<string, string>> = UNREACHABLE,
): string[] | null {
  let report: { readonly vulnerabilities?: unknown };
  try {
    report = JSON.parse(text);
  } catch {
    return null;
  }
  const { vulnerabilities } = report ?? {};
  if (typeof vulnerabilities !== "object" || vulnerabilities === null) return null;
  const problems = new Map<string, string>();
  for (const [name, found] of Object.entries(vulnerabilities as Record<string, Finding>)) {
    for (const cause of found.via ?? []) {
      // A text names another package of the report, where the advisory itself stands.
      if (typeof cause === "string" || !/^(?:high|critical)$/.test(cause.severity ?? "")) continue;
      const id = /GHSA(?:-[0-9a-z]{4}){3}/.exec(cause.url ?? "")?.[0] ?? String(cause.source);
      if (Object.hasOwn(unreachable, id)) continue;
      problems.set(
        `${name} ${id}`,
        `${name} ${cause.range ?? ""}: ${cause.severity}: ${cause.title ?? ""} (${id})`,
      );
    }
  }
  return [...problems.values()];
}

interface Finding {
  readonly via?: readonly (string | Advisory)[];
}

interface Advisory {
  readonly source?: number;
  readonly url?: string;
  readonly title?: string;
  readonly severity?: string;
  readonly range?: string;
}

/** Asks the registry; the end of what npm says when it gives no report. */
function audit(): { readonly problems: string[] } | { readonly unasked: string } {
  const args = ["audit", "--omit=dev", "--json", "--package-lock-only", "--fetch-retries=0"];
  const { stdout, stderr, error } = spawnSync("npm", args, {
    cwd: packageRoot,
    encoding: "utf8",
    timeout: AUDIT_LIMIT_MS,
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  const problems = error === undefined ? auditProblems(stdout) : null;
  if (problems !== null) return { problems };
  // npm's own words hold the address of the registry.
  const said = /"statusCode": (\d{3})|\b(E[A-Z]{4,})\b/.exec(`${error?.message ?? ""}\n${stdout}\n${stderr}`);
  return { unasked: said?.[1] === undefined ? (said?.[2] ?? "no report") : `HTTP ${said[1]}` };
}

function main(): void {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(packageRoot, name), "utf8"));
  const lock = read("package-lock.json") as Lock;
  const manifest = read("package.json") as Manifest;
  const problems = [...lockProblems(lock), ...manifestProblems(manifest), ...scriptProblems(lock, manifest)];
  const audited = audit();
  if ("problems" in audited) problems.push(...audited.problems);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log(
    `${Object.keys(lock.packages ?? {}).length - 1} packages, all from the registry, each with its SHA-512`,
  );
  for (const [name, why] of Object.entries(KNOWN_SCRIPTS))
    console.log(`${name}'s install script is off: ${why}`);
  if ("unasked" in audited) console.log(`NOT audited: the registry gave no report (${audited.unasked})`);
  else console.log("npm audit --omit=dev: no high finding that could be reached");
  for (const [id, why] of Object.entries(UNREACHABLE)) console.log(`${id} cannot be reached: ${why}`);
}

if (process.argv[1] === import.meta.filename) main();
