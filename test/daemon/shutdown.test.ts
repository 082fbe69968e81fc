/** However one part ends, the others are ended too, and the process does not outlive the time a container gives it. Fault P3. */
import { expect, test } from "vitest";
import type { Log } from "../../src/core/log.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { shutDown, type ShutdownStep } from "../../src/daemon/shutdown.ts";

function begin(steps: readonly ShutdownStep[]) {
  const reported: string[] = [];
  const exits: number[] = [];
  const clock = virtualClock(0);
  const log: Log = { event: (level, _evt, message) => void reported.push(`${level}: ${message.split("\n")[0] ?? ""}`) };
  const came = shutDown(steps, { clock, log, exit: (code) => void exits.push(code) });
  return { reported, exits, clock, came };
}

const step = (name: string, ended: string[], end: ShutdownStep["end"] = () => undefined): ShutdownStep => ({
  name,
  end: () => (ended.push(name), end()),
});

test("what throws, at once or later, is reported and does not keep the rest from ending", async () => {
  const ended: string[] = [];
  const boom = (): never => {
    throw new Error("boom");
  };
  const { reported, exits, clock, came } = begin([
    step("one", ended, boom),
    step("two", ended, () => Promise.reject(new Error("later"))),
    step("three", ended),
  ]);
  expect(await came).toBe(false);
  expect(ended).toEqual(["one", "two", "three"]);
  expect(reported).toEqual([
    "error: one did not stop cleanly: Error: boom",
    "error: two did not stop cleanly: Error: later",
  ]);
  await clock.advance(60_000);
  expect(exits).toEqual([]);
});

test("a step that never ends is named, and the process exits without it", async () => {
  const ended: string[] = [];
  const { reported, exits, clock } = begin([
    step("one", ended),
    step("two", ended, () => new Promise(() => undefined)),
    step("three", ended),
  ]);
  await clock.advance(8_400);
  expect(exits).toEqual([]);
  await clock.advance(200);
  expect(exits).toEqual([1]);
  expect(reported).toEqual(["error: two did not stop within 8.5 s; exiting without it"]);
  expect(ended).toEqual(["one", "two"]);
});

test("a shutdown without mishap says nothing", async () => {
  const { reported, exits, came } = begin([step("one", [])]);
  expect(await came).toBe(true);
  expect([...reported, ...exits]).toEqual([]);
});
