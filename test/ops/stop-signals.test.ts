import { expect, onTestFinished, test } from "vitest";
import { onStopSignal } from "../../src/ops/stop-signals.ts";

function listening() {
  const heard: string[] = [];
  let nowMs = 1_000;
  const stop = onStopSignal({
    first: (signal) => heard.push(signal),
    again: () => heard.push("again"),
    monotonicMs: () => nowMs,
  });
  onTestFinished(stop);
  const send = (signal: "SIGINT" | "SIGTERM", laterMs: number): void => {
    nowMs += laterMs;
    process.emit(signal, signal);
  };
  return { heard, send, stop };
}

test("a Ctrl-C that comes from the terminal and from npm is one, and a second press is another", () => {
  const { heard, send } = listening();
  send("SIGINT", 0);
  send("SIGINT", 1);
  send("SIGINT", 499);
  expect(heard).toEqual(["SIGINT"]);
  send("SIGINT", 1);
  expect(heard).toEqual(["SIGINT", "again"]);
});

test("a signal of the other kind counts as well, and none after the end", () => {
  const { heard, send, stop } = listening();
  send("SIGTERM", 0);
  send("SIGINT", 3_000);
  expect(heard).toEqual(["SIGTERM", "again"]);
  stop();
  expect([process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")]).toEqual([0, 0]);
});
