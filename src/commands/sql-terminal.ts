// Where the lines of a session come from: a person at a terminal, or a pipe.
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import { CheckError, InterruptedError, UserError } from "../errors.ts";
import type { Context } from "./context.ts";
import { isTextFormat, type SqlOptions } from "./sql.ts";
import { CONTINUED, type LineSource, runSession } from "./sql-session.ts";
import { withWarehouse } from "./warehouse.ts";

/** Characters of one line of a pipe. */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * `bench sql` without a query: a prompt on a terminal, else the statements of standard input.
 *
 * @throws {UserError} for options that need a query; what {@link runSession} throws.
 */
export async function openSession({ format, output }: SqlOptions, context: Context): Promise<void> {
  if (output !== undefined || !isTextFormat(format)) {
    const option = output === undefined ? `--format ${format}` : "--output";
    throw new UserError(`${option} needs one query: give it as an argument or in a file with --file`);
  }
  const interactive = context.stdin.isTTY === true;
  await withWarehouse(context, {}, async (warehouse) => {
    const lines = interactive ? new Terminal(context) : pipedLines(context.stdin, context.interrupt);
    try {
      await runSession({ warehouse, lines, interactive, format, context });
    } finally {
      lines.close();
    }
  });
}

/** The lines of a stream. Ends when the stream does or `signal` is aborted. */
export function pipedLines(input: Readable, signal: AbortSignal): LineSource & { close(): void } {
  const lines = splitLines(input);
  const stop = (): void => {
    input.destroy(new InterruptedError("interrupted"));
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const never = new AbortController().signal;
  return {
    async next() {
      const { value, done } = await lines.next();
      return done ? null : { line: value };
    },
    statementSignal: () => never,
    close() {
      signal.removeEventListener("abort", stop);
      input.destroy();
    },
  };
}

async function* splitLines(input: Readable): AsyncGenerator<string, undefined> {
  let open: string[] = [];
  let length = 0;
  input.setEncoding("utf8");
  for await (const chunk of input) {
    const [first = "", ...others] = (chunk as string).split("\n");
    open.push(first);
    length += first.length;
    if (length > MAX_LINE) throw new CheckError("a line of standard input is longer than 16 MiB");
    for (const part of others) {
      yield open.join("");
      open = [part];
      length = part.length;
    }
  }
  if (length > 0) yield open.join("");
  return undefined;
}

/** A person at a terminal. What is typed is remembered while the session lasts, and written nowhere. */
class Terminal implements LineSource {
  readonly #readline: Interface;
  readonly #context: Context;
  readonly #typed: string[] = [];
  #waiting: ((event: Awaited<ReturnType<LineSource["next"]>>) => void) | null = null;
  #statement = new AbortController();
  #closed = false;
  #atEmpty = false;
  readonly #end = (): void => this.#readline.close();

  constructor(context: Context) {
    this.#context = context;
    // A person who sends results to a file still wants to see what is asked.
    const shown = context.stdout.isTTY === true ? context.stdout : context.stderr;
    this.#readline = createInterface({
      input: context.stdin,
      output: shown as unknown as NodeJS.WritableStream,
      terminal: true,
    });
    this.#readline.on("line", (line) => {
      this.#atEmpty = false;
      if (this.#waiting === null) this.#typed.push(line);
      else this.#answer({ line });
    });
    this.#readline.on("SIGINT", () => this.#interrupted(shown));
    this.#readline.on("close", () => {
      this.#closed = true;
      if (this.#waiting !== null) shown.write("\n");
      this.#answer(null);
    });
    context.interrupt.addEventListener("abort", this.#end);
  }

  next(prompt: string): ReturnType<LineSource["next"]> {
    const line = this.#typed.shift();
    if (line !== undefined) return Promise.resolve({ line });
    if (this.#closed) return Promise.resolve(null);
    this.#readline.setPrompt(prompt);
    this.#readline.prompt();
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  statementSignal(): AbortSignal {
    this.#statement = new AbortController();
    return this.#statement.signal;
  }

  close(): void {
    this.#context.interrupt.removeEventListener("abort", this.#end);
    this.#readline.close();
  }

  #answer(event: Awaited<ReturnType<LineSource["next"]>>): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(event);
  }

  #interrupted(shown: Context["stdout"]): void {
    if (this.#waiting === null) {
      this.#typed.length = 0;
      this.#statement.abort();
      return;
    }
    const again = this.#atEmpty && this.#readline.line === "";
    this.#atEmpty = this.#readline.line === "" && this.#readline.getPrompt() !== CONTINUED;
    // To the end of the line, then away with all before it.
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    shown.write(this.#atEmpty && !again ? "^C (again, or .quit, leaves)\n" : "^C\n");
    this.#answer(again ? "left" : "dropped");
  }
}
