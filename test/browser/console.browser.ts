// DuckDB in the browser, over the report's database.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ask, siteOf } from "./site.ts";

/** Runs a statement and gives the cells of what comes. */
async function run(page: Page, sql: string): Promise<string[][]> {
  await page.locator("textarea[name=q]").fill(sql);
  await page.locator(".console button[type=submit]").click();
  await page.locator('.console .status[data-state="ready"]').first().waitFor({ timeout: 60_000 });
  return await page
    .locator(".console .output tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("th, td")].map(({ textContent }) => textContent ?? "")),
    );
}

test("the console answers as bench sql does, and again when it is loaded a second time in a row", async () => {
  const sql = "SELECT run_id, correct, rows, errors FROM leaderboard ORDER BY rank";
  const expected = (await ask("twenty", sql)).map((row) => Object.values(row).map(String));
  expect(expected).toHaveLength(20);
  const { page, problems, close } = await (await siteOf("twenty")).show("sql.html");
  const plain = (rows: string[][]): string[][] =>
    rows.map((cells) => cells.map((cell) => cell.replaceAll(",", "")));
  expect(plain(await run(page, sql))).toEqual(expected);
  await page.reload({ waitUntil: "networkidle" });
  expect(plain(await run(page, sql))).toEqual(expected);
  // All views are there, those that are not stored too.
  expect(
    await run(page, "SELECT count(*) AS n FROM versus_by_task WHERE run_id <> other_run_id"),
  ).toHaveLength(1);
  expect(problems).toEqual([]);
  await close();
});

test("every example query runs", async () => {
  const { page, problems, close } = await (await siteOf("mixed")).show("sql.html");
  const list = page.locator("select[name=example]");
  const names = await list.evaluate((one) =>
    [...(one as HTMLSelectElement).options].map(({ value }) => value).slice(1),
  );
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) {
    await list.selectOption(name);
    const sql = await page.locator("textarea[name=q]").inputValue();
    await run(page, sql);
    expect(await page.locator(".console pre.error").count(), `${name}: ${sql}`).toBe(0);
    expect(await page.locator(".console .output table").count(), name).toBe(1);
  }
  expect(problems).toEqual([]);
  await close();
});

test("a statement that fails says why; nothing is written, and nothing is asked of another host", async () => {
  const { page, problems, close } = await (await siteOf("mixed")).show("sql.html");
  await run(page, "SELECT nothing FROM nowhere");
  expect(await page.locator(".console pre.error").textContent()).toContain("nowhere");
  for (const sql of [
    "CREATE TABLE bench.main.t (a INTEGER)",
    "SELECT * FROM 'https://example.com/x.csv'",
    "LOAD httpfs",
  ]) {
    await run(page, sql);
    expect(await page.locator(".console pre.error").count(), sql).toBe(1);
  }
  // DuckDB notes down what shall be installed and gets nothing; it cannot be loaded either way, see above.
  await run(page, "INSTALL httpfs");
  // It goes on after that.
  expect(await run(page, "SELECT 1 + 1 AS two")).toEqual([["2"]]);
  expect(problems).toEqual([]);
  await close();
});

test("a result is a table and a file", async () => {
  const { page, close } = await (await siteOf("mixed")).show("sql.html");
  await run(page, "SELECT 'a,\"b\"' AS text, NULL AS nothing, 7 AS number");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".console button", { hasText: "Download as CSV" }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe('text,nothing,number\n"a,""b""",,7\n');
  await close();
});

test("the address holds the statement, and runs it", async () => {
  const query = new URLSearchParams({ q: "SELECT 41 + 1 AS answer" });
  const { page, problems, close } = await (await siteOf("mixed")).show(`sql.html?${query}`);
  await page.locator('.console .status[data-state="ready"]').waitFor({ timeout: 60_000 });
  expect(await page.locator(".console .output tbody").textContent()).toBe("42");
  expect(problems).toEqual([]);
  await close();
});
