// Observable Framework fetches what a page names with `npm:` from a content network, and looks up a version of every
// package that its own client code mentions, even for a page of plain text. It asks a folder first; here that folder
// is filled from the installed packages, so that a build opens no connection.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { requirePackage } from "./packages.ts";

/** What the pages load. Everything else is only named, and never asked for. */
const LOADED = ["htl", "@observablehq/plot", "apache-arrow"];

/** The part of esbuild, which Framework brings along, that is used here. */
interface Esbuild {
  readonly build: (options: Record<string, unknown>) => Promise<unknown>;
}

/**
 * Fills `.observablehq/cache/_npm` of a folder of pages.
 *
 * @param pages absolute path of the folder.
 */
export async function fillNpmCache(pages: string): Promise<void> {
  const framework = requirePackage("@observablehq/framework");
  const cache = join(pages, ".observablehq", "cache", "_npm");
  for (const name of namesIn(join(framework.folder, "dist", "client"))) {
    if (!LOADED.includes(name)) mkdirSync(join(cache, `${name}@0.0.0`), { recursive: true });
  }
  await Promise.all(
    LOADED.map(async (name) => {
      const { folder, version } = requirePackage(name);
      await bundleModule(name, dirname(folder), join(cache, `${name}@${version}`, "_esm.js"));
    }),
  );
}

/**
 * Makes one module for browsers of a package and all that it imports.
 *
 * @param from absolute path of a folder from which Node would find the package.
 * @param outfile absolute path of the module.
 */
export async function bundleModule(name: string, from: string, outfile: string): Promise<void> {
  const framework = requirePackage("@observablehq/framework");
  const { build } = createRequire(join(framework.folder, "package.json"))("esbuild") as Esbuild;
  mkdirSync(dirname(outfile), { recursive: true });
  await build({
    stdin: { contents: `export * from ${JSON.stringify(name)};`, resolveDir: from },
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    outfile,
    logLevel: "silent",
  });
}

/** The packages that the client code names, without their paths. */
function namesIn(client: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of readdirSync(client, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const text = readFileSync(join(client, file), "utf8");
    for (const [, name = ""] of text.matchAll(/["']npm:((?:@[^/"']+\/)?[^/"'@]+)/g)) names.add(name);
  }
  return names;
}
