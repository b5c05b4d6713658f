// README.md of a published result: its figures for people, made of nothing but metadata.json and scores.json.

import { isRecord } from "../fields.ts";
import {
  decimal,
  interval,
  milliseconds,
  minute,
  percent,
  UNKNOWN,
  usd,
  usdAtLeast,
  whole,
} from "../figures.ts";
import { markdownRow, plainMarkdown } from "../markdown.ts";
import { visible } from "../output.ts";
import type { Metadata } from "./metadata.ts";
import type { GroupShare, Scores } from "./scores.ts";

/** Last line of a README.md: `validate` writes the file again when it knows the layout, and compares. */
export const README_MARK = "<!-- decision-bench result, layout 1 -->";

/** The text of the file. Every foreign text in it shows as it is and means nothing. */
export function readmeText(metadata: Metadata, scores: Scores): string {
  const name = metadata.model.label ?? metadata.model.id;
  return [
    `# ${plainMarkdown(name)} on ${plainMarkdown(metadata.suite)}\n`,
    summary(metadata, scores),
    ...warnings(metadata),
    "## Accuracy\n",
    accuracy(scores),
    "## By category\n",
    groups("Category", scores.by_category),
    "## By task\n",
    groups("Task", scores.by_task),
    "## Confidence\n",
    confidence(scores),
    "## Cost, tokens and time\n",
    expense(metadata, scores),
    "## How it was made\n",
    origin(metadata),
    "## Check it\n",
    check(metadata),
    `${README_MARK}\n`,
  ].join("\n");
}

function summary({ model, corpus, coverage, suite }: Metadata, { overall }: Scores): string {
  const covered = coverage.full
    ? `all ${whole(coverage.rows_in_corpus)} rows`
    : `${whole(coverage.rows_completed)} of ${whole(coverage.rows_in_corpus)} rows`;
  return (
    `\`${code(model.id)}\` (${plainMarkdown(model.provider ?? UNKNOWN)}, \`${code(model.api_model ?? UNKNOWN)}\`) over ${covered} of ` +
    `${plainMarkdown(suite)} ${plainMarkdown(corpus.version ?? "")}: **${percent(overall.accuracy)} correct**, ` +
    `${whole(overall.correct)} of ${whole(overall.rows)}, 95 % interval ${ends(overall.wilson95)} (Wilson). ` +
    `${rowsWithout(overall.errors)}\n`
  );
}

function rowsWithout(errors: number): string {
  if (errors === 0) return "Every row has a valid answer.";
  return `${errors === 1 ? "1 row has" : `${whole(errors)} rows have`} no valid answer and count as wrong.`;
}

function warnings({ published_with_warnings: found }: Metadata): string[] {
  if (found == null || found.length === 0) return [];
  const lines = found.map((text) => `> - ${plainMarkdown(text)}\n`).join("");
  return [`> **Published with warnings:**\n>\n${lines}`];
}

function accuracy({ overall, extensions }: Scores): string {
  return table(
    ["Figure", "Value", "95 %"],
    [
      ["Accuracy, interval over rows (Wilson)", percent(overall.accuracy), ends(overall.wilson95)],
      [
        "Accuracy, interval over tasks (jackknife)",
        percent(overall.accuracy),
        ends(extensions?.jackknife95 ?? null),
      ],
      ["Accuracy of the rows with a valid answer", percent(extensions?.accuracy_answered ?? null), UNKNOWN],
      ["Mean accuracy of the categories", percent(overall.macro_category_accuracy), UNKNOWN],
      ["Mean macro F1 of the tasks", decimal(overall.macro_task_f1), UNKNOWN],
    ],
  );
}

function groups(head: string, found: readonly GroupShare[]): string {
  return table(
    [head, "Rows", "Correct", "Accuracy", "95 % (Wilson)"],
    found.map(({ id, name, rows, correct, accuracy: share, wilson95 }) => [
      plainMarkdown(name === null || name === id ? id : `${name} (${id})`),
      whole(rows),
      whole(correct),
      percent(share),
      ends(wilson95),
    ]),
  );
}

function confidence({ calibration, extensions }: Scores): string {
  const valid = extensions?.calibration.valid_rows;
  if (calibration.brier === null) return "No answer came with probabilities.\n";
  return table(
    ["Figure", "Value"],
    [
      ["Rows with probabilities", whole(valid ?? null)],
      ["Brier score (0 to 2, lower is better)", decimal(calibration.brier)],
      ["Log loss (nats)", decimal(calibration.log_loss)],
      ["Expected calibration error (10 bins)", decimal(calibration.ece)],
      ["Wrong with a confidence of 0.9 or more", whole(calibration.high_confidence_errors)],
    ],
  );
}

function expense({ pricing }: Metadata, { cost, tokens, latency_ms: latency, attempts }: Scores): string {
  const basis = cost.basis.map((name) => BASES[name] ?? plainMarkdown(name)).join("; ");
  const coverage = `known for ${percent(cost.coverage)} of the calls`;
  return table(
    ["Figure", "Value"],
    [
      ["Cost", `${plainMarkdown(usd(cost.usd))}, ${coverage}`],
      ["Cost per 1000 rows", plainMarkdown(usdAtLeast(cost.per_1000_rows_usd, cost.coverage))],
      ["Basis of the cost", basis === "" ? UNKNOWN : basis],
      ...(isRecord(pricing) ? [["Prices", prices(pricing)] as const] : []),
      ["Tokens read", `${whole(tokens.input)}, of which from the cache ${whole(tokens.cached_input)}`],
      ["Tokens written", `${whole(tokens.output)}, of which reasoning ${whole(tokens.reasoning_output)}`],
      [
        "Time of a row, median (95 %, 99 %)",
        `${milliseconds(latency.p50)} (${milliseconds(latency.p95)}, ${milliseconds(latency.p99)})`,
      ],
      [
        "Calls",
        `${whole(attempts.attempts)}, of which retries ${whole(attempts.retries)}, ` +
          `failed ${whole(attempts.attempt_errors)} (those that a retry cured included), never finished ${whole(attempts.incomplete_attempts)}`,
      ],
    ],
    "---",
  );
}

const BASES: Readonly<Record<string, string>> = {
  provider_reported: "as the provider reports it",
  price_table_estimate: "estimated from tokens and prices",
  unavailable: "not known for some calls",
};

function prices(pricing: Readonly<Record<string, unknown>>): string {
  const price = (name: string): string => {
    const value = pricing[name];
    return plainMarkdown(usd(typeof value === "number" ? value : null));
  };
  const text = (name: string): string => {
    const value = pricing[name];
    return typeof value === "string" ? plainMarkdown(value) : UNKNOWN;
  };
  const cached =
    typeof pricing.cached_input_per_mtok === "number" ? `, ${price("cached_input_per_mtok")} cached` : "";
  return (
    `per million tokens ${price("input_per_mtok")} read${cached}, ${price("output_per_mtok")} written ` +
    `(${text("source_url")}, ${text("as_of")})`
  );
}

function origin(metadata: Metadata): string {
  const { run, harness, prompt_version: prompt, prompt_sha256: digest, corpus, request } = metadata;
  const commit = harness?.git_commit ?? null;
  return table(
    ["Fact", "Value"],
    [
      ["Run", `\`${code(run.run_id)}\`, ${plainMarkdown(run.status)}`],
      [
        "Time (UTC)",
        `${utc(run.created_at)} to ${utc(run.completed_at)}, published ${utc(run.published_at)}`,
      ],
      [
        "Corpus",
        `${plainMarkdown(metadata.suite)} ${plainMarkdown(corpus.version ?? "")}, digest \`${code(corpus.sha256)}\``,
      ],
      [
        "Prompt",
        `${plainMarkdown(prompt ?? UNKNOWN)}${digest === undefined || digest === null ? "" : `, digest \`${code(digest)}\``}`,
      ],
      ["Request", plainMarkdown(JSON.stringify(request ?? {}))],
      ["Endpoint", run.endpoint_id === null ? UNKNOWN : `\`${code(run.endpoint_id)}\``],
      [
        "Calls at once, time limit, tries a row",
        `${whole(run.jobs)}, ${run.timeout_seconds === null ? UNKNOWN : `${run.timeout_seconds} s`}, ${whole(run.max_attempts)}`,
      ],
      ...(run.cli_versions == null
        ? []
        : [["Version of the command", plainMarkdown(run.cli_versions.join(", "))] as const]),
      [
        "Program",
        `version ${plainMarkdown(harness?.version ?? UNKNOWN)}, commit ${commit === null ? UNKNOWN : `\`${code(commit)}\``}` +
          `${harness?.git_dirty === true ? ", with uncommitted changes" : ""}`,
      ],
      ["Analysis", plainMarkdown(metadata.analysis_version ?? "v1")],
    ],
    "---",
  );
}

function check({ suite, model }: Metadata): string {
  return (
    "`predictions.jsonl` has a line for every row: the answer, the right answer, the probabilities, the time, the tokens and the cost. " +
    "`scores.json` has every figure in full precision. With the corpus beside it,\n\n" +
    `\`\`\`sh\nbench validate results/${suite}/${model.id}\n\`\`\`\n\n` +
    "computes all of it again and compares.\n"
  );
}

function ends(pair: readonly [number, number] | null): string {
  return interval(pair?.[0] ?? null, pair?.[1] ?? null);
}

/** A time as the file has it, to the minute in UTC. */
function utc(text: string | null): string {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? UNKNOWN : minute(time.toISOString());
}

/** A text between backticks; one inside it would end it. */
function code(text: string): string {
  return visible(text).replace(/[`|]/g, "?");
}

/** Values stand to the right, so that their digits line up; words to the left. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  values: "---:" | "---" = "---:",
): string {
  return [
    markdownRow(head),
    markdownRow(head.map((_, i) => (i === 0 ? "---" : values))),
    ...rows.map(markdownRow),
  ].join("");
}
