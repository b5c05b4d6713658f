// Everything about one row, as its file gives it.
import { objects, type RowEntry, shardOf } from "./row-index.js";
import { shard } from "./site.js";

export interface Option {
  readonly label: string;
  readonly description: string | null;
}

export interface Picture {
  readonly path: string;
  readonly alt: string | null;
  /** Name below `pictures/`; null when the picture could not be read. */
  readonly file: string | null;
}

/** What a result says of the row. */
export interface Answer {
  readonly run_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly label: string | null;
  readonly correct: boolean;
  readonly confidence: number | null;
  /** In the order of the options. */
  readonly probabilities: readonly (number | null)[] | null;
  /** Of labels that are no options. */
  readonly other_probabilities: readonly (readonly [string, number])[] | null;
  readonly probability_source: string | null;
  readonly label_is_argmax: boolean | null;
  readonly images_sent: number | null;
  readonly output_text: string | null;
  /** How long the text is; more than is there when it was cut. */
  readonly output_characters: number | null;
  readonly latency_ms: number | null;
  readonly cost_usd: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly attempts: number;
}

interface RowTexts {
  readonly row_id: string;
  readonly task: string;
  readonly category: string;
  readonly modality: string;
  readonly title: string | null;
  readonly gold: string;
  readonly gold_position: number;
  /** In shown order. */
  readonly options: readonly Option[];
  readonly source_kind: string | null;
  readonly dataset: string | null;
  /** A text, or an object as JSON text. */
  readonly state: string | null;
  readonly ask: string | null;
  readonly instructions: string | null;
  readonly rationale: string | null;
  readonly note: string | null;
  readonly summary: string | null;
  /** JSON text. */
  readonly source: string | null;
  readonly license: string | null;
  readonly provenance: string | null;
  readonly tags: readonly string[] | null;
  readonly images: readonly Picture[];
}

export interface Row extends RowTexts {
  readonly answers: ReadonlyMap<string, Answer>;
}

type Stored = RowTexts & { readonly answers: { readonly [K in keyof Answer]: readonly Answer[K][] } | null };

/** Loads the row. */
export async function rowData(entry: RowEntry): Promise<Row> {
  const path = shardOf(entry);
  const { rows } = await shard<{ rows: readonly Stored[] }>(path);
  const row = rows.find(({ row_id }) => row_id === entry.row_id);
  if (row === undefined) throw new Error(`${path} does not hold this row: is the whole site of one making?`);
  return {
    ...row,
    answers: new Map(objects<Answer>(row.answers).map((answer) => [answer.run_id, answer])),
  };
}
