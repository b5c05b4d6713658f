// The shapes of addresses against their plain forms, which say the same and take minutes for a long run of letters.
import fc from "fast-check";
import { expect, test } from "vitest";
import { HOST_SHAPES } from "../src/secrets.ts";

const PLAIN: readonly RegExp[] = [
  /[a-z][a-z0-9+.-]*:\/\/\S+/i,
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  /\[[0-9a-f:.]*::[0-9a-f:.]*\]/i,
  /\blocalhost\b/i,
  /\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}:\d{2,5}\b/i,
  /\b[a-z0-9-]+(?:\.[a-z0-9-]+)+\.(?:com|net|org|io|ai|dev|app|cloud|co|run|local|internal|lan|corp)\b/i,
  /\b[a-z0-9-]+\.(?:com|net|org|io|dev|cloud|local|internal|lan|corp)\b/i,
];

const text = fc
  .array(fc.constantFrom(..."a1-._: /[]+Z\u212a\u017f\u00e9\n", "com", ".io", "://", "::", ":80"), {
    maxLength: 24,
  })
  .map((parts) => parts.join(""));

const all = (shape: RegExp, where: string): [number, string][] =>
  [...where.matchAll(new RegExp(shape.source, `${shape.flags}g`))].map((found) => [found.index, found[0]]);

test("the shapes find what their plain forms find", () => {
  expect(HOST_SHAPES).toHaveLength(PLAIN.length);
  fc.assert(
    fc.property(text, (where) => {
      for (const [index, shape] of HOST_SHAPES.entries()) {
        expect(all(shape, where)).toEqual(all(PLAIN[index] as RegExp, where));
      }
    }),
    { numRuns: 3000 },
  );
});

test.each([
  "a",
  "1",
  "-",
  "a.",
  "1.",
  "a-",
  "-a",
  ".a",
  "1a",
  "_-",
  "--a",
  "a:",
  "[:",
  "a://",
  "a.comx.",
  "[::",
])("a megabyte of %j takes no second", (piece) => {
  const long = `[${piece.repeat(1_000_000 / piece.length)}`;
  const before = process.cpuUsage();
  for (const shape of HOST_SHAPES) shape.test(long);
  const { user, system } = process.cpuUsage(before);
  // In plain form one of these takes minutes.
  expect((user + system) / 1000).toBeLessThan(5000);
});
