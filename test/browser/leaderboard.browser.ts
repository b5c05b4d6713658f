// The leaderboard as a reader sees it: twenty results, and the two baselines that the project publishes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makePublishedSet, type PublishedSet } from "../../bench/published-set.ts";
import { packageRoot } from "../../src/workspace.ts";
import { bench } from "../support/bench.ts";
import { SiteBrowser } from "../support/browser.ts";

const PAGES = [
  "",
  "compare.html",
  "calibration.html",
  "tasks.html",
  "cost.html",
  "rows.html",
  "sql.html",
  "protocol.html",
];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screenshots = join(packageRoot, "dist", "screenshots");

let set: PublishedSet;
let folder: string;
let site: SiteBrowser;
let own: SiteBrowser;

beforeAll(async () => {
  set = makePublishedSet({ rows: 1071, tasks: 36, categories: 11, results: 20 });
  folder = mkdtempSync(join(tmpdir(), "bench-browser-"));
  const built = await bench(set.root, ["report", "build", "--out", join(folder, "set")]);
  expect(built, built.stderr).toMatchObject({ code: 0 });
  const ownBuilt = await bench(packageRoot, ["report", "build", "--out", join(folder, "own")]);
  expect(ownBuilt, ownBuilt.stderr).toMatchObject({ code: 0 });
  mkdirSync(screenshots, { recursive: true });
  site = await SiteBrowser.open(join(folder, "set"));
  own = await SiteBrowser.open(join(folder, "own"));
});

afterAll(async () => {
  await site?.close();
  await own?.close();
  set?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** What axe finds that keeps people from reading a page. */
async function violations(page: Awaited<ReturnType<SiteBrowser["show"]>>["page"]): Promise<string[]> {
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

test.each(PAGES)(
  "page %j has no error, asks no other host, fits its width, and can be read by everybody",
  async (path) => {
    for (const width of [375, 1440]) {
      for (const scheme of ["light", "dark"] as const) {
        const { page, problems, close } = await own.show(path, { width, scheme });
        expect(await violations(page), `${path} ${width} ${scheme}`).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        expect(problems).toEqual([]);
        const name = path === "" ? "index" : path.replace(".html", "");
        await page.screenshot({ path: join(screenshots, `${name}-${width}-${scheme}.png`), fullPage: true });
        await close();
      }
    }
  },
);

test("every number of the leaderboard's table is what bench sql says", async () => {
  const { stdout } = await bench(set.root, [
    "sql",
    "--format",
    "json",
    "SELECT l.run_id, l.rank, l.rank_low, l.rank_high, l.correct, l.rows, l.errors, a.accuracy, a.wilson_low, a.wilson_high, a.jackknife_low, a.jackknife_high FROM leaderboard l JOIN accuracy_overall a USING (run_id) ORDER BY l.rank",
  ]);
  const expected = JSON.parse(stdout) as Record<string, number>[];
  expect(expected).toHaveLength(20);
  const { page, problems, close } = await site.show("");
  const share = (value = Number.NaN): string => (value * 100).toFixed(1);
  let cells = 0;
  for (const row of expected) {
    const line = page.locator(`#leaderboard tr[data-key="${row.run_id}"]`);
    const texts = await line.locator("th, td").allTextContents();
    const wanted = [
      [0, String(row.rank)],
      [1, `${row.rank_low} to ${row.rank_high}`],
      [3, `${share(row.accuracy)} %`],
      [4, `[${share(row.jackknife_low)}, ${share(row.jackknife_high)}]`],
      [5, `[${share(row.wilson_low)}, ${share(row.wilson_high)}]`],
      [6, `${row.correct} of ${row.rows?.toLocaleString("en-US")}`],
      [7, String(row.errors)],
    ] as const;
    for (const [column, text] of wanted) {
      expect(texts[column], `${row.run_id}, column ${column}`).toBe(text);
      cells += 1;
    }
  }
  expect(cells).toBe(140);
  expect(problems).toEqual([]);
  await close();
});

test("each filter changes what is drawn, and stands in the address", async () => {
  const { page, problems, close } = await site.show("");
  const drawing = page.locator("#leaderboard .drawing svg");
  const before = await drawing.innerHTML();
  const category = await page.locator("select[name=category] option").nth(1).getAttribute("value");
  await page.selectOption("select[name=category]", category);
  await page.waitForURL(`**/?category=${category}`);
  await expect.poll(() => drawing.innerHTML()).not.toBe(before);
  const filtered = await drawing.innerHTML();
  const again = await site.show(`?category=${category}`);
  expect(await again.page.locator("#leaderboard .drawing svg").innerHTML()).toBe(filtered);
  await again.close();
  // No row of this corpus has a picture.
  await page.selectOption("select[name=modality]", "image");
  await expect.poll(() => page.locator(".nothing").count()).toBe(1);
  expect(problems).toEqual([]);
  await close();
});

test("the first page transfers at most 1 MB and loads no wasm", async () => {
  const { page, transferred, problems, close } = await site.show("");
  await page.locator("#leaderboard .drawing svg").waitFor();
  expect(transferred()).toBeGreaterThan(50_000);
  expect(transferred()).toBeLessThanOrEqual(1_000_000);
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(loaded.filter((name) => /wasm/.test(name))).toEqual([]);
  expect(problems).toEqual([]);
  await close();
});
