// kill -9 at random moments of one long run, with the ledgers cut in between, and then the same command; and damage that no
// kill explains. The torture tests do more of it (test/torture/); their reader judges the files here, too.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bench, until } from "../support/bench.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { makeScratch } from "../support/scratch.ts";
import { ANSWERS, type Fault } from "../torture/faults.ts";
import { scenario } from "../torture/scenario.ts";

const ROWS = 240;
const KILLS = 10;

scenario(`one run of ${ROWS} rows and ${KILLS} kills`, 180, async (stage) => {
  const course = await stage.course("long", ROWS, 8);
  course.begin({ killed: true });
  const good = ANSWERS["right answer"] as Fault;
  course.fault = () => (serial, labels, random) => {
    const deed = good(serial, labels, random);
    return { ...deed, script: { delayMs: 10 + random() * 30, ...deed.script } };
  };
  while (course.kills < KILLS) {
    stage.rounds += 1;
    const since = course.before;
    const running = course.start();
    await until(() => course.askedBy(running.number).length > 0, "a call");
    await new Promise((resolve) => setTimeout(resolve, course.random() * 120));
    running.child.kill("SIGKILL");
    expect((await running.ended).signal).toBe("SIGKILL");
    course.kills += 1;
    course.look([running.number]);
    course.cut(since);
  }
  const last = await course.finish();
  expect(last.code, last.stderr).toBe(0);
  expect(course.judge().answers).toEqual({ ok: ROWS });
  await course.recount(true);
});

it("ends with file and line at damage in the middle, and leaves every byte", async () => {
  const endpoint = await startEndpoint();
  const scratch = makeScratch(6);
  const env = { DECISION_BENCH_BASE_URL: endpoint.baseUrl };
  try {
    const run = ["run", "--model", "bench", "--run-id", "damaged"];
    await bench(scratch.root, run, env);
    const file = join(scratch.root, "runs", "damaged", "results.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    lines[2] = `${lines[2]?.slice(0, 40)}${lines[3]}`;
    writeFileSync(file, lines.join("\n"));
    const before = readFileSync(file);
    const calls = endpoint.requests.length;
    const again = await bench(scratch.root, run, env);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("runs/damaged/results.jsonl:3");
    expect(readFileSync(file)).toEqual(before);
    expect(endpoint.requests).toHaveLength(calls);
    const score = await bench(scratch.root, ["score", "damaged"], env);
    expect(score.code).toBe(1);
    expect(score.stderr).toContain("results.jsonl:3");
    const runs = await bench(scratch.root, ["runs", "--json"], env);
    expect(JSON.parse(runs.stdout)).toMatchObject({ runs: [{ damaged_lines: 1 }] });
  } finally {
    await endpoint.close();
    scratch.remove();
  }
});
