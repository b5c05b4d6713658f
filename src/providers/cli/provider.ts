// A model that is reached through a command: a folder of its own for each call, one run of the command, and one judgement
// of what came out. What differs between the commands stands in claude.ts and codex.ts.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Writable } from "../../answers/json.ts";
import { parseAnswer } from "../../answers/parse.ts";
import type { CorpusRow } from "../../corpus/schema.ts";
import { errorCode, errorMessage, UserError } from "../../errors.ts";
import {
  type CallOptions,
  type CallOutcome,
  MAX_BODY_BYTES,
  NO_OUTCOME,
  type Provider,
} from "../provider.ts";
import { type CallFolder, makeCallFolder, removeCallFolder } from "./call-folder.ts";
import { type ChildEnd, runChild } from "./child.ts";
import type { Command } from "./command.ts";
import { lastWords, type Output, readOutput } from "./events.ts";
import { startProblem } from "./find-command.ts";
import { CALL_PREFIX } from "./process-tree.ts";
import { SignInError, type SignInFile, tokensIn } from "./sign-in.ts";

/** How a command is asked about one row. */
export interface Invocation {
  readonly args: readonly string[];
  /** What it reads on standard input. */
  readonly input: string;
  /** Files in the call's home, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** What a command's output says, before anybody looks for an answer in its text. */
export interface Report {
  /** Tokens, cost, time, model: what is kept whatever became of the call. */
  readonly facts: Partial<CallOutcome>;
  /** The tool that was called or tried; null for none. */
  readonly tool: string | null;
  /** Whether the command said that its turn is over. */
  readonly finished: boolean;
  /** Why the text is not to be read as an answer; null when it is. */
  readonly failure: Pick<CallOutcome, "status" | "error" | "retryable"> | null;
  /** The text of the model, or the JSON of its structured answer; null when there is none. */
  readonly text: string | null;
}

/** One command's way of being asked and of answering. */
export interface Dialect {
  readonly command: Command;
  /** `home` is where the call's files will be. */
  invocation(row: CorpusRow, home: string): Invocation;
  /** An argument as it is shown: a URL is nobody's business. As it is where absent. */
  shown?(argument: string): string;
  /** The whole environment of a call. */
  environment(folder: CallFolder): Record<string, string>;
  /**
   * Files that are never shown, such as a sign-in; they are copied into the call's home. Rejects with a `SignInError` when
   * nobody is signed in any more.
   */
  privateFiles?(): Promise<Readonly<Record<string, string>>>;
  /** Where the tokens are that the command signs in with; none when it is given a key. */
  signInFiles(folder: CallFolder): readonly SignInFile[];
  /** Whether calls share a folder that they write into. */
  readonly isOneAtATime?: boolean;
  read(output: Output): Report;
}

/** Linux takes no longer argument, in bytes with the zero at its end; other systems take longer ones. */
const MAX_ARGUMENT_BYTES = 128 * 1024;

/** Stands for the call's home where a request is only shown. */
const SHOWN_HOME = "<home>";

/** The provider that asks a model through a command. Starts nothing. */
export function createCliProvider(dialect: Dialect): Provider {
  const { command } = dialect;
  const closing = new AbortController();
  const open = new Set<Promise<unknown>>();
  const kept: string[] = [];
  const track = <T>(work: Promise<T>): Promise<T> => {
    open.add(work);
    const done = (): void => void open.delete(work);
    work.then(done, done);
    return work;
  };

  const call = async (row: CorpusRow, options: CallOptions): Promise<CallOutcome> => {
    const limit = performance.now() + options.timeoutMs;
    let folder: CallFolder | undefined;
    let end: ChildEnd | undefined;
    try {
      folder = await makeCallFolder();
      const { args, input, files } = dialect.invocation(row, folder.home);
      const hidden = (await dialect.privateFiles?.()) ?? {};
      for (const [name, text] of Object.entries({ ...files, ...hidden })) {
        const file = join(folder.home, name);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, text, { mode: 0o600 });
      }
      const signIn = dialect.signInFiles(folder);
      const tokens = await tokensIn(signIn);
      end = await runChild({
        file: command.path,
        args,
        env: dialect.environment(folder),
        cwd: folder.work,
        input,
        folder: folder.path,
        timeoutMs: limit - performance.now(),
        signals: [options.signal, closing.signal],
      });
      // Those that the command was given, and those that it may have got in their place.
      const secrets = [...new Set([...tokens, ...(await tokensIn(signIn))])];
      return { ...judge(end, dialect, row, options), secrets };
    } catch (error) {
      // It has expired since the run began, or somebody has signed out.
      if (error instanceof SignInError) {
        return { ...NO_OUTCOME, status: "auth_missing", error: error.message };
      }
      // A full disk, say; its message holds paths, its code does not.
      const why = errorCode(error) ?? errorMessage(error);
      return { ...NO_OUTCOME, error: `the call could not be prepared (${why})` };
    } finally {
      const path = folder?.path;
      if (path !== undefined) {
        const gone = end?.gone ?? Promise.resolve();
        track(
          gone.then(async () => {
            const refusal = await removeCallFolder(path);
            if (refusal !== null) kept.push(refusal);
          }),
        );
      }
    }
  };

  return {
    endpointId: null,
    commandVersion: command.version,
    isOneAtATime: dialect.isOneAtATime ?? false,
    assertAskable: (rows) => assertArgumentsFit(dialect, rows),
    async preview(row): Promise<Writable> {
      const { args, input, files } = dialect.invocation(row, SHOWN_HOME);
      const { shown = (argument) => argument } = dialect;
      return { command: command.name, arguments: args.map(shown), files, stdin: input };
    },
    call: (row, options) => track(call(row, options)),
    async close() {
      closing.abort();
      while (open.size > 0) await Promise.allSettled(open);
    },
    leftBehind: () => leftBehindText(kept),
  };
}

/** A system that refuses an argument refuses it for every attempt; the schema of a row with many long labels is one. */
function assertArgumentsFit({ command, invocation }: Dialect, rows: readonly CorpusRow[]): void {
  const refused = rows.flatMap((row) => {
    const { args } = invocation(row, SHOWN_HOME);
    const at = args.findIndex((arg) => Buffer.byteLength(arg) >= MAX_ARGUMENT_BYTES);
    return at < 0 ? [] : [{ id: row.id, option: args[at - 1], bytes: Buffer.byteLength(args[at] ?? "") }];
  });
  const [first] = refused;
  if (first === undefined) return;
  const others = refused.length === 1 ? "" : ` (and ${refused.length - 1} more)`;
  throw new UserError(
    `row ${first.id}${others} cannot be asked through ${command.name}: its argument ${first.option} has ${first.bytes} bytes, ` +
      `and ${MAX_ARGUMENT_BYTES - 1} is the most that a system takes. The labels of its options are too many or too long: ` +
      "select other rows (--ids, --task, --category), or ask the model through an HTTP endpoint.",
  );
}

/** What is said once of the folders that could not be removed; `refusals` has the system's reason for each. */
function leftBehindText(refusals: readonly string[]): string | null {
  if (refusals.length === 0) return null;
  const folders = refusals.length === 1 ? "1 folder of a call" : `${refusals.length} folders of calls`;
  return (
    `${folders} could not be removed (${[...new Set(refusals)].sort().join(", ")}): ` +
    `remove ${CALL_PREFIX}${process.pid}-* in the folder for temporary files`
  );
}

/** What a run of the command means for a row. Tokens and cost are kept whatever it means. */
function judge(end: ChildEnd, dialect: Dialect, row: CorpusRow, options: CallOptions): CallOutcome {
  const { name } = dialect.command;
  if (end.how === "stopped") {
    return { ...NO_OUTCOME, status: "incomplete", error: "stopped before an answer came" };
  }
  if (end.how === "not_started") {
    return { ...NO_OUTCOME, error: startProblem(name, dialect.command.path, end) };
  }
  const output = readOutput(end);
  const { facts, tool, finished, failure, text } = dialect.read(output);
  const common: CallOutcome = {
    ...NO_OUTCOME,
    raw: output.raw,
    outputText: text,
    ...facts,
    traceIds: output.traceIds,
  };
  if (tool !== null) {
    return { ...common, status: "protocol_violation", error: `the model called or tried a tool: ${tool}` };
  }
  if (end.how === "timeout") {
    const error = `no complete answer within ${options.timeoutMs / 1000} s`;
    return { ...common, status: "timeout", error, outputText: null };
  }
  const unreadable = (error: string, retryable: boolean): CallOutcome => ({
    ...common,
    status: "invalid_transport_output",
    error,
    retryable,
    outputText: null,
  });
  if (end.how === "too_large") {
    return unreadable(`the answer is larger than ${MAX_BODY_BYTES / (1024 * 1024)} MiB`, false);
  }
  if (output.isTooMuch) return unreadable("the answer has more events than are read", false);
  if (failure !== null) return { ...common, ...failure };
  if (end.exitCode !== 0) {
    const ended = end.exitSignal === null ? `with exit code ${end.exitCode}` : `by ${end.exitSignal}`;
    const words = lastWords(output);
    const error = `${name} ended ${ended}${words === null ? "" : `: ${words}`}`;
    return { ...common, status: "cli_error", error, outputText: null };
  }
  if (!output.isUtf8) return unreadable("the answer is not UTF-8", true);
  if (output.events.length === 0) {
    return unreadable(output.otherLines.length > 0 ? "the answer is not JSON" : "the answer is empty", true);
  }
  if (!finished) {
    const error = "the output ends before its result";
    if (output.unreadableLines === 0) {
      return { ...common, status: "transport_error", error, retryable: true, outputText: null };
    }
    return unreadable(`${error}; lines of it that are no JSON: ${output.unreadableLines}`, true);
  }
  if (text === null) return { ...common, status: "invalid_output", error: "no text in the answer" };
  const parsed = parseAnswer(text, row.question, "allow_single_code_fence");
  const read = { ...common, outputWrapper: parsed.wrapper };
  return parsed.ok
    ? { ...read, status: "ok", answer: parsed.answer }
    : { ...read, status: "invalid_output", error: parsed.reason };
}
