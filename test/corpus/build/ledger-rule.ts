// Compares the two amounts of a FIN-3 row as texts of digits, with the decimal places that the facts state.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface State {
  gateway: { currency: string; amount_in_minor_units: number };
  ledger: { currency: string; amount: string };
}

const file = fileURLToPath(new URL("../../../data/sources/iso-4217.jsonl", import.meta.url));
const places = new Map(
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: string; digits: number })
    .map(({ id, digits }) => [id, digits]),
);

/** The finding that follows from the state of a row. */
export function ledgerMatch({ gateway, ledger }: State): string {
  if (gateway.currency !== ledger.currency) return "other-currency";
  const point = places.get(gateway.currency) ?? Number.NaN;
  const number = String(gateway.amount_in_minor_units);
  // Both as significant digits and the place of the point: equal digits are a power of ten apart.
  const significant = (digits: string): string => digits.replace(/^0+|0+$/g, "");
  const [whole = "", rest = ""] = ledger.amount.split(".");
  if (significant(number) !== significant(whole + rest)) return "other-amount";
  const apart = Math.abs(number.length - point - whole.length);
  return ["match", "tenfold", "hundredfold"][apart] ?? "other-amount";
}
