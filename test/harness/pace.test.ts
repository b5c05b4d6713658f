import { expect, it } from "vitest";
import { Pacer } from "../../src/harness/pace.ts";
import { FakeClock } from "../support/harness.ts";

const never = new AbortController().signal;

it("gives turns at even distances to all who ask at once, in their order", async () => {
  const clock = new FakeClock();
  const asked: number[] = [];
  clock.sleep = async (ms) => void asked.push(ms);
  const pacer = new Pacer(120, clock);
  for (let turn = 0; turn < 4; turn += 1) await pacer.turn(never);
  expect(asked).toEqual([500, 1000, 1500]);
});

it("saves no turns up: a pause is not followed by a burst", async () => {
  const clock = new FakeClock();
  const pacer = new Pacer(60, clock);
  await pacer.turn(never);
  clock.time += 60_000;
  await pacer.turn(never);
  await pacer.turn(never);
  await pacer.turn(never);
  expect(clock.waits).toEqual([1000, 1000]);
});

it("does not wait without a pace, nor when the run stops", async () => {
  const clock = new FakeClock();
  const free = new Pacer(null, clock);
  for (let turn = 0; turn < 100; turn += 1) expect(await free.turn(never)).toBe(0);
  const slow = new Pacer(1, clock);
  await slow.turn(never);
  expect(await slow.turn(AbortSignal.abort())).toBe(0);
  expect(clock.waits).toEqual([]);
});
