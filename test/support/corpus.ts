// Workspaces for tests: a folder with a sound corpus and models.json, from rows that a test names in a line each, and
// with every part replaceable by something broken.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { CanonicalError } from "../../src/answers/canonical.ts";
import { type Json, parseJson, stringifyJson, type Writable } from "../../src/answers/json.ts";
import { DigestWriter } from "../../src/corpus/digest.ts";
import { type Environment, openWorkspace, type Workspace } from "../../src/workspace.ts";

/** A row as it is written into cases.jsonl; a Map where the order of keys matters. */
export type RowDraft = { readonly [key: string]: Writable };

/** What {@link corpusRow} lets a test say shortly; every other key is a field of the row as it stands. */
export interface RowChanges {
  /** Labels in the order of the file, or pairs of label and description. */
  readonly options?: readonly (string | readonly [label: string, description: Writable])[];
  /** The shown order, written as `option_order`. */
  readonly order?: Writable;
  readonly gold?: Writable;
  /** More fields of the question, or other values for them. */
  readonly question?: { readonly [key: string]: Writable };
  readonly [field: string]: Writable;
}

/** One complete text row: two options, the first one is the answer. `undefined` leaves a field out. */
export function corpusRow(id: string, changes: RowChanges = {}): RowDraft {
  const { options = ["yes", "no"], order, gold, question, ...fields } = changes;
  const pairs = options.map((option) =>
    typeof option === "string" ? ([option, `means ${option}`] as const) : option,
  );
  return {
    id,
    suite: "bench-test",
    category: "support",
    category_name: "Support",
    task: "SUP-1",
    task_name: "Visits",
    modality: "text",
    title: `Row ${id}`,
    state: { report: `The tap of flat ${id} drips.`, days: 2 },
    questions: [
      {
        id: "decision",
        type: "choice",
        instructions: "Say whether someone has to come.",
        options: new Map(pairs),
        option_order: order,
        gold: gold === undefined ? (pairs[0]?.[0] ?? "") : gold,
        rationale: "It is what was done.",
        ask: "Visit?",
        ...question,
      },
    ],
    source: { dataset: "written for the tests", license: "CC0-1.0", record_id: id },
    source_kind: "written",
    provenance: "Written for the tests.",
    ...fields,
  };
}

/** A picture of one colour, as the bytes of a PNG file. */
export function png(shade = 128, side = 2): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  // Each line is a filter byte (none) and one grey byte a pixel.
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(side, shade)]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: side }, () => line)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The `assets` entry for a picture that stands under this path in the corpus folder. */
export function assetOf(
  path: string,
  bytes: Buffer,
  changes: { readonly [key: string]: Writable } = {},
): RowDraft {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path, media_type: "image/png", sha256, alt: "a grey square", ...changes };
}

/** A row with one picture, and the files to hand to {@link makeWorkspace} as `assets`. */
export function imageRow(
  id: string,
  changes: RowChanges = {},
): { row: RowDraft; assets: Record<string, Buffer> } {
  const path = `assets/${id}.png`;
  const bytes = png([...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 256);
  const row = corpusRow(id, { task: "SUP-2", modality: "image", assets: [assetOf(path, bytes)], ...changes });
  return { row, assets: { [path]: bytes } };
}

export interface WorkspaceDraft {
  /** Rows of the corpus, or its lines as they are. Default: four text rows of two tasks. */
  readonly rows?: readonly (RowDraft | string)[];
  /** The bytes of cases.jsonl instead of rows. The manifest freezes those of its lines that are JSON. */
  readonly cases?: string | Uint8Array;
  /** Fields of manifest.json that differ, or the whole text of it; null: no such file. */
  readonly manifest?: { readonly [key: string]: Writable } | string | null;
  /** Fields of current.json that differ, or the whole text of it. */
  readonly pointer?: { readonly [key: string]: Writable } | string;
  /** Entries of config/models.json, or the whole text of it; null: no such file. Default: {@link MODELS}. */
  readonly models?: readonly Writable[] | string | null;
  /** Files below the corpus folder. */
  readonly assets?: Readonly<Record<string, Uint8Array>>;
  /** The text of `.env`. */
  readonly dotenv?: string;
}

export interface TestWorkspace {
  /** Absolute path, free of links. */
  readonly root: string;
  /** The folder of cases.jsonl, manifest.json and the assets. */
  readonly corpusDir: string;
  /** The digest that the manifest froze, unless the draft said another one. */
  readonly sha256: string;
  /** The workspace as a command sees it, with this environment (default: none). */
  open(env?: Environment): Workspace;
  /** Writes or replaces a file below the root. */
  write(path: string, content: string | Uint8Array): void;
  /** Removes the folder. */
  cleanup(): void;
}

/** The models of a test workspace: a baseline, and an endpoint whose address comes from the environment. */
export const MODELS: readonly RowDraft[] = [
  {
    id: "uniform",
    label: "Uniform",
    provider: "baseline",
    model: "uniform",
    request: { method: "uniform", seed: 1 },
  },
  { id: "chat", label: "Chat", provider: "openai-compatible", model: "test/chat-1" },
];

/** Makes a workspace in a temporary folder. Call `cleanup` when the test is over. */
export function makeWorkspace(draft: WorkspaceDraft = {}): TestWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "bench-workspace-")));
  const corpusDir = join(root, "data", "corpus", "test-1");
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };

  const rows = draft.rows ?? [
    corpusRow("a"),
    corpusRow("b", { gold: "no" }),
    corpusRow("c", { task: "SUP-2", options: ["10", "2", "__proto__", "constructor"], gold: "2" }),
    corpusRow("d", { task: "SUP-2", options: ["low", "high"], order: ["high", "low"] }),
  ];
  const cases =
    draft.cases ?? rows.map((row) => `${typeof row === "string" ? row : stringifyJson(row)}\n`).join("");
  const values = Buffer.from(cases)
    .toString("utf8")
    .split("\n")
    .flatMap((line) => parsedOrNone(line));
  const sha256 = digestOf(values);
  write("data/corpus/test-1/cases.jsonl", cases);

  if (typeof draft.manifest === "string") write("data/corpus/test-1/manifest.json", draft.manifest);
  else if (draft.manifest !== null) {
    const manifest = { ...manifestOf(values, sha256), ...draft.manifest };
    write("data/corpus/test-1/manifest.json", stringifyJson(manifest));
  }
  const pointer =
    typeof draft.pointer === "string"
      ? draft.pointer
      : stringifyJson({ path: "data/corpus/test-1/cases.jsonl", version: "1.0.0", ...draft.pointer });
  write("data/corpus/current.json", pointer);
  if (draft.models !== null) {
    const models =
      typeof draft.models === "string"
        ? draft.models
        : stringifyJson({ schema_version: 1, models: draft.models ?? MODELS });
    write("config/models.json", models);
  }
  for (const [path, bytes] of Object.entries(draft.assets ?? {})) {
    write(join("data", "corpus", "test-1", path), bytes);
  }
  if (draft.dotenv !== undefined) write(".env", draft.dotenv);

  return {
    root,
    corpusDir,
    sha256,
    open: (env = {}) => openWorkspace({ root, cwd: root, env }),
    write,
    cleanup: () => rmSync(root, { recursive: true, force: true }),
  };
}

function parsedOrNone(line: string): Json[] {
  try {
    return [parseJson(line)];
  } catch {
    // A line that a test broke on purpose is none of the frozen rows.
    return [];
  }
}

/** A manifest that freezes these rows: every task they name, in the category of its first row. */
function manifestOf(values: readonly Json[], sha256: string): RowDraft {
  const rows = values.filter((value) => value instanceof Map);
  const tasks = new Map<string, RowDraft>();
  const categories = new Map<string, RowDraft>();
  for (const row of rows) {
    const task = row.get("task");
    const category = row.get("category");
    if (typeof task !== "string" || typeof category !== "string") continue;
    categories.set(category, { name: category, description: "For tests." });
    if (tasks.has(task)) continue;
    const count = rows.filter((other) => other.get("task") === task).length;
    tasks.set(task, { category, name: task, ask: "Visit?", instruction: "Say it.", rows: count });
  }
  return {
    version: "1.0.0",
    suite: "bench-test",
    label: "Rows for tests",
    sha256,
    license: "CC0-1.0",
    categories,
    tasks,
    counts: { cases: values.length },
  };
}

/** Of the rows that have a canonical form: a test may want one that has none. */
function digestOf(rows: readonly Json[]): string {
  const digest = new DigestWriter();
  for (const row of rows) {
    try {
      digest.add(row);
    } catch (error) {
      if (!(error instanceof CanonicalError)) throw error;
    }
  }
  return digest.hex();
}
