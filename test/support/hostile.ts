// Workspaces that are legal and as unkind as they can be, for properties: few rows, tasks of one row, all right or all wrong,
// ties, confidences on the edges of bins, costs of every size, labels and names that break objects.
import fc from "fast-check";
import { addPublished, call, prediction } from "./published.ts";
import { finished, makeWorkspace, type RowSpec, result, started, type TestWorkspace } from "./workspace.ts";

interface Call {
  readonly status: string;
  readonly ms: number;
  readonly cost: number | null;
  readonly input: number | null;
}

/** What came of a row in one invocation. */
interface Outcome {
  readonly status: string;
  /** Which option was chosen, counted from 0 and round the end; null: none. */
  readonly choice: number | null;
  /** Probability of the chosen option, the others share what is left; null: no probabilities. */
  readonly confidence: number | null;
  readonly ms: number;
  readonly calls: readonly Call[];
}

export interface HostileRun {
  readonly name: string;
  readonly published: boolean;
  /** Of every row its outcomes, in the order of the invocations; none: not finished. */
  readonly rows: readonly (readonly Outcome[])[];
}

export interface Hostile {
  readonly rows: readonly RowSpec[];
  readonly runs: readonly HostileRun[];
}

const LABELS = ["10", "2", "__proto__", "constructor", "", "\u{1f600}\u2028", "it's", "toString", "e\u0301"];
const TASKS = ["T-1", "10", "9", "__proto__", "constructor", "\u00e9t\u00e9 '1'"];
const NAMES = ["m", "10", "9", "__proto__", "constructor", "\u00e9", "it's", "A b"];
const CONFIDENCES = [
  0, 1, 0.1, 0.2, 0.3, 0.30000000000000004, 0.6, 0.7, 0.7999999999999999, 0.8999999999999999, 0.9, 1e-13,
  5e-324,
];
const AMOUNTS = [0, 5e-324, 1e-300, 1e-9, 0.1, 0.2, 0.3, 1e15, 1e300];

const amount = fc.oneof(fc.constantFrom(...AMOUNTS), fc.double({ min: 0, max: 1, noNaN: true }));
const callArbitrary = fc.record<Call>({
  status: fc.constantFrom("ok", "ok", "429", "transport_error"),
  ms: amount,
  cost: fc.option(amount, { freq: 5 }),
  input: fc.option(fc.constantFrom(0, 1, 310, 2 ** 40), { freq: 5 }),
});

function outcome(kind: "any" | "right" | "wrong", gold: number, options: number): fc.Arbitrary<Outcome> {
  const choice =
    kind === "right"
      ? fc.constant(gold)
      : kind === "wrong"
        ? fc.constant((gold + 1) % options)
        : fc.option(fc.nat(options - 1), { freq: 8 });
  return fc.record<Outcome>({
    status: kind === "any" ? fc.constantFrom("ok", "ok", "ok", "invalid_output", "500") : fc.constant("ok"),
    choice,
    confidence: fc.option(
      fc.oneof(fc.constantFrom(...CONFIDENCES), fc.double({ min: 0, max: 1, noNaN: true })),
      { freq: 6 },
    ),
    ms: amount,
    calls: fc.array(callArbitrary, { minLength: 1, maxLength: 2 }),
  });
}

const corpus: fc.Arbitrary<RowSpec[]> = fc
  .shuffledSubarray(TASKS, { minLength: 1, maxLength: 5 })
  .chain((tasks) =>
    fc.tuple(
      ...tasks.map((task, t) =>
        fc
          .array(
            fc.record({
              options: fc.shuffledSubarray(LABELS, { minLength: 2, maxLength: 4 }),
              gold: fc.nat(3),
              sourceKind: fc.constantFrom("written", "real"),
            }),
            { minLength: 1, maxLength: 5 },
          )
          .map((rows) =>
            rows.map(({ options, gold, sourceKind }, i) => ({
              id: `${task}:${i}`,
              task,
              category: t % 2 === 0 ? "alpha" : "__proto__",
              gold: options[gold % options.length] as string,
              options,
              sourceKind,
            })),
          ),
      ),
    ),
  )
  .map((tasks) => tasks.flat());

function run(rows: readonly RowSpec[]): fc.Arbitrary<Omit<HostileRun, "name">> {
  const settings = fc.record({
    published: fc.boolean(),
    kind: fc.constantFrom("any", "any", "right", "wrong"),
    most: fc.constantFrom(0, 1, 1, 1, 3),
    whole: fc.boolean(),
  });
  return settings.chain(({ published, kind, most, whole }) =>
    fc
      .tuple(
        ...rows.map(({ options, gold }) =>
          fc.array(outcome(kind as "any", options.indexOf(gold), options.length), {
            minLength: whole && most > 0 ? 1 : 0,
            maxLength: most,
          }),
        ),
      )
      .map((outcomes) => ({ published, rows: outcomes })),
  );
}

/** A corpus of few rows with several runs and published results. */
export const hostile: fc.Arbitrary<Hostile> = corpus.chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    runs: fc
      .tuple(
        fc.shuffledSubarray(NAMES, { minLength: 5, maxLength: 5 }),
        fc.array(run(rows), { minLength: 2, maxLength: 5 }),
      )
      .map(([names, runs]) => runs.map((one, i) => ({ ...one, name: names[i] as string }))),
  }),
);

/** The `run_id` of a run in the views. */
export function idOf({ name, published }: HostileRun): string {
  return published ? `tiny/${name}` : name;
}

/** How the same records may lie in the files. */
export interface Layout {
  /** A shuffled copy; the same list for the same call when nothing is to be shuffled. */
  readonly shuffled: <T>(items: readonly T[]) => T[];
}

export const INORDER: Layout = { shuffled: (items) => [...items] };

/** A layout that a number decides. Results of one row keep their order, since the last one counts. */
export function layoutOf(seed: number): Layout {
  let state = seed | 1;
  const next = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
  return {
    shuffled: (items) => {
      const rest = [...items];
      return items.map(() => rest.splice(next(rest.length), 1)[0] as (typeof rest)[number]);
    },
  };
}

/** Writes it all down. */
export function workspaceOf({ rows, runs }: Hostile, layout: Layout = INORDER): TestWorkspace {
  const workspace = makeWorkspace(rows);
  for (const one of layout.shuffled(runs)) {
    if (one.published) addResult(workspace, rows, one, layout);
    else addLedgers(workspace, rows, one, layout);
  }
  return workspace;
}

function sharesOf({ options }: RowSpec, { choice, confidence }: Outcome): [string, number][] | null {
  if (choice === null || confidence === null) return null;
  const rest = (1 - confidence) / (options.length - 1);
  return options.map((label, i) => [label, i === choice ? confidence : rest]);
}

function labelOf({ options }: RowSpec, { status, choice }: Outcome): string | null {
  return status === "ok" && choice !== null ? (options[choice] as string) : null;
}

function addResult(
  workspace: TestWorkspace,
  rows: readonly RowSpec[],
  one: HostileRun,
  layout: Layout,
): void {
  const lines = rows.flatMap((row, i) => {
    const last = one.rows[i]?.at(-1);
    if (last === undefined) return [];
    return [
      prediction({
        row: row.id,
        task: row.task,
        category: row.category,
        gold: row.gold,
        label: labelOf(row, last),
        probabilities: last.status === "ok" ? sharesOf(row, last) : null,
        status: last.status,
        attempts: last.calls.map(({ status, ms, cost, input }) =>
          call({
            status,
            ms,
            cost,
            tokens: { input, output: null, cached_input: null, reasoning_output: null },
          }),
        ),
        changes: { latency_ms: last.ms },
      }).replace('"probabilities":null,', ""),
    ];
  });
  addPublished(workspace, ["tiny", one.name], { predictions: layout.shuffled(lines) });
}

function addLedgers(
  workspace: TestWorkspace,
  rows: readonly RowSpec[],
  one: HostileRun,
  layout: Layout,
): void {
  const events: string[] = [];
  const queues = rows.map((row, i) => {
    let number = 0;
    return (one.rows[i] ?? []).map((outcome) => {
      const done = outcome.calls.map(({ status, ms, cost, input }) => {
        number += 1;
        const spec = { id: `${row.id}/${number}`, row: row.id, number };
        const event = finished({ ...spec, status, ms, cost, input });
        events.push(started(spec), event);
        return event;
      });
      return result({
        row: row.id,
        gold: row.gold,
        label: labelOf(row, outcome),
        status: outcome.status,
        ms: outcome.ms,
        probabilities: sharesOf(row, outcome),
        attempts: done,
      });
    });
  });
  // Rows in any interleaving, the results of each in their order.
  const turns = layout.shuffled(queues.flatMap((queue, i) => queue.map(() => i)));
  const results = turns.map((i) => queues[i]?.shift() as string);
  workspace.addRun(one.name, { results, attempts: layout.shuffled(events) });
}
