import { expect, test } from "vitest";
import { folderNameSchema } from "../src/folder-name.ts";

const messageOf = (name: string): string | undefined =>
  folderNameSchema.safeParse(name).error?.issues[0]?.message;

test.each(["con", "nul", "prn", "aux", "com1", "com9", "lpt1", "nul.json", "con.a.b"])(
  "%s is a device on Windows",
  (name) => {
    expect(messageOf(name)).toContain("are devices on Windows");
  },
);

test.each(["console", "con-1", "auxiliary", "nul-model", "com", "com10", "lpt", "a.con", "0", "gpt-5.2_x"])(
  "%s may be the name of a folder",
  (name) => {
    expect(messageOf(name)).toBeUndefined();
  },
);

test.each(["", "A", "../x", ".x", "a b", "x".repeat(65), "a\n"])("%j may not", (name) => {
  expect(messageOf(name)).toBe("expected 1 to 64 of a-z, 0-9, '.', '_' and '-', first a letter or digit");
});
