// Runs a command in this process, as the binary would, and keeps what it wrote.
import { Readable } from "node:stream";
import { Command } from "commander";
import { compareCommand } from "../../src/commands/compare.ts";
import type { Context } from "../../src/commands/context.ts";
import { exportCommand } from "../../src/commands/export.ts";
import { importCommand } from "../../src/commands/import.ts";
import { publishCommand } from "../../src/commands/publish.ts";
import { runsCommand } from "../../src/commands/runs.ts";
import { scoreCommand } from "../../src/commands/score.ts";
import { showCommand } from "../../src/commands/show.ts";
import { sqlCommand } from "../../src/commands/sql.ts";
import { validateCommand } from "../../src/commands/validate.ts";
import type { TestWorkspace } from "./workspace.ts";

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output byte by byte. */
  readonly bytes: Buffer;
  /** What the process would end with, unless something was thrown. */
  readonly exitCode: number;
  /** What the command threw; undefined when it went well. */
  readonly error: (Error & { exitCode?: number }) | undefined;
}

export interface BenchOptions {
  readonly isTTY?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly interrupt?: AbortSignal;
  /** What comes on standard input. */
  readonly stdin?: string;
}

/** `bench <args>` in a workspace. */
export async function bench(
  { root, workspace }: TestWorkspace,
  args: readonly string[],
  options: BenchOptions = {},
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const pieces: Buffer[] = [];
  const output = (name: keyof typeof written): Context["stdout"] => ({
    isTTY: options.isTTY,
    write: (data) => {
      const piece = Buffer.from(data as Uint8Array);
      if (name === "stdout") pieces.push(piece);
      written[name] += piece.toString("utf8");
      return true;
    },
  });
  // Only what these commands use; a context may have more.
  const context = {
    cwd: root,
    env: options.env ?? {},
    stdout: output("stdout"),
    stderr: output("stderr"),
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    exitCode: 0,
    interrupt: options.interrupt ?? new AbortController().signal,
    workspace: async () => workspace,
  } as unknown as Context;
  const program = new Command("bench").exitOverride();
  program.configureOutput({
    writeOut: (text) => context.stdout.write(text),
    writeErr: (text) => context.stderr.write(text),
  });
  const all = [
    compareCommand,
    sqlCommand,
    runsCommand,
    showCommand,
    scoreCommand,
    publishCommand,
    importCommand,
    validateCommand,
    exportCommand,
  ];
  for (const add of all) add(program, context);
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync([...args], { from: "user" });
    return { ...written, bytes: Buffer.concat(pieces), exitCode: context.exitCode, error: undefined };
  } catch (error) {
    const { exitCode } = context;
    return { ...written, bytes: Buffer.concat(pieces), exitCode, error: error as Outcome["error"] };
  }
}
