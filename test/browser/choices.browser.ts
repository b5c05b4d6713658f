// What a reader can choose: it changes what is drawn, stands in the address, and is there again for whoever opens it.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PAGES, redrawn, siteOf } from "./site.ts";

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
  expect(await page.locator("#ranking tr.floor").count()).toBe(1);
  const partial = await page.locator("#partial thead th").allTextContents();
  expect(partial).not.toContain("Rank");
  await close();
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
