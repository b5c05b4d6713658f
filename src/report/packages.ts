// Where the packages lie that the report's pages are made with: beside this one, or above it when it is installed.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../workspace.ts";

/** A package in a `node_modules`. */
export interface InstalledPackage {
  readonly name: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly version: string;
}

/** Looks as Node would from a file in `from`; null when the package is not there. */
export function findPackage(name: string, from: string = packageRoot): InstalledPackage | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    const manifest = join(found, "package.json");
    if (existsSync(manifest)) {
      const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
      return { name, folder: found, version };
    }
    if (dirname(folder) === folder) return null;
  }
}

/** {@link findPackage} for one that the report cannot do without. */
export function requirePackage(name: string, from?: string): InstalledPackage {
  const found = findPackage(name, from);
  if (found === null) {
    throw new Error(`the package ${name} is not installed: run npm ci (or npm install decision-bench) again`);
  }
  return found;
}
