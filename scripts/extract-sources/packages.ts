// Fetches the packages that the corpus takes facts from, at exact versions, into a scratch folder outside the
// project: no install script runs, and nothing of them is ever committed but the facts.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { execaSync } from "execa";

/** A package at an exact version, with the licence it must still state. */
export interface PackageReference {
  readonly registry: "npm" | "debian";
  readonly package: string;
  readonly version: string;
  readonly license: string;
}

/** An unpacked package. */
export interface UnpackedPackage {
  /** Digest of the package file: npm's own `sha512-…`, or `sha256-…` in hex of the .deb. */
  readonly integrity: string;
  /** Reads a JSON file of the package. */
  json(file: string): unknown;
  text(file: string): string;
  /** Reads a text file that the package holds compressed by gzip. */
  gunzipped(file: string): string;
  /** Loads the package's main module, or one of its files. */
  load(file?: string): Promise<Record<string, unknown>>;
}

/** Installs all npm packages of the list in one go. */
export function installNpm(references: readonly PackageReference[], scratch: string): void {
  mkdirSync(scratch, { recursive: true });
  const dependencies = Object.fromEntries(
    references.filter((r) => r.registry === "npm").map((r) => [r.package, r.version]),
  );
  writeFileSync(join(scratch, "package.json"), JSON.stringify({ private: true, dependencies }));
  // Packages that are only read need not go together.
  execaSync("npm", ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"], {
    cwd: scratch,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Opens one installed package and checks that version and licence are the expected ones. */
export function openPackage(reference: PackageReference, scratch: string): UnpackedPackage {
  return reference.registry === "npm" ? openNpm(reference, scratch) : openDebian(reference, scratch);
}

function openNpm(reference: PackageReference, scratch: string): UnpackedPackage {
  const folder = join(scratch, "node_modules", reference.package);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  for (const field of ["version", "license"] as const) {
    if (manifest[field] !== reference[field]) {
      throw new Error(`${reference.package}: ${field} is ${manifest[field]}, expected ${reference[field]}`);
    }
  }
  const lock = JSON.parse(readFileSync(join(scratch, "package-lock.json"), "utf8")) as {
    packages: Record<string, { integrity?: string }>;
  };
  const integrity = lock.packages[`node_modules/${reference.package}`]?.integrity;
  if (integrity === undefined) throw new Error(`${reference.package} has no digest in the lock file`);
  const require = createRequire(join(scratch, "package.json"));
  return {
    ...reader(folder),
    integrity,
    async load(file) {
      const path = file === undefined ? require.resolve(reference.package) : join(folder, file);
      const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
      return module;
    },
  };
}

function openDebian(reference: PackageReference, scratch: string): UnpackedPackage {
  const folder = join(scratch, "debian", reference.package);
  mkdirSync(folder, { recursive: true });
  execaSync("apt-get", ["download", `${reference.package}=${reference.version}`], { cwd: folder });
  const file = readdirSync(folder).find((name) => name.endsWith(".deb"));
  if (file === undefined) throw new Error(`${reference.package}: no package file was downloaded`);
  const root = join(folder, "root");
  execaSync("dpkg", ["-x", join(folder, file), root]);
  const digest = createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex");
  return {
    ...reader(root),
    integrity: `sha256-${digest}`,
    load: () => Promise.reject(new Error(`${reference.package}: a Debian package is read, not loaded`)),
  };
}

function reader(folder: string): Pick<UnpackedPackage, "json" | "text" | "gunzipped"> {
  const text = (file: string): string => readFileSync(join(folder, file), "utf8");
  return {
    text,
    json: (file) => JSON.parse(text(file)),
    gunzipped: (file) => gunzipSync(readFileSync(join(folder, file))).toString("utf8"),
  };
}
