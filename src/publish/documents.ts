// Everything of a published suite that is computed: the figures, totals and README of its new results, and the leaderboard.
import { join } from "node:path";
import type { CorpusFile } from "../corpus/load.ts";
import { writeDurable } from "../files.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";
import { LEADERBOARD_FILES, type Leaderboard, leaderboardOf, leaderboardText } from "./leaderboard.ts";
import { coverageOf, type Metadata, type MetadataHead } from "./metadata.ts";
import { readmeText } from "./readme.ts";
import { type Scores, scoresOf, totalsOf } from "./scores.ts";
import type { Draft } from "./swap.ts";

/** A result whose predictions are written. */
export interface NewResult {
  readonly head: MetadataHead;
  /** How many rows its run was to do. */
  readonly selected: number;
}

/** What was written. */
export interface WrittenSuite {
  /** By `<suite>/<model-id>`. */
  readonly scores: ReadonlyMap<string, Scores>;
  readonly board: Leaderboard;
}

/**
 * Computes the figures of new results from their predictions, as they lie in a draft of their suite, and writes their other
 * files and the leaderboard.
 */
export async function writeSuite(input: {
  readonly workspace: Workspace;
  readonly draft: Draft;
  readonly corpus: CorpusFile;
  readonly results: readonly NewResult[];
  readonly notify: (message: string) => void;
  readonly signal?: AbortSignal;
}): Promise<WrittenSuite> {
  const { draft, corpus, results } = input;
  const rows = (selected: number) => ({ inCorpus: corpus.rowCount, selected });
  for (const { head, selected } of results) {
    const { inCorpus } = rows(selected);
    const first = { ...head, coverage: { rows_in_corpus: inCorpus, rows_selected: selected } };
    await writeJsonFile(join(folderOf(draft, head), PUBLISHED_FILES.metadata), first);
  }
  const warehouse = await Warehouse.open(
    // Ranks depend on what is published, never on what else lies on a machine.
    { ...input.workspace, resultsDir: draft.resultsDir, runsDir: join(draft.resultsDir, "none") },
    {
      figuresOnly: true,
      upTo: "5_standings",
      corpus,
      notify: input.notify,
      ...(input.signal ? { signal: input.signal } : {}),
    },
  );
  try {
    const ids = results.map(({ head }) => `${head.suite}/${head.model.id}`);
    const scores = await scoresOf(warehouse, ids);
    for (const { head, selected } of results) {
      const own = scores.get(`${head.suite}/${head.model.id}`);
      if (own === undefined) throw new Error(`${head.model.id} was not read`);
      const metadata: Metadata = {
        ...head,
        coverage: coverageOf(own, rows(selected)),
        totals: totalsOf(own),
      };
      const folder = folderOf(draft, head);
      await writeJsonFile(join(folder, PUBLISHED_FILES.metadata), metadata);
      await writeJsonFile(join(folder, PUBLISHED_FILES.scores), own);
      await writeDurable(join(folder, PUBLISHED_FILES.readme), readmeText(metadata, own));
    }
    const board = await leaderboardOf(warehouse, corpus);
    await writeJsonFile(join(draft.suiteDir, LEADERBOARD_FILES.json), board);
    await writeDurable(join(draft.suiteDir, LEADERBOARD_FILES.text), leaderboardText(board));
    return { scores, board };
  } finally {
    warehouse.close();
  }
}

function folderOf(draft: Draft, head: MetadataHead): string {
  return join(draft.suiteDir, head.model.id);
}

/** The layout of the older tool's documents: a blank a level. */
async function writeJsonFile(path: string, value: object): Promise<void> {
  await writeDurable(path, `${JSON.stringify(value, null, 1)}\n`);
}
