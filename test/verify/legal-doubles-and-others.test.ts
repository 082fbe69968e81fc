/** Frames that arrive twice, and orders of others. Legal for the verifier. */
import { expect, test } from "vitest";
import * as move from "./moves.ts";
import { LONG_BTC } from "./base.ts";
import { type Body, fact, findingsOf, frame, history, orderIdOf, pass, row, SOL, type Story } from "./story.ts";
import { begun, sol, held, silent, doubled, legal, type Legal } from "./legal-histories.ts";

/** An opening refused for its rate, and what the venue has of it when the request comes again. */
function refusedThenTaken(story: Story): void {
  const { id, decisionId, params } = move.promise(story, sol);
  const reserve = sol.price;
  const out = move.write(story, "order.place", params, {
    ...{ decisionId, sessionId: "ras_1", seen: move.seen(story, sol), reserve },
  });
  pass(story, 20);
  move.placeFrame(story, params)["result"] = "429";
  move.answer(story, "rate-limited");
  row(story, "intent", { event: "end", intentId: id, how: "not-sent", reason: "rate-limited" }, decisionId);
  pass(story, 8_000);
  move.placeFrame(story, params);
  const placed = { id, orderId: orderIdOf(story), decisionId, wanted: sol, out };
  move.order(story, placed, "NEW", "0");
  pass(story, 100);
  move.order(story, placed, "CANCELLED", "0");
}

test("the same where nothing comes twice is a refusal that was none", () => {
  const story = begun();
  refusedThenTaken(story);
  expect([...findingsOf(history(story)).keys()]).toContain("I4");
});

/** The venue takes the second frame as well; the agent halts and withdraws both orders. */
function takenTwice(story: Story, { placed, sent }: ReturnType<typeof doubled>): void {
  story.wire.push({ ...sent, seq: 90, atMs: story.nowMs });
  const twin = { ...placed, orderId: orderIdOf(story) };
  move.order(story, twin, "NEW", "0");
  pass(story, 2_000);
  row(story, "floor", { from: "NORMAL", to: "HALT", reason: "an order came twice" });
  move.order(story, twin, "CANCELLED", "0");
  move.cancelled(story, placed);
}

const histories: readonly Legal[] = [
  legal("an opening refused for its rate, and taken when the same request comes again", (story) => {
    fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
    refusedThenTaken(story);
  }),
  legal("an order that reduces, delivered twice and accepted twice, without a halt", (story) => {
    held(story, { ...sol, qty: "2" });
    move.live(story, 10_000);
    fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
    const reducing = { ...sol, qty: "0.5", reduce: true };
    const placed = move.place(story, reducing);
    story.wire.push({ ...story.wire.at(-1), seq: 90 });
    move.fill(story, placed, { held: "1.5", kind: "resized" });
    const twin = { ...placed, orderId: orderIdOf(story) };
    move.order(story, twin, "NEW", "0");
    move.order(story, twin, "CANCELLED", "0");
    fact(story, "faults", { accountId: null, on: [] });
    move.live(story, 20_000);
  }),
  legal("a frame delivered twice, the second refused", (story) => {
    const { placed, sent } = doubled(story);
    story.wire.push({ ...sent, seq: 90, atMs: story.nowMs, result: "401012" });
    move.cancelled(story, placed);
  }),
  legal("a position that no list shows yet, because lists lag", (story) => {
    fact(story, "faults", { accountId: null, on: ["read-lag"] });
    move.live(story, 10_000);
    move.position(story, sol, "1");
    pass(story, 12_000);
    move.runStarts(story, "b2");
    move.position(story, sol, "0");
    pass(story, 1_000);
  }),
  legal("a frame delivered twice and accepted twice after a wait, when nothing more comes twice", (story) => {
    const { placed, sent } = doubled(story);
    story.wire.push({ ...sent, seq: 90 });
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 3_000);
    const twin = { ...placed, orderId: orderIdOf(story) };
    move.order(story, twin, "NEW", "0");
    row(story, "floor", { from: "NORMAL", to: "HALT", reason: "an order came twice" });
    move.order(story, twin, "CANCELLED", "0");
    move.cancelled(story, placed);
  }),
  legal("an opening accepted twice where the cushion bears one: HALT, and withdrawn", (story) => {
    move.account(story, "870");
    const both = doubled(story);
    pass(story, 8_000);
    takenTwice(story, both);
  }),
  legal("a frame delivered twice and accepted twice: HALT, then resumed", (story) => {
    takenTwice(story, doubled(story));
    pass(story, 3_000);
    row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs - 400, positions: [] });
    row(story, "operator", { command: "resume", from: "HALT", to: "NORMAL" });
    move.live(story, 20_000);
    held(story);
  }),
  legal("a second copy of an opening that ends unfilled as it comes, without a halt", (story) => {
    const { placed, sent } = doubled(story);
    story.wire.push({ ...sent, seq: 90, atMs: story.nowMs });
    const twin = { ...placed, orderId: orderIdOf(story) };
    move.order(story, twin, "NEW", "0");
    move.order(story, twin, "CANCELLED", "0");
    move.cancelled(story, placed);
    move.live(story, 20_000);
  }),
  legal("a frame delivered twice and accepted twice while everything is halted already", (story) => {
    const { placed, sent } = doubled(story);
    row(story, "floor", { from: "NORMAL", to: "HALT", reason: "the journal is damaged" });
    pass(story, 1_000);
    story.wire.push({ ...sent, seq: 90, atMs: story.nowMs });
    const twin = { ...placed, orderId: orderIdOf(story) };
    move.order(story, twin, "NEW", "0");
    pass(story, 1_000);
    move.order(story, twin, "CANCELLED", "0");
    move.cancelled(story, placed);
    move.live(story, 20_000);
  }),
  legal("a frame delivered twice, and meant again later, on a clock that is an hour off", (story) => {
    story.skewMs = 3_600_000;
    fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
    move.setLeverage(story, SOL);
    story.wire.push({ ...story.wire.at(-1), seq: 90 });
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 5_000);
    move.setLeverage(story, SOL);
  }),
  legal(
    "a frame delivered twice whose reply died with its process, and meant again by the next, an hour off",
    (story) => {
      story.skewMs = 3_600_000;
      fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
      move.setLeverage(story, SOL);
      story.wire.push({ ...story.wire.at(-1), seq: 90 });
      story.entries.splice(
        story.entries.findLastIndex(({ kind }) => kind === "wire-in"),
        1,
      );
      fact(story, "faults", { accountId: null, on: [] });
      pass(story, 5_000);
      move.runStarts(story, "b2");
      move.setLeverage(story, SOL);
    },
  ),
  legal("a frame delivered twice whose like our own limit had kept back", (story) => {
    const cancel = (): void => void move.write(story, "algo.cancel", { algoOrderId: "2190000000000901" });
    const sent = (): void => {
      cancel();
      frame(story, "DELETE /api/v1/algo/order", { algoOrderId: "2190000000000901" });
    };
    for (let turn = 0; turn < 2; turn++) {
      sent();
      move.answer(story, "rejected");
      pass(story, 1_000);
    }
    cancel();
    move.answer(story, "rate-limited");
    pass(story, 1_000);
    fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
    sent();
    story.wire.push({ ...story.wire.at(-1), seq: 90 });
    move.answer(story, "rejected");
  }),
  legal("a reconciliation that waits for as long as a refusal gave it to", (story) => {
    pass(story, 5_000);
    fact(story, "faults", { accountId: null, on: ["rate-limit-burst"] });
    pass(story, 1_000);
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 15_000);
    move.runStarts(story, "b2");
    const { body = {} } = story.entries.findLast(({ kind }) => kind === "reconcile") ?? {};
    body["startedAtMs"] = story.nowMs - 13_000;
  }),
  legal("a foreign order, tagged, and an opening after its end", (story) => {
    const externalOrder: Body = {
      orderId: "2190000000088888",
      clientOrderId: "by-hand",
      sym: SOL,
      side: "BUY",
      positionSide: "LONG",
      orderQty: "1",
      limitPrice: "140",
      executedQty: "0",
      reduceOnly: "FALSE",
    };
    fact(story, "order", { ...externalOrder, orderState: "OPEN" });
    pass(story, 8_000);
    row(story, "reconcile", {
      event: "external-order",
      orderId: externalOrder["orderId"],
      clientOrderId: "by-hand",
      symbol: SOL,
    });
    held(story, { ...LONG_BTC, qty: "0.002" });
    fact(story, "order", { ...externalOrder, orderState: "CANCELLED" });
    pass(story, 5_000);
    held(story);
  }),
  legal("a foreign order that was refused while nobody ran", (story) => {
    pass(story, 1_000);
    const order: Body = {
      ...{ orderId: "2190999999999997", clientOrderId: "by-hand-3", sym: SOL, side: "BUY", positionSide: "LONG" },
      ...{ orderQty: "1", orderState: "NEW", executedQty: "0", limitPrice: "" },
    };
    fact(story, "order", order);
    pass(story, 200);
    fact(story, "order", { ...order, orderState: "REJECTED" });
    pass(story, 5_000);
    move.runStarts(story, "b2");
    move.live(story, 60_000);
  }),
  legal("a foreign order that was refused after a moment, and no push reported it", (story) => {
    const order: Body = {
      ...{ orderId: "2190999999999996", clientOrderId: "by-hand-4", sym: SOL, side: "BUY", positionSide: "LONG" },
      ...{ orderQty: "1", orderState: "NEW", executedQty: "0", limitPrice: "" },
    };
    fact(story, "order", order);
    pass(story, 300);
    fact(story, "order", { ...order, orderState: "REJECTED" });
    move.live(story, 60_000);
  }),
  legal("a foreign order at the very end", (story) => {
    fact(story, "order", {
      orderId: "2190000000088888",
      clientOrderId: "by-hand",
      sym: SOL,
      side: "BUY",
      positionSide: "LONG",
      orderQty: "1",
      limitPrice: "140",
      orderState: "OPEN",
      executedQty: "0",
    });
    move.live(story, 20_000);
  }),
];

test.each(histories)("$what", ({ play }) => silent(play()));
