// A model that is reached through a command: a folder of its own for each call, one run of the command, and one judgement
// of what came out. What differs between the commands stands in claude.ts and codex.ts.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "../../answers/json.ts";
import { parseAnswer } from "../../answers/parse.ts";
import type { CorpusRow } from "../../corpus/schema.ts";
import { errorCode, errorMessage } from "../../errors.ts";
import {
  type CallOptions,
  type CallOutcome,
  MAX_BODY_BYTES,
  NO_OUTCOME,
  type Provider,
} from "../provider.ts";
import { foreignTo } from "../trace.ts";
import { type CallFolder, makeCallFolder, removeCallFolder } from "./call-folder.ts";
import { type ChildEnd, runChild } from "./child.ts";
import type { Command } from "./command.ts";
import { lastWords, type Output, readOutput } from "./events.ts";
import { type SignInFile, tokensIn } from "./sign-in.ts";

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
  /** The whole environment of a call. */
  environment(folder: CallFolder): Record<string, string>;
  /** Files that are never shown, such as a sign-in; they are copied into the call's home. */
  privateFiles?(): Promise<Readonly<Record<string, string>>>;
  /** Where the tokens are that the command signs in with; none when it is given a key. */
  signInFiles(folder: CallFolder): readonly SignInFile[];
  read(output: Output): Report;
}

/** Stands for the call's home where a request is only shown. */
const SHOWN_HOME = "<home>";

/** The provider that asks a model through a command. Starts nothing. */
export function createCliProvider(dialect: Dialect): Provider {
  const { command } = dialect;
  const closing = new AbortController();
  const open = new Set<Promise<unknown>>();
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
        await writeFile(join(folder.home, name), text, { mode: 0o600 });
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
      // A full disk, say; its message holds paths, its code does not.
      const why = errorCode(error) ?? errorMessage(error);
      return { ...NO_OUTCOME, error: `the call could not be prepared (${why})` };
    } finally {
      const path = folder?.path;
      if (path !== undefined) {
        const gone = end?.gone ?? Promise.resolve();
        track(gone.then(() => removeCallFolder(path)));
      }
    }
  };

  return {
    endpointId: null,
    commandVersion: command.version,
    async preview(row): Promise<Writable> {
      const { args, input, files } = dialect.invocation(row, SHOWN_HOME);
      return { command: command.name, arguments: args, files, stdin: input };
    },
    call: (row, options) => track(call(row, options)),
    async close() {
      closing.abort();
      while (open.size > 0) await Promise.allSettled(open);
    },
  };
}

/** What a run of the command means for a row. Tokens and cost are kept whatever it means. */
function judge(end: ChildEnd, dialect: Dialect, row: CorpusRow, options: CallOptions): CallOutcome {
  const { name } = dialect.command;
  if (end.how === "stopped") {
    return { ...NO_OUTCOME, status: "incomplete", error: "stopped before an answer came" };
  }
  if (end.how === "not_started") {
    return { ...NO_OUTCOME, error: `${name} could not be started (${end.refusal ?? "unknown reason"})` };
  }
  const output = readOutput(end);
  const { facts, tool, finished, failure, text } = dialect.read(output);
  const common: CallOutcome = {
    ...NO_OUTCOME,
    raw: output.raw,
    outputText: text,
    ...facts,
    traceIds: foreignTo(row.question, output.traceIds),
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
