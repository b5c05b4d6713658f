// The row of `bench show` for people.

import { type Json, JsonNumber, stringifyJson } from "../answers/json.ts";
import { milliseconds, minute, UNKNOWN, usd, whole } from "../figures.ts";
import { visible } from "../output.ts";
import type { Context } from "./context.ts";
import { write } from "./output.ts";
import type { ShownRow } from "./show-row.ts";
import { colours, renderTable, type TableColumn } from "./table.ts";

/** Prints a row section by section, with nothing in it that a terminal obeys. */
export async function printRow(context: Context, shown: ShownRow): Promise<void> {
  const { bold } = colours(context);
  const out: string[] = [];
  const line = (text = ""): void => {
    out.push(`${text}\n`);
  };
  const heading = (text: string): void => {
    line();
    line(bold(text));
  };
  const { row, result } = shown;
  line(bold(visible(`${shown.runId}  ${shown.rowId}`)));
  line(visible(`Model: ${shown.modelLabel ?? shown.modelId} (${shown.modelId})`));
  if (row !== null) line(visible(`Row:   ${row.title} (task ${row.task}, category ${row.category})`));

  heading("Sent");
  if (row === null)
    line("Not known: the row is not in the active corpus, or the run was made on another one.");
  else {
    line(visible(row.question.instructions));
    line(block(typeof row.state === "string" ? row.state : pretty(row.state)));
    for (const asset of row.assets) line(visible(`Picture: ${asset.path} (${asset.alt})`));
    out.push(
      renderTable(
        [{ head: "option" }, { head: "description" }],
        row.question.options.map((option) => [option.label, option.description]),
        bold,
      ),
    );
    if (shown.inputMatches === false) line("The ledger has the digest of another input than this one.");
  }

  heading("Came back");
  if (result === null) line("Nothing yet: the row is selected and not finished.");
  else {
    line(visible(`Status: ${result.status}${result.error === null ? "" : ` (${result.error})`}`));
    line(
      visible(
        `In ${milliseconds(result.duration_ms)}; finish reason ${result.finish_reason ?? UNKNOWN}; ` +
          `pictures sent ${result.images_sent}; wrapper ${result.output_wrapper ?? UNKNOWN}`,
      ),
    );
    line(result.output_text === null ? "No text." : block(result.output_text));
    if (shown.superseded > 0) line(`Earlier results of this row: ${shown.superseded}, superseded.`);
  }

  if (result !== null) {
    heading("Read as");
    const { answer } = result;
    if (answer === null) line("No valid answer, so the row counts as wrong.");
    else {
      const verdict = answer.label === result.gold ? "right" : `wrong, the right option is ${result.gold}`;
      line(visible(`Label: ${answer.label ?? UNKNOWN} (${verdict})`));
      line(
        visible(
          `Probabilities: ${answer.probability_source}, sum as given ${answer.raw_probability_sum ?? UNKNOWN}, ` +
            `the label is ${answer.label_is_argmax === false ? "not " : ""}the most probable option`,
        ),
      );
      if (answer.probabilities !== null) {
        const shares = new Map(Object.entries(answer.probabilities));
        const labels = row?.question.options.map((option) => option.label) ?? [...shares.keys()];
        out.push(
          renderTable(
            [{ head: "option" }, { head: "probability", align: "right" }, { head: "" }],
            labels.map((label) => [
              label,
              shares.get(label)?.toFixed(4) ?? UNKNOWN,
              [label === answer.label ? "chosen" : "", label === result.gold ? "right" : ""]
                .filter((mark) => mark !== "")
                .join(", "),
            ]),
            bold,
          ),
        );
      }
    }
  }

  heading("Attempts");
  if (shown.attempts.length === 0) line("None.");
  else out.push(renderTable(ATTEMPT_COLUMNS, shown.attempts.map(attemptCells), bold));
  await write(context.stdout, out.join(""));
}

const ATTEMPT_COLUMNS: readonly TableColumn[] = [
  { head: "no.", align: "right" },
  { head: "status" },
  { head: "started (UTC)" },
  { head: "took", align: "right" },
  { head: "waited", align: "right" },
  { head: "HTTP", align: "right" },
  { head: "cost", align: "right" },
  { head: "in", align: "right" },
  { head: "out", align: "right" },
  { head: "model" },
  { head: "error" },
];

function attemptCells(attempt: ShownRow["attempts"][number]): string[] {
  const number = (name: string): number | null => (attempt[name] as number | null | undefined) ?? null;
  const text = (name: string): string => (attempt[name] as string | null | undefined) ?? UNKNOWN;
  return [
    whole(number("number")),
    text("status"),
    minute((attempt.started_at as string | null | undefined) ?? null),
    milliseconds(number("duration_ms")),
    milliseconds(number("queued_ms")),
    number("http_status") === null ? UNKNOWN : String(number("http_status")),
    usd(number("cost_usd")),
    whole(number("input_tokens")),
    whole(number("output_tokens")),
    text("resolved_model"),
    text("error"),
  ];
}

/** A text of several lines, set off at the left. */
function block(text: string): string {
  return text
    .split("\n")
    .map((line) => `  | ${visible(line)}`.trimEnd())
    .join("\n");
}

/** JSON over several lines, keys in their own order. */
function pretty(value: Json, indent = ""): string {
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.length > 0) {
    return `[\n${value.map((item) => `${inner}${pretty(item, inner)}`).join(",\n")}\n${indent}]`;
  }
  if (value instanceof Map && value.size > 0) {
    const members = [...value].map(([key, item]) => `${inner}${JSON.stringify(key)}: ${pretty(item, inner)}`);
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  return value instanceof JsonNumber ? value.text : stringifyJson(value);
}
