// What every torture test stands on: a workspace and an endpoint that remembers which process asked for which row and what
// it was given, runs of the built binary between which nothing may be lost, and the judge at the end.
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import seedrandom from "seedrandom";
import { bench, cli, type Ended, type Running, startBench } from "../support/bench.ts";
import { type RecordedRequest, type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { makeScratch } from "../support/scratch.ts";
import type { Asked, Rule } from "./calls.ts";
import { ANSWERS, type Fault } from "./faults.ts";
import { type Breach, type Judged, judge, readTruth, type Truth } from "./judge.ts";
import { compareStandings, finishedRows, powerCut, type Standing, standingOf } from "./standing.ts";

/** Repeats a run of these tests; every failure and every line of the table names it. */
export const SEED = process.env.BENCH_TEST_SEED ?? String(Date.now());
/** Whether this is `npm run torture`, and not its short form among the other tests. */
export const LONG = process.env.BENCH_TORTURE === "long";

/** How a process of a course is started. */
export interface Start {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** What stands before the binary. */
  readonly before?: readonly string[];
  readonly uid?: number;
}

export interface Process extends Running {
  /** Counts the processes of a course, from 1. */
  readonly number: number;
}

/** Courses that are not closed yet. */
const open = new Set<Course>();
// The guard of the table, or a person, may end this process in the middle of everything.
for (const event of ["disconnect", "exit"] as const) {
  process.on(event, () => {
    for (const course of open) course.abandon();
  });
}

export class Course {
  readonly root: string;
  readonly endpoint: ScriptedEndpoint;
  readonly random: () => number;
  readonly truth: ReadonlyMap<string, Truth>;
  readonly breaches: Breach[] = [];
  /** Every request of every process, in order. */
  readonly asked: Asked[] = [];
  /** Answers one request. */
  fault: (row: string, process: number) => Fault = () => ANSWERS["right answer"] as Fault;
  /** The present run, and what is to be known about it. */
  run = "";
  rule: Rule;
  kills = 0;
  faults = 0;
  runs = 0;
  readonly #remove: () => void;
  readonly #undo = new Set<() => void>();
  readonly #children = new Set<ChildProcess>();
  readonly #judged = new Map<string, Judged>();
  #before: Standing = new Map();
  #processes = 0;
  #firstProcess = 1;

  private constructor(name: string, endpoint: ScriptedEndpoint, rows: number, jobs: number) {
    const scratch = makeScratch(rows, 1);
    this.root = scratch.root;
    this.#remove = scratch.remove;
    this.endpoint = endpoint;
    this.random = seedrandom(`${SEED} ${name}`);
    this.truth = readTruth(join(scratch.root, "data", "corpus", "load", "cases.jsonl"));
    this.jobs = jobs;
    this.rule = this.#freshRule();
    endpoint.otherwise((request) => this.#answer(request));
  }

  jobs: number;
  timeoutS = 60;
  maxAttempts = 1;

  /** A course over so many rows. */
  static async open(name: string, rows: number, jobs: number): Promise<Course> {
    const course = new Course(name, await startEndpoint(), rows, jobs);
    open.add(course);
    return course;
  }

  get folder(): string {
    return join(this.root, "runs", this.run);
  }

  /** What the folder held when it was last looked at. */
  get before(): Standing {
    return this.#before;
  }

  #freshRule(): Rule {
    return {
      killed: false,
      isOpen: false,
      cut: false,
      retriesErrors: false,
      asked: null,
      maxAttempts: this.maxAttempts ?? 1,
      timeoutMs: (this.timeoutS ?? 60) * 1000,
      mayBeLate: false,
      longestMs: 120_000,
      unsent: null,
    };
  }

  /** Begins another run; `rule` says what is known of it from the start. */
  begin(rule: Partial<Rule> = {}): void {
    this.runs += 1;
    this.run = `run-${this.runs}`;
    this.#before = new Map();
    this.#firstProcess = this.#processes + 1;
    this.rule = { ...this.#freshRule(), ...rule };
  }

  know(rule: Partial<Rule>): void {
    this.rule = { ...this.rule, ...rule };
  }

  #answer(request: RecordedRequest) {
    const record = /\\*"record\\*":(\d+)/.exec(request.text)?.[1] ?? "?";
    const row = `row-${record.padStart(7, "0")}`;
    const process = Number(/(\d+)$/.exec(String(request.headers.authorization))?.[1]);
    const serial = this.asked.length + 1;
    const labels = this.truth.get(row)?.labels ?? [];
    const { script, due } = this.fault(row, process)(serial, labels, this.random);
    if (due.status !== "ok") this.faults += 1;
    this.asked.push({ serial, row, process, due });
    return script;
  }

  /** Starts `bench run` for the present run. */
  start({ args = [], env = {}, before = [], uid }: Start = {}): Process {
    this.#processes += 1;
    const number = this.#processes;
    const timeout = ["--timeout", String(this.timeoutS), "--max-attempts", String(this.maxAttempts)];
    // Most do without the table at the end, which takes as long as all the rest.
    const json = this.random() < 0.9 ? ["--json"] : [];
    const running = startBench(
      this.root,
      [
        "run",
        ...json,
        "--model",
        "bench",
        "--run-id",
        this.run,
        "--jobs",
        String(this.jobs),
        ...timeout,
        "--keep-going",
        ...args,
      ],
      {
        DECISION_BENCH_BASE_URL: this.endpoint.baseUrl,
        // The endpoint tells by it who asks, however late a request of a dead process is read.
        DECISION_BENCH_API_KEY: `process-of-the-course-${number}`,
        ...env,
      },
      [...before, process.execPath, cli],
      uid,
    );
    this.#children.add(running.child);
    void running.ended.then(() => this.#children.delete(running.child));
    return { ...running, number };
  }

  /** The number of the process that was started last. */
  get started(): number {
    return this.#processes;
  }

  /** The requests of a process so far. */
  askedBy(number: number): Asked[] {
    return this.asked.filter((one) => one.process === number);
  }

  /** Compares the folder with what it was, and notes the rows that a process called though they were finished. */
  look(numbers: readonly number[], retriesErrors = false): void {
    const after = standingOf(this.folder);
    this.breaches.push(...compareStandings(this.folder, this.#before, after));
    const finished = finishedRows(this.#before);
    for (const { row, process } of this.asked) {
      const status = finished.get(row);
      if (!numbers.includes(process) || status === undefined) continue;
      if (retriesErrors && status !== "ok") continue;
      this.breaches.push({
        kind: "doubled",
        text: `${this.run}: ${row} was called again by process ${process}`,
      });
    }
    this.#before = after;
  }

  /** Cuts the last records of the ledgers, as a power cut may. `since` is what had been there for longer. */
  cut(since: Standing): void {
    if (this.#before.size === 0) return;
    for (const name of ["results.jsonl", "attempts.jsonl"]) {
      if (this.random() < 0.6) powerCut(this.folder, name, since, this.random);
    }
    this.know({ cut: true });
    this.#before = standingOf(this.folder);
  }

  /** Runs to the end, and looks. */
  async finish(start: Start = {}): Promise<Ended> {
    const running = this.start(start);
    const ended = await running.ended;
    this.look([running.number], start.args?.includes("--retry-errors"));
    return ended;
  }

  /** Hands a run that has come to its end to the judge. */
  judge(isOpen = false): Judged {
    const asked = this.asked.filter((one) => one.process >= this.#firstProcess);
    const judged = judge(this.folder, this.truth, { ...this.rule, isOpen, asked });
    this.breaches.push(...judged.breaches.map(({ kind, text }) => ({ kind, text: `${this.run}: ${text}` })));
    this.#judged.set(this.run, judged);
    return judged;
  }

  /** The present run is not there any more. */
  forget(): void {
    this.#judged.delete(this.run);
  }

  /** Has DuckDB count what the judge has counted, over all runs; in the short form only where it is `always` to be done. */
  async recount(always = LONG): Promise<void> {
    if (!always) return;
    const query = `
      select 'answers' as what, run_id, status, count(*) as n from answers group by all
      union all select 'attempts', run_id, status, count(*) from attempts group by all
      union all select 'run', run_id, status, damaged_lines from runs`;
    const ended = await bench(this.root, ["sql", "--format", "json", query]);
    const counted = JSON.parse(ended.stdout) as { what: string; run_id: string; status: string; n: number }[];
    const found = new Map(counted.map(({ what, run_id, status, n }) => [`${what} ${run_id} ${status}`, n]));
    const due = new Map<string, number>();
    for (const [run, { answers, attempts, status }] of this.#judged) {
      for (const [name, n] of Object.entries(answers)) due.set(`answers ${run} ${name}`, n);
      for (const [name, n] of Object.entries(attempts)) due.set(`attempts ${run} ${name}`, n);
      due.set(`run ${run} ${status}`, 0);
    }
    for (const key of new Set([...found.keys(), ...due.keys()])) {
      if (found.get(key) === due.get(key)) continue;
      this.breaches.push({
        kind: "wrong",
        text: `DuckDB counts ${found.get(key)} of ${key}, due are ${due.get(key)}`,
      });
    }
  }

  /** Has something done before the folder is removed, once: by who calls what this gives, or at the end. */
  atEnd(undo: () => void): () => void {
    const once = (): void => {
      if (this.#undo.delete(once)) undo();
    };
    this.#undo.add(once);
    return once;
  }

  /** Ends what still runs. */
  async endAll(): Promise<void> {
    await Promise.all(
      [...this.#children].map((child) => {
        const gone = new Promise((resolve) => child.once("close", resolve));
        child.kill("SIGKILL");
        return gone;
      }),
    );
  }

  /** Ends what still runs and removes everything, without waiting for anything. */
  abandon(): void {
    if (!open.delete(this)) return;
    for (const child of this.#children) child.kill("SIGKILL");
    for (const undo of this.#undo) undo();
    this.#remove();
  }

  /** Ends what still runs, and removes everything. */
  async close(): Promise<void> {
    await this.endAll();
    await this.endpoint.close();
    this.abandon();
  }
}
