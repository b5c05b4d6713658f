// The document of `bench score` for people.

import { decimal, interval, milliseconds, percent, UNKNOWN, usd, whole } from "../figures.ts";
import { visible } from "../output.ts";
import type {
  Accuracy,
  Calibration,
  GroupAccuracy,
  Score,
  TaskAccuracy,
} from "../warehouse/score-document.ts";
import type { Context } from "./context.ts";
import { write } from "./output.ts";
import { colours, renderTable, type TableColumn } from "./table.ts";

const FIGURES: readonly TableColumn[] = [
  { head: "rows", align: "right" },
  { head: "correct", align: "right" },
  { head: "accuracy", align: "right" },
  { head: "95 %", align: "right" },
  { head: "errors", align: "right" },
];

/** Prints a score as tables. */
export async function printScore(context: Context, score: Score): Promise<void> {
  const { bold } = colours(context);
  const out: string[] = [];
  const line = (text: string): void => {
    out.push(`${text}\n`);
  };
  const corpus = `${score.suite} ${score.corpus_version ?? UNKNOWN}`;
  line(bold(visible(score.run_id)));
  line(
    visible(
      `${score.label ?? score.model_id} (${score.model_id}) on ${corpus}: ${score.status}, ` +
        `${whole(score.overall.rows)} of ${whole(score.rows_selected)} selected rows done`,
    ),
  );
  if (!score.current_corpus) {
    const groups = score.by_task.length > 0 ? "only be grouped by category and task" : "not be grouped";
    line(`The run used another corpus than the active one: its rows can ${groups}.`);
  }
  line("");
  out.push(
    renderTable(FIGURES, [figures(score.overall)], bold),
    `Of ${whole(score.overall.answered)} answered rows ${percent(score.overall.accuracy_answered)} are right.\n`,
    "\n",
    renderTable(
      [{ head: "tasks as clusters" }, { head: "" }],
      [
        [
          "95 % (jackknife over tasks)",
          interval(score.overall.jackknife95?.[0] ?? null, score.overall.jackknife95?.[1] ?? null),
        ],
        ["mean accuracy of categories", percent(score.overall.macro_category_accuracy)],
        ["mean macro F1 of tasks", decimal(score.overall.macro_task_f1)],
      ],
      bold,
    ),
  );
  const groups = (title: string, list: readonly GroupAccuracy[]): void => {
    if (list.length === 0) return;
    const named = list.some((group) => typeof group.name === "string");
    const head: TableColumn[] = [
      { head: title, align: typeof list[0]?.id === "number" ? "right" : "left" },
      ...(named ? [{ head: "name" }] : []),
      ...FIGURES,
      ...(list.some(isTask) ? [{ head: "macro F1", align: "right" as const }] : []),
    ];
    out.push(
      "\n",
      renderTable(
        head,
        list.map((group) => [
          String(group.id),
          ...(named ? [group.name ?? UNKNOWN] : []),
          ...figures(group),
          ...(isTask(group) ? [decimal(group.macro_f1)] : []),
        ]),
      ),
    );
  };
  groups("category", score.by_category);
  groups("task", score.by_task);
  groups("source kind", score.by_source_kind);
  groups("modality", score.by_modality);
  groups("gold at", score.by_gold_position);
  out.push(...calibrationTables(score.calibration, bold));
  const { cost, latency_ms: latency, tokens, attempts } = score;
  out.push(
    "\n",
    renderTable(
      [{ head: "calls" }, { head: "" }],
      [
        [
          "cost",
          `${usd(cost.usd)}, known for ${percent(cost.coverage)} of the calls (${cost.basis.join(", ") || UNKNOWN})`,
        ],
        ["per 1000 rows", usd(cost.per_1000_rows_usd)],
        ["per right answer", usd(cost.per_correct_usd)],
        [
          "latency",
          `p50 ${milliseconds(latency.p50)}, p95 ${milliseconds(latency.p95)}, p99 ${milliseconds(latency.p99)}, mean ${milliseconds(latency.mean)}`,
        ],
        [
          "tokens",
          `${whole(tokens.input)} in (${whole(tokens.cached_input)} cached), ${whole(tokens.output)} out ` +
            `(${whole(tokens.reasoning_output)} reasoning), known for ${percent(tokens.coverage)} of the calls`,
        ],
        [
          "attempts",
          `${whole(attempts.attempts)} (retries: ${whole(attempts.retries)}, failed: ${whole(attempts.attempt_errors)}, ` +
            `never finished: ${whole(attempts.incomplete_attempts)})`,
        ],
      ],
      bold,
    ),
  );
  await write(context.stdout, out.join(""));
}

function isTask(group: GroupAccuracy): group is TaskAccuracy {
  return "macro_f1" in group;
}

function calibrationTables(calibration: Calibration, bold: (text: string) => string): string[] {
  if (calibration.valid_rows === 0) return ["\nNo row has probabilities, so there is no calibration.\n"];
  const right = (head: string): TableColumn => ({ head, align: "right" });
  return [
    "\n",
    renderTable(
      [{ head: "calibration" }, { head: "" }],
      [
        ["rows with probabilities", whole(calibration.valid_rows)],
        ["Brier score (0 to 2)", decimal(calibration.brier)],
        ["log loss", decimal(calibration.log_loss)],
        [
          "expected calibration error",
          `${decimal(calibration.ece)} (bins of equal size: ${decimal(calibration.adaptive_ece)})`,
        ],
        [
          "Murphy",
          `reliability ${decimal(calibration.murphy_reliability)}, resolution ${decimal(calibration.murphy_resolution)}, ` +
            `uncertainty ${decimal(calibration.murphy_uncertainty)}`,
        ],
        ["area under risk/coverage", decimal(calibration.aurc)],
        ["wrong at confidence of 0.9 or more", whole(calibration.high_confidence_errors)],
        ["label is not the most probable", whole(calibration.argmax_disagreements)],
      ],
      bold,
    ),
    "\n",
    renderTable(
      [{ head: "confidence" }, right("rows"), right("mean"), right("accuracy")],
      calibration.reliability.map((bin) => [
        `${bin.low.toFixed(1)} to ${bin.high.toFixed(1)}`,
        whole(bin.rows),
        percent(bin.mean_confidence),
        percent(bin.accuracy),
      ]),
      bold,
    ),
    "\n",
    renderTable(
      [right("accept from"), right("coverage"), right("rows"), right("wrong"), right("risk")],
      calibration.risk_coverage.map((point) => [
        decimal(point.threshold),
        percent(point.coverage),
        whole(point.accepted),
        whole(point.errors),
        percent(point.risk),
      ]),
      bold,
    ),
  ];
}

function figures(value: Accuracy): string[] {
  const [low, high] = value.wilson95 ?? [null, null];
  return [
    whole(value.rows),
    whole(value.correct),
    percent(value.accuracy),
    interval(low, high),
    whole(value.errors),
  ];
}
