// What a reader can choose: it changes what is drawn, stands in the address, and is there again for whoever opens it.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTables, PAGES, redrawn, siteOf, tableOf } from "./site.ts";

/** Where everything is that depends on a choice; the controls change with it by themselves. */
async function drawn(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const main = document.querySelector("#observablehq-main")?.cloneNode(true) as HTMLElement;
    for (const control of main.querySelectorAll(".controls")) control.remove();
    return main.innerHTML;
  });
}

/** Waits until what is drawn is another than before, and still. */
async function changed(page: Page, before: string): Promise<string> {
  const end = performance.now() + 10_000;
  let last = before;
  for (;;) {
    await page.waitForTimeout(60);
    const now = await drawn(page);
    if (now !== before && now === last) return now;
    if (performance.now() > end) throw new Error("nothing has changed in 10 s");
    last = now;
  }
}

/** Options of a list that are tried; of long ones the first and the last. */
const TRIED = 5;

// The console has no choices that stand in the address, the others none at all.
const CHOOSING = PAGES.filter((path) => !["cost.html", "sql.html", "protocol.html"].includes(path));

test.each(CHOOSING)(
  "every list and every box of %j changes what is drawn, and the address brings it back",
  async (path) => {
    const site = await siteOf("mixed");
    const { page, problems, close } = await site.show(path);
    const names = await page
      .locator("#observablehq-main .controls select")
      .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).name));
    let tried = 0;
    for (const name of names) {
      const list = page.locator(`.controls select[name="${name}"]`);
      // An outcome can be chosen once a model is.
      if (!(await list.isVisible()) || !(await list.isEnabled())) continue;
      const options = await list.evaluate((one) =>
        [...(one as HTMLSelectElement).options].map(({ value }) => value),
      );
      const current = await list.inputValue();
      const others = options.filter((value) => value !== current);
      for (const value of others.length > TRIED
        ? [...others.slice(0, TRIED - 1), others.at(-1) ?? ""]
        : others) {
        const before = await drawn(page);
        await list.selectOption(value);
        const now = await changed(page, before).catch(() => {
          throw new Error(`${path}: ${name}=${value} changes nothing`);
        });
        tried += 1;
        if (value !== others.at(-1)) continue;
        const address = page.url().slice(site.address.length + 1);
        expect(address, `${name}=${value}`).toContain("?");
        const again = await site.show(address);
        expect(await again.page.locator(`.controls select[name="${name}"]`).inputValue()).toBe(value);
        await expect.poll(() => drawn(again.page), { message: `${path}: ${name}=${value}` }).toBe(now);
        await again.close();
      }
      const before = await drawn(page);
      await list.selectOption(current);
      if (others.length > 0) await changed(page, before);
    }
    const boxes = page.locator('#observablehq-main .controls input[type="checkbox"]');
    for (let i = 0; i < (await boxes.count()); i += 1) {
      const before = await drawn(page);
      await boxes.nth(i).check();
      const ticked = await changed(page, before);
      await boxes.nth(i).uncheck();
      await changed(page, ticked);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(2);
    expect(problems).toEqual([]);
    await close();
  },
);

test("a box is reached and ticked by keyboard alone, and a drawing follows", async () => {
  const { page, close } = await (await siteOf("mixed")).show("");
  await redrawn(page, "#ranking .drawing", async () => {
    for (let i = 0; i < 60; i += 1) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name);
      if (name === "provider") break;
    }
    await page.keyboard.press("Space");
  });
  expect(page.url()).toContain("provider=baseline");
  await close();
});

test("another prompt, partial results and floors stand apart", async () => {
  const { page, close } = await (await siteOf("mixed")).show("");
  const keys = async (figure: string): Promise<string[]> =>
    await page
      .locator(`${figure} tbody tr`)
      .evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.key ?? ""));
  expect(await keys("#ranking")).toEqual(
    ["ahead", "hostile", "second", "free", "floor"].map((id) => `tiny/${id}`),
  );
  expect(await keys("#ranking-2")).toEqual(["tiny/other-prompt"]);
  expect(await keys("#partial")).toEqual(["tiny/half"]);
  expect(await keys("#local")).toEqual(["unpublished"]);
  expect(await page.locator("#ranking tr.floor").count()).toBe(1);
  const partial = await page.locator("#partial thead th").allTextContents();
  expect(partial).not.toContain("Rank");
  await close();
});

test("what is not ranked with the others is named as what it is on every page that lists all results", async () => {
  const site = await siteOf("mixed");
  const names = async (page: Page, rows: string): Promise<string[]> =>
    await page
      .locator(rows)
      .evaluateAll((all) => [...new Set(all.map(({ textContent }) => textContent ?? ""))]);
  const apart = ["other prompt: Model other-prompt", "partial: Model half", "unpublished (local)"];
  for (const [path, list] of [
    ["tasks.html", "select[name=model] option"],
    ["calibration.html", "#overview tbody th[scope=row]"],
    ["cost.html", "#speed tbody th[scope=row]"],
    ["rows.html", "select[name=model] option"],
    ["compare.html", "select[name=a] option"],
  ] as const) {
    const { page, close } = await site.show(path);
    await openTables(page);
    const listed = await names(page, list);
    expect(
      listed.filter((name) => name.includes(": ")),
      path,
    ).toHaveLength(2);
    expect(listed, path).toEqual(expect.arrayContaining(apart));
    // They stand behind those that are ranked; cost and speed are ordered by amounts.
    if (path !== "cost.html") expect(listed.slice(-3), path).toEqual(apart);
    await close();
  }
});

test("a rank is the same on the leaderboard and where two are compared", async () => {
  const site = await siteOf("mixed");
  const ranks = new Map<string, string | undefined>();
  const board = await site.show("");
  for (const figure of ["#ranking", "#ranking-2"])
    for (const [key, cells] of await tableOf(board.page, figure)) ranks.set(key, cells.Rank);
  await board.close();
  const { page, close } = await site.show("compare.html?a=tiny/other-prompt&b=tiny/floor");
  const sides = await tableOf(page, "#sides");
  expect([...sides].map(([key, cells]) => [key, cells.Rank])).toEqual(
    ["tiny/other-prompt", "tiny/floor"].map((key) => [key, ranks.get(key)]),
  );
  expect(ranks.get("tiny/other-prompt")).toBe("1");
  await close();
});

test("floors stay as lines when another provider is chosen, and stand beside another prompt", async () => {
  const { page, close } = await (await siteOf("mixed")).show("?provider=typesafe&provider=laya");
  for (const [figure, key] of [
    ["#ranking", "tiny/second"],
    ["#ranking-2", "tiny/other-prompt"],
  ] as const) {
    expect(await page.locator(`${figure} tbody tr`).count()).toBe(1);
    expect(await page.locator(`${figure} tr[data-key="${key}"]`).count()).toBe(1);
    expect(
      await page
        .locator(`${figure} .drawing line[stroke-dasharray], ${figure} .drawing g[stroke-dasharray] line`)
        .count(),
    ).toBe(1);
    expect(await page.locator(`${figure} figcaption`).textContent()).toContain("Model floor 34.7 %");
  }
  await close();
});

/** Presses Tab until an element is in focus; says so when it never is. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 150; i += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`${selector} was not reached by 150 tabs`);
}

test("models are chosen and swapped, rows are found and opened, and SQL is run, by keyboard alone", async () => {
  const site = await siteOf("mixed");
  const compare = await site.show("compare.html");
  await tabTo(compare.page, "select[name=b]");
  const before = await drawn(compare.page);
  await compare.page.keyboard.press("ArrowDown");
  const chosen = await changed(compare.page, before);
  await tabTo(compare.page, "button.swap");
  await compare.page.keyboard.press("Enter");
  await changed(compare.page, chosen);
  await compare.close();

  const rows = await site.show("rows.html");
  await tabTo(rows.page, "input[name=q]");
  await rows.page.keyboard.type("b-1-3");
  await expect.poll(() => rows.page.locator("tr[data-key]").count()).toBe(1);
  await tabTo(rows.page, "tr[data-key] a");
  await rows.page.keyboard.press("Enter");
  await expect.poll(() => rows.page.url()).toContain("row=b-1-3");
  await tabTo(rows.page, "#answers summary");
  await rows.page.keyboard.press("Enter");
  await expect.poll(() => rows.page.locator("#answers details[open] pre").count()).toBe(1);
  await rows.close();

  const sql = await site.show("sql.html");
  await tabTo(sql.page, "textarea[name=q]");
  await sql.page.keyboard.press("Control+A");
  await sql.page.keyboard.type("SELECT 6 * 7 AS answer");
  await sql.page.keyboard.press("Control+Enter");
  await expect
    .poll(() => sql.page.locator(".console .output tbody").textContent(), { timeout: 60_000 })
    .toBe("42");
  await sql.close();
});

test("what an address says and the report does not have is the default, in the controls and in what is drawn", async () => {
  const site = await siteOf("mixed");
  for (const [path, query] of [
    ["", "category=zzz&modality=zzz&sent=2&provider=zzz"],
    ["rows.html", "position=99&task=zzz&model=zzz&page=1e9"],
  ]) {
    const usual = await site.show(path ?? "");
    const odd = await site.show(`${path}?${query}`);
    const [want, have] = [usual, odd].map(({ page: one }) => one.locator("#observablehq-main").textContent());
    expect(await have).toBe(await want);
    for (const { problems, close } of [usual, odd]) {
      expect(problems).toEqual([]);
      await close();
    }
  }
});

test("a choice made while another one is loaded takes nothing away from it", async () => {
  const { page, close } = await (await siteOf("mixed")).show("tasks.html");
  await page.route("**/_file/confusions/**", async (route) => {
    await page.waitForTimeout(500);
    await route.continue();
  });
  await redrawn(page, "#confusion h2", async () => {
    await page.locator('.controls select[name="task"]').selectOption({ index: 2 });
    await page.locator('.controls select[name="sort"]').selectOption({ index: 1 });
  });
  await close();
});

test("where the figures of a filter cannot be loaded, those of another one do not stay", async () => {
  const { page, close } = await (await siteOf("mixed")).show("");
  await page.route("**/_file/data/slices.*", (route) => route.abort());
  await page.locator('.controls select[name="category"]').selectOption({ index: 1 });
  await page.locator(".nothing", { hasText: "fetch" }).waitFor();
  expect(await page.locator("#ranking").count()).toBe(0);
  await page.locator('.controls select[name="category"]').selectOption({ index: 0 });
  await page.locator("#ranking").waitFor();
  await close();
});

test("words are not lost when something is chosen right after them", async () => {
  const { page, close } = await (await siteOf("mixed")).show("rows.html");
  await page.evaluate(() => {
    const [words, list] = ["input[name=q]", "select[name=modality]"].map((one) =>
      document.querySelector(one),
    );
    if (!(words instanceof HTMLInputElement && list instanceof HTMLSelectElement)) throw new Error("no form");
    words.value = "alpha";
    words.dispatchEvent(new Event("input"));
    list.value = "text";
    list.dispatchEvent(new Event("change"));
  });
  await expect.poll(() => page.url()).toMatch(/\?(?=.*q=alpha)(?=.*modality=text)/);
  expect(await page.locator("input[name=q]").inputValue()).toBe("alpha");
  await close();
});
