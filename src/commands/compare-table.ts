// The document of `bench compare` for people.

import { percent, points, pointsInterval, probability, UNKNOWN, whole } from "../figures.ts";
import { visible } from "../output.ts";
import type { Comparison, GroupDifference } from "./compare-document.ts";
import type { Context } from "./context.ts";
import { write } from "./output.ts";
import { colours, renderTable, type TableColumn } from "./table.ts";

const right = (head: string): TableColumn => ({ head, align: "right" });

/** Prints a comparison as tables. */
export async function printComparison(context: Context, found: Comparison): Promise<void> {
  const { bold } = colours(context);
  const { a, b } = found;
  const out = [
    renderTable(
      [{ head: "" }, { head: "run" }, { head: "model" }, right("rows"), right("correct"), right("accuracy")],
      (["a", "b"] as const).map((letter) => {
        const side = found[letter];
        return [
          letter.toUpperCase(),
          side.run_id,
          side.label ?? side.model_id,
          whole(found.rows),
          whole(side.correct),
          percent(side.accuracy),
        ];
      }),
      bold,
    ),
    visible(
      `${whole(found.rows)} shared rows of ${whole(found.tasks)} ${found.tasks === 1 ? "task" : "tasks"} of ` +
        `${found.suite} ${found.corpus_version ?? UNKNOWN}: both right ${whole(found.both_correct)}, only A ${whole(found.a_only)}, ` +
        `only B ${whole(found.b_only)}, both wrong ${whole(found.both_wrong)}`,
    ),
    "\n\n",
    renderTable(
      [{ head: "A minus B, in points" }, right(""), right("95 %"), right("p")],
      [
        [
          "jackknife over tasks",
          points(found.accuracy_difference),
          pointsInterval(found.jackknife95),
          probability(found.p_jackknife),
        ],
        [
          `bootstrap of tasks (${whole(found.bootstrap.repetitions)} times)`,
          points(found.accuracy_difference),
          pointsInterval(found.bootstrap.interval95),
          "",
        ],
        ["McNemar, rows as independent", points(found.accuracy_difference), "", probability(found.p_mcnemar)],
      ],
      bold,
    ),
    `${verdict(found)}\n`,
  ];
  for (const [title, list] of [
    ["task", found.by_task],
    ["category", found.by_category],
  ] as const) {
    if (list !== undefined) out.push("\n", groupTable(title, list, bold));
  }
  for (const gate of found.gates) {
    const rule =
      gate.gate === "fail_if_worse"
        ? `not surely worse by more than ${gate.points} points`
        : `surely at most ${gate.points} points worse`;
    out.push(`Gate: ${a.model_id} is ${rule} than ${b.model_id}: ${gate.met ? "met" : "NOT met"}\n`);
  }
  await write(context.stdout, out.join(""));
}

/** What the jackknife's interval says, and how small a difference it could have found. */
function verdict({ jackknife95, mde80 }: Comparison): string {
  if (jackknife95 === null) return "Nothing can be said of other tasks: there is no interval.";
  const [low, high] = jackknife95;
  const reach =
    mde80 === null
      ? ""
      : ` Data like these find a true difference of ${(mde80 * 100).toFixed(1)} points in 80 of 100 tries.`;
  if (low > 0) return `A is better: the jackknife's interval lies above 0.${reach}`;
  if (high < 0) return `A is worse: the jackknife's interval lies below 0.${reach}`;
  return `These data do not tell A and B apart: the jackknife's interval holds 0.${reach}`;
}

/** What differs most stands first. */
function groupTable(title: string, list: readonly GroupDifference[], bold: (text: string) => string): string {
  const sorted = [...list].sort((x, y) => y.difference - x.difference);
  return renderTable(
    [
      { head: title },
      right("rows"),
      right("A right"),
      right("B right"),
      right("A minus B"),
      right("only A"),
      right("only B"),
    ],
    sorted.map((group) => [
      group.id,
      whole(group.rows),
      whole(group.correct_a),
      whole(group.correct_b),
      points(group.difference),
      whole(group.a_only),
      whole(group.b_only),
    ]),
    bold,
  );
}
