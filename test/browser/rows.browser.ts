// The page of the rows: found, filtered, opened, left again, and never in the reader's way.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ask, siteOf, tableOf } from "./site.ts";

test("one row shows what a model saw, what is right, and what every result answered, as bench sql says it", async () => {
  const row = "row-0000100";
  const answers = await ask(
    "twenty",
    `SELECT run_id, label, status, correct, confidence FROM answers WHERE row_id = '${row}' ORDER BY run_id`,
  );
  expect(answers).toHaveLength(20);
  const [texts] = await ask(
    "twenty",
    `SELECT t.instructions, t.provenance, c.gold, c.task, [o.label FOR o IN c.options] AS labels
     FROM corpus_texts t JOIN corpus_rows c USING (row_id) WHERE row_id = '${row}'`,
  );
  const { page, problems, close } = await (await siteOf("twenty")).show(`rows.html?row=${row}`);
  const table = await tableOf(page, "#answers");
  for (const answer of answers) {
    const cells = table.get(String(answer.run_id));
    expect(cells?.Answer).toBe(answer.label === null ? "–" : String(answer.label));
    expect(cells?.Outcome).toContain(
      answer.correct === true ? "right" : answer.status === "ok" ? "wrong" : "no valid",
    );
    expect(cells?.Confidence).toBe(
      answer.confidence === null ? "–" : `${(Number(answer.confidence) * 100).toFixed(1)} %`,
    );
  }
  const labels = await page.locator("ol.options li strong").allTextContents();
  expect(labels).toEqual(texts?.labels);
  expect(await page.locator("ol.options li.right strong").allTextContents()).toEqual([texts?.gold]);
  const main = await page.locator("#observablehq-main").textContent();
  expect(main).toContain(String(texts?.instructions));
  expect(main).toContain(String(texts?.provenance));
  expect(problems).toEqual([]);
  await close();
});

test("a picture is shown", async () => {
  const { page, problems, close } = await (await siteOf("mixed")).show("rows.html?row=b-1-1");
  const picture = page.locator("figure.picture img");
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(24);
  expect(await picture.getAttribute("alt")).toBe("Picture of b-1-1");
  expect(problems).toEqual([]);
  await close();
});

test("a search leaves the rows that hold all words; a row opens, its neighbour follows, and back leads back", async () => {
  const site = await siteOf("twenty");
  const { page, problems, close } = await site.show("rows.html");
  await page.locator("input[name=q]").fill("row-00001");
  const status = page.locator(".rows-status");
  await expect.poll(() => status.textContent()).toBe("100 of 1,071 rows");
  await page.locator('tr[data-key="row-0000105"] a').first().click();
  await expect.poll(() => page.locator("h2").first().textContent()).toBe("Row 105");
  expect(page.url()).toContain("row=row-0000105");
  // Opening moves the focus to the heading, so that a screen reader says it.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
  await page.locator('nav [data-go="next"]').first().focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("h2").first().textContent()).toBe("Row 106");
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.go)).toBe("next");
  await page.goBack();
  await expect.poll(() => page.locator("h2").first().textContent()).toBe("Row 105");
  await page.goBack();
  await expect.poll(() => page.locator("tr[data-key]").count()).toBe(100);
  await expect.poll(() => status.textContent()).toBe("100 of 1,071 rows");
  const unknown = await site.show("rows.html?row=nowhere");
  expect(await unknown.page.locator("#observablehq-main").textContent()).toContain(
    "no row with the id nowhere",
  );
  expect(problems).toEqual([]);
  await unknown.close();
  await close();
});

test("rows that a result has wrong are those of bench sql", async () => {
  const [wanted] = await ask(
    "twenty",
    "SELECT count(*) FILTER (WHERE NOT correct AND status = 'ok') AS wrong, count(*) FILTER (WHERE status <> 'ok') AS none FROM answers WHERE run_id = 'pairs/model-07'",
  );
  const site = await siteOf("twenty");
  for (const outcome of ["wrong", "none"]) {
    const { page, close } = await site.show(`rows.html?model=pairs/model-07&outcome=${outcome}`);
    expect(await page.locator(".rows-status").textContent()).toBe(`${wanted?.[outcome]} of 1,071 rows`);
    await close();
  }
});

/** Tasks over 50 ms since the page began, in ms. */
async function longTasks(page: Page): Promise<number[]> {
  return await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks);
}

test.each(["twenty", "large"] as const)(
  "the rows of %s: no task over 200 ms while one scrolls, types, pages and opens",
  async (name) => {
    const site = await siteOf(name);
    const { page, problems, close } = await site.blank();
    await page.addInitScript(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { longTasks: tasks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: "longtask", buffered: true });
    });
    await page.goto(`${site.address}/rows.html`, { waitUntil: "networkidle" });
    const loading = await longTasks(page);
    const scroll = async (): Promise<void> => {
      for (let i = 0; i < 25; i += 1) {
        await page.mouse.wheel(0, 500);
        await page.waitForTimeout(20);
      }
    };
    await page.mouse.move(700, 500);
    await scroll();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(800);
    await page.locator('nav [data-go="next"]').first().click();
    await scroll();
    await page.locator("input[name=q]").pressSequentially("row 77", { delay: 40 });
    await page.waitForTimeout(400);
    await page.locator("tr[data-key] a").first().click();
    await page.locator("#answers").waitFor();
    await scroll();
    const next = page.locator('nav [data-go="next"]').first();
    for (let i = 0; i < 5; i += 1) {
      const title = await page.locator("h2").first().textContent();
      await next.click();
      await expect.poll(() => page.locator("h2").first().textContent()).not.toBe(title);
    }
    const all = await longTasks(page);
    const longest = Math.max(0, ...all);
    process.stdout.write(
      `rows of ${name}: ${all.length} tasks over 50 ms (${loading.length} while loading), the longest ${longest.toFixed(0)} ms\n`,
    );
    expect(longest).toBeLessThanOrEqual(200);
    expect(problems).toEqual([]);
    await close();
  },
);
