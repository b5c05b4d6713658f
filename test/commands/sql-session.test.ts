import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runSession, type Session } from "../../src/commands/sql-session.ts";
import { CheckError, InterruptedError, UserError } from "../../src/errors.ts";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { bench } from "../support/commands.ts";
import { makeWorkspace, result, type TestWorkspace } from "../support/workspace.ts";

const one = result({ row: "a-1", gold: "yes", label: "yes" });

/** A person who types `lines`; a function is what the person does while a statement runs. */
async function typed(
  { workspace }: TestWorkspace,
  lines: readonly (string | "dropped" | (() => void))[],
  stopAfterMs?: number,
): Promise<{ stdout: string; stderr: string; prompts: string[] }> {
  const written = { stdout: "", stderr: "" };
  const prompts: string[] = [];
  const left = [...lines];
  const output = (name: keyof typeof written) => ({
    write: (data: string | Uint8Array) => (written[name] += data),
  });
  const warehouse = await Warehouse.open(workspace);
  const session: Session = {
    warehouse,
    interactive: true,
    format: "jsonl",
    context: {
      stdout: output("stdout"),
      stderr: output("stderr"),
      env: {},
      interrupt: new AbortController().signal,
    },
    lines: {
      async next(prompt) {
        prompts.push(prompt);
        const line = left.shift();
        if (line === undefined) return null;
        return line === "dropped" ? line : { line: String(line) };
      },
      statementSignal() {
        const controller = new AbortController();
        if (stopAfterMs !== undefined) setTimeout(() => controller.abort(), stopAfterMs);
        return controller.signal;
      },
    },
  };
  try {
    await runSession(session);
  } finally {
    warehouse.close();
  }
  return { ...written, prompts };
}

test("a statement goes on until its semicolon, an error is shown, and the session goes on", async () => {
  const { stdout, stderr, prompts } = await typed(makeWorkspace(), [
    "select 1",
    "  as a; select ';' as b; select nope; select 'left out';",
    "",
    "select 3",
    "dropped",
    "select 4 as d;",
    ".nope",
    ".quit",
    "select 5;",
  ]);
  expect(stdout).toBe('{"a":1}\n{"b":";"}\n{"d":4}\n');
  expect(stderr.split("\n")[0]).toMatch(/^SQL: Binder error: .*"nope".*\(line 1, column 33\)$/);
  expect(stderr).toContain('there is no command ".nope"; .help shows them\n');
  expect(prompts.slice(0, 6)).toEqual(["bench> ", "   ... ", "bench> ", "bench> ", "   ... ", "bench> "]);
});

test("a stopped statement gives the prompt back; ledgers are read once, and survive a rollback", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [one] });
  const never = "select count(*) from range(1000000000000) a, range(1000000000000) b;";
  const stopped = await typed(workspace, [never, never], 200);
  expect([stopped.stdout, stopped.stderr]).toEqual(["", "interrupted\ninterrupted\n"]);
  const rolled = await typed(workspace, [
    "begin;",
    "select count(*) as n from answers;",
    "rollback;",
    "select count(*) as n from answers;",
  ]);
  expect(rolled).toMatchObject({ stdout: '{"n":1}\n{"n":1}\n', stderr: "" });
});

test("reading that was stopped half way begins again", async () => {
  const workspace = makeWorkspace();
  for (let i = 0; i < 20; i += 1) workspace.addRun(`r${i}`, { results: [one] });
  const warehouse = await Warehouse.open(workspace.workspace);
  try {
    // An interrupt is repeated until the statement has ended; those that come while the tables are emptied must not stop that.
    for (const delay of [0, 1, 3, 5, 8, 10, 15, 20, 30, 40, 60]) {
      const controller = new AbortController();
      warehouse.listenTo(controller.signal);
      const timer = setTimeout(() => controller.abort(), delay);
      await warehouse
        .query("select * from answers")
        .catch((error) => expect(error).toBeInstanceOf(InterruptedError));
      clearTimeout(timer);
    }
    warehouse.listenTo(undefined);
    expect(await warehouse.rows("select count(*) as n from answers")).toEqual([{ n: 20 }]);
  } finally {
    warehouse.close();
  }
});

test("what puts the tables in order after an interrupt is not interrupted itself", async () => {
  const workspace = makeWorkspace();
  for (let i = 0; i < 5; i += 1) workspace.addRun(`r${i}`, { results: [one] });
  const usual = setInterval;
  // An interrupt is repeated; here as often as can be.
  const often = vi
    .spyOn(globalThis, "setInterval")
    .mockImplementation(((work: () => void) => usual(work, 1)) as typeof setInterval);
  try {
    for (let delay = 0; delay < 24; delay += 2) {
      const warehouse = await Warehouse.open(workspace.workspace);
      const controller = new AbortController();
      warehouse.listenTo(controller.signal);
      setTimeout(() => controller.abort(), delay);
      const ended = await warehouse.query("select * from answers").catch((error: unknown) => error);
      if (ended instanceof Error) expect(ended).toBeInstanceOf(InterruptedError);
      warehouse.listenTo(undefined);
      expect(await warehouse.rows("select count(*) as n from answers")).toEqual([{ n: 5 }]);
      warehouse.close();
    }
  } finally {
    often.mockRestore();
  }
});

test(".tables and .schema tell what is there, and the nearest names", async () => {
  const { stdout, stderr } = await typed(makeWorkspace(), [
    "create temp table mine (a int);",
    "create macro twice(x, y) as table select x, y;",
    ".tables",
    ".schema COST",
    ".schema twice",
    ".schema answrs",
    ".schema",
    ".format csv",
    ".format xml",
    "select 1 as a;",
    ".help",
  ]);
  expect(stdout).toMatch(/^answers +view +The latest result of every finished row/m);
  expect(stdout).toMatch(/^mine +table$/m);
  expect(stdout).toMatch(/^twice +macro\(x, y\)$/m);
  expect(stdout).toMatch(/^cost \(view\): What a run cost/m);
  expect(stdout).toMatch(/^cost_usd +DOUBLE +Sum of the known costs/m);
  expect(stdout).toContain("\na\n1\n");
  expect(stdout).toContain(".schema NAME");
  expect(stderr).toMatch(/^there is no view "answrs"\. Nearest of \d+: answers, /);
  expect(stderr).toContain(".schema needs a name");
  expect(stderr).toContain(".format takes table, json, jsonl, csv, markdown");
});

test("a pipe: each result, no prompt, the last statement without its semicolon", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [one] });
  const { stdout, stderr, error } = await bench(workspace, ["sql"], {
    stdin:
      "-- first\nselect 1 as a;\ncreate temp table t as select * from answers;\n.format csv\nselect count(*) as n\nfrom t",
  });
  expect(error).toBeUndefined();
  expect([stdout, stderr]).toEqual(["a\n1\nn\n1\n", ""]);
  const markdown = await bench(workspace, ["sql", "--format", "markdown"], {
    stdin: "select 1 as a; select 2 as b;",
  });
  expect(markdown.stdout).toBe("| a |\n| ---: |\n| 1 |\n\n| b |\n| ---: |\n| 2 |\n");
});

test("a pipe ends at its first error, which is placed in the whole of it", async () => {
  const workspace = makeWorkspace();
  const { stdout, error } = await bench(workspace, ["sql", "--format", "jsonl"], {
    stdin: ".help\n-- c\nselect 1 as a;\nselect 2 as b; select 'é', nope; select 3;\n",
  });
  expect(stdout.endsWith('{"a":1}\n{"b":2}\n')).toBe(true);
  expect(error).toBeInstanceOf(CheckError);
  expect(error?.message).toMatch(/\(line 4, column 28\)$/);
  const view = await bench(workspace, ["sql"], { stdin: ".schema nothing\nselect 1;" });
  expect([view.error?.exitCode, view.stdout]).toEqual([1, ""]);
});

test("nothing on standard input, and options that need one query", async () => {
  const workspace = makeWorkspace();
  for (const [args, stdin, message] of [
    [["sql"], " \n\n", /^no query: give one/],
    [["sql", "-o", "x.csv"], "select 1", /^--output needs one query/],
    [["sql", "--format", "parquet"], "select 1", /^--format parquet needs one query/],
  ] as const) {
    const { error } = await bench(workspace, args, { stdin });
    expect(error).toBeInstanceOf(UserError);
    expect(error?.message).toMatch(message);
  }
  writeFileSync(join(workspace.root, "q.sql"), "select 1 as a");
  const file = await bench(workspace, ["sql", "-f", "q.sql"], { stdin: "select 2 as b" });
  expect(file.stdout).toBe("a\n1\n");
});
