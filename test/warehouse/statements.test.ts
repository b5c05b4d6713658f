import fc from "fast-check";
import { expect, test } from "vitest";
import { StatementReader, splitStatements } from "../../src/warehouse/statements.ts";

test.each([
  ["select 1; select 2", ["select 1", "select 2"]],
  ["select ';' ; select 'it''s;'", ["select ';'", "select 'it''s;'"]],
  [`select "a;""b;" ;`, [`select "a;""b;"`]],
  ["select E'it\\';' ; select 'a\\'; select 3", ["select E'it\\';'", "select 'a\\'", "select 3"]],
  ["select E'a'';\\'' ; x", ["select E'a'';\\''", "x"]],
  ["select $$a;b$$; select $t$ $$;$x$ $t$ ; y", ["select $$a;b$$", "select $t$ $$;$x$ $t$", "y"]],
  ["select $1; select a$b$; select c$b$", ["select $1", "select a$b$", "select c$b$"]],
  [
    "-- one;\nselect 1 -- ;\n; /* ; /* ; */ ; */ select 2",
    ["-- one;\nselect 1 -- ;", "/* ; /* ; */ ; */ select 2"],
  ],
  [";; ; -- nothing;\n/* ; */", []],
  ["select 1 -- no end", ["select 1 -- no end"]],
  ["select 'open;", ["select 'open;"]],
])("%j", (sql, expected) => {
  expect(splitStatements(sql).map(({ text }) => text)).toEqual(expected);
});

test("the first word and the place of a statement", () => {
  const [first, second] = splitStatements("select 1;\n é /* x */ -- y\n Begin; ");
  expect(first).toMatchObject({ keyword: "select", start: 0, line: 0, column: 0 });
  expect(second).toMatchObject({ keyword: "", start: 11, line: 1, column: 1 });
  expect(splitStatements("/* a */ -- b\n Begin")[0]?.keyword).toBe("begin");
});

test("line by line gives what all at once gives", () => {
  const part = fc.constantFrom(
    "'",
    '"',
    "$$",
    "$a$",
    ";",
    "\n",
    " ",
    "--",
    "/*",
    "*/",
    "\\",
    "E'",
    "a",
    "select 1",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = `${parts.join("")}\n`;
      const reader = new StatementReader();
      const lines = text.split(/(?<=\n)/).flatMap((line) => reader.push(line));
      const last = reader.end();
      expect(last === undefined ? lines : [...lines, last]).toEqual(splitStatements(text));
      for (const { text: own, start } of splitStatements(text)) expect(text.slice(start)).toContain(own);
    }),
    { numRuns: 2000 },
  );
});
