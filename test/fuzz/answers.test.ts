// The reader of JSON and the one of answers against a second opinion, over whatever a model could write.
import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CanonicalError, canonicalJson } from "../../src/answers/canonical.ts";
import { canonicalLine } from "../../src/answers/canonical-line.ts";
import { type Json, JsonError, parseJson, stringifyJson, toPlain } from "../../src/answers/json.ts";
import { parseAnswer, readNativeAnswer } from "../../src/answers/parse.ts";
import { decodeUtf8 } from "../../src/utf8.ts";
import { makeRow } from "../support/rows.ts";
import { FILES, KEYS, VALUES } from "./documents.ts";
import { beginning, fuzz, product, said } from "./fuzz.ts";
import { documentLike } from "./mutations.ts";
import { answerOf, jsonOf, same } from "./opinions.ts";

const QUESTIONS: readonly (readonly string[])[] = [
  ["yes", "no"],
  ["10", "2", "__proto__", "constructor"],
  ["", " ", "toString", "a\nb"],
  ["```", '"', "\\", "\u2028"],
  ["é", "e\u0301", "\u{1f600}"],
];

const sound = (labels: readonly string[], kind: "label" | "choice"): string => {
  const shares = labels.map((label, at): [string, number] => [
    label,
    at === 0 ? 0.7 : 0.3 / (labels.length - 1),
  ]);
  const decision = new Map<string, unknown>([
    [kind, labels[0]],
    ["probabilities", new Map(shares)],
    ["why", "because"],
  ]);
  return stringifyJson(new Map([["answers", new Map([["decision", decision]])]]) as never);
};

interface AnswerCase {
  readonly text: string;
  readonly labels: readonly string[];
  readonly strict: boolean;
  readonly native: boolean;
}

const around = fc.oneof(
  { weight: 4, arbitrary: fc.constant(["", ""] as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ["```json\n", "\n```"] as const,
      ["```\n", "\n```"] as const,
      ["```JSON \r\n", "\r\n```\r\n"] as const,
      ["\n\n ``` json\n", "\n ``` \n\n"] as const,
      ["```python\n", "\n```"] as const,
      ["```json\n```\n", "\n```\n```"] as const,
      ["````\n", "\n````"] as const,
      ["~~~\n", "\n~~~"] as const,
      ["Here: ", ""] as const,
      ["", " Done."] as const,
      ["\ufeff", ""] as const,
      ["\u00a0", "\u2028"] as const,
      ["```json", "```"] as const,
      ["```json\n", "```"] as const,
    ),
  },
);

const cases: fc.Arbitrary<AnswerCase> = fc
  .record({
    labels: fc.constantFrom(...QUESTIONS),
    strict: fc.boolean(),
    native: fc.boolean(),
  })
  .chain(({ labels, strict, native }) =>
    fc
      .tuple(documentLike([sound(labels, native ? "choice" : "label")]), around)
      .map(([bytes, [open, close]]) => ({
        labels,
        strict,
        native,
        text: `${open}${bytes.toString("utf8")}${close}`,
      })),
  );

const asCases = (text: string): AnswerCase[] =>
  [true, false].map((strict) => ({ text, labels: ["yes", "no"], strict, native: strict }));

test("answers are accepted when the table of edge cases says so, and refused in a short line otherwise", async () => {
  await fuzz<AnswerCase>({
    name: "answers",
    documents: [
      ...FILES.flatMap(({ make }) => asCases(make().toString("utf8"))),
      ...["```\n", "```json\n", "\n", " ", "```json\n{}\n```\n"].flatMap((piece) =>
        asCases(piece.repeat(100_000)),
      ),
      ...VALUES.flatMap((value) =>
        asCases(
          `{"answers":{"decision":{"label":"yes","choice":"yes","probabilities":{"yes":0.5,"no":${value}}}}}`,
        ),
      ),
      ...KEYS.flatMap((key) =>
        asCases(
          `{"answers":{"decision":{"label":"yes","choice":"yes","probabilities":{"yes":0.5,${JSON.stringify(key)}:0.5}}}}`,
        ),
      ),
    ],
    generated: cases,
    short: 300,
    long: 58_000,
    describe: ({ text, ...rest }) => `${JSON.stringify(rest)} ${beginning(text)}`,
    async run({ text, labels, strict, native }) {
      const { question } = makeRow([...labels]);
      const opinion = answerOf(text, { question: question.id, labels, strict, native });
      const parsed = await product(() =>
        parseAnswer(
          text,
          question,
          strict ? "strict" : "allow_single_code_fence",
          native ? "native" : "verbalized",
        ),
      );
      if ((parsed.wrapper === "code_fence") !== opinion.fenced)
        throw new Error(`the wrapper is ${parsed.wrapper}`);
      if (strict && native) {
        const { answersText, ...body } = readNativeAnswer(text, question);
        if (body.ok !== parsed.ok) throw new Error("the body of a native provider is read otherwise");
        if (answersText !== null) parseJson(answersText);
      }
      if (opinion.answer !== "open" && parsed.ok !== (opinion.answer !== null)) {
        throw new Error(parsed.ok ? "accepted nonsense" : `refused a valid answer: ${parsed.reason}`);
      }
      if (!parsed.ok) {
        if (parsed.reason.length > 300 || /\p{Cc}/u.test(parsed.reason))
          throw new Error(`reason ${parsed.reason}`);
        return said([parsed.reason]);
      }
      if (opinion.answer === "open" || opinion.answer === null) return "accepted";
      const { answer } = parsed;
      expect(answer.label).toBe(opinion.answer.label);
      if (opinion.answer.probabilities === null) {
        expect(answer.probabilities).toBeNull();
        return "accepted";
      }
      const shares = [...(answer.probabilities ?? [])];
      expect(shares.map(([label]) => label)).toEqual(labels);
      for (const [at, [, share]] of shares.entries()) {
        expect(share).toBeCloseTo(opinion.answer.probabilities[at]?.[1] ?? Number.NaN, 12);
        expect(Object.is(share, -0)).toBe(false);
      }
      expect(answer.rawProbabilitySum).toBeCloseTo(opinion.answer.sum ?? Number.NaN, 12);
      const mine = shares.find(([label]) => label === answer.label)?.[1] ?? Number.NaN;
      expect(answer.labelIsArgmax).toBe(shares.every(([, share]) => mine >= share - 1e-9));
      return "accepted";
    },
  });
});

const JSON_SOUND = [
  '{"id":"a","n":[1,-2.5,1e3,true,false,null],"deep":{"er":{"est":"\\u00e9\\n"}},"10":1,"2":"x"}',
  '["a","b",{"c":0.1,"d":1E5,"e":12345678901234567890}]',
  '{"labels":{"__proto__":0.5,"constructor":0.5},"text":"\\ud83d\\ude00 \\u2028"}',
  "[[],{},[[]],[{}],0,-0.0]",
];

/** The canonical text of every line by Python; null where Python is not there. */
function byPython(lines: readonly string[]): string[] | null {
  if (spawnSync("python3", ["--version"]).status !== 0) return null;
  const program = `
import json, sys
sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
for line in sys.stdin.buffer.read().split(b"\\n"):
    if line: sys.stdout.buffer.write(json.dumps(json.loads(json.loads(line)), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\\n")
`;
  // A document may hold line feeds.
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const out = execFileSync("python3", ["-c", program], { input, maxBuffer: 2 ** 30, timeout: 120_000 });
  return out.toString("utf8").trimEnd().split("\n");
}

test("JSON is read as JSON.parse reads it but for keys that stand twice and depth, and written as Python writes it", async (context) => {
  const written: [text: string, canonical: string][] = [];
  await fuzz<Buffer>({
    name: "JSON",
    documents: [...FILES.map(({ make }) => make()), ...VALUES.map((value) => Buffer.from(value))],
    generated: documentLike(JSON_SOUND),
    short: 250,
    long: 40_000,
    describe: (bytes) => beginning(bytes),
    async run(bytes) {
      const text = decodeUtf8(bytes);
      if (text === null) return "refused";
      const opinion = jsonOf(text);
      let value: Json;
      try {
        value = await product(() => parseJson(text));
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        if (opinion !== null) throw new Error(`refused: ${error.message}`);
        if (error.message.length > 300 || /\p{Cc}/u.test(error.message))
          throw new Error(`said ${error.message}`);
        if (canonicalLine(text) !== null) throw new Error("the canonical line takes what is no JSON");
        return said([error.message]);
      }
      if (opinion === null) throw new Error("accepted what is no JSON");
      if (!same(toPlain(value), opinion.value)) throw new Error("read another value");
      if (!same(JSON.parse(stringifyJson(value)), opinion.value)) throw new Error("wrote another value");
      const quick = await product(() => canonicalLine(text));
      let canonical: string;
      try {
        canonical = await product(() => canonicalJson(value));
      } catch (error) {
        if (!(error instanceof CanonicalError)) throw error;
        if (quick !== null) throw new Error("the canonical line takes what has no canonical form");
        return said([error.message]);
      }
      if (quick !== null && quick !== canonical)
        throw new Error(`the canonical line is ${quick.slice(0, 200)}`);
      if (canonicalJson(parseJson(canonical)) !== canonical) throw new Error("the canonical form is none");
      // Python takes quadratic time for a number of many digits.
      if (text.length < 20_000 && written.length < 5000) written.push([text, canonical]);
      return "accepted";
    },
  });
  const python = byPython(written.map(([text]) => text));
  if (python === null) return context.skip("there is no python3");
  for (const [at, [text, canonical]] of written.entries())
    expect(python[at], beginning(text)).toBe(canonical);
});
