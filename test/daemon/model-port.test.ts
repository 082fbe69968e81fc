/** The model as the agent's port: what becomes of a question whose cost cannot be written down. Faults P8, D1. */
import { expect, test } from "vitest";
import type { ModelPort } from "../../src/agent/contract/ports.ts";
import { type Decimal, dec, ZERO } from "../../src/core/decimal.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { silentLog } from "../../src/core/log.ts";
import { JournalError } from "../../src/journal/error.ts";
import type { ModelGateway } from "../../src/llm/contract/port.ts";
import { modelPort } from "../../src/daemon/model-port.ts";

const question = {} as Parameters<ModelPort["ask"]>[1];

function portThatFails(code: string): ModelPort {
  const failure = new JournalError("write-failed", code, Object.assign(new Error(code), { code }));
  const budget = { mayAsk: { cadence: true, eventTrigger: true } };
  const gateway = { budget: () => budget, ask: () => Promise.reject(failure) } as unknown as ModelGateway;
  return modelPort(gateway, { append: () => undefined } as never, silentLog);
}

test.each(["SQLITE_FULL", "SQLITE_BUSY"])("a question whose reservation meets %s is not asked", async (code) => {
  expect(await portThatFails(code).ask("d", question, false, "decision")).toMatchObject({
    kind: "unavailable",
    reason: expect.stringContaining("could not be recorded") as string,
    costUsd: ZERO,
  });
});

test("an answer that the journal does not take decides nothing, and is paid for", async () => {
  const failure = new JournalError("write-failed", "full", Object.assign(new Error("full"), { code: "SQLITE_FULL" }));
  const gateway = {
    budget: () => ({ mayAsk: { cadence: true, event: true } }),
    ask: () => Promise.resolve({ kind: "failed", reason: "cut off", costUsd: dec("0.02"), asked: null }),
  } as unknown as ModelGateway;
  const append = () => {
    throw failure;
  };
  const port = modelPort(gateway, { append } as never, silentLog);
  expect(await port.ask("d", { ...question, prompt: "p", fingerprint: "f" }, false, "decision")).toMatchObject({
    kind: "unavailable",
    costUsd: dec("0.02"),
  });
});

test("a broken disk is not answered away", async () => {
  await expect(portThatFails("SQLITE_IOERR").ask("d", question, false, "decision")).rejects.toThrow("SQLITE_IOERR");
});

test("a question beyond the plain decision is asked only while the day's spend plan has money for it", async () => {
  const asked: unknown[] = [];
  const port = (aheadOfTargetMs: number | null, targetUsd: Decimal | null = dec(7)): ModelPort => {
    const gateway = {
      budget: () => ({ mayAsk: { cadence: true, event: true }, aheadOfTargetMs, targetUsd }),
      ask: (request: unknown) => {
        asked.push(request);
        return Promise.resolve({ kind: "unavailable", reason: "rests", costUsd: ZERO, asked: null });
      },
    } as unknown as ModelGateway;
    return modelPort(gateway, { append: () => undefined } as never, silentLog);
  };
  const extra = { ...question, prompt: "p", fingerprint: "f", use: "second-opinion" as const };
  expect(await port(null).ask("d", extra, true, "second-opinion")).toMatchObject({
    kind: "unavailable",
    reason: "the day's spend plan has no money for a second-opinion now",
  });
  expect(asked).toEqual([]);
  await port(HOUR_MS).ask("d", extra, true, "second-opinion");
  expect(asked).toMatchObject([{ purpose: "second-opinion" }]);
  // The later a use stands in the order, the less it may run ahead of the line.
  expect(await port(HOUR_MS).ask("d", { ...extra, use: "symbol-analyst" }, true, "symbol-analyst")).toMatchObject({
    kind: "unavailable",
  });
  expect(await port(HOUR_MS).ask("d", question, false, "shadow other")).toMatchObject({
    reason: "the day's spend plan has no money for a shadow-prompt now",
  });
  expect(asked).toHaveLength(1);
  await port(-HOUR_MS).ask("d", question, false, "shadow other");
  await port(null, null).ask("d", question, false, "shadow other");
  expect(asked).toHaveLength(3);
});
