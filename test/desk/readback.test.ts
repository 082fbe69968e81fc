import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { virtualClock, type VirtualClock } from "../../src/core/virtual-clock.ts";
import type { OrderState } from "../../src/domain/order.ts";
import { readBackCancel, readBackClose, readBackLeverage, readBackPlaced } from "../../src/desk/readback.ts";
import { BTC, NOW_MS, position } from "../risk/support.ts";
import { fakeVenue, order } from "./support.ts";

/** Runs what waits on a clock until it has ended. */
async function running<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let ended = false;
  const watched = work.finally(() => (ended = true));
  for (let turn = 0; turn < 200 && !ended; turn++) await clock.advance(100);
  return watched;
}

const answering = <T>(answers: readonly T[]): (() => T) => {
  let at = 0;
  return () => answers[Math.min(at++, answers.length - 1)] as T;
};

describe("reading back", () => {
  const cancel = async (states: readonly (OrderState | "unreadable")[]) => {
    const clock = virtualClock(NOW_MS);
    const next = answering(states);
    const venue = fakeVenue({
      order: async () => {
        const state = next();
        return state === "unreadable"
          ? { kind: "unknown", message: "timeout" }
          : { kind: "done", value: order({ state }) };
      },
    });
    const result = await running(clock, readBackCancel(clock, venue, { orderId: "1" }, { everyMs: 500, forMs: 2_000 }));
    return [result.terminalStateConfirmed, result.lastObservedOrderState, venue.calls.length] as const;
  };

  test("a cancel is confirmed once the order is terminal, by cancel or by a fill", async () => {
    expect(await cancel(["OPEN", "OPEN", "CANCELLED"])).toEqual([true, "CANCELLED", 3]);
    expect(await cancel(["FILLED"])).toEqual([true, "FILLED", 1]);
    expect(await cancel(["OPEN", "unreadable", "CANCELLED"])).toEqual([true, "CANCELLED", 3]);
  });

  test("patience ends: accepted and not confirmed", async () => {
    expect(await cancel(["PARTIALLY_FILLED"])).toEqual([false, "PARTIALLY_FILLED", 5]);
    expect(await cancel(["unreadable"])).toEqual([false, null, 5]);
  });

  test("a place is read with its executions only where something was filled", async () => {
    const resting = await readBackPlaced(fakeVenue(), "1");
    expect(resting).toMatchObject({ order: { value: { state: "OPEN" } }, executions: null });
    const filled = fakeVenue({
      order: async () => ({ kind: "done", value: order({ executedQty: dec("0.005"), state: "FILLED" }) }),
    });
    expect(await readBackPlaced(filled, "1")).toMatchObject({ executions: { kind: "done" } });
  });

  test("a close is flat when the position is gone, and never when nothing could be read", async () => {
    const clock = virtualClock(NOW_MS);
    const held = position(BTC, "LONG", "0.01", "60000");
    const next = answering([[held], []]);
    const venue = fakeVenue({ positions: async () => ({ kind: "done", value: next() }) });
    const leg = { symbol: BTC, leg: "LONG" } as const;
    expect(await running(clock, readBackClose(clock, venue, leg))).toEqual({ flat: true, position: null });
    const deaf = fakeVenue({ positions: async () => ({ kind: "unknown", message: "timeout" }) });
    expect(await running(clock, readBackClose(clock, deaf, leg))).toEqual({ flat: false, position: null });
    const stuck = fakeVenue({ positions: async () => ({ kind: "done", value: [held] }) });
    expect(await running(clock, readBackClose(clock, stuck, leg))).toEqual({ flat: false, position: held });
  });

  test("a close is of one position: others on the symbol, the side or of no size leave it flat", async () => {
    const clock = virtualClock(NOW_MS);
    const others = [
      position(BTC, "SHORT", "0.01", "60000"),
      position("EXCHANGE_A_PERP_ETH_USDT", "LONG", "0.1", "3000"),
      position(BTC, "LONG", "0", "60000"),
    ];
    const venue = fakeVenue({ positions: async () => ({ kind: "done", value: others }) });
    const closed = await running(clock, readBackClose(clock, venue, { symbol: BTC, leg: "LONG" }));
    expect(closed).toEqual({ flat: true, position: null });
  });

  test("leverage counts only as the venue states it", async () => {
    const clock = virtualClock(NOW_MS);
    const next = answering([5, 5, 2]);
    const venue = fakeVenue({ leverage: async () => ({ kind: "done", value: [{ symbol: BTC, leverage: next() }] }) });
    const wanted = { symbol: BTC, leverage: 2 };
    expect(await running(clock, readBackLeverage(clock, venue, wanted))).toEqual({ confirmed: true, leverage: 2 });
    expect(venue.calls).toHaveLength(3);
    const silent = fakeVenue({ leverage: async () => ({ kind: "unknown", message: "" }) });
    expect(await running(clock, readBackLeverage(clock, silent, wanted))).toEqual({ confirmed: false, leverage: null });
  });
});
