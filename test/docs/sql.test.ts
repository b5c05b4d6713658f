// docs/sql.md says what the SQL says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SQL_DOCUMENT, sqlDocument } from "../../scripts/sql-docs.ts";
import { sqlFiles } from "../../src/warehouse/views.ts";
import { packageRoot } from "../../src/workspace.ts";

const written = readFileSync(join(packageRoot, SQL_DOCUMENT), "utf8");

test("docs/sql.md is what the views, macros and queries give", async () => {
  expect(written, "mended by `npm run docs`").toBe(await sqlDocument());
});

test("every view, macro and file of the analysis is in it", () => {
  for (const { name, stage, sql } of sqlFiles()) {
    expect(written).toContain(`${stage}/${name}.sql`);
    for (const found of sql.matchAll(/^CREATE (?:VIEW|MACRO) (\w+)/gm)) {
      expect(written).toMatch(new RegExp(`^### ${found[1]}\\b|\`${found[1]}\\(`, "m"));
    }
  }
});

test("no place of this machine is in it", () => {
  expect(written).not.toContain(packageRoot);
});
