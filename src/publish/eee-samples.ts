// The samples files of an export for Every Eval Ever: a line a finished row.
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { publicInput } from "../corpus/input.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";
import { asTexts, overallResult } from "./eee-results.ts";

/** What the lines of a result say of the result. */
export interface SampleHead {
  readonly suite: string;
  readonly schema_version: string;
  readonly evaluation_id: string;
  readonly model_id: string;
  /** Relative path of the file. */
  readonly file: string;
}

/** The file as it was written. */
export interface SamplesFile {
  readonly rows: number;
  readonly sha256: string;
}

// A row has a score of its own and the sum of its tokens; both are the views' business.
const LINES = `
  SELECT run_id, row_id, task, category, source_kind, modality, status, error, label, gold, correct,
    correct::INTEGER AS score, confidence, probabilities, probability_source, label_is_argmax, images_sent, output_text,
    latency_ms, cost_usd, cost_basis, input_tokens, output_tokens, input_tokens + output_tokens AS total_tokens,
    cached_input_tokens, reasoning_output_tokens, attempts
  FROM answers
  JOIN (SELECT unnest($1) AS row_id, generate_subscripts($1, 1) AS position) USING (row_id)
  ORDER BY run_id, position`;

/**
 * Writes the samples file of every run in `heads`, by run id; lines are in the order of the corpus. A run without a finished
 * row gets no file.
 *
 * @param inputs the rows of the runs' corpus, which must be the one the warehouse is about.
 */
export async function writeSamples(
  warehouse: Warehouse,
  {
    heads,
    inputs,
    withInputs,
    folder,
    onSamples,
  }: {
    readonly heads: ReadonlyMap<string, SampleHead>;
    readonly inputs: ReadonlyMap<string, CorpusRow>;
    readonly withInputs: boolean;
    readonly folder: string;
    /** Told of each file that is written. */
    readonly onSamples: (run: string, rows: number) => void;
  },
): Promise<ReadonlyMap<string, SamplesFile>> {
  const written = new Map<string, SamplesFile>();
  let writer: Writer | undefined;
  let current: SampleHead | undefined;
  let run: Writable;
  const finish = async (): Promise<void> => {
    if (writer === undefined) return;
    const file = await writer.close();
    writer = undefined;
    written.set(run as string, file);
    onSamples(run as string, file.rows);
  };
  try {
    for await (const row of warehouse.plainRows(LINES, [[...inputs.keys()]])) {
      if (row.run_id !== run) {
        await finish();
        run = row.run_id;
        current = heads.get(run as string);
        if (current !== undefined) writer = await openWriter(join(folder, current.file));
      }
      if (current === undefined || writer === undefined) continue;
      const input = inputs.get(row.row_id as string);
      // The warehouse holds answers to rows of its corpus only.
      if (input === undefined) throw new Error(`row ${row.row_id} of ${run} is not in its corpus`);
      await writer.add(`${lineText(sampleOf(row, current, input, withInputs))}\n`);
    }
    await finish();
    return written;
  } finally {
    await writer?.abandon();
  }
}

/** The line as an object. */
function sampleOf(row: Row, head: SampleHead, input: CorpusRow, withInputs: boolean): Writable {
  const raw = stringifyJson(publicInput(input));
  const inputSha256 = createHash("sha256").update(raw, "utf8").digest("hex");
  const reference = [row.gold as string];
  const isText = typeof row.output_text === "string";
  const { name, id } = overallResult(head.suite);
  return {
    schema_version: head.schema_version,
    evaluation_id: head.evaluation_id,
    model_id: head.model_id,
    evaluation_name: name,
    evaluation_result_id: id,
    sample_id: row.row_id,
    sample_hash: sampleHash(raw, reference),
    interaction_type: "single_turn",
    input: {
      raw: withInputs ? raw : `[left out; sha256 ${inputSha256}]`,
      reference,
      choices: withInputs ? input.question.options.map(({ label }) => label) : undefined,
    },
    output: { raw: isText ? [row.output_text] : [] },
    answer_attribution:
      typeof row.label !== "string"
        ? []
        : [
            {
              turn_idx: 0,
              source: isText ? "output.raw" : "recorded answer",
              extracted_value: row.label,
              extraction_method:
                isText && row.probability_source === "verbalized"
                  ? "json"
                  : (row.probability_source ?? "recorded"),
              is_terminal: true,
            },
          ],
    evaluation: { score: row.score, is_correct: row.correct },
    // All three or none, as the schema wants it.
    token_usage:
      row.total_tokens === null
        ? undefined
        : {
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            total_tokens: row.total_tokens,
            input_tokens_cache_read: row.cached_input_tokens ?? undefined,
            reasoning_tokens: row.reasoning_output_tokens ?? undefined,
          },
    performance: row.latency_ms === null ? undefined : { latency_ms: row.latency_ms },
    error: row.status === "ok" ? undefined : (row.error ?? row.status),
    metadata: asTexts({
      task: row.task,
      category: row.category,
      source_kind: row.source_kind,
      modality: row.modality,
      status: row.status,
      confidence: row.confidence,
      probabilities: row.probabilities,
      probability_source: row.probability_source,
      label_is_argmax: row.label_is_argmax,
      images_sent: row.images_sent,
      cost_usd: row.cost_usd,
      cost_basis: row.cost_basis,
      attempts: row.attempts,
      input_sha256: inputSha256,
    }),
  };
}

/** The hash by which samples of different tools are joined, over the JSON that Python writes with sorted keys and ASCII only. */
export function sampleHash(raw: string, reference: readonly string[]): string {
  const text = JSON.stringify({ raw, reference }).replace(/[^ -~]/g, escaped);
  return createHash("sha256").update(text).digest("hex");
}

/** JSON on one line for readers too that end a line at more characters than the line feed, as Python's `splitlines` does. */
function lineText(line: Writable): string {
  return stringifyJson(line).replace(/[\u0085\u2028\u2029]/g, escaped);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

interface Writer {
  add(line: string): Promise<void>;
  close(): Promise<SamplesFile>;
  /** After a failure. */
  abandon(): Promise<void>;
}

const PIECE = 1024 * 1024;

async function openWriter(path: string): Promise<Writer> {
  mkdirSync(dirname(path), { recursive: true });
  const file: FileHandle = await open(path, "wx");
  const digest = createHash("sha256");
  let held = "";
  let rows = 0;
  const flush = async (): Promise<void> => {
    digest.update(held, "utf8");
    await file.writeFile(held, "utf8");
    held = "";
  };
  return {
    async add(line) {
      held += line;
      rows += 1;
      if (held.length >= PIECE) await flush();
    },
    async close() {
      await flush();
      await file.close();
      return { rows, sha256: digest.digest("hex") };
    },
    async abandon() {
      await file.close();
    },
  };
}
