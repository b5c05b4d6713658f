// What the SQL console of the site needs: DuckDB compiled for browsers, and the report's database. The package is
// optional; without it the site is built all the same, and the page says so.
import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleModule } from "./npm-cache.ts";
import { findPackage } from "./packages.ts";
import type { FileSource } from "./site-files.ts";

const PACKAGE = "@duckdb/duckdb-wasm";
/** The build for browsers with WebAssembly exceptions, which all present ones have; it runs in one thread. */
const COPIED = ["duckdb-eh.wasm", "duckdb-browser-eh.worker.js"];

/** Whether the site gets a console. */
export function hasConsole(): boolean {
  return findPackage(PACKAGE) !== null;
}

/** Puts the engine and the database into the folder; nothing when the package is not installed. */
export async function writeConsole({ workshop, notify }: FileSource, folder: string): Promise<void> {
  const found = findPackage(PACKAGE);
  if (found === null) {
    notify(`${PACKAGE} is not installed: the site has no SQL console`);
    return;
  }
  for (const name of COPIED) copyFileSync(join(found.folder, "dist", name), join(folder, name));
  await bundleModule(PACKAGE, dirname(dirname(found.folder)), join(folder, "duckdb.js"));
  copyFileSync(workshop.database, join(folder, "bench.duckdb"));
}
