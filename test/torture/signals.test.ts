// What people and systems do to a process that runs: ask it to end once or twice, hold it for longer than its calls may last,
// set the clock, start it beside itself. Then the same command again.
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../support/bench.ts";
import { type Course, LONG } from "./course.ts";
import { ANSWERS, FAILURES, type Fault, REFUSALS } from "./faults.ts";
import { jumpingClock } from "./preloads.ts";
import { scenario } from "./scenario.ts";

const good = ANSWERS["right answer"] as Fault;

/** Right answers after a random while. */
function slowly(course: Course, longestMs: number): void {
  course.fault = () => (serial, labels, random) => {
    const deed = good(serial, labels, random);
    return { ...deed, script: { delayMs: random() * longestMs, ...deed.script } };
  };
}

/** The run ends, and has an answer to every row. */
async function finishAll(course: Course, args: readonly string[] = []): Promise<void> {
  const ended = await course.finish({ args });
  expect(ended.code, ended.stderr).toBe(0);
  expect(course.judge().answers).toEqual({ ok: course.truth.size });
}

scenario("asked to end, once or twice", 45, async (stage) => {
  const course = await stage.course("signals", 30, 4);
  const signals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;
  for (; stage.lasts(LONG ? 24 : 3); stage.rounds += 1) {
    course.begin();
    slowly(course, 60);
    const isTwice = stage.rounds % 3 === 2;
    const signal = signals[stage.rounds % signals.length] ?? "SIGTERM";
    const running = course.start();
    // A third of them from the very beginning on, when nobody listens yet.
    if (stage.rounds % 3 === 1) await sleep(course.random() * 1200);
    else await until(() => course.askedBy(running.number).length > 2, "calls", 60_000);
    await sleep(course.random() * 100);
    running.child.kill(signal);
    if (isTwice) {
      await until(
        () => running.stderr().includes("stopping") || running.child.exitCode !== null,
        "the notice",
      );
      running.child.kill(signal);
      course.know({ killed: true });
    }
    const ended = await running.ended;
    course.faults += 1;
    // 0: it was done already; null: ended by the signal before it could listen.
    expect([130, 0, null], ended.stderr).toContain(ended.code);
    course.look([running.number]);
    // Whoever is asked once writes down every call that is under way.
    if (!isTwice && ended.code === 130 && course.before.size > 0) course.judge(true);
    await finishAll(course);
  }
  await course.recount();
});

scenario("held for longer than its calls may last", 35, async (stage) => {
  const course = await stage.course("held", 24, 6);
  course.timeoutS = 1;
  course.maxAttempts = 2;
  for (; stage.lasts(LONG ? 8 : 1); stage.rounds += 1) {
    course.begin({ mayBeLate: true });
    slowly(course, 80);
    const running = course.start();
    const holds = 1 + Math.floor(course.random() * 2);
    for (let held = 0; held < holds && running.child.exitCode === null; held += 1) {
      const seen = course.askedBy(running.number).length;
      const isFurther = (): boolean => course.askedBy(running.number).length > seen;
      await until(() => isFurther() || running.child.exitCode !== null, "a call", 60_000);
      await sleep(course.random() * 100);
      running.child.kill("SIGSTOP");
      await sleep(1100 + course.random() * 600);
      running.child.kill("SIGCONT");
      course.faults += 1;
    }
    const ended = await running.ended;
    expect(ended.code, ended.stderr).toBe(0);
    course.look([running.number]);
    course.judge();
    course.timeoutS = 60;
    course.know({ retriesErrors: true });
    await finishAll(course, ["--retry-errors"]);
    course.timeoutS = 1;
  }
  await course.recount();
});

scenario("a clock that jumps to and fro", 35, async (stage) => {
  const course = await stage.course("clock", 60, 12);
  course.maxAttempts = 2;
  const faults = [...Object.values(ANSWERS), ...Object.values(REFUSALS), ...Object.values(FAILURES)];
  for (; stage.lasts(LONG ? 8 : 1); stage.rounds += 1) {
    course.begin({ retriesErrors: true });
    course.fault = () => faults[Math.floor(course.random() * faults.length)] as Fault;
    const clock = (): NodeJS.ProcessEnv => ({
      NODE_OPTIONS: jumpingClock(1 + Math.floor(course.random() * 2e9)),
    });
    const running = course.start({ env: clock() });
    await until(() => course.askedBy(running.number).length > 10, "calls", 60_000);
    if (stage.rounds % 2 === 1) {
      running.child.kill("SIGKILL");
      course.kills += 1;
      course.know({ killed: true });
    }
    const { stderr } = await running.ended;
    // A wait that a clock prolonged would be one of days.
    expect(stderr).not.toContain("unexpected error");
    course.look([running.number]);
    course.fault = () => good;
    const ended = await course.finish({ env: clock(), args: ["--retry-errors"] });
    expect(ended.code, ended.stderr).toBe(0);
    expect(course.judge().answers).toEqual({ ok: course.truth.size });
  }
  await course.recount();
});

scenario("a second process, which takes over from a dead one", 25, async (stage) => {
  const course = await stage.course("two", 24, 3);
  for (; stage.lasts(LONG ? 8 : 1); stage.rounds += 1) {
    course.begin({ killed: true });
    slowly(course, 200);
    const first = course.start();
    await until(() => course.askedBy(first.number).length > 2, "calls", 60_000);
    first.child.kill("SIGSTOP");
    const second = course.start();
    const refused = await second.ended;
    expect(refused.code, refused.stderr).toBe(2);
    expect(refused.stderr).toContain(`locked by process ${first.child.pid}`);
    expect(course.askedBy(second.number)).toEqual([]);
    first.child.kill("SIGKILL");
    course.kills += 1;
    await first.ended;
    course.look([first.number, second.number]);
    await finishAll(course);
  }
  await course.recount();
});

scenario("ten processes at the same moment", 40, async (stage) => {
  const course = await stage.course("ten", 12, 3);
  for (; stage.lasts(LONG ? 6 : 1); stage.rounds += 1) {
    const isAfterKill = stage.rounds % 2 === 1;
    course.begin({ killed: isAfterKill });
    // As long as all of them need to begin.
    slowly(course, 2000);
    if (isAfterKill) {
      // Ten of them find the lock of a dead process.
      const dead = course.start();
      await until(() => course.askedBy(dead.number).length > 2, "calls", 60_000);
      dead.child.kill("SIGKILL");
      course.kills += 1;
      await dead.ended;
      course.look([dead.number]);
    }
    const all = Array.from({ length: 10 }, () => course.start());
    const ends = await Promise.all(all.map((one) => one.ended));
    for (const { code, stderr } of ends) {
      if (code === 0) continue;
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/is locked by process \d+, which is still working on it/);
    }
    // The others, who came when all was done, had nothing to call.
    expect(all.filter((one) => course.askedBy(one.number).length > 0)).toHaveLength(1);
    expect(ends.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(1);
    course.look(all.map((one) => one.number));
    expect(course.judge().answers).toEqual({ ok: course.truth.size });
  }
  await course.recount();
});
