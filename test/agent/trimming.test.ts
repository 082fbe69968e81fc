/** Exposure that equity no longer covers is reduced once, whichever pushes are lost. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { rejected } from "../../src/protocol/codes.ts";
import {
  account,
  BTC,
  holding,
  position,
  ready,
  scripted,
  standingStop,
  update,
  target,
} from "../support/agent-world.ts";

test("a reduction whose fill is reported is not repeated while no reading shows it. Fault U4", () => {
  const w = ready();
  w.account({ positions: [position(BTC, "0.020", "60000")] });
  w.feed({ kind: "algo", algo: standingStop({ qty: dec("0.020") }) });
  w.tick();
  expect(w.of("place")).toEqual([]);
  const openAlgos = [standingStop({ qty: dec("0.020") })];
  w.account({ account: [account("960")], positions: [position(BTC, "0.020", "60000")], openAlgos });
  w.feed({ kind: "asset", asset: { exchange: "EXCHANGE_A", coin: "USDT", balance: dec("960") } as never });
  for (let n = 0; n < 3; n++) w.tick(1_000);
  const [reduction] = w.of("place");
  if (!reduction) throw new Error("nothing was reduced");
  const { qty } = reduction.intent.draft.order;
  expect(w.of("place")).toHaveLength(1);
  w.feed({ kind: "order", update: update(reduction, { state: "FILLED", executedQty: qty, avgPrice: dec("60000") }) });
  for (let n = 0; n < 8; n++) w.tick(1_000);
  expect(w.of("place")).toHaveLength(1);
  expect(w.of("close")).toEqual([]);
});

test("a reduction that found too little goes four times as far at the next try, up to a tenth of the price", () => {
  const w = ready();
  const held = position(BTC, "0.03", "60000");
  const limits: number[] = [];
  for (let second = 0; second < 45; second++) {
    const before = w.of("place").length;
    w.price(BTC, 60_000);
    w.account({ positions: [held] });
    w.tick(1_000);
    for (const { intent } of w.of("place").slice(before)) {
      limits.push(1 - (intent.draft.order.limitPrice?.toNumber() ?? NaN) / 60_000);
      w.feed({
        kind: "placed",
        clientOrderId: intent.clientOrderId,
        sent: rejected("401020", "nothing there"),
      });
    }
  }
  expect(limits.slice(0, 5).map((away) => Number(away.toFixed(3)))).toEqual([0.002, 0.008, 0.032, 0.1, 0.1]);
});

test("an order that rests while nothing is held is cancelled once equity no longer carries it. Fault V9", () => {
  const targets = [target({ size: 1, urgency: "rest" })];
  const w = ready({
    strategies: { chosen: scripted("s", () => ({ kind: "targets", targets, note: "" })), fallback: holding() },
  });
  w.tick(1_000);
  w.feed({ kind: "order", update: update(w.last("place"), {}) });
  w.tick(1_000);
  expect(w.of("cancel")).toEqual([]);
  w.feed({ kind: "asset", asset: { exchange: "EXCHANGE_A", coin: "USDT", balance: dec("852") } as never });
  w.account({ account: [account("852")] });
  w.tick(1_000);
  expect(w.of("cancel")).toHaveLength(1);
});
