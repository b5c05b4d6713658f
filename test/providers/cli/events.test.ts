// Output that is odd: whatever a command prints, what it took is kept, and reading it takes no longer than its bytes ask for.
import { expect, test } from "vitest";
import { readClaude } from "../../../src/providers/cli/claude-events.ts";
import { readCodex } from "../../../src/providers/cli/codex-events.ts";
import { readOutput } from "../../../src/providers/cli/events.ts";

const output = (stdout: string, stderr = "") =>
  readOutput({
    how: "exit",
    exitCode: 0,
    exitSignal: null,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
    refusal: null,
    gone: Promise.resolve(),
  });
const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  total_cost_usd: 0.25,
  usage: { input_tokens: 7, output_tokens: 3 },
};
const structured = (inner: string, more = ""): string =>
  `${JSON.stringify({ ...RESULT, structured_output: 0 }).replace('"structured_output":0', `"structured_output":${inner}${more}`)}\n`;

test.each([
  ["a key twice in the answer", structured('{"answers":{"a":1,"a":2}}')],
  ["a key twice beside it", structured("{}", ',"x":{"y":1,"y":2}')],
  ["deep nesting", structured(`${"[".repeat(5000)}${"]".repeat(5000)}`)],
])("an answer with %s is invalid, and what it cost is kept", (_, text) => {
  const { facts, failure } = readClaude(output(text));
  expect(failure).toMatchObject({ status: "invalid_output", retryable: false });
  expect(failure?.error).toMatch(/^not JSON: /);
  expect(facts).toMatchObject({ reportedCostUsd: 0.25, usage: { input_tokens: 7, output_tokens: 3 } });
});

test("millions of lines are passed over, and the result at their end is read", () => {
  const noisy = output(`${"x\n".repeat(3_000_000)}${structured("{}")}`);
  expect(noisy.isTooMuch).toBe(false);
  expect(noisy.otherLines.length).toBeLessThan(1100);
  expect(readClaude(noisy).facts.reportedCostUsd).toBe(0.25);
  const events = output(`${"{}\n".repeat(1_000_000)}${structured("{}")}`);
  expect(events.isTooMuch).toBe(true);
  expect(events.events.length).toBeLessThan(20_100);
  expect(readClaude(events).facts.reportedCostUsd).toBe(0.25);
  const broken = output(`${"{x\n".repeat(1_000_000)}${structured("{}")}`);
  expect(broken.isTooMuch).toBe(true);
  expect(broken.otherLines.length).toBeLessThan(1100);
  expect(readClaude(broken).facts.reportedCostUsd).toBe(0.25);
});

test("the last words of a long talk are its last", () => {
  const { otherLines } = output(`${"hm\n".repeat(5000)}fatal: no space\n`);
  expect(otherLines.at(-1)).toBe("fatal: no space");
});

test("a turn that failed is a failure whatever was said before", () => {
  const lines = (...events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const message = { type: "item.completed", item: { type: "agent_message", text: "{}" } };
  const done = { type: "turn.completed", usage: { input_tokens: 5, output_tokens: 1 } };
  const failed = { type: "turn.failed", error: { message: "unexpected status 500 Internal Server Error" } };
  expect(readCodex(output(lines(message, done, failed))).failure).toMatchObject({
    status: "500",
    retryable: true,
  });
  const bare = readCodex(output(lines(message, { type: "turn.failed", error: {} })));
  expect(bare.failure).toMatchObject({ status: "cli_error" });
  expect(readCodex(output(lines(message, done))).failure).toBeNull();
});

const BOM = "\ufeff";
const result = JSON.stringify({ ...RESULT, result: "x" });

test.each([
  ["a byte order mark before everything", `${BOM}${result}\n`],
  ["one before each line", `${BOM}{"type":"system"}\n${BOM}${result}\n`],
  ["white space before an event", ` \t${result}\r\n`],
  ["white space before it, after much noise", `${"hm\n".repeat(2000)}  ${result}\n`],
])("%s hides no event", (_, text) => {
  const read = output(text);
  expect(read.lines.at(-1)?.trim()).toBe(result);
  expect(readClaude(read)).toMatchObject({ finished: true, text: "x", facts: { reportedCostUsd: 0.25 } });
});

test("lines that are no event are counted, those with words before one too; empty ones are none", () => {
  const read = output(`note: ${result}\n\n   \n${BOM}\n{"type":\n[1]\n7\n{"type":"system"}\n`);
  expect(read).toMatchObject({ unreadableLines: 4, events: [{ type: "system" }] });
  expect(readClaude(read)).toMatchObject({ finished: false, failure: null });
});

const REFUSED = "error=unsupported call: exec_command";
const LOG = "2026-12-02T17:41:32.023694Z ERROR codex_core::tools::router:";

test("a refused tool is told by a line of Codex's log, and by no echo of its words", () => {
  const said = (stderr: string) => readCodex(output("", stderr)).tool;
  expect(said(`Reading prompt from stdin...\n${LOG} ${REFUSED}\n`)).toBe("exec_command");
  expect(said(`2026-12-02T17:41:32Z  WARN codex_core::tools::router: error=patch rejected: no`)).toBe(
    "apply_patch",
  );
  expect(said(`${LOG} error=unsupported custom tool call: apply_patch`)).toBe("apply_patch");
  for (const echo of [
    "unsupported call: exec_command",
    "patch rejected",
    REFUSED,
    `ERROR codex_core::tools::router: ${REFUSED}`,
    `warning: the state says "${LOG} ${REFUSED}"`,
    `2026-12-02T17:41:32Z ERROR codex_client: body={"text":"${REFUSED}"}`,
    `2026-12-02T17:41:32Z ERROR codex_core::client: text=${REFUSED}`,
  ]) {
    expect(said(`${echo}\n`), echo).toBeNull();
  }
});

test.each([
  ["was ended at its limit", { how: "timeout", exitSignal: "SIGKILL" }],
  ["was ended by a signal", { how: "exit", exitSignal: "SIGTERM" }],
] as const)("the last word of who %s is left out, for it may be half of a key", (_, how) => {
  const end = { exitCode: null, refusal: null, gone: Promise.resolve(), ...how };
  const cut = (stdout: string, stderr = "") =>
    readOutput({ ...end, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
  const said = cut('{"type":"x"}\nthe key is sk-marked', "boom key=sk-marked");
  expect(said.otherLines).toEqual(["the key is "]);
  expect(said.stderr).toBe("boom ");
  expect(JSON.stringify(said.raw)).not.toContain("sk-marked");
  // An event that is whole is kept, also where the line has no end.
  expect(cut(structured("{}").trimEnd()).events).toHaveLength(1);
  expect(cut("whole\nlines\n").otherLines).toEqual(["whole", "lines"]);
});

test("the last word of who ended by itself stays", () => {
  expect(output("Not logged in", "Error: nothing").stderr).toBe("Error: nothing");
  expect(output("Not logged in").otherLines).toEqual(["Not logged in"]);
});
