import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { optionOrders } from "../../src/corpus/option-order.ts";

const rows = (count: number, labels: readonly string[]) =>
  Array.from({ length: count }, (_, i) => ({ rowId: `t-${i}`, labels, gold: labels[0] ?? "" }));

describe("optionOrders", () => {
  test("every order holds every label once", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 9 }),
        fc.string(),
        (labels, name) => {
          for (const order of optionOrders(rows(5, labels), name))
            expect([...order].sort()).toEqual([...labels].sort());
        },
      ),
    );
  });

  test("the answer stands at every place equally often", () => {
    const places = optionOrders(rows(24, ["a", "b", "c", "d"]), "n").map((order) => order.indexOf("a"));
    expect([0, 1, 2, 3].map((p) => places.filter((place) => place === p).length)).toEqual([6, 6, 6, 6]);
  });

  test("rows with different numbers of options each have their own deck", () => {
    const mixed = rows(12, ["a", "b", "c"]).flatMap((row, i) => [
      row,
      { rowId: `u-${i}`, labels: ["a", "b"], gold: "a" },
    ]);
    const orders = optionOrders(mixed, "n");
    const two = orders.filter((order) => order.length === 2).map((order) => order.indexOf("a"));
    expect(two.filter((place) => place === 0)).toHaveLength(6);
  });

  test("is the same every time, and another one under another name", () => {
    const a = optionOrders(rows(8, ["a", "b", "c", "d", "e"]), "n");
    expect(optionOrders(rows(8, ["a", "b", "c", "d", "e"]), "n")).toEqual(a);
    expect(optionOrders(rows(8, ["a", "b", "c", "d", "e"]), "m")).not.toEqual(a);
  });

  test("refuses an answer that is no option, and an option that stands twice", () => {
    expect(() => optionOrders([{ rowId: "r", labels: ["a", "b"], gold: "c" }], "n")).toThrow(
      'r: the answer "c"',
    );
    expect(() => optionOrders([{ rowId: "r", labels: ["a", "a"], gold: "a" }], "n")).toThrow("stands twice");
  });
});
