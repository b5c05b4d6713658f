// leaderboard.json and leaderboard.md: the published results of one suite side by side, with the ranks that the data allow.
import { interval, milliseconds, percent, UNKNOWN, usdAtLeast, whole } from "../figures.ts";
import { markdownRow, plainMarkdown } from "../markdown.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";

/** One result; ranks are null for one that is not full or is about another corpus than the active one. */
export interface LeaderboardEntry {
  readonly model_id: string;
  readonly label: string | null;
  readonly vendor: string | null;
  readonly provider: string | null;
  readonly api_model: string | null;
  readonly accuracy: number | null;
  readonly wilson95: readonly [number, number] | null;
  readonly correct: number;
  readonly rows: number;
  readonly errors: number;
  readonly cost_usd: number | null;
  readonly cost_coverage: number | null;
  readonly cost_per_1000_rows_usd: number | null;
  readonly latency_p50_ms: number | null;
  readonly corpus_current: boolean;
  readonly full_coverage: boolean;
  /** ISO 8601. */
  readonly completed_at: string | null;
  readonly prompt_version: string | null;
  /** Digest of the prompt's fixed wording; the older tool does not record it. */
  readonly prompt_sha256: string | null;
  readonly rank_low: number | null;
  readonly rank_high: number | null;
}

/** The document `leaderboard.json`. */
export interface Leaderboard {
  readonly schema_version: 1;
  readonly suite: string;
  readonly corpus_version: string;
  readonly corpus_sha256: string;
  readonly note: string;
  readonly models: readonly LeaderboardEntry[];
}

/** Names of its two files. */
export const LEADERBOARD_FILES = { json: "leaderboard.json", text: "leaderboard.md" } as const;

const NOTE =
  "Sorted by accuracy, then model id. Rows without a valid answer count as wrong. A rank is a range, 1 + the models that are " +
  "surely better to models - those that are surely worse (jackknife over tasks, Holm over all pairs, p < 0.05), among the full " +
  "results with the same corpus and prompt: two models with a rank in common are not told apart by these data.";

/** The published results of a suite that the warehouse holds. */
export async function leaderboardOf(
  warehouse: Warehouse,
  corpus: { readonly suite: string; readonly version: string; readonly sha256: string },
): Promise<Leaderboard> {
  const rows = await warehouse.rows(
    `SELECT r.model_id, r.label, r.vendor, r.provider, r.api_model, a.accuracy, a.wilson_low, a.wilson_high,
       a.correct, a.rows, a.errors, c.cost_usd, c.cost_coverage, c.cost_per_1000_rows_usd, l.p50_ms,
       r.current_corpus, r.full_coverage, r.completed_at, r.prompt_version, r.prompt_sha256,
       b.rank_low, b.rank_high
     FROM runs AS r
     LEFT JOIN accuracy_overall AS a ON a.run_id = r.run_id
     LEFT JOIN cost AS c ON c.run_id = r.run_id
     LEFT JOIN latency AS l ON l.run_id = r.run_id
     LEFT JOIN leaderboard AS b ON b.run_id = r.run_id
     WHERE r.source = 'published' AND r.suite = $1
     ORDER BY a.accuracy DESC NULLS LAST, r.model_id ASC`,
    [corpus.suite],
  );
  return {
    schema_version: 1,
    suite: corpus.suite,
    corpus_version: corpus.version,
    corpus_sha256: corpus.sha256,
    note: NOTE,
    models: rows.map(entryOf),
  };
}

function entryOf(row: Row): LeaderboardEntry {
  const number = (name: string): number | null => (row[name] as number | null) ?? null;
  const text = (name: string): string | null => (row[name] as string | null) ?? null;
  const [low, high] = [number("wilson_low"), number("wilson_high")];
  return {
    model_id: row.model_id as string,
    label: text("label"),
    vendor: text("vendor"),
    provider: text("provider"),
    api_model: text("api_model"),
    accuracy: number("accuracy"),
    wilson95: low === null || high === null ? null : [low, high],
    correct: number("correct") ?? 0,
    rows: number("rows") ?? 0,
    errors: number("errors") ?? 0,
    cost_usd: number("cost_usd"),
    cost_coverage: number("cost_coverage"),
    cost_per_1000_rows_usd: number("cost_per_1000_rows_usd"),
    latency_p50_ms: number("p50_ms"),
    corpus_current: row.current_corpus as boolean,
    full_coverage: row.full_coverage as boolean,
    completed_at: text("completed_at"),
    prompt_version: text("prompt_version"),
    prompt_sha256: text("prompt_sha256"),
    rank_low: number("rank_low"),
    rank_high: number("rank_high"),
  };
}

/** Last line of leaderboard.md: `validate` writes the file again when it knows the layout, and compares. */
export const LEADERBOARD_MARK = "<!-- decision-bench leaderboard, layout 1 -->";

/** `leaderboard.md`, made of nothing but `leaderboard.json`. */
export function leaderboardText(board: Leaderboard): string {
  const { models } = board;
  const current = models.filter((entry) => entry.corpus_current && entry.full_coverage);
  const partial = models.filter((entry) => entry.corpus_current && !entry.full_coverage);
  const others = models.filter((entry) => !entry.corpus_current);
  const parts = [
    `# Leaderboard of ${plainMarkdown(board.suite)}\n`,
    `${results(current.length)} on corpus version ${plainMarkdown(board.corpus_version)} (digest \`${board.corpus_sha256}\`).\n`,
    ...familiesOf(current),
    ...section("Partial results", "They do not cover the whole corpus and have no rank.", partial),
    ...section(
      "Results on another version of the corpus",
      "They cannot be compared with those above.",
      others,
    ),
    `${plainMarkdown(board.note)}\n`,
    `${LEADERBOARD_MARK}\n`,
  ];
  return parts.join("\n");
}

/** Results that are ranked among each other: those of one prompt. */
export function isOneFamily(a: LeaderboardEntry, b: LeaderboardEntry): boolean {
  return a.prompt_version === b.prompt_version && a.prompt_sha256 === b.prompt_sha256;
}

/** A table for each prompt, the one with the best result first; ranks of different prompts say nothing of each other. */
function familiesOf(entries: readonly LeaderboardEntry[]): string[] {
  const families: LeaderboardEntry[][] = [];
  for (const entry of entries) {
    const family = families.find(([first]) => first !== undefined && isOneFamily(first, entry));
    if (family === undefined) families.push([entry]);
    else family.push(entry);
  }
  if (families.length <= 1) return families.map(table);
  return families.flatMap((family) =>
    section(promptTitle(family[0]), "Ranks are those among these results.", family),
  );
}

function promptTitle(entry: LeaderboardEntry | undefined): string {
  const digest = entry?.prompt_sha256 ?? null;
  const version = plainMarkdown(entry?.prompt_version ?? UNKNOWN);
  return `Prompt ${version}, ${digest === null ? "its wording not recorded" : `digest \`${digest.replace(/[^0-9a-f]/g, "").slice(0, 12)}…\``}`;
}

function results(count: number): string {
  return count === 1 ? "1 full result" : `${whole(count)} full results`;
}

function section(title: string, note: string, entries: readonly LeaderboardEntry[]): string[] {
  return entries.length === 0 ? [] : [`## ${title}\n`, `${note}\n`, table(entries)];
}

const COLUMNS: readonly {
  readonly head: string;
  readonly right?: true;
  readonly cell: (entry: LeaderboardEntry) => string;
}[] = [
  { head: "Rank", right: true, cell: rank },
  { head: "Model", cell: name },
  { head: "Vendor", cell: (entry) => plainMarkdown(entry.vendor ?? UNKNOWN) },
  { head: "Accuracy", right: true, cell: (entry) => percent(entry.accuracy) },
  {
    head: "95 % (Wilson)",
    right: true,
    cell: ({ wilson95 }) => interval(wilson95?.[0] ?? null, wilson95?.[1] ?? null),
  },
  { head: "Rows", right: true, cell: (entry) => whole(entry.rows) },
  { head: "Errors", right: true, cell: (entry) => whole(entry.errors) },
  { head: "Per 1000 rows", right: true, cell: cost },
  { head: "Median latency", right: true, cell: (entry) => milliseconds(entry.latency_p50_ms) },
  { head: "Prompt", cell: (entry) => plainMarkdown(entry.prompt_version ?? UNKNOWN) },
];

function table(entries: readonly LeaderboardEntry[]): string {
  return [
    markdownRow(COLUMNS.map(({ head }) => head)),
    markdownRow(COLUMNS.map(({ right }) => (right === true ? "---:" : "---"))),
    ...entries.map((entry) => markdownRow(COLUMNS.map(({ cell }) => cell(entry)))),
  ].join("");
}

function rank({ rank_low: low, rank_high: high }: LeaderboardEntry): string {
  // The older tool gives no ranks.
  if (low == null || high == null) return UNKNOWN;
  return low === high ? String(low) : `${low}–${high}`;
}

function name({ label, model_id: id }: LeaderboardEntry): string {
  const text = label === null || label === id ? id : `${label} (${id})`;
  return plainMarkdown(text);
}

/** A cost of which a part is not known is at least so high. */
function cost({ cost_per_1000_rows_usd: value, cost_coverage: coverage }: LeaderboardEntry): string {
  return value === null ? UNKNOWN : plainMarkdown(usdAtLeast(value, coverage));
}
