// Computes the figures of published results again: one warehouse for all results over one corpus, since reading a corpus and
// opening a database cost more than the figures.
import { join } from "node:path";
import { isJsonObject } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import type { ReadCorpus, SoundCorpus } from "./corpora.ts";
import { LEADERBOARD_FILES, type Leaderboard, leaderboardOf } from "./leaderboard.ts";
import { MAX_DOCUMENT_BYTES } from "./page-check.ts";
import type { CheckContext, CheckedResult } from "./result-check.ts";
import { type Scores, scoresOf } from "./scores.ts";

/** The folders of one suite, and which of its own files are to be checked. */
export interface Suite {
  readonly name: string;
  /** `<suite>/<model-id>` of its results. */
  readonly ids: readonly string[];
  readonly files: ReadonlySet<string>;
}

/** What was computed. Results that cannot be counted have no scores, and their suite no leaderboard. */
export interface Recomputed {
  readonly scores: ReadonlyMap<string, Scores>;
  /** By the name of the suite; only of suites whose leaderboard is to be checked. */
  readonly boards: ReadonlyMap<string, Leaderboard>;
}

/** A corpus and the results over it that can be counted. */
interface Group {
  readonly corpus: ReadCorpus;
  readonly sound: SoundCorpus;
  readonly ids: string[];
}

/**
 * Computes all scores and leaderboards.
 *
 * @param notify told of what could not be computed, and why.
 * @throws {InterruptedError} when it was stopped.
 */
export async function recompute(
  results: readonly CheckedResult[],
  suites: readonly Suite[],
  context: CheckContext,
  notify: (message: string) => void,
): Promise<Recomputed> {
  const { fileOf, workspace } = context;
  const scores = new Map<string, Scores>();
  const boards = new Map<string, Leaderboard>();
  const left = (id: string, why: string): void =>
    notify(`${fileOf(join(workspace.resultsDir, id))}: its scores were not computed again (${why})`);
  const groups = new Map<ReadCorpus, Group>();
  for (const { id, corpus, hindrance } of results) {
    if (hindrance !== null || corpus?.sound == null) {
      left(id, hindrance ?? "its corpus is not sound");
      continue;
    }
    const group = groups.get(corpus) ?? { corpus, sound: corpus.sound, ids: [] };
    group.ids.push(id);
    groups.set(corpus, group);
  }
  const countable = new Set([...groups.values()].flatMap(({ ids }) => ids));
  const boardsOf = await placesOfBoards(suites, [...groups.values()], countable, context, notify);
  for (const group of groups.values()) {
    const own = boardsOf.get(group) ?? [];
    // A leaderboard also lists results over earlier versions of its corpus.
    const runs = [...new Set([...group.ids, ...own.flatMap(({ ids }) => ids)])];
    const warehouse = await Warehouse.open(
      { ...group.corpus.workspace, resultsDir: workspace.resultsDir },
      {
        runs,
        figuresOnly: true,
        upTo: "5_standings",
        ...(context.signal === undefined ? {} : { signal: context.signal }),
      },
    );
    try {
      // The checks of lines and those of the warehouse are not written in one language.
      const damaged = new Set(
        (await warehouse.rows("SELECT run_id FROM runs WHERE damaged_lines > 0")).map((row) => row.run_id),
      );
      const found = await scoresOf(warehouse, group.ids);
      for (const id of group.ids) {
        const score = found.get(id);
        if (score !== undefined && !damaged.has(id)) scores.set(id, score);
        else {
          left(id, UNCOUNTED);
          const own = results.find((result) => result.id === id);
          own?.lists.tell(join(own.folder, PUBLISHED_FILES.predictions), UNCOUNTED);
        }
      }
      for (const { name } of own)
        boards.set(name, await leaderboardOf(warehouse, { ...group.sound, suite: name }));
    } finally {
      warehouse.close();
    }
  }
  return { scores, boards };
}

const UNCOUNTED = "has lines that the views do not count";

/** Which leaderboards are made with which corpus: the one that they name, else that of a result. */
async function placesOfBoards(
  suites: readonly Suite[],
  groups: readonly Group[],
  countable: ReadonlySet<string>,
  { workspace, fileOf }: CheckContext,
  notify: (message: string) => void,
): Promise<ReadonlyMap<Group, Suite[]>> {
  const places = new Map<Group, Suite[]>();
  for (const suite of suites) {
    if (!suite.files.has(LEADERBOARD_FILES.json)) continue;
    const path = join(workspace.resultsDir, suite.name, LEADERBOARD_FILES.json);
    const hindered = suite.ids.filter((id) => !countable.has(id));
    if (hindered.length > 0) {
      const more = hindered.length > 1 ? ` and ${hindered.length - 1} more` : "";
      notify(`${fileOf(path)}: its figures were not compared: ${hindered[0]}${more} could not be counted`);
      continue;
    }
    const { value } = await readDocument(path, MAX_DOCUMENT_BYTES);
    const sha256 = isJsonObject(value) ? value.get("corpus_sha256") : null;
    const members = groups.filter(({ ids }) => suite.ids.some((id) => ids.includes(id)));
    const group = members.find(({ sound }) => sound.sha256 === sha256) ?? members[0];
    if (group !== undefined) places.set(group, [...(places.get(group) ?? []), suite]);
  }
  return places;
}
