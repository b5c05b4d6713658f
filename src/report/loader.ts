// What the data loaders of reports/ call: they ask the report's database and print what it says.
import { once } from "node:events";
import { arrowFile } from "../warehouse/arrow.ts";
import { jsonText } from "../warehouse/formats.ts";
import type { Result } from "../warehouse/result.ts";
import { openSnapshotFile } from "../warehouse/snapshot-file.ts";

/** Names the report's database to the loaders. */
export const DATABASE_VARIABLE = "DECISION_BENCH_REPORT_DATABASE";

/** Prints an object with a list of rows for every query. */
export async function printJson(queries: Readonly<Record<string, string>>): Promise<void> {
  await withDatabase(async (query) => {
    let before = "{";
    for (const [name, sql] of Object.entries(queries)) {
      await print(`${before}\n${JSON.stringify(name)}: `);
      await printAll(jsonText(await query(sql)));
      before = ",";
    }
    await print(before === "{" ? "{}\n" : "}\n");
  });
}

/** Prints the rows of a query as an Arrow file. */
export async function printArrow(sql: string): Promise<void> {
  await withDatabase(async (query) => printAll(arrowFile(await query(sql))));
}

async function withDatabase(work: (query: (sql: string) => Promise<Result>) => Promise<void>): Promise<void> {
  const path = process.env[DATABASE_VARIABLE];
  if (path === undefined || path === "") {
    throw new Error(
      `${DATABASE_VARIABLE} is not set: the report is made by \`bench report build\` or \`preview\``,
    );
  }
  const file = await openSnapshotFile(path);
  try {
    await work(file.query);
  } finally {
    file.close();
  }
}

async function printAll(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const piece of pieces) await print(piece);
}

async function print(piece: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(piece)) await once(process.stdout, "drain");
}
