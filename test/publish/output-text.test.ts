import { expect, test } from "vitest";
import { MAX_OUTPUT_CHARACTERS, publishedOutput } from "../../src/publish/output-text.ts";

test.each(["x", "é", "😀"])("%s is counted as one character, and none is split", (character) => {
  const whole = character.repeat(MAX_OUTPUT_CHARACTERS);
  expect(publishedOutput(whole)).toEqual({ text: whole, truncated: false });
  expect(publishedOutput(`${whole}y`)).toEqual({ text: whole, truncated: true });
  expect(publishedOutput(`${whole}😀`)).toEqual({ text: whole, truncated: true });
});

test("a short text is published as it is", () => {
  expect(publishedOutput("")).toEqual({ text: "", truncated: false });
});
