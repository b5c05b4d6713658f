// A row and a model whose texts are HTML, scripts, Markdown, marks that turn the direction of writing, and 20,000 characters
// without a space: everywhere they are text, and nothing else.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { HOSTILE, HOSTILE_ROW, HOSTILE_TEXT } from "../support/mixed-workspace.ts";
import { openTables, PAGES, siteOf } from "./site.ts";

/** Signs that something was taken for more than text. */
async function taken(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const main = document.querySelector("#observablehq-main") as HTMLElement;
    const found: string[] = [];
    if ("hostile" in globalThis) found.push("a script of it ran");
    if (main.querySelector('img[src="x"], b.hostile, [onerror]') !== null)
      found.push("its HTML became elements");
    for (const link of main.querySelectorAll("a"))
      if (/^javascript:/i.test(link.getAttribute("href") ?? "")) found.push("its link became one");
    for (const strong of main.querySelectorAll("strong, em"))
      if (strong.textContent === "strong") found.push("its Markdown became elements");
    return found;
  });
}

const ADDRESSES = [
  ...PAGES,
  `rows.html?row=${HOSTILE_ROW}`,
  "rows.html?task=A-1",
  "compare.html?a=tiny/hostile&b=tiny/ahead",
  "calibration.html?model=tiny/hostile",
  "tasks.html?model=tiny/hostile&task=A-1",
];

test.each(ADDRESSES)("%s holds it as text", async (path) => {
  for (const width of [375, 1440]) {
    const { page, problems, close } = await (await siteOf("mixed")).show(path, { width, scheme: "light" });
    await openTables(page);
    expect(await taken(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(problems).toEqual([]);
    await close();
  }
});

test("the row shows state, label, title, source and raw output, every character of them", async () => {
  const { page, problems, close } = await (await siteOf("mixed")).show(`rows.html?row=${HOSTILE_ROW}`);
  // Characters that nobody sees are written out, in brackets of their own.
  const seen = (text: string): string =>
    text.replace(
      /[\u202c\u202e\u2067\u2069]/g,
      (mark) => `U+${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const main = page.locator("#observablehq-main");
  expect(await main.locator("h2").first().textContent()).toBe(
    `${HOSTILE.html}${HOSTILE.script}${HOSTILE.markdown}`,
  );
  const evidence = await main.locator('pre[aria-label="Evidence"]').textContent();
  expect(evidence).toContain("x".repeat(20_000));
  expect(evidence).toContain("</script><script>");
  expect(await main.locator("ol.options").textContent()).toContain(`${HOSTILE.html}${HOSTILE.script}`);
  expect(await main.textContent()).toContain("javascript:globalThis.hostile=true");

  const answer = main.locator('tr[data-key="tiny/hostile"]');
  await answer.locator("summary").click();
  await expect.poll(() => answer.locator("pre").first().textContent()).toBe(seen(HOSTILE_TEXT));
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(1440);
  expect(await taken(page)).toEqual([]);
  expect(problems).toEqual([]);
  await close();
});

test("the name of a model does not turn the sentence around it", async () => {
  const { page, close } = await (await siteOf("mixed")).show("compare.html?a=tiny/hostile&b=tiny/ahead");
  const text = (await page.locator("#observablehq-main").textContent()) ?? "";
  expect(text).toContain("<b>bold</b>");
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await close();
});
