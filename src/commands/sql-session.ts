// Statements one after another over one warehouse, as a person types them or as a pipe brings them. Where the lines
// come from and where the answers go is given, so that no terminal is needed here.
import { CheckError, InterruptedError, UserError } from "../errors.ts";
import { visible } from "../output.ts";
import { type Statement, StatementReader } from "../warehouse/statements.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Context } from "./context.ts";
import { write } from "./output.ts";
import type { TextFormat } from "./sql.ts";
import { runDotCommand } from "./sql-dots.ts";
import { formatted } from "./sql-formats.ts";

export const PROMPT = "bench> ";
export const CONTINUED = "   ... ";
/** Characters of one statement; a pipe without any `;` must not fill the memory. */
const MAX_STATEMENT = 16 * 1024 * 1024;

/** Where the lines of a session come from. */
export interface LineSource {
  /**
   * The next line, without its end; null after the last one; `"dropped"` when the person gave up what is typed, and
   * `"left"` when there was nothing to give up for the second time.
   */
  next(prompt: string): Promise<{ readonly line: string } | "dropped" | "left" | null>;
  /** A signal for one statement, aborted when the person stops it. */
  statementSignal(): AbortSignal;
}

export interface Session {
  readonly warehouse: Warehouse;
  readonly lines: LineSource;
  /** A person is there: an error is shown, and the session goes on. Otherwise the first error ends it. */
  readonly interactive: boolean;
  readonly format: TextFormat;
  readonly context: Pick<Context, "stdout" | "stderr" | "env" | "interrupt">;
}

/**
 * Runs statements and dot commands until the lines end or `.quit` comes. A statement ends with `;`; the last one of a
 * pipe needs none. An error in a pipe is placed in the whole of it.
 *
 * @throws {CheckError} for the first error, unless a person is there; {@link InterruptedError} when the command was stopped.
 * @throws {UserError} when a pipe brought nothing at all.
 */
export async function runSession({
  warehouse,
  lines,
  interactive,
  context,
  ...rest
}: Session): Promise<void> {
  const reader = new StatementReader();
  let format = rest.format;
  let shown = 0;
  let anything = false;

  for (;;) {
    const next = await lines.next(reader.pending ? CONTINUED : PROMPT);
    if (context.interrupt.aborted) throw new InterruptedError("interrupted");
    if (next === null || next === "left") break;
    if (next === "dropped") {
      reader.clear();
      continue;
    }
    const { line } = next;
    anything ||= line.trim() !== "";
    if (!reader.pending && line.trimStart().startsWith(".")) {
      let answer: Awaited<ReturnType<typeof runDotCommand>> | undefined;
      await attempt(async () => {
        answer = await runDotCommand(line.trim(), warehouse);
      });
      // A line of the text, too, so that later errors are found where they stand.
      reader.clear();
      reader.push("\n");
      if (answer === "quit") return;
      if (answer?.format !== undefined) format = answer.format;
      if (answer?.text !== undefined) await write(context.stdout, answer.text, context.interrupt);
      continue;
    }
    // What stands behind a statement that went wrong on the same line may count on it.
    for (const statement of reader.push(`${line}\n`)) if (!(await attempt(() => run(statement)))) break;
    if (reader.length > MAX_STATEMENT) {
      reader.clear();
      await attempt(() => Promise.reject(new CheckError("a statement is longer than 16 MiB")));
    }
  }
  if (interactive) return;
  const last = reader.end();
  if (last !== undefined) await attempt(() => run(last));
  if (!anything)
    throw new UserError("no query: give one as an argument, in a file with --file, or on standard input");

  async function run(statement: Statement): Promise<void> {
    // What is read inside a transaction would be gone after a ROLLBACK, so all of it is read before one begins.
    if (statement.keyword === "begin" || statement.keyword === "start") await warehouse.read("ledger");
    const above = interactive ? 0 : statement.line;
    const result = await warehouse.query("\n".repeat(above) + " ".repeat(statement.column) + statement.text);
    if (result.columns.length === 0) return;
    // Two tables in a row would read as one.
    if (shown > 0 && (format === "table" || format === "markdown")) await write(context.stdout, "\n");
    shown += 1;
    for await (const text of formatted(result, format, context)) {
      await write(context.stdout, text, context.interrupt);
    }
  }

  /** Does one thing that the person can stop; false when it went wrong and the session goes on. */
  async function attempt(work: () => Promise<void>): Promise<boolean> {
    const signal = AbortSignal.any([context.interrupt, lines.statementSignal()]);
    warehouse.listenTo(signal);
    try {
      await work();
      return true;
    } catch (error) {
      const known = error instanceof CheckError || error instanceof UserError;
      const stopped = error instanceof InterruptedError && !context.interrupt.aborted;
      if (!interactive || !(known || stopped)) throw error;
      context.stderr.write(`${visible(error.message)}\n`);
      return false;
    }
  }
}
