// The figures of every result, as the loader of board.json gives them.
import { FileAttachment } from "observablehq:stdlib";
import { type Run, runNames, site } from "./site.js";
import { promptKey } from "./standing.js";

/** An accuracy with both intervals. Shares, or null where there is none. */
export interface Accuracy {
  readonly accuracy: number | null;
  readonly wilson_low: number | null;
  readonly wilson_high: number | null;
  readonly jackknife_low: number | null;
  readonly jackknife_high: number | null;
  readonly correct: number | null;
  readonly rows: number | null;
  readonly errors: number | null;
}

/** A line of the board. Costs in USD, times in ms. */
export interface Line extends Accuracy {
  readonly run_id: string;
  readonly accuracy_answered: number | null;
  /** Place among the full results of the same prompt. */
  readonly rank: number | null;
  readonly rank_low: number | null;
  readonly rank_high: number | null;
  /** Groups of neighbours that the data do not tell apart, from the first to the last that the result is in. */
  readonly first_group: number | null;
  readonly last_group: number | null;
  readonly cost_usd: number | null;
  readonly cost_coverage: number | null;
  readonly cost_basis: readonly string[] | null;
  readonly cost_per_1000_rows_usd: number | null;
  readonly cost_per_correct_usd: number | null;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly token_coverage: number | null;
  readonly macro_category_accuracy: number | null;
  readonly macro_task_f1: number | null;
  /** Null where the cost is not wholly known, and for what is not compared: see the view `fronts`. */
  readonly on_cost_front: boolean | null;
  readonly on_latency_front: boolean | null;
}

/** A result with its figures and the name under which it is shown. */
export interface Entry {
  readonly run: Run;
  readonly name: string;
  readonly line: Line;
}

/** All results in the order of {@link site}. */
export async function entries(): Promise<readonly Entry[]> {
  const [{ runs }, { board }] = await Promise.all([
    site(),
    FileAttachment("../data/board.json").json() as Promise<{ board: Line[] }>,
  ]);
  const lines = new Map(board.map((line) => [line.run_id, line]));
  const names = runNames(runs);
  return runs.flatMap((run) => {
    const line = lines.get(run.run_id);
    return line === undefined ? [] : [{ run, name: names.get(run.run_id) ?? run.run_id, line }];
  });
}

/** Which results stand together: ranked ones by prompt, partial ones, local runs. */
export interface Board {
  /** Full published results, a list a prompt; that of the ranked ones first. */
  readonly families: readonly (readonly Entry[])[];
  readonly partial: readonly Entry[];
  readonly local: readonly Entry[];
}

/** Ranks say something among results of one prompt only, and nothing of a partial result or a local run. */
export function boardOf(all: readonly Entry[]): Board {
  const published = all.filter(({ run }) => run.source === "published");
  const families = new Map<string, Entry[]>();
  for (const entry of published.filter(({ run }) => run.full_coverage)) {
    const prompt = promptKey(entry.run);
    families.set(prompt, [...(families.get(prompt) ?? []), entry]);
  }
  return {
    families: [...families.values()],
    partial: published.filter(({ run }) => !run.full_coverage),
    local: all.filter(({ run }) => run.source === "local"),
  };
}
