/** Targets go with the stop: one order of two sides that keeps the size of the position, over losses, partial fills and restarts. */
import { expect, test } from "vitest";
import type { RestoredPosition } from "../../src/agent/positions/positions.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import { rejected } from "../../src/protocol/codes.ts";
import {
  BTC,
  holding,
  position,
  ready,
  scripted,
  standingStop,
  START_MS,
  type World,
  target,
} from "../support/agent-world.ts";

const KEY = `${BTC}|LONG`;
const held: RestoredPosition = {
  decisionId: "d-1",
  strategy: "s",
  thesis: "up",
  stopPrice: dec("58800"),
  targetPrice: dec("63000"),
  openedAtMs: START_MS,
  qty: dec("0.002"),
  avgPrice: dec("60000"),
  reportedMs: 0,
  standingAlgoId: null,
};
const standing = (change: Partial<AlgoOrder> = {}): AlgoOrder =>
  standingStop({
    qty: dec("0.002"),
    condition: "OCO",
    triggerPrice: null,
    takeProfitPrice: dec("63000"),
    stopLossPrice: dec("58800"),
    ...change,
  });
const push = (w: World, qty: string) =>
  w.feed({
    kind: "position",
    update: { symbol: BTC, positionSide: "LONG", qty: dec(qty), avgPrice: dec("60000"), leverage: 2 },
  });

function restarted(openAlgos: readonly AlgoOrder[], given: Parameters<typeof ready>[0] = {}): World {
  const w = ready({ restored: { positions: new Map([[KEY, held]]) }, ...given });
  w.account({ positions: [position(BTC, "0.002", "60000")], openAlgos });
  w.tick(1_000);
  return w;
}

test("a restart asks for nothing where both stand, and for both at their prices where none does", () => {
  const found = restarted([standing()]);
  expect(found.of("protect")).toHaveLength(0);
  expect(found.agent.status(found.nowMs).positions[0]).toMatchObject({ stopPrice: "58800", targetPrice: "63000" });
  const bare = restarted([]);
  const { order } = bare.last("protect");
  expect(order).toMatchObject({ condition: "ENTIRE_CLOSE_POSITION", positionSide: "LONG", symbol: BTC });
  expect(order.stopLossPrice?.toFixed()).toBe("58800");
  expect(order.takeProfitPrice?.toFixed()).toBe("63000");
  expect(order.qty.toFixed()).toBe("0");
});

test("a short whose target would be all of the price has none, and its stop is placed by itself", () => {
  const short = target({ leg: "SHORT", targetDistance: 1 });
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [short], note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  w.tick(1_000);
  expect(w.last("place").intent.draft).toMatchObject({ targetPrice: null, stopPrice: expect.anything() as unknown });
  const targetPrice = ZERO;
  const restored = { positions: new Map([[KEY, { ...held, targetPrice }]]) };
  const bare = restarted([], { restored });
  expect(bare.last("protect").order).toMatchObject({ condition: "ENTIRE_CLOSE_POSITION", takeProfitPrice: null });
});

test("parts that fill one after the other grow both sides, and nothing else of the order changes", () => {
  const w = restarted([standing()]);
  push(w, "0.003");
  w.tick(4_100);
  push(w, "0.005");
  w.tick(4_100);
  // The next change waits for word of this one: what gets no answer must not use up the venue's turns.
  expect(w.of("amend-protection")).toHaveLength(1);
  const { algoOrderId } = standingStop();
  const sent = { kind: "done", value: { algoOrderId } } as const;
  w.feed({ kind: "protection-amended", leg: KEY, algoOrderId, sent });
  w.tick(4_100);
  for (const { change } of w.of("amend-protection")) expect(Object.keys(change)).toEqual(["qty"]);
  expect(w.last("amend-protection").change.qty?.toFixed()).toBe("0.005");
  w.feed({ kind: "protection-amended", leg: KEY, algoOrderId, sent });
  w.feed({ kind: "algo", algo: standing({ qty: dec("0.005"), updatedAtMs: 1 }) });
  const asked = w.of("amend-protection").length;
  w.tick(5_000);
  expect(w.of("amend-protection")).toHaveLength(asked);
  // Too large protects as well: the last change that the venue takes in its window is kept for one that is too small.
  w.account({ positions: [position(BTC, "0.001", "60000")] });
  w.tick(4_100);
  expect(w.of("amend-protection")).toHaveLength(asked);
  w.tick(40_000);
  expect(w.last("amend-protection").change.qty?.toFixed()).toBe("0.001");
});

test("lost, both come back; a form that the venue refuses gives way to simpler ones", () => {
  const w = restarted([standing()]);
  w.feed({ kind: "algo", algo: standing({ state: "EXPIRED", updatedAtMs: 1 }) });
  w.tick(1_000);
  expect(w.last("protect").order.takeProfitPrice?.toFixed()).toBe("63000");
  expect(w.last("protect").order).toMatchObject({ condition: "ENTIRE_CLOSE_POSITION", qty: dec("0") });
  w.feed({ kind: "protect-sent", leg: KEY, sent: rejected("400001", "no close types") });
  w.tick(250);
  expect(w.last("protect").order).toMatchObject({ condition: "OCO", qty: dec("0.002"), side: "SELL" });
  w.feed({ kind: "protect-sent", leg: KEY, sent: rejected("400001", "no OCO") });
  w.tick(250);
  expect(w.last("protect").order).toMatchObject({ condition: "CONDITIONAL", takeProfitPrice: null });
  w.feed({
    kind: "algo",
    algo: standing({
      condition: "CONDITIONAL",
      takeProfitPrice: null,
      stopLossPrice: null,
      triggerPrice: dec("58800"),
    }),
  });
  w.price(BTC, 63_010);
  w.tick(250);
  expect(w.last("close").known.symbol).toBe(BTC);
});

test("a refused change of size does not make the forms of stops simpler", () => {
  const w = restarted([standing()]);
  push(w, "0.003");
  w.tick(4_100);
  w.feed({
    kind: "protection-amended",
    leg: KEY,
    algoOrderId: standingStop().algoOrderId,
    sent: rejected("400001", "not now"),
  });
  w.feed({ kind: "algo", algo: standing({ state: "CANCELLED", updatedAtMs: 1 }) });
  w.tick(4_100);
  expect(w.last("protect").order.condition).toBe("ENTIRE_CLOSE_POSITION");
});

test("gone with the position, and cancelled by name where the venue says nothing", () => {
  const w = restarted([standing()]);
  w.feed({
    kind: "position",
    update: { symbol: BTC, positionSide: "LONG", qty: ZERO, avgPrice: ZERO, leverage: null },
  });
  w.tick(7_000);
  expect(w.last("cancel-algo").algoOrderId).toBe("2190000000000101");
});
