/** A simulated process that stands still, as under SIGSTOP, and one that dies meanwhile. Faults P1, P5. */
import { expect, test } from "vitest";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { crashableProcess } from "../../src/harness/crashable-process.ts";
import { inProcess } from "../../src/sim/servers/transport/in-process.ts";

function process() {
  const clock = virtualClock(0);
  const life = crashableProcess(clock, inProcess({ clock, hosts: {} }));
  const reported: string[] = [];
  const report = (what: string) => (): void => void reported.push(`${what} at ${clock.nowMs()}`);
  return { clock, life, reported, report };
}

test("what falls due while it stands still runs when it goes on, in its order, and a rhythm only once", () => {
  const { clock, life, reported, report } = process();
  life.clock.every(1_000, report("tick"));
  life.clock.after(2_500, report("alarm"));
  life.clock.after(9_000, report("later"));
  clock.advanceSync(1_200);
  life.freeze();
  clock.advanceSync(5_000);
  expect(reported).toEqual(["tick at 1000"]);
  life.unfreeze();
  expect(reported).toEqual(["tick at 1000", "tick at 6200", "alarm at 6200"]);
  clock.advanceSync(3_000);
  expect(reported.slice(3)).toEqual(["tick at 7000", "tick at 8000", "later at 9000", "tick at 9000"]);
});

test("a timer that was stopped while it waited does not run, and nothing runs after a death", async () => {
  const { clock, life, reported, report } = process();
  const stop = life.clock.after(100, report("stopped"));
  life.clock.after(200, report("kept"));
  const slept = life.clock.sleep(300).then(report("slept"));
  life.freeze();
  await clock.advance(1_000);
  stop();
  life.unfreeze();
  await slept;
  expect(reported).toEqual(["kept at 1000", "slept at 1000"]);
  life.clock.after(100, report("never"));
  life.freeze();
  await clock.advance(1_000);
  life.kill();
  life.unfreeze();
  expect(reported).toHaveLength(2);
});

test("the next callback of a class throws, to whoever hears of exceptions, and the one after it runs", async () => {
  const clock = virtualClock(0);
  const heard: unknown[] = [];
  const life = crashableProcess(clock, inProcess({ clock, hosts: {} }), (cause) => heard.push(cause));
  const reported: number[] = [];
  life.clock.every(100, () => reported.push(clock.nowMs()));
  expect(life.plantException("rhythm")).toBeNull();
  await clock.advance(250);
  expect(reported).toEqual([200]);
  expect(heard).toEqual([expect.objectContaining({ name: "Startled" })]);
  life.plantException("sleep");
  await Promise.all([expect(life.clock.sleep(10)).rejects.toThrow("planted"), clock.advance(20)]);
  life.plantException("timer");
  expect(life.plantException(null)).toBe("timer");
});

test("time that a callback lets pass does not come back", async () => {
  const clock = virtualClock(0);
  const reported: number[] = [];
  clock.every(400, () => reported.push(clock.nowMs()));
  clock.after(500, () => clock.advanceSync(2_000));
  await clock.advance(1_000);
  expect(clock.nowMs()).toBe(2_500);
  await clock.advance(500);
  expect(reported).toEqual([400, 800, 1_200, 1_600, 2_000, 2_400, 2_800]);
});
