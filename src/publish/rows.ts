// The rows of a query one by one, for who writes each away: a result may have millions.
import { toWritable } from "../warehouse/values.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";

/**
 * The rows of a query of our own as plain data, in its order. Nothing else may be asked of the warehouse before they are
 * read.
 *
 * @throws {InterruptedError} when the command was stopped.
 */
export async function* eachRow(warehouse: Warehouse, sql: string): AsyncGenerator<Row> {
  const { columns, batches } = await warehouse.query(sql);
  for await (const batch of batches()) {
    for (const values of batch) {
      yield Object.fromEntries(
        columns.map(({ name, type }, i) => [name, toWritable(values[i] ?? null, type)]),
      );
    }
  }
}
