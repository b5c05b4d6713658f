import { expect, test } from "vitest";
import { publishedError } from "../../src/publish/error-text.ts";

test.each([
  ["ok", null],
  ["incomplete", null],
  ["429", "HTTP 429"],
  ["500", "HTTP 500"],
  ["invalid_output", "Invalid model output"],
  ["invalid_transport_output", "Invalid model output"],
  ["transport_error", "Transport error"],
  ["timeout", "Transport error"],
  ["protocol_violation", "Provider error"],
  ["model_error", "Provider error"],
  ["secret-host.example.com refused", "Provider error"],
  ["4290", "Provider error"],
])("%s is published as %s", (status, text) => {
  expect(publishedError(status)).toBe(text);
});
