// The files of sql/ run in the browser's DuckDB as they are, and give what ours gives.
import { expect, test } from "vitest";
import { sourceTables } from "../../src/warehouse/sources.ts";
import { sqlFiles } from "../../src/warehouse/views.ts";
import { copySources, openBrowserDuckDB } from "../support/browser-duckdb.ts";
import { publishedOracle, walk } from "../support/oracle.ts";
import { open } from "../support/query.ts";

/** Views with times, maps and structs: the browser hands those out in forms of its own, so only their rows are counted. */
const COUNTED = ["runs", "corpus_rows", "corpus_texts", "attempts", "answers"];

test("every view and table macro gives in the browser what it gives here", async () => {
  const { warehouse, rows } = await open(publishedOracle());
  const browser = await openBrowserDuckDB();
  const [versions] = browser.rows("SELECT version() AS browser");
  expect(versions).toEqual({ browser: "v1.4.3" });
  expect(
    browser.rows("SELECT extension_name FROM duckdb_extensions() WHERE loaded AND extension_name = 'json'"),
  ).toEqual([]);

  browser.run(sourceTables());
  for (const { name, sql } of sqlFiles()) {
    expect(() => browser.run(sql), name).not.toThrow();
  }
  await copySources(warehouse, browser);

  const [a, b] = ["oracle-1/delta", "oracle-1/bravo"];
  const queries = [
    ...warehouse.views.map((view) =>
      COUNTED.includes(view) ? `SELECT count(*) AS n FROM ${view}` : `SELECT * FROM ${view} ORDER BY ALL`,
    ),
    `SELECT run_id, row_id, correct, confidence, p_gold, label_is_argmax, brier, log_loss, cost_usd, attempts FROM answers ORDER BY ALL`,
    `SELECT row_id, state, ask, instructions, rationale, source, license, provenance, len(images) AS n FROM corpus_texts ORDER BY ALL`,
    ...["compare", "compare_by_task", "compare_by_category"].map(
      (macro) => `SELECT * FROM ${macro}('${a}', '${b}') ORDER BY ALL`,
    ),
  ];
  let compared = 0;
  for (const sql of queries) {
    const here = await rows(sql);
    expect(here.length, sql).toBeGreaterThan(0);
    const found = walk(here, browser.rows(sql), () => 1e-12);
    expect(found.differences, sql).toEqual([]);
    compared += found.compared;
  }
  expect(compared).toBeGreaterThan(50_000);
});
