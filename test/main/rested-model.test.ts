/** No model is asked in the first minute after a crash, and none whose cost cannot be written down. Faults P8, D1. */
import { expect, test } from "vitest";
import type { ModelAnswer } from "../../src/agent/events.ts";
import type { ModelPort } from "../../src/agent/ports.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { JournalError } from "../../src/journal/error.ts";
import { restedModel } from "../../src/main/rested-model.ts";

const answered: ModelAnswer = { kind: "answered", value: {}, model: "m", cached: false, costUsd: "0", detail: {} };
const question = {} as Parameters<ModelPort["ask"]>[1];
const coded = (code: string): JournalError =>
  new JournalError("write-failed", code, Object.assign(new Error(code), { code }));

test("rests for its time, then asks", async () => {
  const clock = virtualClock(0);
  let asked = 0;
  const port = restedModel({ ask: () => Promise.resolve((asked++, answered)) }, clock, 60_000);
  expect(await port.ask("d", question, false, "decision")).toMatchObject({
    kind: "failed",
    costUsd: "0",
    reason: expect.stringContaining("60 s are left"),
  });
  clock.advanceSync(59_999);
  expect(await port.ask("d", question, true, "decision")).toMatchObject({ kind: "failed" });
  expect(asked).toBe(0);
  clock.advanceSync(1);
  expect(await port.ask("d", question, false, "decision")).toBe(answered);
});

test("without a crash it asks at once", async () => {
  const port = restedModel({ ask: () => Promise.resolve(answered) }, virtualClock(0), 0);
  expect(await port.ask("d", question, false, "decision")).toBe(answered);
});

test.each(["SQLITE_FULL", "SQLITE_BUSY"])("a reservation that meets %s is a call that failed", async (code) => {
  const port = restedModel({ ask: () => Promise.reject(coded(code)) }, virtualClock(0), 0);
  expect(await port.ask("d", question, false, "decision")).toMatchObject({
    kind: "failed",
    detail: { kind: "unwritten" },
  });
});

test("a broken disk is not answered away", async () => {
  const port = restedModel({ ask: () => Promise.reject(coded("SQLITE_IOERR")) }, virtualClock(0), 0);
  await expect(port.ask("d", question, false, "decision")).rejects.toThrow("SQLITE_IOERR");
});
