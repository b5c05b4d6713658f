// What is the native providers' own: the form of the request, an answer without a choice, and rows with pictures.
import { describe, expect, test } from "vitest";
import { POLICY } from "../../src/answers/prompt.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import type { CallOutcome } from "../../src/providers/provider.ts";
import { createRedactor } from "../../src/providers/redact.ts";
import { createProvider } from "../../src/providers/registry.ts";
import { nativeAnswer, type ScriptedEndpoint } from "../support/endpoint.ts";
import { HTTP_TABLE } from "../support/http-providers.ts";
import { makeRow } from "../support/rows.ts";
import { type Scripted, useScripted } from "../support/scripted-provider.ts";

let scripted: Scripted;
let endpoint: ScriptedEndpoint;
useScripted((own) => {
  scripted = own;
  ({ endpoint } = own);
});

const NATIVE = HTTP_TABLE.filter(([, { source }]) => source === "native");

describe.each(NATIVE)("%s", (_name, one) => {
  async function call(row?: CorpusRow): Promise<CallOutcome> {
    return scripted.call(() => scripted.open(one.model, { [one.url]: endpoint.baseUrl }), row);
  }

  test("asks with the state as it is, the policy before the instructions, and the options as criteria", async () => {
    const state = new Map([["text", "The tap drips."]]);
    expect((await call(makeRow(["yes", "no"], { state }))).status).toBe("ok");
    expect(endpoint.requests[0]?.text).toBe(
      JSON.stringify({
        model: "served-name",
        state: { text: "The tap drips." },
        questions: {
          decision: {
            type: "choice",
            instructions: `${POLICY}\n\nSay whether someone has to come.`,
            criteria: { yes: "means yes", no: "means no" },
          },
        },
      }),
    );
  });

  test("a question may be called anything", async () => {
    const { question } = makeRow();
    const outcome = await call(makeRow(["yes", "no"], { question: { ...question, id: "__proto__" } }));
    expect(outcome).toMatchObject({ status: "ok", answer: { label: "yes" } });
    expect(endpoint.requests[0]?.text).toContain('"questions":{"__proto__":{"type":"choice"');
  });

  test.each([null, {}, { yes: 0.5, no: 0.5 }])(
    "a null choice with %j is a valid answer without a label",
    async (probabilities) => {
      endpoint.script({ body: one.answer(null, probabilities) });
      expect(await call()).toMatchObject({
        status: "ok",
        error: null,
        answer: {
          label: null,
          probabilities: null,
          rawProbabilitySum: null,
          labelIsArgmax: null,
          probabilitySource: "native",
        },
        usage: { input_tokens: 120, output_tokens: 30 },
      });
    },
  );

  test("no choice at all, or a label in its place, is invalid", async () => {
    const probabilities = { yes: 0.8, no: 0.2 };
    endpoint.script(
      { body: nativeAnswer({ answers: { decision: { probabilities } } }) },
      { body: nativeAnswer({ answers: { decision: { label: "yes", probabilities } } }) },
    );
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await call()).toMatchObject({ status: "invalid_output", error: 'no "choice" in the answer' });
    }
  });

  test("what is kept as the answer's text is the answers alone, as they came", async () => {
    const answers =
      '{"decision":{"type":"choice","choice":"2","confidence":0.70,"probabilities":{"10":3e-1,"2":0.70}}}';
    endpoint.script({ body: `{"request_id":"req-55aa77ee","answers":${answers},"model":"m-1"}` });
    expect(await call(makeRow(["2", "10"]))).toMatchObject({
      status: "ok",
      answer: { label: "2" },
      outputText: `{"answers":${answers}}`,
      finishReason: null,
      resolvedModel: "m-1",
    });
  });

  test("a label that is called like an id keeps its probability in the text", async () => {
    const probabilities = { id: 0.123456789, no: 0.876543211 };
    endpoint.script({ body: one.answer("no", probabilities) });
    const outcome = createRedactor({}).outcome(await call(makeRow(["id", "no"])), makeRow(["id", "no"]));
    expect(outcome.outputText).toContain('"probabilities":{"id":0.123456789,"no":0.876543211}');
    expect(outcome.raw).toMatchObject({ answers: { decision: { probabilities } } });
  });

  test("an id that is the question's own stays in the text, which is keyed by it", async () => {
    const row = makeRow();
    const asked = { ...row, question: { ...row.question, id: "question-00017" } };
    const answers =
      '{"question-00017":{"type":"choice","choice":"yes","probabilities":{"yes":0.8,"no":0.2}}}';
    endpoint.script({
      headers: { "x-question": "question-00017" },
      body: `{"id":"question-00017","request_id":"question-00017","answers":${answers}}`,
    });
    const outcome = createRedactor({}).outcome(await call(asked), asked);
    expect(outcome).toMatchObject({ status: "ok", outputText: `{"answers":${answers}}` });
    expect(outcome.raw).toEqual({ answers: JSON.parse(answers) });
  });

  test("a body in a code fence is no JSON", async () => {
    const body = JSON.stringify(one.answer("yes", { yes: 0.8, no: 0.2 }));
    endpoint.script({ body: `\`\`\`json\n${body}\n\`\`\`` });
    expect(await call()).toMatchObject({ status: "invalid_transport_output", retryable: true });
  });

  test("a row with pictures goes out as text", async () => {
    const asset = {
      path: "a.png",
      media_type: "image/png",
      sha256: "0".repeat(64),
      alt: "SECRET-ALT",
    } as const;
    const outcome = await call(makeRow(["yes", "no"], { modality: "image", assets: [asset] }));
    expect(outcome).toMatchObject({ status: "ok", imagesSent: 0 });
    expect(endpoint.requests[0]?.text).not.toMatch(/SECRET|base64|a\.png/);
  });
});

test("TypeSafe has an address of its own; Laya has to be told where it is", async () => {
  const [typesafe, laya] = NATIVE.map(([, { model }]) => model);
  if (typesafe === undefined || laya === undefined) expect.unreachable();
  const options = { corpusDir: "/nowhere", jobs: 1 };
  const provider = await scripted.open(typesafe, { TYPESAFE_API_KEY: "key-1234" });
  const elsewhere = await createProvider(typesafe, {
    ...options,
    env: { TYPESAFE_API_KEY: "key-1234", TYPESAFE_BASE_URL: "https://api.typesafe.ai/v1/" },
  });
  expect(provider.endpointId).toBe(elsewhere.endpointId);
  await elsewhere.close();
  await expect(createProvider(laya, { ...options, env: { LAYA_API_KEY: "key-1234" } })).rejects.toThrow(
    "LAYA_BASE_URL is not set",
  );
});
