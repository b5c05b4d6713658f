// The leaderboard: who is right how often, how sure that is, and who cannot be told apart.
import { html } from "npm:htl";
import { FileAttachment } from "observablehq:stdlib";
import { accuracyChart, type Drawn } from "./accuracy-chart.js";
import { type Accuracy, boardOf, type Entry, entries } from "./board.js";
import { type Choice, controls, select, tick, ticks } from "./controls.js";
import { figure, nothing } from "./figure.js";
import { count, percent, shortened, UNKNOWN } from "./format.js";
import { leaderboardColumns } from "./leaderboard-columns.js";
import { categoriesOf, site } from "./site.js";
import { pageState, type State } from "./state.js";

const DEFAULTS = { provider: [] as readonly string[], category: "", modality: "", sent: "" };
type Values = typeof DEFAULTS;

/** Characters of a floor's name in a caption. */
const FLOOR_NAME = 40;

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
  // What draws at random or matches words is asked no prompt, and is a floor whatever is chosen.
  const floors = drawnOf(
    all.filter(({ run }) => run.baseline && run.full_coverage && run.source === "published"),
    accuracies,
  );
  const figures = families.map((family, i) =>
    section(
      i === 0 ? "ranking" : `ranking-${i + 1}`,
      titleOf(family),
      drawnOf(family, accuracies),
      floors,
      part,
      true,
    ),
  );
  const apart = [
    partial.length === 0
      ? null
      : section("partial", "Partial results, not ranked", drawnOf(partial, accuracies), [], part, false),
    local.length === 0
      ? null
      : section("local", "Local runs, not ranked", drawnOf(local, accuracies), [], part, false),
  ].filter((element) => element !== null);
  const shown = [...figures, ...apart];
  return shown.length === 0 ? [nothing("No result is left by these filters.")] : shown;
}

function titleOf([first]: readonly Entry[]): string {
  const digest = first?.run.prompt_sha256?.slice(0, 8);
  const prompt = `prompt ${first?.run.prompt_version ?? UNKNOWN}${digest === undefined ? "" : ` (${digest})`}`;
  return first?.run.standing === "other prompt"
    ? `Another prompt, ranked among themselves: ${prompt}`
    : `Accuracy by model, ${prompt}`;
}

/** The results that have rows here, the most accurate first. */
function drawnOf(group: readonly Entry[], accuracies: ReadonlyMap<string, Accuracy>): Drawn[] {
  return group
    .flatMap((entry) => {
      const accuracy = accuracies.get(entry.run.run_id);
      return accuracy?.accuracy == null ? [] : [{ entry, accuracy }];
    })
    .sort((a, b) => (b.accuracy.accuracy ?? 0) - (a.accuracy.accuracy ?? 0));
}

function section(
  id: string,
  title: string,
  drawn: readonly Drawn[],
  floors: readonly Drawn[],
  part: string | null,
  ranked: boolean,
): HTMLElement {
  if (drawn.length === 0) return nothing(`${title}: no result has finished rows here.`);
  return figure({
    id,
    title,
    caption: caption(drawn, floors, part, ranked),
    views: [
      ...(ranked ? ["leaderboard", "tied_groups"] : []),
      part === null ? "accuracy_overall" : "accuracy_by_slice",
      "cost",
      "latency",
      "tokens",
    ],
    draw: (width) => accuracyChart(width, drawn, floors, ranked),
    table: {
      caption: `${title}${part === null ? "" : `; accuracies: ${part}`}`,
      columns: leaderboardColumns(ranked),
      rows: drawn,
      key: ({ entry }) => entry.run.run_id,
      mark: ({ entry }) => (entry.run.baseline ? "floor" : undefined),
    },
    open: true,
  });
}

function caption(
  drawn: readonly Drawn[],
  floors: readonly Drawn[],
  part: string | null,
  ranked: boolean,
): string {
  const sizes = [...new Set(drawn.map(({ accuracy }) => accuracy.rows ?? 0))].sort((a, b) => a - b);
  const [least = 0] = sizes;
  const most = sizes.at(-1) ?? 0;
  const n = least === most ? `n = ${count(most)} rows each` : `n = ${count(least)} to ${count(most)} rows`;
  return [
    `Share of right answers (dot), ${n}${part === null ? "" : ` (${part})`}.`,
    "Wide bar: 95 % interval with whole tasks as the unit (jackknife); thin line: 95 % Wilson interval, which takes rows as independent and is too narrow where rows of one task are alike.",
    drawn.some(({ accuracy: { jackknife_low: low } }) => low === null)
      ? "Without a wide bar: all rows belong to one task."
      : "",
    drawn.some(({ accuracy: { jackknife_low: low, jackknife_high: high } }) => low !== null && low === high)
      ? "A jackknife interval without width: the tasks happen to be alike, which is no certainty."
      : "",
    "A row without a valid answer counts as wrong.",
    floors.length === 0
      ? ""
      : `Dashed lines: floors, which no model should be below (${floors
          .map(({ entry, accuracy }) => `${shortened(entry.name, FLOOR_NAME)} ${percent(accuracy.accuracy)}`)
          .join(", ")}).`,
    drawn.some(({ entry }) => entry.run.baseline) ? "Hollow dots: floors." : "",
    ranked && drawn.length > 1
      ? "Letters on the right: neighbours that share one are not told apart (p after Holm is 0.05 or more)."
      : "",
    ranked && part !== null
      ? "Ranks and letters are those over all rows; cost, latency and tokens are those of the whole run."
      : "",
    drawn.some(({ entry }) => entry.run.standing === "partial")
      ? "Results of other rows than the full corpus are not comparable with ranked ones."
      : "",
    drawn.some(({ entry }) => entry.run.standing === "local")
      ? "Local runs are not published, and are held against nothing here."
      : "",
  ]
    .filter((text) => text !== "")
    .join(" ");
}
