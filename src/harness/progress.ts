// What a person sees of a run: one moving line on a terminal, one plain line a row anywhere else.
import type { SingleBar } from "cli-progress";
import { type Output, visible } from "../output.ts";
import type { RowNote, RunObserver } from "./execute.ts";
import type { Repair } from "./folder.ts";
import type { Standing } from "./standing.ts";

/** Shows a run on `output` (standard error, so that standard output stays free for results). */
export async function progressOn(output: Output): Promise<RunObserver> {
  return output.isTTY === true ? await barObserver(output) : lineObserver(output);
}

function beginText(runId: string, standing: Standing, pending: number, repairs: readonly Repair[]): string {
  const lines = repairs.map(
    (repair) =>
      `${repair.file}:${repair.line}: a line that was not finished (${repair.bytes} bytes) is moved to ${repair.file}.torn`,
  );
  const before =
    standing.finished > 0 ? `, ${standing.finished} of ${standing.selected} rows are done already` : "";
  lines.push(
    `run ${runId}: ${pending === 0 ? "nothing left to do" : `${pending} ${pending === 1 ? "row" : "rows"} to do`}${before}`,
  );
  return lines.map((line) => `${line}\n`).join("");
}

function lineObserver(output: Output): RunObserver {
  return {
    begin: (...args) => void output.write(beginText(...args)),
    row: (note) => void output.write(`${rowText(note)}\n`),
    notice: (message) => void output.write(`${message}\n`),
    end: () => {},
  };
}

function rowText(note: RowNote): string {
  const verdict = note.status !== "ok" ? note.status : note.isCorrect ? "right" : "wrong";
  const error = note.error === null ? "" : ` (${visible(note.error)})`;
  return `[${note.finished}/${note.selected}] ${visible(note.rowId)} ${verdict} ${Math.round(note.durationMs)} ms${error}`;
}

/** The whole line needs so many columns; what does not fit is cut off at its end, where the time left stands. */
const WIDE = 110;
const WIDE_BAR = {
  format:
    "{bar} {value}/{total} rows · accuracy {accuracy} · errors {failed} · {cost} USD · {rate} rows/s · {eta_formatted} left",
  barsize: 20,
};
const NARROW_BAR = {
  format:
    "{bar} {value}/{total} · {accuracy} right · {failed} errors · {cost} USD · {rate}/s · {eta_formatted}",
  barsize: 8,
};

async function barObserver(output: Output): Promise<RunObserver> {
  const { default: progress } = await import("cli-progress");
  let bar: SingleBar | undefined;
  const payload = (standing: Standing, rate: string) => ({
    accuracy:
      standing.finished === 0 ? "–" : `${((100 * standing.correct) / standing.finished).toFixed(1)} %`,
    failed: standing.errors,
    cost: standing.knownCostUsd.toFixed(4),
    rate,
  });
  let begun = 0;
  let done = 0;
  return {
    begin(runId, standing, pending, repairs) {
      output.write(beginText(runId, standing, pending, repairs));
      if (pending === 0) return;
      begun = performance.now();
      done = 0;
      bar = new progress.SingleBar({
        ...((output.columns ?? WIDE) < WIDE ? NARROW_BAR : WIDE_BAR),
        hideCursor: true,
        stream: output as NodeJS.WritableStream,
        barCompleteChar: "━",
        barIncompleteChar: "─",
        etaBuffer: 50,
        fps: 8,
        gracefulExit: false,
      });
      bar.start(standing.selected, standing.finished, payload(standing, "–"));
    },
    row(note) {
      done += 1;
      const rate = done / Math.max(0.001, (performance.now() - begun) / 1000);
      bar?.update(note.finished, payload(note, rate.toFixed(rate < 10 ? 1 : 0)));
    },
    notice(message) {
      output.write(`${bar === undefined ? "" : "\n"}${message}\n`);
    },
    end() {
      bar?.stop();
      bar = undefined;
    },
  };
}
