// How often a 95 % interval holds the true value: measured over made data sets by the project's own SQL. Prints the tables
// of docs/statistics.md, which says what they mean.
import { BIGINT, type DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from "@duckdb/node-api";
import { DEFAULT_REPETITIONS, DEFAULT_SEED } from "../src/warehouse/bootstrap.ts";
import { loadDraws } from "../src/warehouse/draws.ts";
import { sourceTables } from "../src/warehouse/sources.ts";
import { sqlFiles } from "../src/warehouse/views.ts";
import { type Population, simulate, type TaskCounts } from "./clusters.ts";
import type { Line } from "./figures.ts";
import { sized } from "./sizes.ts";

const SEED = "coverage";
const DATA_SETS = sized(4000, 200);
/** Data sets that are in the database at once. */
const BATCH = 200;
const TASKS = [7, 14, 35];
/** What the jackknife of a difference must reach, in per cent. */
const LIMIT = { least: 93, most: 97 };

const POPULATIONS: readonly Population[] = [
  {
    name: "two good models",
    a: [0.92, 1.4050715603096327],
    b: [0.87, 1.1263911290388005],
    taskSpread: 0.5,
    taskCorrelation: 0.75,
    rowCorrelation: 0.5,
  },
  {
    name: "two good models, uneven tasks",
    a: [0.92, 1.4050715603096327],
    b: [0.9, 1.2815515655446008],
    taskSpread: 0.8,
    taskCorrelation: 0.75,
    rowCorrelation: 0.5,
  },
  {
    name: "a good and a weak model",
    a: [0.92, 1.4050715603096327],
    b: [0.66, 0.41246312944140484],
    taskSpread: 0.5,
    taskCorrelation: 0.5,
    rowCorrelation: 0.5,
  },
  {
    name: "two middling models",
    a: [0.8, 0.8416212335729144],
    b: [0.75, 0.6744897501960817],
    taskSpread: 0.4,
    taskCorrelation: 0.75,
    rowCorrelation: 0.5,
  },
];

/** Data sets whose interval holds the true value. */
interface Held {
  readonly jackknife: number;
  readonly bootstrap: number | null;
  /** The interval that takes rows as independent: normal for a difference, Wilson's for one run. */
  readonly rows: number;
}
type Quantity = "A - B" | "A" | "B";
const QUANTITIES: readonly Quantity[] = ["A - B", "A", "B"];

/** 93 to 97 % for differences, at 7, 14 and 35 tasks. */
export async function measureCoverage(): Promise<Line[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await prepare(connection);
  const lines: string[] = [];
  const spreadLines: string[] = [];
  const shares: Record<Quantity, number[]> = { "A - B": [], A: [], B: [] };
  for (const population of POPULATIONS) {
    const spreads: Record<Quantity, number>[] = [];
    for (const tasks of TASKS) {
      const counts = [...simulate(population, tasks, DATA_SETS, `${SEED}:${population.name}:${tasks}`)];
      spreads.push(taskSpreads(counts));
      const held = await coverage(connection, counts, population);
      for (const quantity of QUANTITIES) {
        shares[quantity].push((held[quantity].jackknife / DATA_SETS) * 100);
        lines.push(tableLine(population, tasks, quantity, held[quantity]));
      }
    }
    spreadLines.push(
      `| ${[population.name, ...QUANTITIES.map((quantity) => points(spreads.at(-1)?.[quantity]))].join(" | ")} |`,
    );
  }
  connection.closeSync();
  instance.closeSync();
  console.log(`\n| between tasks, in points | ${QUANTITIES.join(" | ")} |\n| --- | ---: | ---: | ---: |`);
  console.log(spreadLines.join("\n"));
  console.log(
    "\n| models | tasks | quantity | true value | jackknife with t | task bootstrap | rows alone |\n" +
      "| --- | ---: | --- | ---: | ---: | ---: | ---: |",
  );
  console.log(lines.join("\n"));
  const figures = [
    ["the true difference of two models", shares["A - B"], { ...LIMIT, every: true }],
    ["the true accuracy of one model", [...shares.A, ...shares.B], undefined],
  ] as const;
  return figures.map(([of, values, limit]) => ({
    what: `data sets whose 95 % jackknife interval holds ${of}`,
    unit: "%",
    values,
    ...(limit === undefined ? {} : { limit }),
    detail: `${DATA_SETS} made data sets for each, ${POPULATIONS.length} kinds of models over ${TASKS.join(", ")} tasks; the rounds are these`,
  }));
}

/** A share in percentage points. */
function points(share: number | undefined): string {
  return ((share ?? 0) * 100).toFixed(1);
}

function tableLine(population: Population, tasks: number, quantity: Quantity, held: Held): string {
  const cells = [held.jackknife, held.bootstrap, held.rows].map((count) => {
    if (count === null) return "–";
    const share = count / DATA_SETS;
    const error = Math.sqrt((share * (1 - share)) / DATA_SETS);
    return `${points(share)} ± ${points(error)} %`;
  });
  const truth = truthOf(population, quantity).toFixed(2);
  return `| ${[population.name, tasks, quantity, truth, ...cells].join(" | ")} |`;
}

function truthOf({ a, b }: Population, quantity: Quantity): number {
  if (quantity === "A") return a[0];
  return quantity === "B" ? b[0] : a[0] - b[0];
}

/** All views and macros of the analysis; tables in place of the two that everything here stands on. */
async function prepare(connection: DuckDBConnection): Promise<void> {
  await connection.run(sourceTables());
  await connection.run(
    sqlFiles()
      .map(({ sql }) => sql)
      .join("\n"),
  );
  await connection.run(`
    DROP VIEW answers;
    DROP VIEW runs;
    CREATE TABLE answers (run_id VARCHAR, row_id VARCHAR, task VARCHAR, category VARCHAR, correct BOOLEAN, is_valid BOOLEAN);
    CREATE TABLE runs (run_id VARCHAR, source VARCHAR, suite VARCHAR, corpus_sha256 VARCHAR, full_coverage BOOLEAN, prompt_version VARCHAR, prompt_sha256 VARCHAR);
    CREATE TABLE counts (data_set BIGINT, task BIGINT, outcome BIGINT, n BIGINT);
    INSERT INTO ledger.corpus_rows (row_id, task) SELECT i, i FROM range(${Math.max(...TASKS)}) AS t(i);
  `);
  await loadDraws(connection, { seed: DEFAULT_SEED, repetitions: DEFAULT_REPETITIONS });
}

/** How many data sets' intervals hold the true value. Every data set is two published results of a suite of its own. */
async function coverage(
  connection: DuckDBConnection,
  counts: readonly TaskCounts[],
  population: Population,
): Promise<Record<Quantity, Held>> {
  const difference = truthOf(population, "A - B");
  const sums = { "A - B": [0, 0, 0], A: [0, 0, 0], B: [0, 0, 0] };
  const add = (quantity: Quantity, found: readonly unknown[]): void => {
    found.forEach((value, i) => {
      const sum = sums[quantity];
      sum[i] = (sum[i] ?? 0) + Number(value);
    });
  };
  for (let first = 0; first < DATA_SETS; first += BATCH) {
    await fill(
      connection,
      counts.filter(({ dataSet }) => dataSet >= first && dataSet < first + BATCH),
    );
    const pairs = await connection.runAndReadAll(`
      SELECT
        count(*) FILTER (WHERE ${difference} BETWEEN jackknife_low AND jackknife_high),
        count(*) FILTER (WHERE ${difference} BETWEEN bootstrap_low AND bootstrap_high),
        count(*) FILTER (WHERE abs(accuracy_difference - ${difference})
          <= 1.96 * sqrt(((a_only + b_only) / rows - accuracy_difference ** 2) / rows))
      FROM comparisons`);
    add("A - B", pairs.getRows()[0] ?? []);
    for (const quantity of ["A", "B"] as const) {
      const truth = truthOf(population, quantity);
      const runs = await connection.runAndReadAll(`
        SELECT
          count(*) FILTER (WHERE ${truth} BETWEEN jackknife_low AND jackknife_high),
          0,
          count(*) FILTER (WHERE ${truth} BETWEEN wilson_low AND wilson_high)
        FROM accuracy_overall WHERE run_id LIKE '%/${quantity}'`);
      add(quantity, runs.getRows()[0] ?? []);
    }
  }
  const held = (quantity: Quantity): Held => {
    const [jackknife = 0, bootstrap = 0, rows = 0] = sums[quantity];
    return { jackknife, bootstrap: quantity === "A - B" ? bootstrap : null, rows };
  };
  return { "A - B": held("A - B"), A: held("A"), B: held("B") };
}

/** Turns counts into rows. Outcomes: 0 neither, 1 A only, 2 B only, 3 both. */
async function fill(connection: DuckDBConnection, counts: readonly TaskCounts[]): Promise<void> {
  await connection.run("DELETE FROM counts; DELETE FROM answers; DELETE FROM runs;");
  const appender = await connection.createAppender("counts");
  const columns: bigint[][] = [[], [], [], []];
  const flush = (): void => {
    const chunk = DuckDBDataChunk.create([BIGINT, BIGINT, BIGINT, BIGINT]);
    chunk.setColumns(columns);
    appender.appendDataChunk(chunk);
    for (const column of columns) column.length = 0;
  };
  for (const { dataSet, task, rows, both, aOnly, bOnly } of counts) {
    [rows - both - aOnly - bOnly, aOnly, bOnly, both].forEach((n, outcome) => {
      [dataSet, task, outcome, n].forEach((value, i) => {
        columns[i]?.push(BigInt(value));
      });
    });
    if ((columns[0]?.length ?? 0) >= 2044) flush();
  }
  if ((columns[0]?.length ?? 0) > 0) flush();
  appender.closeSync();
  for (const [model, bit] of [
    ["A", 1],
    ["B", 2],
  ] as const) {
    await connection.run(`
      INSERT INTO answers
      SELECT data_set || '/${model}', task || '-' || outcome || '-' || i, task::VARCHAR, NULL, outcome & ${bit} <> 0, TRUE
      FROM (SELECT *, unnest(range(n)) AS i FROM counts);
      INSERT INTO runs
      SELECT DISTINCT data_set || '/${model}', 'published', data_set::VARCHAR, 'made', FALSE, NULL, NULL FROM counts;
    `);
  }
}

/** Standard deviations of the tasks' true values, estimated without the chance of their rows. */
function taskSpreads(counts: readonly TaskCounts[]): Record<Quantity, number> {
  const mean = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0) / values.length;
  const spread = (sum: (task: TaskCounts) => number, squares: (task: TaskCounts) => number): number => {
    // Of products of two different rows of a task the mean is the square of the task's true value.
    const products = counts.map((task) => (sum(task) ** 2 - squares(task)) / (task.rows * (task.rows - 1)));
    const square = mean(products);
    return Math.sqrt(square - mean(counts.map((task) => sum(task) / task.rows)) ** 2);
  };
  return {
    "A - B": spread(
      ({ aOnly, bOnly }) => aOnly - bOnly,
      ({ aOnly, bOnly }) => aOnly + bOnly,
    ),
    A: spread(
      ({ both, aOnly }) => both + aOnly,
      ({ both, aOnly }) => both + aOnly,
    ),
    B: spread(
      ({ both, bOnly }) => both + bOnly,
      ({ both, bOnly }) => both + bOnly,
    ),
  };
}
