// The leaderboard: who is right how often, how sure that is, and who cannot be told apart.
import { html } from "npm:htl";
import { FileAttachment } from "observablehq:stdlib";
import { accuracyChart, type Drawn } from "./accuracy-chart.js";
import { type Accuracy, boardOf, type Entry, entries } from "./board.js";
import { type Choice, controls, select, tick, ticks } from "./controls.js";
import { figure, nothing } from "./figure.js";
import { count, duration, interval, letters, NONE, percent, UNKNOWN, usd } from "./format.js";
import { categoriesOf, site } from "./site.js";
import { pageState, type State } from "./state.js";
import type { Column } from "./table.js";

const DEFAULTS = { provider: [] as readonly string[], category: "", modality: "", sent: "" };
type Values = typeof DEFAULTS;

const MODALITIES: readonly Choice[] = [
  { value: "text", label: "text" },
  { value: "image", label: "with picture" },
];

interface Slice extends Accuracy {
  readonly run_id: string;
  readonly category: string | null;
  readonly modality: string | null;
  readonly pictures: "all" | "sent";
}

/** The page below its heading. */
export async function leaderboardPage(): Promise<HTMLElement> {
  const [all, { tasks, corpus }] = await Promise.all([entries(), site()]);
  if (corpus === null) {
    return nothing(
      "This workspace has no corpus yet. Choose one with bench corpus use, and make the report again.",
    );
  }
  if (all.length === 0) {
    return nothing(
      "Nothing is published on this corpus yet. Publish a run with bench publish, and make the report again.",
    );
  }
  const state = pageState(DEFAULTS);
  const categories = categoriesOf(tasks);
  const content = html`<div aria-live="polite"></div>`;
  const draw = async (): Promise<void> => {
    const raw = state.get();
    const values = checked(raw, all, categories);
    let parts: HTMLElement[];
    try {
      parts = sections(all, values, await accuraciesOf(values, all), partOf(values, categories));
    } catch (error) {
      // The numbers of an earlier choice must not stand below this one.
      parts = [nothing(error instanceof Error ? error.message : String(error))];
    }
    // Another choice was made while this one was loaded.
    if (raw === state.get()) content.replaceChildren(...parts);
  };
  state.listen(() => void draw());
  await draw();
  return html`<div>${filters(state, all, categories)}${content}</div>`;
}

/** The values, with the default for what is not there, as the controls show them. */
function checked(
  { provider, category, modality, sent }: Values,
  all: readonly Entry[],
  categories: readonly { readonly category: string }[],
): Values {
  const providers = providersOf(all);
  return {
    provider: provider.filter((one) => providers.includes(one)),
    category: categories.some((one) => one.category === category) ? category : DEFAULTS.category,
    modality: MODALITIES.some(({ value }) => value === modality) ? modality : DEFAULTS.modality,
    sent: sent === "1" ? sent : DEFAULTS.sent,
  };
}

function providersOf(all: readonly Entry[]): string[] {
  return [...new Set(all.map(({ run }) => run.provider ?? UNKNOWN))].sort();
}

function filters(
  state: State<Values>,
  all: readonly Entry[],
  categories: readonly { readonly category: string; readonly name: string; readonly rows: number }[],
): HTMLElement {
  const any: Choice = { value: "", label: "all" };
  return controls(
    select(state, "category", "Category", [
      any,
      ...categories.map(({ category, name, rows }) => ({
        value: category,
        label: `${name} (${count(rows)} rows)`,
      })),
    ]),
    select(state, "modality", "Modality", [any, ...MODALITIES]),
    tick(state, "sent", "Only rows whose picture was sent"),
    ticks(
      state,
      "provider",
      "Provider",
      providersOf(all).map((value) => ({ value, label: value })),
    ),
  );
}

/** The accuracy of every result on the chosen rows; a result that has none of them is not there. */
async function accuraciesOf(values: Values, all: readonly Entry[]): Promise<ReadonlyMap<string, Accuracy>> {
  const { category, modality, sent } = values;
  if (category === "" && modality === "" && sent === "")
    return new Map(all.map(({ run, line }) => [run.run_id, line]));
  // Most readers choose nothing, and wait for nothing.
  const { slices } = (await FileAttachment("../data/slices.json").json()) as { slices: Slice[] };
  return new Map(
    slices
      .filter(
        (slice) =>
          slice.category === (category || null) &&
          slice.modality === (modality || null) &&
          slice.pictures === (sent === "1" ? "sent" : "all"),
      )
      .map((slice) => [slice.run_id, slice]),
  );
}

/** In words, which rows are shown. */
function partOf(
  { category, modality, sent }: Values,
  categories: readonly { readonly category: string; readonly name: string }[],
): string | null {
  const name = categories.find((one) => one.category === category)?.name ?? category;
  const parts = [
    ...(category === "" ? [] : [`of the category ${name}`]),
    ...(modality === "" ? [] : [modality === "image" ? "with a picture" : "without a picture"]),
    ...(sent === "" ? [] : ["whose picture (if they have one) was sent in every result that is compared"]),
  ];
  return parts.length === 0 ? null : `only rows ${parts.join(", ")}`;
}

function sections(
  all: readonly Entry[],
  { provider }: Values,
  accuracies: ReadonlyMap<string, Accuracy>,
  part: string | null,
): HTMLElement[] {
  const chosen = all.filter(({ run }) => provider.length === 0 || provider.includes(run.provider ?? UNKNOWN));
  const { families, partial, local } = boardOf(chosen);
  const figures = families.map((family, i) =>
    section(i === 0 ? "ranking" : `ranking-${i + 1}`, titleOf(family, i), family, accuracies, part, true),
  );
  const apart = [
    partial.length === 0
      ? null
      : section("partial", "Partial results, not ranked", partial, accuracies, part, false),
    local.length === 0 ? null : section("local", "Local runs, not ranked", local, accuracies, part, false),
  ].filter((element) => element !== null);
  const shown = [...figures, ...apart];
  return shown.length === 0 ? [nothing("No result is left by these filters.")] : shown;
}

function titleOf([first]: readonly Entry[], i: number): string {
  const digest = first?.run.prompt_sha256?.slice(0, 8);
  const prompt = `prompt ${first?.run.prompt_version ?? UNKNOWN}${digest === undefined ? "" : ` (${digest})`}`;
  return i === 0 ? `Accuracy by model, ${prompt}` : `Another prompt, ranked among themselves: ${prompt}`;
}

function section(
  id: string,
  title: string,
  group: readonly Entry[],
  accuracies: ReadonlyMap<string, Accuracy>,
  part: string | null,
  ranked: boolean,
): HTMLElement {
  const drawn: Drawn[] = group
    .flatMap((entry) => {
      const accuracy = accuracies.get(entry.run.run_id);
      return accuracy?.accuracy == null ? [] : [{ entry, accuracy }];
    })
    .sort((a, b) => (b.accuracy.accuracy ?? 0) - (a.accuracy.accuracy ?? 0));
  if (drawn.length === 0) return nothing(`${title}: no result has finished rows here.`);
  return figure({
    id,
    title,
    caption: caption(drawn, part, ranked),
    views: [
      ...(ranked ? ["leaderboard", "tied_groups"] : []),
      part === null ? "accuracy_overall" : "accuracy_by_slice",
      "cost",
      "latency",
      "tokens",
    ],
    draw: (width) => accuracyChart(width, drawn, ranked),
    table: {
      caption: `${title}${part === null ? "" : `; accuracies: ${part}`}`,
      columns: columns(ranked),
      rows: drawn,
      key: ({ entry }) => entry.run.run_id,
      mark: ({ entry }) => (entry.run.baseline ? "floor" : undefined),
    },
    open: true,
  });
}

function caption(drawn: readonly Drawn[], part: string | null, ranked: boolean): string {
  const sizes = [...new Set(drawn.map(({ accuracy }) => accuracy.rows ?? 0))].sort((a, b) => a - b);
  const [least = 0] = sizes;
  const most = sizes.at(-1) ?? 0;
  const n = least === most ? `n = ${count(most)} rows each` : `n = ${count(least)} to ${count(most)} rows`;
  return [
    `Share of right answers (dot), ${n}${part === null ? "" : ` (${part})`}.`,
    "Wide bar: 95 % interval with whole tasks as the unit (jackknife); thin line: 95 % Wilson interval, which takes rows as independent and is too narrow.",
    "A row without a valid answer counts as wrong. Dashed lines and hollow dots: floors, which no model should be below.",
    ranked && drawn.length > 1
      ? "Letters on the right: neighbours that share one are not told apart (p after Holm is 0.05 or more)."
      : "",
    ranked && part !== null
      ? "Ranks and letters are those over all rows; cost, latency and tokens are those of the whole run."
      : "",
    ranked ? "" : "Results of other rows than the full corpus are not comparable with ranked ones.",
  ]
    .filter((text) => text !== "")
    .join(" ");
}

function columns(ranked: boolean): Column<Drawn>[] {
  const rank: Column<Drawn>[] = [
    {
      label: "Rank",
      numeric: true,
      cell: ({ entry }) => (entry.line.rank === null ? NONE : String(entry.line.rank)),
      sort: ({ entry }) => entry.line.rank,
    },
  ];
  const standing: Column<Drawn>[] = [
    {
      label: "Ranks possible",
      numeric: true,
      title: "Places that the data allow: two models are called different only at p (Holm) < 0.05",
      cell: ({ entry: { line } }) =>
        line.rank_low === null ? NONE : `${line.rank_low} to ${line.rank_high}`,
      sort: ({ entry }) => entry.line.rank_low,
    },
    {
      label: "Tied",
      title: "Neighbours that share a letter are not told apart by the data",
      cell: ({ entry: { line } }) => letters(line.first_group, line.last_group),
      sort: ({ entry }) => entry.line.first_group,
    },
  ];
  return [
    ...(ranked ? rank : []),
    { label: "Model", heading: true, cell: ({ entry }) => entry.name, sort: ({ entry }) => entry.name },
    {
      label: "Accuracy",
      numeric: true,
      cell: ({ accuracy }) => percent(accuracy.accuracy),
      sort: ({ accuracy }) => accuracy.accuracy,
    },
    {
      label: "Jackknife 95 %",
      numeric: true,
      cell: ({ accuracy: a }) => interval(a.jackknife_low, a.jackknife_high),
    },
    { label: "Wilson 95 %", numeric: true, cell: ({ accuracy: a }) => interval(a.wilson_low, a.wilson_high) },
    ...(ranked ? standing : []),
    {
      label: "Right",
      numeric: true,
      cell: ({ accuracy }) => `${count(accuracy.correct)} of ${count(accuracy.rows)}`,
      sort: ({ accuracy }) => accuracy.correct,
    },
    {
      label: "Errors",
      numeric: true,
      title: "Rows without a valid answer; they count as wrong",
      cell: ({ accuracy }) => count(accuracy.errors),
      sort: ({ accuracy }) => accuracy.errors,
    },
    {
      label: "Cost per 1,000 rows",
      numeric: true,
      cell: ({ entry }) => usd(entry.line.cost_per_1000_rows_usd),
      sort: ({ entry }) => entry.line.cost_per_1000_rows_usd,
    },
    { label: "Cost basis", cell: ({ entry }) => basis(entry) },
    {
      label: "Median latency",
      numeric: true,
      cell: ({ entry }) => duration(entry.line.p50_ms),
      sort: ({ entry }) => entry.line.p50_ms,
    },
    {
      label: "Tokens in",
      numeric: true,
      cell: ({ entry }) => (entry.line.input_tokens === null ? UNKNOWN : count(entry.line.input_tokens)),
      sort: ({ entry }) => entry.line.input_tokens,
    },
    {
      label: "Tokens out",
      numeric: true,
      cell: ({ entry }) => (entry.line.output_tokens === null ? UNKNOWN : count(entry.line.output_tokens)),
      sort: ({ entry }) => entry.line.output_tokens,
    },
    {
      label: "Provider",
      cell: ({ entry }) => entry.run.provider ?? UNKNOWN,
      sort: ({ entry }) => entry.run.provider,
    },
  ];
}

/** How the cost is known, and of which part of the calls, when it is not all of them. */
function basis({ line }: Entry): string {
  const names = (line.cost_basis ?? []).map((name) => name.replaceAll("_", " ")).join(", ");
  if (line.cost_usd === null || line.cost_coverage === null) return names || UNKNOWN;
  return line.cost_coverage === 1
    ? names
    : `${names} (known for ${percent(line.cost_coverage)} of the calls)`;
}
