// Local runs leave the machine only through the redaction, once more: keys and hosts may have been configured since they
// were written. Published results went through it when they were published.
import type { Writable } from "../answers/json.ts";
import type { Redactor } from "../providers/redact.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { eachRow } from "./rows.ts";

/** The columns that hold texts of a person, a server or a model. */
const TEXTS = {
  runs: ["label", "vendor", "api_model"],
  results: ["error", "output_text"],
  attempts: ["error", "resolved_model"],
} as const;

/** Masks the texts of all local runs that the warehouse holds, before any view is asked. */
export async function redactLocalRuns(warehouse: Warehouse, redactor: Redactor): Promise<void> {
  for (const [table, columns] of Object.entries(TEXTS)) {
    const changes: { readonly column: string; readonly place: number; readonly text: string }[] = [];
    // Most texts need no change: they were masked when they were written.
    for await (const row of eachRow(
      warehouse,
      `SELECT t.rowid AS place, ${columns.map((column) => `t.${column}`).join(", ")}
       FROM ledger.${table} AS t
       WHERE t.run_id IN (SELECT run_id FROM ledger.runs WHERE source = 'local')`,
    )) {
      for (const column of columns) {
        const text: Writable | undefined = row[column];
        if (typeof text !== "string") continue;
        const masked = redactor.text(text);
        if (masked !== text) changes.push({ column, place: row.place as number, text: masked });
      }
    }
    for (const { column, place, text } of changes) {
      await warehouse.rows(`UPDATE ledger.${table} SET ${column} = $1 WHERE rowid = $2`, [
        text,
        BigInt(place),
      ]);
    }
  }
}
