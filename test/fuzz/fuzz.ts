// Runs many cases through one reader: none may crash it, hold it up, be taken for something that it is not, or leave a trace in
// the prototypes that everything shares. Short in the suite; `npm run fuzz` takes many more, and prints a table.
import { appendFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { CheckError, errorMessage, UserError } from "../../src/errors.ts";

export const isLong: boolean = process.env.BENCH_FUZZ === "long";
const seedText = process.env.BENCH_TEST_SEED ?? String(Date.now());
/** Repeats a failed run when it is given as BENCH_TEST_SEED. */
export const seed: number = (Number(seedText) % 2 ** 31) | 0;

export type Verdict = "accepted" | "refused";

/** What became of a case, or of each of the documents that one case is about. */
export type Verdicts = Verdict | readonly Verdict[];

export interface Target<T> {
  readonly name: string;
  /** Cases that come first, each once; the suite takes a part of them. */
  readonly documents?: readonly T[];
  readonly generated: fc.Arbitrary<T>;
  /** How many are generated in the suite, and in the long form. */
  readonly short: number;
  readonly long: number;
  /** A beginning of the case, for a message. */
  readonly describe: (one: T) => string;
  /** What is the program's is in {@link product}. @throws {Error} when the reader does what it must not. */
  readonly run: (one: T) => Verdicts | Promise<Verdicts>;
  /** Most time of a case in ms, where one is more than a document. */
  readonly limitMs?: number;
}

/** What a run came to: a row of the table. */
export interface Row {
  readonly target: string;
  readonly seed: number;
  cases: number;
  refused: number;
  accepted: number;
  slowestMs: number;
  seconds: number;
  /** Whether time was up before all cases were taken. */
  cut: boolean;
}

const LIMIT_MS = 1000;
/** One in so many of the cases of the long form is sound. */
const LEAST_SHARE = 100;
/** Of the documents that come first the suite takes one in so many. */
const SHORT_SHARE = 8;
/** Most time of a target in the suite, which is a second or two where nobody else uses the machine. */
const SHORT_MS = 45_000;
/** The same in the long form. */
const LONG_MS = 540_000;
/** When the long form has to be at its end; it takes about half of that where nobody else uses the machine. */
export const leftMs = (): number =>
  Number(process.env.BENCH_FUZZ_UNTIL ?? Number.POSITIVE_INFINITY) - Date.now();
/** A case that takes longer is one that does not end: the process is, with the case in its last words. */
const HUNG_MS = 60_000;
const SHARED_BYTES = 4096;

/** Runs all cases of a target. */
export async function fuzz<T>(target: Target<T>): Promise<Row> {
  const row: Row = {
    target: target.name,
    seed,
    cases: 0,
    refused: 0,
    accepted: 0,
    slowestMs: 0,
    seconds: 0,
    cut: false,
  };
  const began = performance.now();
  const dog = watchdog(target.name);
  const take = async (one: T): Promise<void> => {
    const words = target.describe(one);
    dog.begin(words);
    try {
      const { verdicts, ms } = await timed(() => target.run(one), target.limitMs ?? LIMIT_MS);
      row.cases += verdicts.length;
      for (const verdict of verdicts) row[verdict] += 1;
      row.slowestMs = Math.max(row.slowestMs, ms);
    } catch (error) {
      const repeat = `repeat with BENCH_TEST_SEED=${seed}`;
      throw new Error(`${target.name}: ${words.slice(0, 1500)}\n${errorMessage(error)}\n${repeat}`, {
        cause: error,
      });
    } finally {
      dog.end();
    }
    assertUntouched();
  };
  try {
    for (const [at, one] of (target.documents ?? []).entries()) {
      // In the suite a part of them, another one each time.
      if (leftMs() < 0) row.cut = true;
      else if (isLong || (at + seed) % SHORT_SHARE === 0) await take(one);
    }
    const numRuns = isLong ? target.long : target.short;
    if (numRuns > 0 && leftMs() < 0) row.cut = true;
    else if (numRuns > 0) {
      let runs = 0;
      const counted = async (one: T): Promise<void> => {
        await take(one);
        runs += 1;
      };
      await fc.assert(fc.asyncProperty(target.generated, counted), {
        numRuns,
        seed,
        // Shrinking has an end, too; who has no time left takes fewer cases, and the table says so.
        interruptAfterTimeLimit: Math.max(1, Math.min(leftMs(), isLong ? LONG_MS : SHORT_MS)),
      });
      row.cut ||= runs < numRuns;
    }
  } finally {
    await dog.stop();
    row.seconds = (performance.now() - began) / 1000;
    if (process.env.BENCH_FUZZ_TABLE)
      appendFileSync(process.env.BENCH_FUZZ_TABLE, `${JSON.stringify(row)}\n`);
  }
  if (isLong && !row.cut && row.accepted * LEAST_SHARE < row.cases) {
    throw new Error(
      `${target.name}: only ${row.accepted} of ${row.cases} cases are sound, which says little`,
    );
  }
  return row;
}

/** Time in ms of the longest call of the program in the case that runs: the least of what two clocks say, since others use the machine. */
let spentMs = 0;

/** Does a part of a case that is the program's, whose time counts; second opinions may take theirs. */
export async function product<R>(work: () => R | Promise<R>): Promise<R> {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  try {
    return await work();
  } finally {
    const { user, system } = process.cpuUsage(cpu);
    spentMs = Math.max(spentMs, Math.min(performance.now() - wall, (user + system) / 1000));
  }
}

/** Tells the time in ms of a part of a case that another process did. */
export function took(ms: number): void {
  spentMs = Math.max(spentMs, ms);
}

/** A case with its time in ms. One that is over the limit is taken again: the least of four counts. */
async function timed(
  run: () => Verdicts | Promise<Verdicts>,
  limit: number,
): Promise<{ verdicts: readonly Verdict[]; ms: number }> {
  let ms = Number.POSITIVE_INFINITY;
  let verdicts: Verdicts = [];
  for (let time = 0; time < 4 && ms > limit; time += 1) {
    spentMs = 0;
    verdicts = await run();
    ms = Math.min(ms, spentMs);
  }
  if (ms > limit) throw new Error(`took ${Math.round(ms)} ms of at most ${limit}`);
  return { verdicts: typeof verdicts === "string" ? [verdicts] : verdicts, ms };
}

/** Ends a process in which a case does not end: no test could, for a loop lets nothing else run. */
function watchdog(name: string): { begin(words: string): void; end(): void; stop(): Promise<unknown> } {
  const shared = new SharedArrayBuffer(8 + SHARED_BYTES);
  const beat = new BigInt64Array(shared, 0, 1);
  const words = Buffer.from(shared, 8);
  const worker = new Worker(
    `const { workerData: { shared, name, limit, seed } } = require("node:worker_threads");
     const beat = new BigInt64Array(shared, 0, 1);
     setInterval(() => {
       const since = Number(Atomics.load(beat, 0));
       if (since === 0 || Date.now() - since < limit) return;
       const words = Buffer.from(Buffer.from(shared, 8)).toString("utf8").replace(/\\0.*$/s, "");
       require("node:fs").writeSync(2, name + " hangs (BENCH_TEST_SEED=" + seed + ") at " + words + "\\n");
       process.kill(process.pid, "SIGKILL");
     }, 1000);`,
    { eval: true, workerData: { shared, name, limit: HUNG_MS, seed } },
  );
  worker.unref();
  return {
    begin(text) {
      words.fill(0);
      words.write(text.slice(0, 1000));
      Atomics.store(beat, 0, BigInt(Date.now()));
    },
    end: () => void Atomics.store(beat, 0, 0n),
    stop: () => worker.terminate(),
  };
}

const SHARED = {
  Object,
  Array,
  String,
  Number,
  Boolean,
  Function,
  RegExp,
  Map,
  Set,
  Promise,
  Error,
  Date,
  Buffer,
};

/** Everything that stands in the prototypes: names, and which functions they are. */
const before = new Map(
  Object.entries(SHARED).flatMap(
    ([name, maker]) =>
      [
        [name, { holder: maker as object, members: Object.getOwnPropertyDescriptors(maker) as Members }],
        [
          `${name}.prototype`,
          {
            holder: maker.prototype as object,
            members: Object.getOwnPropertyDescriptors(maker.prototype) as Members,
          },
        ],
      ] as const,
  ),
);
type Members = Readonly<Record<PropertyKey, PropertyDescriptor>>;

function assertUntouched(): void {
  for (const [name, { holder, members }] of before) {
    const keys = Reflect.ownKeys(holder);
    if (keys.length !== Reflect.ownKeys(members).length)
      throw new Error(`${name} has members that it had not`);
    for (const key of keys) {
      const now = Reflect.getOwnPropertyDescriptor(holder, key);
      if (!Object.hasOwn(members, key) || !Object.is(now?.value, members[key]?.value)) {
        throw new Error(`${name}.${String(key)} is not what it was`);
      }
    }
  }
}

/** Longest message about a document, in characters. */
const LONGEST_MESSAGE = 3000;

/** Accepts a refusal: an error of ours, in clear and few words. Anything else is thrown again. */
export function refused(error: unknown): Verdict {
  if (!(error instanceof UserError || error instanceof CheckError)) throw error;
  return said([error.message]);
}

/** Accepts the words of a refusal. */
export function said(messages: readonly string[]): Verdict {
  if (messages.length === 0) throw new Error("refused without a word");
  for (const message of messages) {
    if (message.trim() === "") throw new Error("refused in an empty line");
    if (message.length > LONGEST_MESSAGE) {
      throw new Error(`a message of ${message.length} characters: ${message.slice(0, 200)}`);
    }
    if (
      /\n\s+at |\b(?:TypeError|RangeError|undefined is not|Cannot read prop|is not a function)/.test(message)
    ) {
      throw new Error(`words from inside: ${message.slice(0, 300)}`);
    }
  }
  return "refused";
}

/** A beginning of bytes, on one line. */
export function beginning(bytes: Buffer | string, most = 1200): string {
  return (
    JSON.stringify(bytes.toString().slice(0, most)) +
    (bytes.length > most ? ` … (${bytes.length} bytes)` : "")
  );
}
