// kill -9 at random moments of a run's life, some with the ledgers cut behind it as by a power cut, and the same command
// again until the run is done.
import { existsSync, mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Course, LONG, type Process } from "./course.ts";
import { ANSWERS, FAILURES, type Fault, REFUSALS } from "./faults.ts";
import { scenario } from "./scenario.ts";
import { finishedRows } from "./standing.ts";

const LANES = LONG ? 3 : 2;
const KILLS = LONG ? 520 : 14;
/** A run is left to end after so many kills. */
const KILLS_A_RUN = 24;
const LIMIT_S = LONG ? 520 : 150;

type Moment = "start" | "folder" | "lock" | "calls" | "end" | "two at once";

/** How often each moment is tried. */
const MOMENTS: readonly (readonly [Moment, number])[] = [
  ["start", 0.12],
  ["folder", 0.12],
  ["lock", 0.2],
  ["calls", 0.32],
  ["end", 0.12],
  ["two at once", 0.12],
];

scenario(`kill -9, ${KILLS} times`, LIMIT_S, async (stage) => {
  const end = performance.now() + LIMIT_S * 1000;
  const moments: Record<string, number> = {};
  const budget = { due: KILLS, lasts: () => budget.due > 0 && performance.now() < end };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const course = await stage.course(`lane ${lane}`, 30, 5);
    // Every other lane has an endpoint that fails at times.
    const faults =
      lane % 2 === 0 ? Object.values(ANSWERS) : [ANSWERS, FAILURES, REFUSALS].flatMap(Object.values);
    while (budget.lasts()) {
      await oneRun(course, faults, budget, moments);
      stage.rounds += 1;
    }
    await course.recount(true);
  });
  await Promise.all(lanes);
  stage.note = Object.entries(moments)
    .map(([moment, times]) => `${moment} ${times}`)
    .join(", ");
  expect(budget.due, "kills that there was no time for").toBeLessThanOrEqual(0);
});

/** Kills a run again and again, then lets it end. */
async function oneRun(
  course: Course,
  faults: readonly Fault[],
  budget: { due: number; lasts(): boolean },
  moments: Record<string, number>,
): Promise<void> {
  const { random } = course;
  const before = course.kills;
  course.maxAttempts = 2;
  course.begin({ killed: true });
  course.fault = () => {
    const fault = faults[Math.floor(random() * faults.length)] as Fault;
    return (...given) => {
      const deed = fault(...given);
      return { ...deed, script: { delayMs: Math.floor(random() * 40), ...deed.script } };
    };
  };
  while (course.kills - before < KILLS_A_RUN && budget.lasts()) {
    const since = course.before;
    const moment = pick(random());
    const started = moment === "two at once" ? [course.start(), course.start()] : [course.start()];
    await momentOf(moment, course, started);
    for (const one of started) one.child.kill("SIGKILL");
    const ends = await Promise.all(started.map((one) => one.ended));
    const killed = ends.filter(({ signal }) => signal === "SIGKILL").length;
    course.kills += killed;
    budget.due -= killed;
    moments[moment] = (moments[moment] ?? 0) + killed;
    course.look(started.map((one) => one.number));
    if (random() < 0.35) course.cut(since);
  }
  course.maxAttempts = 1;
  // Whatever was killed: the same command ends the run, and again finds nothing to do.
  const last = await course.finish();
  expect(last.code, last.stderr).toBe(0);
  const { answers } = course.judge();
  if (answers.ok === course.truth.size) return;
  course.fault = () => ANSWERS["right answer"] as Fault;
  course.know({ retriesErrors: true });
  const again = await course.finish({ args: ["--retry-errors"] });
  expect(again.code, again.stderr).toBe(0);
  expect(course.judge().answers).toEqual({ ok: course.truth.size });
}

function pick(chance: number): Moment {
  let left = chance;
  for (const [moment, share] of MOMENTS) {
    left -= share;
    if (left < 0) return moment;
  }
  return "calls";
}

/** Waits for the moment, or for the end of a process, which may be too fast for it. */
async function momentOf(moment: Moment, course: Course, started: readonly Process[]): Promise<void> {
  const { random } = course;
  const numbers = started.map((one) => one.number);
  const isOver = (): boolean => started.every(({ child }) => child.exitCode !== null);
  const hasCalled = (): boolean => numbers.some((number) => course.askedBy(number).length > 0);
  const wait = async (ready: () => boolean): Promise<void> => {
    const limit = performance.now() + 30_000;
    while (!ready() && !isOver() && performance.now() < limit) await sleep(2);
  };
  const lock = join(course.folder, "lock");
  switch (moment) {
    case "start":
      return sleep(random() * 900);
    case "folder":
      mkdirSync(join(course.root, "runs"), { recursive: true });
      // Where the folder is there already nothing happens in runs/, and it becomes a kill among calls.
      await Promise.race([touched(join(course.root, "runs")), wait(hasCalled)]);
      return sleep(random() * 6);
    case "lock":
    case "two at once":
      if (!existsSync(lock)) await wait(() => existsSync(lock));
      else await Promise.race([touched(lock), wait(hasCalled)]);
      return sleep(random() * (moment === "lock" ? 5 : 30));
    case "calls":
      await wait(hasCalled);
      return sleep(random() * 120);
    case "end": {
      const finished = finishedRows(course.before);
      const asked = (): string[] => numbers.flatMap((number) => course.askedBy(number).map(({ row }) => row));
      await wait(() => new Set([...finished.keys(), ...asked()]).size >= course.truth.size);
      return sleep(random() * (random() < 0.6 ? 120 : 900));
    }
  }
}

/** Resolves when something happens in a folder. */
function touched(folder: string): Promise<void> {
  return new Promise((resolve) => {
    if (readdirSync(folder).length < 0) return;
    const watcher = watch(folder, () => {
      watcher.close();
      resolve();
    });
    watcher.on("error", () => resolve());
    setTimeout(() => {
      watcher.close();
      resolve();
    }, 10_000).unref();
  });
}
