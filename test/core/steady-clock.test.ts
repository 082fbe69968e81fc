/** A machine's clock that is set, and the time that a run goes by. Faults C1, C2. */
import { expect, test } from "vitest";
import { steadyClock } from "../../src/core/clock.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";

test("a step back neither stops it nor takes it back, however often it is read", () => {
  const machine = virtualClock(1_000_000);
  const clock = steadyClock(machine);
  machine.advanceSync(500);
  expect(clock.nowMs()).toBe(1_000_500);
  machine.stepWall(-3_600_000);
  expect(clock.nowMs()).toBe(1_000_500);
  machine.advanceSync(2_000);
  expect(clock.nowMs()).toBe(1_002_500);
  expect(clock.nowMs()).toBe(1_002_500);
});

test("a step forward is taken over at once, and one back after it is not", () => {
  const machine = virtualClock(1_000_000);
  const clock = steadyClock(machine);
  machine.stepWall(90_000);
  expect(clock.nowMs()).toBe(1_090_000);
  machine.stepWall(-90_000);
  machine.advanceSync(10);
  expect(clock.nowMs()).toBe(1_090_010);
});

test("when the machine has caught up with it, both go on together", () => {
  const machine = virtualClock(1_000_000);
  const clock = steadyClock(machine);
  machine.stepWall(-1_000);
  machine.advanceSync(100);
  expect(clock.nowMs()).toBe(1_000_100);
  machine.stepWall(1_000);
  expect(clock.nowMs()).toBe(1_000_100);
  machine.stepWall(5);
  expect(clock.nowMs()).toBe(1_000_105);
});
