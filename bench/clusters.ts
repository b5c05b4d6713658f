// Made data for measuring intervals: two models over tasks that are drawn from an endless population of tasks, whose
// true accuracies are known because they were chosen.
import seedrandom from "seedrandom";

/**
 * Two models. A row is right when level + task effect + row effect > 0, all effects normal: the row's with variance 1, the
 * task's with variance `taskSpread` squared. Then the share of right rows over all tasks is the normal distribution
 * function at level / sqrt(1 + taskSpread^2), exactly, and the task accuracies lie the way real ones do: many close to 1,
 * a few far below.
 */
export interface Population {
  readonly name: string;
  /** True accuracy, and the point at which the normal distribution function has this value. */
  readonly a: readonly [accuracy: number, z: number];
  readonly b: readonly [accuracy: number, z: number];
  readonly taskSpread: number;
  /** Correlation of the two models' task effects: what is hard for one is hard for the other. */
  readonly taskCorrelation: number;
  /** Correlation of their row effects. */
  readonly rowCorrelation: number;
}

/** The rows of a task in one data set, by who has them right. */
export interface TaskCounts {
  readonly dataSet: number;
  readonly task: number;
  readonly rows: number;
  readonly both: number;
  readonly aOnly: number;
  readonly bOnly: number;
}

/** Rows of a task: anything from 10 to 60, whatever its accuracy is. */
const SIZES = { least: 10, most: 60 };

/** The tasks of `count` data sets, one after the other; the same for the same seed. */
export function* simulate(
  population: Population,
  tasks: number,
  count: number,
  seed: string,
): Generator<TaskCounts> {
  const random = seedrandom(seed);
  const normal = normals(random);
  const { taskSpread, taskCorrelation, rowCorrelation } = population;
  const scale = Math.hypot(1, taskSpread);
  const [shared, own] = [Math.sqrt(taskCorrelation), Math.sqrt(1 - taskCorrelation)];
  const [rowShared, rowOwn] = [Math.sqrt(rowCorrelation), Math.sqrt(1 - rowCorrelation)];
  for (let dataSet = 0; dataSet < count; dataSet += 1) {
    for (let task = 0; task < tasks; task += 1) {
      const rows = SIZES.least + Math.floor(random() * (SIZES.most - SIZES.least + 1));
      const effect = shared * normal();
      const levelA = population.a[1] * scale + taskSpread * (effect + own * normal());
      const levelB = population.b[1] * scale + taskSpread * (effect + own * normal());
      const counts = { both: 0, aOnly: 0, bOnly: 0 };
      for (let row = 0; row < rows; row += 1) {
        const rowEffect = rowShared * normal();
        const rightA = levelA + rowEffect + rowOwn * normal() > 0;
        const rightB = levelB + rowEffect + rowOwn * normal() > 0;
        if (rightA && rightB) counts.both += 1;
        else if (rightA) counts.aOnly += 1;
        else if (rightB) counts.bOnly += 1;
      }
      yield { dataSet, task, rows, ...counts };
    }
  }
}

/** Standard normal numbers (Marsaglia's polar method, which gives two at a time). */
function normals(random: () => number): () => number {
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    for (;;) {
      const x = 2 * random() - 1;
      const y = 2 * random() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) {
        const factor = Math.sqrt((-2 * Math.log(square)) / square);
        spare = y * factor;
        return x * factor;
      }
    }
  };
}
