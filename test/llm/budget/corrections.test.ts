/** Calls of unknown outcome: booked at their bounds, and lower only where the gateway's own counter proves it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, sumDecimals, ZERO } from "../../../src/core/decimal.ts";
import { HOUR_MS, isoTime, MINUTE_MS } from "../../../src/core/time.ts";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { newBudget, reserve, settle } from "../../../src/llm/budget/budget.ts";
import { COUNTER_LAG_MS, provenCosts } from "../../../src/llm/budget/corrections.ts";
import { createModelGateway } from "../../../src/llm/gateway/gateway.ts";
import { createLedger } from "../../../src/llm/budget/ledger.ts";
import type { NetEnv, Network } from "../../../src/net/network.ts";
import { envOn, KEY, listLog, memoryStore, PROBE_DIR, prompts, settings } from "../support.ts";

const START = Date.parse("2026-01-31T02:00:00Z");

/** Bookings a minute apart: a number is a known bill, null an unknown one for which at most 0.1 was spent. */
function books(calls: readonly (number | null)[]) {
  const budget = newBudget({ limitUsd: dec(10), boundaryMs: 0 });
  const at = (ms: number) => ({ wallMs: START + ms, monotonicMs: ms });
  calls.forEach((invoice, n) => {
    reserve(budget, `ask-${n}`, dec("0.1"), at(n * MINUTE_MS));
    settle(budget, `ask-${n}`, invoice === null ? null : dec(invoice), at(n * MINUTE_MS + 1_000));
  });
  const lastMs = START + calls.length * MINUTE_MS;
  /** By a counter that shows `spendUsd` so long after the last call. */
  const proven = (spendUsd: string, laterMs = COUNTER_LAG_MS) => {
    const atMs = lastMs + laterMs;
    const found = provenCosts(budget, { spendUsd: dec(spendUsd), sinceMs: START, atMs }, atMs);
    return found.map(({ attemptId, toUsd }) => `${attemptId} ${toUsd.toFixed()}`);
  };
  return { proven };
}

describe("a call of unknown outcome", () => {
  test("costs what the counter leaves for it, once it holds a later call", () => {
    const { proven } = books([0.02, null, 0.03]);
    expect(proven("0.05")).toEqual(["ask-1 0"]);
    expect(proven("0.06")).toEqual(["ask-1 0.01"]);
    expect(proven("0.15")).toEqual([]);
    expect(proven("0.4")).toEqual([]);
  });

  test("stays at its bound while the counter may lag, or lacks what we know of", () => {
    const { proven } = books([0.02, null, 0.03]);
    expect(proven("0.05", COUNTER_LAG_MS - 2 * MINUTE_MS)).toEqual([]);
    expect(proven("0.02")).toEqual([]);
    expect(proven("0")).toEqual([]);
  });

  test("stays at its bound with no later call to hold the counter against", () => {
    expect(books([0.02, null]).proven("0.02")).toEqual([]);
    expect(books([null, 0]).proven("0")).toEqual([]);
  });

  test("several share what is left, the newest first", () =>
    expect(books([null, null, 0.03]).proven("0.05")).toEqual(["ask-1 0.02", "ask-0 0"]));

  test("is never booked below what a counter in order has counted for it", () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ usd: fc.integer({ min: 0, max: 100 }), known: fc.boolean() }), { maxLength: 12 }),
        (calls) => {
          const truth = calls.map(({ usd }) => dec(usd).div(1_000));
          const { proven } = books(calls.map(({ usd, known }) => (known ? usd / 1_000 : null)));
          const unknown = truth.map((usd, n) => (calls[n]?.known ? ZERO : usd));
          const lowered = proven(sumDecimals(truth).toFixed());
          const booked = unknown.map((_, n) => {
            const found = lowered.find((line) => line.startsWith(`ask-${n} `));
            return calls[n]?.known ? ZERO : found ? dec(found.split(" ")[1] ?? "0") : dec("0.1");
          });
          expect(sumDecimals(booked).gte(sumDecimals(unknown))).toBe(true);
        },
      ),
    ));
});

test("the gateway's figure lowers a bound with a row and a line, which a restart reads back", async () => {
  const clock = virtualClock(START);
  const store = memoryStore(clock.nowMs);
  const info = { spend: 0, budget_duration: "1d", budget_reset_at: isoTime(START + 22 * HOUR_MS) };
  const http = {
    send: () => Promise.resolve({ kind: "done" as const, status: 200, headers: {}, text: JSON.stringify({ info }) }),
    close: () => Promise.resolve(),
  };
  const env: NetEnv = { ...envOn(clock), network: { http: () => http } as unknown as Network };
  const rules = { limitUsd: dec(10), boundaryMs: 0 };
  const ledger = createLedger({ env, log: listLog(), store, rules });
  const spend = async (costUsd: string | null): Promise<void> => {
    const made = ledger.reserve({ decisionId: "d", purpose: "p", model: "m", boundUsd: dec(1) });
    if (!made.ok) throw new Error(made.error.reason);
    ledger.settle(made.value, costUsd === null ? null : dec(costUsd));
    await clock.advance(MINUTE_MS);
  };
  await spend(null);
  await spend("0.2");
  const openGateway = (log = listLog()) =>
    createModelGateway({ env, log, settings: settings(), apiKey: KEY, ledger: store, prompts: prompts(PROBE_DIR) });
  const figures = ({
    usedUsd,
    unknownUsd,
  }: ReturnType<ReturnType<typeof openGateway>["budget"]>): readonly string[] => [
    usedUsd.toFixed(),
    unknownUsd.toFixed(),
  ];
  expect(figures(openGateway().budget())).toEqual(["1.2", "1"]);
  info.spend = 0.25;
  await clock.advance(COUNTER_LAG_MS);
  const log = listLog();
  const gateway = openGateway(log);
  await gateway.reconcile();
  expect(figures(gateway.budget())).toEqual(["0.25", "0.05"]);
  expect(store.rows.at(-1)?.body).toMatchObject({ how: "corrected", costUsd: "0.05", provenUsd: "0.25" });
  expect(log.lines.filter(({ evt }) => evt === "budget.corrected").map(({ msg }) => msg)).toEqual([
    "A call of unknown outcome cost 0.05 USD by the gateway's counter, not its bound of 1.",
  ]);
  const rows = store.rows.length;
  await gateway.reconcile();
  expect(store.rows).toHaveLength(rows);
  expect(figures(openGateway().budget())).toEqual(["0.25", "0.05"]);
});
