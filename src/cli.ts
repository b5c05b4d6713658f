#!/usr/bin/env node
// The `bench` command: wiring, messages and exit codes. What the commands do stands in commands/.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import type { Context } from "./commands/context.ts";
import { commands } from "./commands/index.ts";
import { errorCode, errorMessage } from "./errors.ts";
import { openWorkspace, packageVersion, type Workspace } from "./workspace.ts";

const USAGE = 2;
const INTERRUPTED = 130;

async function main(argv: readonly string[]): Promise<number> {
  const program = new Command("bench")
    .description("Measures how well models make small decisions, and keeps every number open to a check.")
    .version(packageVersion(), "-V, --version")
    .option("--root <dir>", "the workspace (default: the nearest folder above with data/corpus/current.json)")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", "\nExample:\n  bench run --model baseline-lexical && bench runs\n")
    .showHelpAfterError("(--help shows the options)")
    .exitOverride();
  const context = createContext(program);
  for (const add of commands) add(program, context);
  for (const command of allCommands(program)) command.exitOverride();
  try {
    await program.parseAsync([...argv]);
    return context.exitCode;
  } catch (error) {
    // Commander has printed its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    report(error, program.opts<{ root?: string }>().root);
    const code = (error as { exitCode?: unknown }).exitCode;
    return typeof code === "number" ? code : 1;
  }
}

function allCommands(command: Command): Command[] {
  return command.commands.flatMap((inner) => [inner, ...allCommands(inner)]);
}

function createContext(program: Command): Context {
  const interrupt = new AbortController();
  let cooperative = false;
  let opened: Workspace | undefined;
  const onSignal = (): void => {
    if (!cooperative || interrupt.signal.aborted) process.exit(INTERRUPTED);
    interrupt.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
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
      });
      return opened;
    },
  };
}

/** One line on standard error; a stack trace only for those who ask for it. */
function report(error: unknown, root: string | undefined): void {
  const known = typeof (error as { exitCode?: unknown }).exitCode === "number";
  const message = errorMessage(error);
  const text = known ? message : `unexpected error: ${message}. DEBUG=1 shows where; please report it.`;
  process.stderr.write(`bench: ${withoutPaths(text, root)}\n`);
  if (process.env.DEBUG === "1" && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
}

/** Messages name files inside the workspace; where that lies on this machine is nobody's business. */
function withoutPaths(text: string, root: string | undefined): string {
  let out = text;
  const named = [root, process.env.DECISION_BENCH_ROOT].flatMap((folder) =>
    folder ? [resolve(folder)] : [],
  );
  for (const folder of [...named, process.cwd()]) {
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
  if (code === "EPIPE") process.exit(0);
  process.stderr.write(`bench: standard output cannot be written (${code ?? errorMessage(error)})\n`);
  process.exit(1);
});
// Nobody reads what we say, or there is no space for it: no reason to drop calls that are under way.
process.stderr.on("error", () => {});

process.exitCode = await main(process.argv.map(asArgument));

/** A query may begin with a SQL comment, which looks like an option; no option has white space behind its dashes. */
function asArgument(text: string): string {
  return /^--\s/.test(text) ? ` ${text}` : text;
}
