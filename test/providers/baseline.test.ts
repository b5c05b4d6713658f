import { describe, expect, test } from "vitest";
import { isJsonObject, parseJson, stringifyJson } from "../../src/answers/json.ts";
import { exactSum } from "../../src/answers/parse.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import { lexicalGuess, uniformGuess } from "../../src/providers/baseline.ts";
import { createProvider } from "../../src/providers/registry.ts";
import { makeRow } from "../support/rows.ts";

const signal = new AbortController().signal;
const options = { env: {}, corpusDir: "/nowhere", jobs: 1 };

const open = (method: "uniform" | "lexical", seed?: number) =>
  createProvider(
    { id: "b", label: "B", provider: "baseline", model: "b", request: { method, seed } },
    options,
  );
const call = async (row: CorpusRow, method: "uniform" | "lexical", seed?: number) =>
  (await open(method, seed)).call(row, { timeoutMs: 1000, signal });

function row(state: string, choices: readonly (readonly [string, string])[]): CorpusRow {
  const made = makeRow([], { state });
  const list = choices.map(([label, description]) => ({ label, description }));
  return { ...made, question: { ...made.question, options: list, gold: list[0]?.label ?? "" } };
}

describe("both", () => {
  test.each(["uniform", "lexical"] as const)("%s: an outcome like any other, at no cost", async (method) => {
    const outcome = await call(makeRow(["10", "2", "__proto__"]), method);
    expect(outcome).toMatchObject({
      status: "ok",
      error: null,
      outputWrapper: "none",
      reportedCostUsd: 0,
      costSource: "baseline",
      httpStatus: null,
      imagesSent: 0,
      usage: { input_tokens: null, output_tokens: null },
    });
    expect([...(outcome.answer?.probabilities?.keys() ?? [])]).toEqual(["10", "2", "__proto__"]);
    expect(outcome.answer?.probabilitySource).toBe("baseline");
    expect(outcome.answer?.labelIsArgmax).toBe(true);
    expect(exactSum(outcome.answer?.probabilities?.values() ?? [])).toBeCloseTo(1, 12);
    const text = parseJson(outcome.outputText ?? "");
    expect(isJsonObject(text) && stringifyJson(text)).toBe(outcome.outputText);
  });

  test("a stopped run asks nothing more", async () => {
    const outcome = await (await open("uniform")).call(makeRow(), {
      timeoutMs: 1,
      signal: AbortSignal.abort(),
    });
    expect(outcome).toMatchObject({ status: "incomplete", answer: null });
  });

  test("preview shows the method and the public input only", async () => {
    for (const method of ["uniform", "lexical"] as const) {
      const preview = stringifyJson(await (await open(method)).preview(makeRow()));
      expect(preview).toContain(`"method":"${method}"`);
      expect(preview).not.toContain("SECRET");
    }
    expect((await open("uniform")).endpointId).toBeNull();
  });
});

describe("uniform", () => {
  test("is the same for a row and a seed, and differs between rows and seeds", () => {
    const labels = Array.from({ length: 50 }, (_, index) => `o${index}`);
    const draw = (id: string, seed: number) => uniformGuess(makeRow(labels, { id }), seed).label;
    expect(draw("a", 1)).toBe(draw("a", 1));
    expect(new Set(["a", "b", "c", "d", "e"].map((id) => draw(id, 1))).size).toBeGreaterThan(2);
    expect(new Set([1, 2, 3, 4, 5].map((seed) => draw("a", seed))).size).toBeGreaterThan(2);
  });

  // Another generator, or another use of it, would quietly change every published baseline.
  test("draws what it always drew", () => {
    const labels = ["a", "b", "c", "d"];
    const drawn = Array.from(
      { length: 12 },
      (_, i) => uniformGuess(makeRow(labels, { id: `row-${i}` }), 7).label,
    );
    expect(drawn.join("")).toBe("ddadabacdaab");
  });

  test("draws every option about equally often", () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 4000; index += 1) {
      const { label, probabilities } = uniformGuess(makeRow(["a", "b", "c", "d"], { id: `r${index}` }), 0);
      counts.set(label, (counts.get(label) ?? 0) + 1);
      expect(probabilities).toEqual([0.25, 0.25, 0.25, 0.25]);
    }
    for (const label of ["a", "b", "c", "d"])
      expect(Math.abs((counts.get(label) ?? 0) - 1000)).toBeLessThan(120);
  });
});

describe("lexical", () => {
  const choices = [
    ["refund", "The customer wants money back"],
    ["repair", "The device is broken and has to be fixed"],
    ["praise", "The customer is happy"],
  ] as const;

  test("prefers the option that shares words with the state", () => {
    const { label, probabilities } = lexicalGuess(row("My device arrived broken, can it be FIXED?", choices));
    expect(label).toBe("repair");
    expect(Math.max(...probabilities)).toBe(probabilities[1]);
    expect(Math.max(...probabilities)).toBeLessThan(0.74);
  });

  test("reads a structured state, keys and numbers too", () => {
    const state = parseJson('{"device": {"state": ["broken", 1]}, "__proto__": "x"}');
    expect(lexicalGuess({ ...row("x", choices), state: isJsonObject(state) ? state : "" }).label).toBe(
      "repair",
    );
  });

  test("does not depend on the order of options, but on it alone between equals", () => {
    const text = "a broken device";
    const probabilityOf = (order: readonly (readonly [string, string])[], label: string) =>
      lexicalGuess(row(text, order)).probabilities[order.findIndex(([name]) => name === label)];
    expect(probabilityOf([...choices].reverse(), "repair")).toBeCloseTo(
      probabilityOf(choices, "repair") ?? 0,
      12,
    );
    const same = [
      ["b", "same words"],
      ["a", "same words"],
    ] as const;
    expect(lexicalGuess(row("same words here", same)).label).toBe("b");
    expect(lexicalGuess(row("nothing in common", choices))).toEqual({
      label: "refund",
      probabilities: [1 / 3, 1 / 3, 1 / 3],
    });
  });

  test("does not see what a model does not see", () => {
    const seen = row("a broken device", choices);
    const { question } = seen;
    const other: CorpusRow = {
      ...seen,
      id: "other",
      title: "praise praise happy",
      provenance: "praise",
      question: { ...question, gold: "praise", rationale: "praise", ask: "praise", instructions: "praise" },
    };
    expect(lexicalGuess(other)).toEqual(lexicalGuess(seen));
  });

  test.each(["", "  \n ", "?!", "constructor __proto__ toString", "𝔘𝔫𝔦 😀 漢字"])("the state %j", (state) => {
    const { probabilities } = lexicalGuess(
      row(state, [
        ["constructor", "x"],
        ["__proto__", "y"],
        ["漢字", "z"],
      ]),
    );
    expect(exactSum(probabilities)).toBeCloseTo(1, 12);
    expect(probabilities.every((p) => p > 0 && p < 1)).toBe(true);
  });

  test("a long state is no problem", () => {
    const long = Array.from({ length: 50_000 }, (_, index) => `word${index}`).join(" ");
    const start = performance.now();
    expect(lexicalGuess(row(`${long} broken device`, choices)).label).toBe("repair");
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
