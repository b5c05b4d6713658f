import { expect, test } from "vitest";
import { foreignTo, idsInText, traceIdsOf } from "../../src/providers/trace.ts";

test("ids of headers are traces; measures, and texts that are JSON, are not", () => {
  expect(
    traceIdsOf({
      "x-request-id": "req-0123456789",
      "x-amzn-trace": ["Root=1-2", "1234567890"],
      "x-litellm-key-spend": "0.700000",
      "x-odd": 'probabilities":{',
      "content-type": "application/json",
      "x-none": undefined,
    }),
  ).toEqual(["req-0123456789", "Root=1-2", "1234567890"]);
});

test("what an answer must say is nobody's trace", () => {
  const options = ["refund_now", "wait"].map((label) => ({ label, description: label }));
  const ids = ["question_1", "refund_now", "probabilities", "req-0123456789"];
  expect(foreignTo({ id: "question_1", options }, ids)).toEqual(["req-0123456789"]);
});

test("ids that a sentence or a line of JSON names", () => {
  const text =
    "empty response (HTTP 200), request-id req_marked-0815, intermediary; (request id: req_0123). Request ID: req_45678901, " +
    'cf-ray: 8f00ba4-FRA, "session_id":"5e55104-1d", "uuid": "0000-1111-2222", organization_id=org-9876543; the user id please';
  expect(idsInText(text)).toEqual([
    "req_marked-0815",
    "req_0123",
    "req_45678901",
    "8f00ba4-FRA",
    "5e55104-1d",
    "0000-1111-2222",
    "org-9876543",
  ]);
  expect(idsInText("a request id is wanted; message ids: none")).toEqual([]);
});
