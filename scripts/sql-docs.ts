// `npm run docs`: writes docs/sql.md from the comments of the views, the macros and the worked queries.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Warehouse } from "../src/warehouse/warehouse.ts";
import { openWorkspace, packageRoot } from "../src/workspace.ts";
import { querySections } from "./sql-docs/queries.ts";
import { reference } from "./sql-docs/reference.ts";

/** Where the document stands in the project. */
export const SQL_DOCUMENT = "docs/sql.md";

/** The text of `docs/sql.md`. The same for the same SQL. */
export async function sqlDocument(): Promise<string> {
  const root = join(packageRoot, "test", "fixtures", "oracle");
  const workspace = openWorkspace({ root, cwd: root, env: {} });
  const warehouse = await Warehouse.open(workspace);
  try {
    const guide = readFileSync(join(packageRoot, "scripts", "sql-docs", "guide.md"), "utf8");
    const parts = [guide, await reference(warehouse), await querySections(workspace)];
    return `${parts.map((part) => part.trimEnd()).join("\n\n")}\n`;
  } finally {
    warehouse.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(packageRoot, SQL_DOCUMENT), await sqlDocument());
  console.error(`${SQL_DOCUMENT} is written`);
}
