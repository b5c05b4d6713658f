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

/** The cells of a table by the keys of its rows and the labels of its columns; the row's heading is called "". */
export async function tableOf(
  page: Page,
  figure: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const rows = await page.locator(`${figure} tbody tr[data-key]`).evaluateAll((all) =>
    all.map((row) => {
      const cells = [...row.children].map((cell): [string, string] => [
        (cell as HTMLElement).dataset.label ?? "",
        cell.textContent ?? "",
      ]);
      return [(row as HTMLElement).dataset.key ?? "", Object.fromEntries(cells)] as const;
    }),
  );
  return new Map(rows);
}

/** Opens all tables of a page, and shows all of their rows. */
export async function openTables(page: Page): Promise<void> {
  for (const details of await page.locator("figure > details").all()) {
    if ((await details.getAttribute("open")) === null) await details.locator("> summary").click();
  }
  const more = page.locator("button.more:visible");
  while ((await more.count()) > 0) await more.first().click();
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
