#!/usr/bin/env node
// The `bench` command: wiring, messages and exit codes. What the commands do stands in commands/.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import type { Context } from "./commands/context.ts";
import { commands } from "./commands/index.ts";
import { errorCode, errorMessage, whyTooManyFiles } from "./errors.ts";
import { outlivesTerminal } from "./hangup.ts";
import { visible } from "./output.ts";
import { openWorkspace, packageVersion, type Workspace } from "./workspace.ts";

const USAGE = 2;
const INTERRUPTED = 130;
/** Every signal by which a person, a terminal or a system asks a program to end: one that is not taken leaves children behind. */
const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

async function main(argv: readonly string[]): Promise<number> {
  const program = new Command("bench")
    .description("Measures how well models make small decisions, and keeps every number open to a check.")
    .option(
      "--root <dir>",
      "the workspace (default: the nearest folder above with data/corpus/current.json, else the program's own)",
    )
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", "\nExample:\n  bench run --model baseline-lexical && bench runs\n")
    .exitOverride();
  const { context, openedRoot } = createContext(program);
  for (const add of commands) add(program, context);
  // Of the program alone: behind a command the word is the command's, and would be taken from it.
  const names = program.commands.map((command) => command.name());
  if (!argv.some((word) => names.includes(word))) program.version(packageVersion(), "-V, --version");
  for (const command of [program, ...allCommands(program)]) {
    command.exitOverride().configureOutput({ outputError: (text, write) => write(usageError(text)) });
  }
  try {
    await program.parseAsync([...argv]);
    return context.exitCode;
  } catch (error) {
    // Commander has printed its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    report(error, [openedRoot(), program.opts<{ root?: string }>().root]);
    const code = (error as { exitCode?: unknown }).exitCode;
    return typeof code === "number" ? code : 1;
  }
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((inner) => [inner, ...allCommands(inner)]);
}

/** Commander's own message as one line; its suggestion stands on a second one. */
function usageError(text: string): string {
  const line = text
    .replace(/^error: /, "")
    .trim()
    .replace(/\s*\n\s*/g, " ");
  return `bench: ${visible(line)} (--help shows the options)\n`;
}

function createContext(program: Command): { context: Context; openedRoot: () => string | undefined } {
  const interrupt = new AbortController();
  let cooperative = false;
  let opened: Workspace | undefined;
  const onSignal = (): void => {
    if (!cooperative || interrupt.signal.aborted) process.exit(INTERRUPTED);
    interrupt.abort();
  };
  const ignoresHangup = outlivesTerminal(process.env);
  for (const signal of END_SIGNALS) {
    process.on(signal, signal === "SIGHUP" && ignoresHangup ? () => {} : onSignal);
  }
  const context: Context = {
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    get stdin() {
      return process.stdin;
    },
    exitCode: 0,
    get interrupt() {
      cooperative = true;
      return interrupt.signal;
    },
    async workspace() {
      opened ??= openWorkspace({
        root: program.opts<{ root?: string }>().root,
        cwd: process.cwd(),
        env: process.env,
        notify: (message) => process.stderr.write(`bench: ${visible(withoutPaths(message, []))}\n`),
      });
      return opened;
    },
  };
  return { context, openedRoot: () => opened?.root };
}

/** One line on standard error; a stack trace only for those who ask for it. */
function report(error: unknown, roots: readonly (string | undefined)[]): void {
  const known = typeof (error as { exitCode?: unknown }).exitCode === "number";
  const message = errorMessage(error);
  const text = known
    ? message
    : (whyTooManyFiles(error) ?? `unexpected error: ${message}. DEBUG=1 shows where; please report it.`);
  process.stderr.write(`bench: ${visible(withoutPaths(text, roots))}\n`);
  if (process.env.DEBUG === "1" && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
}

/** Messages name files inside the workspace; where that lies on this machine is nobody's business. */
function withoutPaths(text: string, roots: readonly (string | undefined)[]): string {
  let out = text;
  const named = [...roots, process.env.DECISION_BENCH_ROOT, process.cwd()];
  for (const folder of named.flatMap((name) => (name ? [resolve(name)] : []))) {
    if (folder.length > 1) out = out.replace(new RegExp(`${pathStart(folder)}/`, "g"), "");
  }
  const home = homedir();
  return home.length > 1 ? out.replace(new RegExp(`${pathStart(home)}(?![A-Za-z0-9_.-])`, "g"), "~") : out;
}

/** An absolute path where one begins: "/home/a" is no part of "/srv/home/a". */
function pathStart(path: string): string {
  return `(?<![A-Za-z0-9_.-])${path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`;
}

// A reader that has seen enough (`bench sql … | head`) is no failure.
process.stdout.on("error", (error) => {
  const code = errorCode(error);
  if (code === "EPIPE") process.exit(process.exitCode ?? 0);
  process.stderr.write(`bench: standard output cannot be written (${code ?? errorMessage(error)})\n`);
  process.exit(1);
});
// Nobody reads what we say, or there is no space for it: no reason to drop calls that are under way.
process.stderr.on("error", () => {});

// A limit on the size of files (`ulimit -f`) ends a program that does not take this signal, in the middle of a record; the
// write that met it fails all the same.
process.on("SIGXFSZ", () => {});

process.exitCode = await main(process.argv.map(asArgument));

/** A query may begin with a SQL comment, which looks like an option; no option has white space behind its dashes. */
function asArgument(text: string): string {
  return /^--\s/.test(text) ? ` ${text}` : text;
}
