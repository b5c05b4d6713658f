// A scenario of the torture tests: an ordinary test that ends with no breach, and a line in the table of the long form.
import { expect, it, onTestFinished } from "vitest";
import { Course, SEED } from "./course.ts";
import { addLine } from "./table.ts";

/** What a scenario works with. */
export interface Stage {
  /** A workspace with an endpoint that is closed and counted at the end. */
  course(name: string, rows: number, jobs: number): Promise<Course>;
  /** Rounds that were played. */
  rounds: number;
  /** Whether another round is due: one of so many, and none but the first beyond the share of the time. */
  lasts(rounds: number): boolean;
  /** Shown behind the figures. */
  note: string;
}

/** A test's limit beyond the share of the time that its scenario has, in seconds: the last round begins within that. */
const GRACE_S = 150;

/** Registers a scenario that begins no round after so many seconds. */
export function scenario(name: string, shareS: number, play: (stage: Stage) => Promise<void>): void {
  it(
    name,
    async () => {
      const courses: Course[] = [];
      // Also when the time is up while processes run.
      onTestFinished(async () => {
        for (const course of courses) await course.close();
      });
      const begun = performance.now();
      const stage: Stage = {
        rounds: 0,
        note: "",
        lasts: (rounds) =>
          stage.rounds === 0 || (stage.rounds < rounds && performance.now() - begun < shareS * 1000),
        course: async (courseName, rows, jobs) => {
          const course = await Course.open(`${name} ${courseName}`, rows, jobs);
          courses.push(course);
          return course;
        },
      };
      let failed: unknown;
      try {
        await play(stage);
      } catch (error) {
        failed = error;
      }
      const breaches = courses.flatMap((course) => course.breaches);
      const count = (kind: string): number => breaches.filter((breach) => breach.kind === kind).length;
      const sum = (of: "kills" | "faults"): number =>
        courses.reduce((total, course) => total + course[of], 0);
      addLine({
        scenario: name,
        rounds: stage.rounds,
        kills: sum("kills"),
        faults: sum("faults"),
        lost: count("lost"),
        doubled: count("doubled"),
        glued: count("glued"),
        wrong: count("wrong"),
        seconds: Math.round((performance.now() - begun) / 100) / 10,
        seed: SEED,
        note: failed === undefined ? stage.note : "FAILED",
      });
      expect(breaches.slice(0, 20), `BENCH_TEST_SEED=${SEED}`).toEqual([]);
      if (failed !== undefined) {
        throw new Error(`BENCH_TEST_SEED=${SEED}: ${failed instanceof Error ? failed.message : failed}`, {
          cause: failed,
        });
      }
    },
    (shareS + GRACE_S) * 1000,
  );
}
