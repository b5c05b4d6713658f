// Every page, of every kind of site: it draws, without an error, without another host, for everybody, at every width.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/workspace.ts";
import { PAGES, siteOf, violations } from "./site.ts";
import type { SiteName } from "./sites.ts";

const screenshots = join(packageRoot, "dist", "screenshots");
mkdirSync(screenshots, { recursive: true });

/** Page → how many figures with a drawing it has when there are several full results with probabilities. */
const FIGURES: Readonly<Record<(typeof PAGES)[number], readonly string[]>> = {
  "": ["ranking"],
  "compare.html": ["difference", "tasks"],
  "calibration.html": ["overview", "reliability", "risk"],
  "tasks.html": ["map", "confusion", "positions"],
  "cost.html": ["cost", "speed"],
  "rows.html": [],
  "sql.html": [],
  "protocol.html": [],
};

const nameOf = (path: string): string => (path === "" ? "index" : path.replace(".html", ""));

test.each(PAGES)(
  "%j of twenty results draws its charts, each with a caption, n, SQL and a table",
  async (path) => {
    const { page, problems, close } = await (await siteOf("twenty")).show(path);
    for (const id of FIGURES[path]) {
      const figure = page.locator(`figure#${id}`);
      expect(await figure.locator(".drawing svg").count(), id).toBeGreaterThan(0);
      const caption = await figure.locator("figcaption").first().textContent();
      expect(caption, id).toMatch(/\bn = /);
      expect(await figure.locator("figcaption .sql a").count(), id).toBeGreaterThan(0);
      await figure
        .locator("details")
        .first()
        .evaluate((details) => details.setAttribute("open", ""));
      await expect.poll(() => figure.locator("details table tbody tr").count()).toBeGreaterThan(0);
    }
    expect(problems).toEqual([]);
    await close();
  },
);

test.each(PAGES)("%j fits its width and can be read by everybody, in light and dark", async (path) => {
  for (const width of [375, 1440]) {
    for (const scheme of ["light", "dark"] as const) {
      const { page, problems, close } = await (await siteOf("own")).show(path, { width, scheme });
      expect(await violations(page), `${path} ${width} ${scheme}`).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await page.screenshot({
        path: join(screenshots, `${nameOf(path)}-${width}-${scheme}.png`),
        fullPage: true,
      });
      expect(problems).toEqual([]);
      await close();
    }
  }
});

const OTHERS: readonly SiteName[] = ["empty", "one", "mixed", "forty", "large"];
const cases = OTHERS.flatMap((name) => PAGES.map((path) => [name, path] as const));

test.each(cases)("the site of %s: page %j can be used", async (name, path) => {
  const site = await siteOf(name);
  for (const width of [375, 1440]) {
    const { page, problems, close } = await site.show(path, { width, scheme: "light" });
    expect((await page.locator("#observablehq-main").textContent())?.length).toBeGreaterThan(40);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    if (width === 1440) expect(await violations(page)).toEqual([]);
    await page.screenshot({
      path: join(screenshots, `${name}-${nameOf(path)}-${width}.png`),
      fullPage: true,
    });
    expect(problems).toEqual([]);
    await close();
  }
});

test("the published site shows the two baselines", async () => {
  const { page, close } = await (await siteOf("own")).show("");
  expect(await page.locator("#ranking tr.floor").count()).toBe(2);
  await close();
});
