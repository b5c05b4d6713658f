// A line by itself: what follows from the provider, the request and the row.
import { expect, test } from "vitest";
import { checkLine, type LineFacts } from "../../src/publish/prediction-line.ts";
import { predictionFileSchema } from "../../src/publish/schema.ts";

const OPTIONS = ["yes", "no"].map((label) => ({ label, description: label }));
const ROW = {
  id: "a-1",
  task: "A-1",
  category: "alpha",
  gold: "yes",
  labels: new Set(["yes", "no"]),
  question: { id: "q", options: OPTIONS },
  pictures: 2,
};
const FACTS: LineFacts = {
  row: ROW,
  pricing: null,
  isOurs: true,
  source: "verbalized",
  reading: { kind: "verbalized", policy: "allow_single_code_fence" },
  vision: null,
};
const TOKENS = { input: 1, output: 1, cached_input: null, reasoning_output: null };
const CALL = {
  status: "ok",
  error: null,
  duration_ms: 10,
  cost_usd: null,
  cost_basis: "unavailable",
  tokens: TOKENS,
};
const SHARES = { yes: 0.75, no: 0.25 };
const words = (field: "label" | "choice", label: string | null = "yes"): string =>
  JSON.stringify({ answers: { q: { [field]: label, probabilities: SHARES } } });
const LINE = {
  row_id: "a-1",
  task: "A-1",
  category: "alpha",
  status: "ok",
  answer: "yes",
  gold: "yes",
  correct: true,
  confidence: 0.75,
  probabilities: SHARES,
  probability_source: "verbalized",
  images_sent: 0,
  output_text: words("label"),
  error: null,
  latency_ms: 12,
  tokens: TOKENS,
  cost_usd: null,
  cost_basis: ["unavailable"],
  attempts: [CALL],
};

/** The fields about which something is said, and whether the model's words were read. */
function look(changes: object, facts: Partial<LineFacts> = {}): [fields: string[], read: boolean] {
  const fields: string[] = [];
  const line = predictionFileSchema.parse({ ...LINE, ...changes });
  const { read } = checkLine(line, { ...FACTS, ...facts }, (field) => void fields.push(field));
  return [fields, read];
}

test("a sound line is sound, and its words are read", () => {
  expect(look({})).toEqual([[], true]);
});

test.each<[string, object, Partial<LineFacts>]>([
  ["missing", { output_text: null }, {}],
  ["of another tool", { output_text: "{}" }, {}],
  ["no answer", { output_text: "I do not know" }, {}],
  ["masked", { output_text: words("label", "[masked]") }, {}],
  ["a native provider's", { output_text: words("choice") }, {}],
  [
    "in a fence that was not allowed",
    { output_text: `\`\`\`json\n${words("label")}\n\`\`\`` },
    { reading: { kind: "verbalized", policy: "strict" } },
  ],
])("words that are %s are not read, which is counted", (_, changes, facts) => {
  expect(look(changes, facts)).toEqual([[], false]);
});

test("a cut text that is an answer all the same is read", () => {
  const padded = words("label", "no").padEnd(20_000, " ");
  expect(look({ output_text: padded, output_truncated: true })).toEqual([["answer"], true]);
});

test.each<[number, boolean | null, string[]]>([
  [0, null, []],
  [2, null, []],
  [3, null, ["images_sent"]],
  [0, false, []],
  [2, false, ["images_sent"]],
  [0, true, ["images_sent"]],
  [2, true, []],
])("%i pictures sent when pictures are sent: %s", (images_sent, vision, fields) => {
  expect(look({ images_sent }, { vision })).toEqual([fields, true]);
});

test("a native provider may answer without a choice, and says so in its words", () => {
  const nothing = { answer: null, probabilities: null, confidence: null, correct: false };
  const native = { ...nothing, probability_source: "native", output_text: words("choice", null) };
  const facts = {
    source: "native",
    reading: { kind: "native", policy: "allow_single_code_fence" },
  } as const;
  expect(look(native, facts)).toEqual([[], true]);
  expect(look({ ...native, output_text: words("choice") }, facts)).toEqual([["answer"], true]);
});

const FAILED = {
  ...{ status: "400", error: "HTTP 400", answer: null, probabilities: null, confidence: null },
  ...{ correct: false, output_text: null },
};
const failed = (status: string, duration_ms: number): object => ({
  ...CALL,
  ...{ status, error: `HTTP ${status}`, duration_ms },
});

test("a failed row may have later attempts, of an invocation that did not come to its end", () => {
  const attempts = [failed("400", 10), failed("500", 90), { ...CALL, duration_ms: 80 }];
  const tokens = { ...TOKENS, input: 3, output: 3 };
  expect(look({ ...FAILED, tokens, attempts })).toEqual([[], true]);
  expect(look({ ...FAILED, tokens, attempts, latency_ms: 8 })).toEqual([["latency_ms"], true]);
  const others = [failed("500", 10), failed("500", 10), failed("503", 10)];
  expect(look({ ...FAILED, tokens, attempts: others })).toEqual([["status"], true]);
  // A row that is ok is called no more.
  expect(look({ tokens, attempts: [CALL, CALL, failed("500", 1)] })).toEqual([["status"], true]);
});

test("only the older tool may have rows that were never called", () => {
  const none = {
    tokens: { ...TOKENS, input: null, output: null },
    attempts: [],
    cost_basis: [],
    latency_ms: null,
  };
  const never = { ...FAILED, ...none, status: "skipped", error: "Provider error" };
  expect(look(never, { isOurs: false })).toEqual([[], true]);
  expect(look(never)).toEqual([["attempts"], true]);
  expect(look({ ...FAILED, ...none }, { isOurs: false })).toEqual([["attempts"], true]);
});
