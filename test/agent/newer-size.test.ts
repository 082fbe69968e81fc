/** A newer decision counts, also while an older one waits between two of its slices. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import {
  BTC,
  holding,
  position,
  ready,
  scripted,
  settingsOf,
  standingStop,
  update,
  target,
} from "../support/agent-world.ts";

const plain = settingsOf().execution;

/** An entry of 0.006 BTC in slices whose first has filled; then the target changes. */
function afterFirstSlice(later: number) {
  const deciding = { targets: [target({ size: 1 })] };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: deciding.targets, note: "" }));
  const slices = { depthShare: 0.0004, band: 0.002, minUsdt: dec("50"), pause: 100_000 };
  const w = ready({
    strategies: { chosen, fallback: holding() },
    settings: settingsOf({ execution: { ...plain, slices } }),
  });
  w.tick(1_000);
  const place = w.last("place");
  const { clientOrderId, draft } = place.intent;
  const { qty } = draft.order;
  const orderId = "2190000000010000";
  w.feed({ kind: "placed", clientOrderId, sent: { kind: "done", value: { orderId } } });
  w.feed({ kind: "order", update: update(place, { orderId, state: "FILLED", executedQty: qty }) });
  expect(w.agent.status(w.nowMs).entries).toMatchObject([{ totalQty: "0.006" }]);
  deciding.targets = [target({ size: later })];
  const held = position(BTC, qty.toFixed(), "60000");
  w.account({ positions: [held], openAlgos: null });
  w.feed({ kind: "algo", algo: standingStop({ qty }) });
  for (let second = 0; second < 130; second++) {
    w.account({ positions: [{ ...held, updatedAtMs: w.nowMs }], openAlgos: null });
    w.tick(1_000);
  }
  return w;
}

test("what is held is what the newer decision wants: the older one places no more", () => {
  const w = afterFirstSlice(0.17);
  expect(w.of("place")).toHaveLength(1);
  expect(w.logs("order.dropped").join()).toContain("0.005 of 0.006 were not entered: a newer decision wants no more");
  expect(w.agent.status(w.nowMs).entries).toEqual([]);
});

test("it goes on if the target is still larger", () => {
  expect(afterFirstSlice(0.9).of("place").length).toBeGreaterThan(1);
});
