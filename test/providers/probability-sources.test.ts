import { expect, test } from "vitest";
import { isProvider, sourceOf } from "../../src/providers/probability-sources.ts";
import { HTTP_TABLE } from "../support/http-providers.ts";

test("says of every HTTP provider what its answers say; names that are none are unknown", () => {
  for (const [, { model, source }] of HTTP_TABLE)
    expect(sourceOf(model.provider), model.provider).toBe(source);
  for (const name of ["", "constructor", "__proto__", "other"]) {
    expect(sourceOf(name)).toBeNull();
    expect(isProvider(name)).toBe(false);
  }
});
