import { expect, test } from "vitest";
import { sqlErrorText } from "../../reports/components/sql-error.ts";

test("an error that DuckDB gives as JSON is shown as text", () => {
  const message = 'syntax error at or near "SELEC"\n\nLINE 1: SELEC 1\n        ^';
  const detail = { exception_type: "Parser", exception_message: message, position: "0" };
  expect(sqlErrorText(new Error(JSON.stringify(detail)))).toBe(`Parser Error: ${message}`);
});

test.each(["Binder Error: no such column", '{"exception_type":', '{"exception_type":"Parser"}', ""])(
  "any other text stays as it is: %j",
  (text) => {
    expect(sqlErrorText(new Error(text))).toBe(text);
    expect(sqlErrorText(text)).toBe(text);
  },
);
