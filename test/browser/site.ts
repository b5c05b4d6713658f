// What the tests of the pages ask of a page that is shown.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, inject } from "vitest";
import { bench } from "../support/bench.ts";
import { SiteBrowser } from "../support/browser.ts";
import type { SiteName } from "./sites.ts";

export const PAGES = [
  "",
  "compare.html",
  "calibration.html",
  "tasks.html",
  "cost.html",
  "rows.html",
  "sql.html",
  "protocol.html",
] as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const opened = new Map<SiteName, Promise<SiteBrowser>>();

/** The site in a browser of its own, which is closed after the tests of the file. */
export function siteOf(name: SiteName): Promise<SiteBrowser> {
  let site = opened.get(name);
  if (site === undefined) {
    site = SiteBrowser.open(inject("sites")[name].site);
    opened.set(name, site);
  }
  return site;
}

afterAll(async () => {
  for (const site of opened.values()) await (await site).close();
  opened.clear();
});

/** What `bench sql` says about the workspace of a site. */
export async function ask(name: SiteName, sql: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await bench(inject("sites")[name].root, ["sql", "--format", "json", sql]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

/** What axe finds that keeps people from reading a page. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    type Finding = { id: string; impact: string | null; nodes: { html: string }[] };
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: Finding[] }> } };
    const found = await axe.run();
    return found.violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  });
}

/** The texts of the cells of a table's row, by its key; those of its columns are in their order. */
export async function cellsOf(page: Page, figure: string, key: string): Promise<string[]> {
  const line = page.locator(`${figure} tr[data-key=${JSON.stringify(key)}]`);
  return await line.locator("th, td").allTextContents();
}

/** How it changes when something is chosen: waits until the drawing is another one, and gives the new one. */
export async function redrawn(page: Page, drawing: string, choose: () => Promise<unknown>): Promise<string> {
  const element = page.locator(drawing).first();
  const before = await element.innerHTML();
  await choose();
  const end = performance.now() + 10_000;
  for (;;) {
    const now = await element.innerHTML();
    if (now !== before) return now;
    if (performance.now() > end) throw new Error(`${drawing} has not changed in 10 s`);
    await page.waitForTimeout(30);
  }
}
