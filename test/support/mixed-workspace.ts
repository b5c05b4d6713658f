// A small workspace in which everything is mixed that pages must keep apart: floors, partial results, another prompt,
// costs that are unknown or nothing, answers without probabilities, pictures that were sent and that were not; and one row
// and one model whose every text is hostile.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { png } from "./corpus.ts";
import { addPublished, call, prediction } from "./published.ts";
import { type RowSpec, result, type TestWorkspace, writeWorkspace } from "./workspace.ts";

/** Where it is executed, it leaves a mark on the page's window. */
const MARK = "globalThis.hostile=true";
/** What must stand on a page as the text that it is. */
export const HOSTILE = {
  html: `<img src="x" onerror="${MARK}"><b>bold</b>`,
  script: `</script><script>${MARK}</script>`,
  markdown: `# Heading\n\n**strong** [link](javascript:${MARK}) \${${MARK}}`,
  turned: "\u202egnp.exe\u202c \u2067abc\u2069",
  long: "x".repeat(20_000),
} as const;
export const HOSTILE_TEXT = Object.values(HOSTILE).join(" ");
export const HOSTILE_ROW = "h-1";
/** A run that was not published. */
export const LOCAL_RUN = "unpublished";
const HOSTILE_LABEL = `${HOSTILE.html}${HOSTILE.script}${HOSTILE.turned}`;

const CATEGORIES = ["alpha", "beta", "gamma"];
const ROWS_PER_TASK = 8;

function rows(): RowSpec[] {
  const plain = CATEGORIES.flatMap((category, c) =>
    [1, 2].flatMap((task) =>
      Array.from({ length: ROWS_PER_TASK }, (_, i): RowSpec => {
        const id = `${category[0]}-${task}-${i + 1}`;
        const options = i % 2 === 0 ? ["yes", "no", "unsure"] : ["no", "unsure", "yes"];
        const pictured = c === 1 && task === 1;
        return {
          id,
          task: `${category[0]?.toUpperCase()}-${task}`,
          category,
          gold: options[i % 3] ?? "yes",
          options,
          ...(pictured ? { modality: "image", edit: (line: string) => withPicture(line, id) } : {}),
        };
      }),
    ),
  );
  const hostile: RowSpec = {
    id: HOSTILE_ROW,
    task: "A-1",
    category: "alpha",
    gold: HOSTILE_LABEL,
    options: ["no", HOSTILE_LABEL],
    title: `${HOSTILE.html}${HOSTILE.script}${HOSTILE.markdown}`,
    edit: (line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify({
        ...row,
        state: { text: HOSTILE_TEXT },
        source: { dataset: HOSTILE.html, license: HOSTILE.script, url: `javascript:${MARK}` },
        provenance: HOSTILE.markdown,
      });
    },
  };
  return [...plain, hostile];
}

/** The picture is one that a browser can show. */
function withPicture(line: string, id: string): string {
  const sha256 = createHash("sha256").update(picture(id)).digest("hex");
  return line.replace(/"sha256":"[0-9a-f]+"/, `"sha256":"${sha256}"`);
}

const picture = (id: string): Buffer => png(id.charCodeAt(id.length - 1), 24);

interface MixedModel {
  readonly id: string;
  readonly label?: string;
  readonly provider?: string;
  /** A row number is answered rightly when this says so. */
  readonly right: (row: number) => boolean;
  /** USD of a row; null: unknown. */
  readonly cost?: number | null;
  readonly probabilities?: boolean;
  readonly sendsPictures?: boolean;
  /** Rows that it finished, from the first; all when not given. */
  readonly finished?: number;
  readonly promptVersion?: string;
  readonly text?: string;
}

const MODELS: readonly MixedModel[] = [
  {
    id: "ahead",
    provider: "openai-compatible",
    right: (i) => i % 9 !== 0,
    probabilities: true,
    sendsPictures: true,
    cost: 0.002,
  },
  { id: "second", provider: "typesafe", right: (i) => i % 4 !== 0, probabilities: true, cost: null },
  { id: "free", provider: "openai-compatible", right: (i) => i % 3 !== 0, cost: 0 },
  { id: "floor", provider: "baseline", right: (i) => i % 3 === 0, probabilities: true, cost: 0 },
  {
    id: "half",
    provider: "openai-compatible",
    right: (i) => i % 5 !== 0,
    finished: 20,
    cost: 0.001,
    probabilities: true,
  },
  {
    id: "other-prompt",
    provider: "laya",
    right: (i) => i % 2 === 0,
    promptVersion: "choice-v0",
    cost: 0.001,
    probabilities: true,
  },
  {
    id: "hostile",
    label: HOSTILE_LABEL,
    provider: "openai-compatible",
    right: (i) => i % 6 !== 0,
    cost: 0.003,
    probabilities: true,
    text: HOSTILE_TEXT,
  },
];

/** Makes it in a folder that is there. */
export function writeMixedWorkspace(root: string): TestWorkspace {
  const all = rows();
  const workspace = writeWorkspace(root, all);
  for (const { id, modality } of all) {
    if (modality === "image") writeFileSync(join(root, "data", "corpus", "tiny-1", `${id}.png`), picture(id));
  }
  for (const model of MODELS) publish(workspace, all, model);
  workspace.addRun(LOCAL_RUN, {
    results: all.map(({ id, gold, options }, i) =>
      result({
        row: id,
        gold,
        label: i % 2 === 0 ? gold : (options.find((option) => option !== gold) ?? ""),
      }),
    ),
  });
  return workspace;
}

function publish(workspace: TestWorkspace, all: readonly RowSpec[], model: MixedModel): void {
  const finished = model.finished ?? all.length;
  const label = model.label ?? `Model ${model.id}`;
  addPublished(workspace, ["tiny", model.id], {
    metadata: {
      model: { id: model.id, label, vendor: null, provider: model.provider, api_model: model.id },
      prompt_version: model.promptVersion ?? "choice-v1",
      coverage: {
        rows_in_corpus: all.length,
        rows_selected: all.length,
        rows_completed: finished,
        full: finished === all.length,
      },
    },
    predictions: all.slice(0, finished).map((row, i) => line(row, i, model)),
  });
}

function line(row: RowSpec, i: number, model: MixedModel): string {
  const failed = i % 17 === 16 && model.provider !== "baseline";
  const status = failed ? "timeout" : "ok";
  const wrong = row.options.find((option) => option !== row.gold) ?? "";
  const label = failed ? null : model.right(i) ? row.gold : wrong;
  const share = 0.55 + (i % 8) / 20;
  const rest = (1 - share) / (row.options.length - 1);
  const cost = model.cost === undefined ? 0.001 : model.cost;
  return prediction({
    row: row.id,
    task: row.task,
    category: row.category,
    gold: row.gold,
    label,
    status,
    attempts: [call({ status, ms: 200 + i * 10, cost })],
    probabilities:
      model.probabilities === true && !failed
        ? row.options.map((option) => [option, option === label ? share : rest] as const)
        : null,
    changes: {
      confidence: model.probabilities === true && !failed ? share : null,
      cost_usd: cost,
      cost_basis: [cost === null ? "unavailable" : "price_table_estimate"],
      images_sent: row.modality === "image" && model.sendsPictures === true ? 1 : 0,
      latency_ms: 220 + i * 10,
      output_text: model.text ?? `The answer is ${String(label)}.`,
    },
  });
}
