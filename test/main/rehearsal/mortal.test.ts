/** A rehearsed process that stands still, as under SIGSTOP, and one that dies meanwhile. Faults P1, P5. */
import { expect, test } from "vitest";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { mortal } from "../../../src/main/rehearsal/mortal.ts";
import { inProcess } from "../../../src/sim/servers/in-process.ts";

function process() {
  const clock = virtualClock(0);
  const life = mortal(clock, inProcess({ clock, hosts: {} }));
  const told: string[] = [];
  const tell = (what: string) => (): void => void told.push(`${what} at ${clock.nowMs()}`);
  return { clock, life, told, tell };
}

test("what falls due while it stands still runs when it goes on, in its order, and a rhythm only once", () => {
  const { clock, life, told, tell } = process();
  life.clock.every(1_000, tell("tick"));
  life.clock.after(2_500, tell("alarm"));
  life.clock.after(9_000, tell("later"));
  clock.advanceSync(1_200);
  life.freeze();
  clock.advanceSync(5_000);
  expect(told).toEqual(["tick at 1000"]);
  life.thaw();
  expect(told).toEqual(["tick at 1000", "tick at 6200", "alarm at 6200"]);
  clock.advanceSync(3_000);
  expect(told.slice(3)).toEqual(["tick at 7000", "tick at 8000", "later at 9000", "tick at 9000"]);
});

test("a timer that was stopped while it waited does not run, and nothing runs after a death", async () => {
  const { clock, life, told, tell } = process();
  const stop = life.clock.after(100, tell("stopped"));
  life.clock.after(200, tell("kept"));
  const slept = life.clock.sleep(300).then(tell("slept"));
  life.freeze();
  await clock.advance(1_000);
  stop();
  life.thaw();
  await slept;
  expect(told).toEqual(["kept at 1000", "slept at 1000"]);
  life.clock.after(100, tell("never"));
  life.freeze();
  await clock.advance(1_000);
  life.kill();
  life.thaw();
  expect(told).toHaveLength(2);
});
