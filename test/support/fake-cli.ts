// Commands that are called like the agent CLIs and do what a test says. They write down how they were called.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** The options of Claude Code without which it is not used. */
const HELP = "--print --bare --safe-mode --tools --json-schema --strict-mcp-config --setting-sources";

/** One call of a fake command, as it saw it. */
export interface FakeCall {
  readonly args: readonly string[];
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What lies in its working directory, and in its home. */
  readonly here: readonly string[];
  readonly home: readonly string[];
}

export interface FakeCli {
  /** PATH with the command on it. */
  readonly path: string;
  readonly folder: string;
  calls(): FakeCall[];
  /** Replaces what the command does; see {@link makeFakeCli}. */
  does(body: string): void;
}

export const FAKE_VERSION = { claude: "2.1.332 (Claude Code)", codex: "codex-cli 0.171.0" } as const;

const FEATURES = ["shell_tool stable true", "unified_exec  stable  true", "undo  removed  false"].join("\n");

export interface FakeOptions {
  readonly version?: string;
  /** What `codex features list` prints. */
  readonly features?: string;
  /** What `claude --help` prints; the options that are needed when not given. */
  readonly help?: string;
  /** What `codex debug models --bundled` prints. */
  readonly models?: string;
}

/**
 * Puts a command on a PATH of its own, for one test.
 *
 * @param body JavaScript, run once the call was written down. `fs`, `args`, `input`, `say(...events)` (prints them, one
 *   a line), `spawn` and `answer` (a valid answer as a text, to the question of the prompt) are there.
 */
export function makeFakeCli(name: "claude" | "codex", body: string, options: FakeOptions = {}): FakeCli {
  const folder = mkdtempSync(join(tmpdir(), "bench-fake-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, "calls.jsonl");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const write = (does: string): void => {
    writeFileSync(join(bin, name), `#!${process.execPath}\n${script(name, does, log, options)}`);
    chmodSync(join(bin, name), 0o755);
  };
  write(body);
  return {
    path: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    folder,
    does: write,
    calls: () =>
      !existsSync(log)
        ? []
        : readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as FakeCall),
  };
}

function script(name: "claude" | "codex", body: string, log: string, options: FakeOptions): string {
  const text = (value: string): string => JSON.stringify(value);
  return `
const fs = require("node:fs");
const { spawn } = require("node:child_process");
const args = process.argv.slice(2);
const told = {
  "--version": ${text(options.version ?? FAKE_VERSION[name])},
  "--help": ${text(options.help ?? HELP)},
  "features list": ${text(options.features ?? FEATURES)},
  "debug models --bundled": ${text(options.models ?? '{"models": []}')},
}[args.join(" ")];
if (told !== undefined) {
  console.log(told);
  process.exit(0);
}
const input = fs.readFileSync(0, "utf8");
const names = (folder) => { try { return fs.readdirSync(folder); } catch { return ["unreadable"]; } };
fs.appendFileSync(${text(log)}, JSON.stringify({
  args, input, env: process.env, cwd: process.cwd(), here: names("."), home: names(process.env.HOME),
}) + "\\n");
const say = (...events) => events.forEach((event) => fs.writeSync(1, JSON.stringify(event) + "\\n"));
const labels = Object.keys(JSON.parse(input.split("\\n")[0]).questions[0].options);
const answer = JSON.stringify({ answers: { decision: {
  label: labels[0],
  probabilities: Object.fromEntries(labels.map((label, i) => [label, i === 0 ? 0.8 : 0.2 / (labels.length - 1)])),
} } });
${body}
`;
}

/** The last event of Claude Code, as it is printed when all went well, with changes on top. */
export function claudeResult(changes: object = {}): object {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    api_error_status: null,
    duration_api_ms: 321,
    stop_reason: "end_turn",
    total_cost_usd: 0.0125,
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 30,
      cache_creation_input_tokens: 7,
      output_tokens: 25,
      output_tokens_details: { thinking_tokens: 5 },
    },
    modelUsage: { "claude-real-1": { outputTokens: 25 } },
    permission_denials: [],
    ...changes,
  };
}

/** Body of a fake that answers well. */
export const GOOD: Readonly<Record<"claude" | "codex", string>> = {
  claude: `say({ ...${JSON.stringify(claudeResult())}, result: answer, structured_output: JSON.parse(answer) });`,
  codex: `say({ type: "thread.started", thread_id: "t" }, { type: "turn.started" },
    { type: "item.completed", item: { id: "i", type: "agent_message", text: answer } },
    { type: "turn.completed", usage: { input_tokens: 120, cached_input_tokens: 20, output_tokens: 25, reasoning_output_tokens: 5 } });`,
};
