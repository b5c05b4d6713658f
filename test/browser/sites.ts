// The sites that the tests of the pages look at, built once, before them, without a network.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { makePublishedSet } from "../../bench/published-set.ts";
import { packageRoot } from "../../src/workspace.ts";
import { writeMixedWorkspace } from "../support/mixed-workspace.ts";
import { benchOffline } from "../support/offline.ts";

/** A workspace and the folder of its site. */
export interface BuiltSite {
  readonly root: string;
  readonly site: string;
  /** How long the build took. */
  readonly seconds: number;
}

/** What a site is of: see the places where they are made. */
export type SiteName = "own" | "twenty" | "one" | "mixed" | "empty" | "forty" | "large";

declare module "vitest" {
  interface ProvidedContext {
    sites: Readonly<Record<SiteName, BuiltSite>>;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "bench-sites-"));
  const twenty = makePublishedSet({ rows: 1071, tasks: 36, categories: 11, results: 20 });
  const forty = makePublishedSet({ rows: 1071, tasks: 36, categories: 11, results: 40 });
  const large = makePublishedSet({ rows: 10_000, tasks: 60, categories: 12, results: 4 });
  const roots: Readonly<Record<SiteName, string>> = {
    own: packageRoot,
    twenty: twenty.root,
    one: oneResult(join(folder, "one"), twenty.root),
    mixed: mixed(join(folder, "mixed")),
    empty: empty(join(folder, "empty")),
    forty: forty.root,
    large: large.root,
  };
  const sites = Object.fromEntries(
    Object.entries(roots).map(([name, root]) => {
      const site = join(folder, "sites", name);
      const from = performance.now();
      const more = name === "mixed" ? ["--include-runs"] : [];
      const isolation = benchOffline(root, ["report", "build", "--out", site, ...more]);
      const seconds = (performance.now() - from) / 1000;
      process.stdout.write(`report of ${name} built in ${seconds.toFixed(1)} s (network: ${isolation})\n`);
      return [name, { root, site, seconds }];
    }),
  ) as Record<SiteName, BuiltSite>;
  project.provide("sites", sites);
  return () => {
    twenty.remove();
    forty.remove();
    large.remove();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The same corpus with the first of its results. */
function oneResult(root: string, from: string): string {
  cpSync(from, root, { recursive: true });
  const results = join(root, "results", "pairs");
  for (const model of readdirSync(results).sort().slice(1)) {
    rmSync(join(results, model), { recursive: true });
  }
  return root;
}

function mixed(root: string): string {
  mkdirSync(root, { recursive: true });
  return writeMixedWorkspace(root).root;
}

/** A workspace as the README begins one. */
function empty(root: string): string {
  mkdirSync(join(root, "data", "corpus"), { recursive: true });
  writeFileSync(join(root, "data", "corpus", "current.json"), "{}");
  return root;
}
