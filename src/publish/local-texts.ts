// Local runs leave the machine with no other texts than they would be published with: what a provider said stays here, and
// what a model wrote goes through the redaction once more, since keys and hosts may have been configured since.
import type { Redactor } from "../providers/redact.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { publishedError } from "./error-text.ts";
import { publishedOutput } from "./output-text.ts";

const LOCAL = "run_id IN (SELECT run_id FROM ledger.runs WHERE source = 'local')";

/** Puts the texts of all local runs that the warehouse holds into the form that is published, before any view is asked. */
export async function publishLocalTexts(warehouse: Warehouse, redactor: Redactor): Promise<void> {
  for (const table of ["results", "attempts"]) {
    const found = await warehouse.rows(
      `SELECT DISTINCT status FROM ledger.${table} WHERE ${LOCAL} AND status <> ''`,
    );
    for (const { status } of found) {
      await warehouse.rows(`UPDATE ledger.${table} SET error = $1 WHERE ${LOCAL} AND status = $2`, [
        publishedError(status as string),
        status as string,
      ]);
    }
  }
  await warehouse.rows(`UPDATE ledger.results SET output_text = NULL WHERE ${LOCAL} AND status <> 'ok'`);
  const mask = (text: string): string => redactor.text(text);
  await change(warehouse, "results", "output_text", (text) => publishedOutput(mask(text)).text);
  await change(warehouse, "attempts", "resolved_model", mask);
  for (const column of ["label", "vendor", "api_model"]) await change(warehouse, "runs", column, mask);
}

async function change(
  warehouse: Warehouse,
  table: string,
  column: string,
  changed: (text: string) => string,
): Promise<void> {
  const changes: { readonly place: bigint; readonly text: string }[] = [];
  const rows = warehouse.plainRows(
    `SELECT rowid AS place, ${column} AS text FROM ledger.${table} WHERE ${LOCAL} AND ${column} <> ''`,
  );
  // Most texts need no change: they were masked when they were written.
  for await (const row of rows) {
    const text = changed(row.text as string);
    if (text !== row.text) changes.push({ place: BigInt(row.place as number), text });
  }
  for (const { place, text } of changes) {
    await warehouse.rows(`UPDATE ledger.${table} SET ${column} = $1 WHERE rowid = $2`, [text, place]);
  }
}
