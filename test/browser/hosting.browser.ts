// What docs/publishing.md promises to whoever hosts the site: it works below a path, and under the policy that is named there.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { packageRoot } from "../../src/workspace.ts";
import { SiteBrowser } from "../support/browser.ts";
import { PAGES } from "./site.ts";

const { site } = inject("sites").own;
const below = basename(site);
const policy = /^ *(default-src 'none'; .*)$/m.exec(
  readFileSync(join(packageRoot, "docs", "publishing.md"), "utf8"),
)?.[1];

let host: SiteBrowser;
beforeAll(async () => {
  expect(policy).toBeDefined();
  host = await SiteBrowser.open(dirname(site), { "content-security-policy": policy ?? "" });
});
afterAll(() => host.close());

test("every page is drawn, its links lead somewhere, and all that it asks for lies below its path", async () => {
  const links = new Set<string>();
  for (const name of PAGES) {
    const { page, problems, close } = await host.blank();
    const outside: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!/^(?:data|blob):/.test(url) && !url.startsWith(`${host.address}/${below}/`)) outside.push(url);
    });
    await page.goto(`${host.address}/${below}/${name}`, { waitUntil: "networkidle" });
    expect(await page.locator("main figure, main table, main form").count(), name).toBeGreaterThan(0);
    for (const link of await page.locator("a[href]").all()) {
      links.add(await link.evaluate((one) => (one as HTMLAnchorElement).href.split("#")[0] ?? ""));
    }
    expect([...problems, ...outside], name).toEqual([]);
    await close();
  }
  expect(links.size).toBeGreaterThan(100);
  for (const link of links) {
    expect(link.startsWith(`${host.address}/${below}/`), link).toBe(true);
    expect((await fetch(link)).status, link).toBe(200);
  }
});

test("a row shows its picture, and the SQL page answers", async () => {
  const { page, problems, close } = await host.blank();
  await page.goto(`${host.address}/${below}/rows.html?modality=image`, { waitUntil: "networkidle" });
  await page.locator("main a[href*='row=']").first().click();
  const picture = page.locator("main img").first();
  await picture.waitFor();
  await expect
    .poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await page.goto(`${host.address}/${below}/sql.html`, { waitUntil: "networkidle" });
  await page.locator("textarea[name=q]").fill("SELECT count(*) AS n FROM corpus_rows");
  await page.locator(".console button[type=submit]").click();
  await page.locator('.console .status[data-state="ready"]').first().waitFor({ timeout: 60_000 });
  expect(await page.locator(".console .output tbody tr").first().textContent()).toContain("1043");
  expect(problems).toEqual([]);
  await close();
});
