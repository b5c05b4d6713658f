// The diagnosis of `bench doctor` for people.

import { UNKNOWN, whole } from "../figures.ts";
import { type Action, type Diagnosis, type DoctorFinding, MAX_FINDINGS } from "../harness/doctor-report.ts";
import { visible } from "../output.ts";
import type { Context } from "./context.ts";
import { write } from "./output.ts";
import type { Resume } from "./resume-command.ts";
import { colours, renderTable, type TableColumn } from "./table.ts";

/** Findings beyond these are only counted; --json has them. */
const MAX_SHOWN = 50;

const ACTIONS: Readonly<Record<Action, string>> = {
  moved: "moved aside",
  would_move: "would be moved aside",
  mended: "written anew",
  would_mend: "would be written anew",
  left: "left as it is",
};

const COLUMNS: readonly TableColumn[] = [
  { head: "ledger" },
  { head: "lines", align: "right" },
  { head: "whole", align: "right" },
  { head: "damaged", align: "right" },
  { head: "unfinished bytes", align: "right" },
];

/** Prints what was found, what became of it, what is whole, and how to go on. */
export async function printDiagnosis(context: Context, diagnosis: Diagnosis, next: Resume): Promise<void> {
  const { bold } = colours(context);
  const out: string[] = [];
  const line = (text: string): void => {
    out.push(`${visible(text)}\n`);
  };
  for (const finding of diagnosis.findings.slice(0, MAX_SHOWN)) line(findingText(finding));
  const more = diagnosis.findings.length - MAX_SHOWN + diagnosis.findingsLeftOut;
  if (more > 0) line(`… and ${whole(more)} more findings (--json lists up to ${whole(MAX_FINDINGS)})`);
  if (diagnosis.findings.length > 0) out.push("\n");
  for (const { file, message } of diagnosis.notes) line(`Note: ${file}: ${message}.`);
  if (diagnosis.notes.length > 0) out.push("\n");
  const rows = diagnosis.files.map((file) => [
    file.file.slice(file.file.lastIndexOf("/") + 1),
    whole(file.lines),
    whole(file.whole),
    whole(file.damaged),
    whole(file.tornBytes),
  ]);
  out.push(renderTable(COLUMNS, rows, bold), "\n");
  for (const { file, to, lines, bytes } of diagnosis.moved) {
    line(`Moved: ${counted(lines, "line")} (${counted(bytes, "byte")}) of ${file} to ${to}.`);
  }
  const { rows: counts, attempts } = diagnosis;
  const selected = counts.selected === null ? UNKNOWN : whole(counts.selected);
  line(
    `Whole: ${whole(counts.finished)} of ${selected} rows finished, ${whole(counts.errors)} of these with an error; ` +
      `${counted(attempts.calls, "call")}, ${whole(attempts.incomplete)} of these never finished.`,
  );
  if (diagnosis.findings.length === 0) line("Nothing is wrong with the run.");
  line(
    next.command === null
      ? `Next: ${next.message}`
      : `Next: ${next.command}  (${next.message.replace(/\.$/, "")})`,
  );
  await write(context.stdout, out.join(""));
}

function findingText({ file, line, field, message, action }: DoctorFinding): string {
  const place = line === null ? file : `${file}:${line}`;
  return `${place}: ${field === "" ? "" : `${field}: `}${message} (${ACTIONS[action]})`;
}

function counted(number: number, one: string): string {
  return `${whole(number)} ${number === 1 ? one : `${one}s`}`;
}
