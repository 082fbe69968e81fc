/** How orders end: filled unheard, refused, dropped, cancelled in part. Legal for the verifier. */
import { test } from "vitest";
import * as move from "./moves.ts";
import { LONG_BTC } from "./base.ts";
import { type Body, BTC, ETH, fact, frame, orderIdOf, pass, row, SOL } from "./story.ts";
import {
  sol,
  resting,
  begun,
  held,
  filledUnheard,
  silent,
  unanswered,
  end,
  legal,
  type Legal,
} from "./legal-histories.ts";

const orders: readonly Legal[] = [
  legal("the answer lost, the order found filled", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    const placed: move.Placed = { ...sent, orderId: orderIdOf(story), wanted: sol, out: move.answer(story, "unknown") };
    move.order(story, placed, "NEW", "0");
    pass(story, 500);
    move.fill(story, placed, { held: "1" });
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  legal("an order far below the mark at which its symbol was last held", (story) => {
    const { stop } = held(story);
    move.mark(story, SOL, "290");
    move.live(story, 10_000);
    move.close(story, sol, stop);
    move.live(story, 40_000);
    move.order(story, move.place(story, { ...resting, qty: "2.6" }), "OPEN", "0");
  }),
  legal(
    "an order in one-way mode, the account of the other exchange in hedge mode",
    (story) => {
      move.account(story, "1000", { EXCHANGE_A: "NET", EXCHANGE_B: "BOTH" });
      move.order(story, move.place(story, { ...resting, hedge: false }), "OPEN", "0");
    },
    () => begun("NET"),
  ),
  legal("a fill while the venue is cut off, until the end", (story) => {
    const placed = move.place(story, resting);
    move.order(story, placed, "OPEN", "0");
    move.live(story, 10_000);
    fact(story, "faults", { accountId: null, on: ["maintenance"] });
    pass(story, 1_000);
    filledUnheard(story, placed);
    move.live(story, 60_000);
  }),
  legal("the request lost, the order proven absent", (story) => {
    const sent = unanswered(story);
    move.answer(story, "unknown");
    move.live(story, 40_000);
    end(story, sent, {
      how: "absent",
      misses: 4,
      spreadMs: 35_500,
      openOrdersEmpty: true,
      executionsEmpty: true,
      positionUnchanged: true,
    });
  }),
  legal("refused with a code", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    move.answer(story, "rejected");
    end(story, sent, { how: "refused", code: "401009", message: "insufficient margin" });
  }),
  legal("accepted, then rejected by the venue", (story) => {
    const placed = move.place(story, sol);
    move.order(story, placed, "REJECTED", "0");
    move.ended(story, placed, "REJECTED", "0");
  }),
  legal("refused by the rate limit", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    const last = story.wire.at(-1);
    if (last) last["result"] = "429";
    move.answer(story, "rate-limited");
    end(story, sent, { how: "not-sent", reason: "rate-limited: too many requests" });
  }),
  legal("dropped at the last look, after its row", (story) => {
    const sent = unanswered(story);
    move.answer(story, "not-sent");
    end(story, sent, { how: "not-sent", reason: "blocked: freshness" });
  }),
  legal("dropped at the last look, as the mark and the leverage had moved meanwhile", (story) => {
    const promised = move.promise(story, sol);
    const { decisionId, params } = promised;
    const seen = { ...move.seen(story, sol), mark: "900", leverage: 50 };
    move.write(story, "order.place", params, { decisionId, sessionId: "ras_1", seen, reserve: "150" });
    pass(story, 20);
    move.answer(story, "not-sent");
    end(story, promised, { how: "not-sent", reason: "blocked: per-order-notional" });
  }),
  legal("promised and blocked before any row", (story) => {
    const sent = move.promise(story, sol);
    end(story, sent, { how: "not-sent", reason: "blocked: no session" });
  }),
  legal("a cancel that lost to the fill", (story) => {
    const placed = move.place(story, resting);
    move.order(story, placed, "OPEN", "0");
    move.live(story, 20_000);
    move.askCancel(story, placed);
    move.fill(story, placed, { held: "1" });
    move.protect(story, resting);
    move.live(story, 40_000);
  }),
  legal("cancelled after a part was filled", (story) => {
    const placed = move.place(story, resting);
    pass(story, 1_000);
    move.fill(story, placed, { qty: "0.4", of: "0.4", held: "0.4" });
    move.protect(story, { ...resting, qty: "0.4" });
    move.live(story, 10_000);
    move.askCancel(story, placed);
    pass(story, 200);
    move.cancelled(story, placed, "0.4");
    move.live(story, 40_000);
  }),
  legal("another opening that counts the one being cancelled", (story) => {
    const placed = move.place(story, resting);
    move.order(story, placed, "OPEN", "0");
    move.live(story, 10_000);
    move.askCancel(story, placed);
    pass(story, 6_000);
    const other = move.place(story, { symbol: ETH, leg: "SHORT", qty: "0.05", price: "3000", counted: [placed.id] });
    move.cancelled(story, placed);
    pass(story, 100);
    move.fill(story, other, { held: "0.05" });
    move.protect(story, other.wanted);
    move.live(story, 40_000);
  }),
  legal("an opening after the cancel has its evidence", (story) => {
    const placed = move.place(story, resting);
    move.live(story, 10_000);
    move.askCancel(story, placed);
    move.cancelled(story, placed);
    pass(story, 6_000);
    held(story, { ...LONG_BTC, qty: "0.002" });
  }),
  legal("pushes that repeat a terminal state", (story) => {
    const { placed } = held(story);
    for (let again = 0; again < 3; again++) move.order(story, placed, "FILLED", "1");
    move.live(story, 40_000);
  }),
  legal("a close asked for twice, the second one refused", (story) => {
    const { stop } = held(story);
    move.live(story, 10_000);
    move.close(story, sol, stop);
    pass(story, 3_000);
    move.write(story, "position.close", { symbol: SOL, positionSide: "LONG", reduceOnly: true });
    frame(story, "DELETE /api/v1/trading/position", { sym: SOL, positionSide: "LONG" }, "401097");
    move.answer(story, "rejected");
    move.live(story, 40_000);
  }),
  legal("a close whose reply was lost", (story) => {
    const { stop } = held(story);
    move.live(story, 10_000);
    move.close(story, sol, null);
    const reply = story.entries.findLast((entry) => entry.kind === "wire-in");
    if (reply) reply.body = { ...reply.body, outcome: "unknown", reply: null };
    move.algo(story, stop, "CANCELLED");
    move.live(story, 40_000);
  }),
  legal(
    "a close whose reply died with its process, and the same closes after it, on a clock that may be a minute and a half off",
    (story) => {
      story.skewMs = 90_000;
      for (let at = 0; at < 6; at++) {
        const { stop } = held(story);
        move.live(story, 20_000);
        move.close(story, sol, stop);
        const reported = (entry: { readonly kind: string; readonly body: Body }): boolean =>
          entry.kind === "wire-in" && entry.body["action"] === "position.close";
        if (at === 0) story.entries.splice(story.entries.findLastIndex(reported), 1);
        move.live(story, 10_000);
      }
    },
  ),
  legal("figures with idle zeros", (story) => {
    const { placed } = held(story);
    const sent = story.wire.find((found) => (found["params"] as Body)["clientOrderId"] === placed.id);
    Object.assign((sent?.["params"] ?? {}) as Body, { orderQty: "1.000", limitPrice: "150.00" });
    move.live(story, 40_000);
  }),
  legal("orders exactly 5 s apart", (story) => {
    for (let at = 0; at < 3; at++) {
      const from = story.nowMs;
      const placed = move.place(story, { ...resting, qty: "0.1" });
      move.cancelled(story, placed);
      story.nowMs = from + 5_000;
    }
    for (const [at, sent] of story.wire.entries()) sent["atMs"] = (story.wire[0]?.["atMs"] as number) + at * 5_000;
  }),
  legal("another team's orders and frames in the same logs", (story) => {
    held(story);
    const other = { accountId: "2188000000000099" };
    fact(story, "order", {
      ...other,
      orderId: "2190000000099999",
      clientOrderId: "theirs",
      sym: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderQty: "9",
      limitPrice: "1",
      orderState: "NEW",
      executedQty: "0",
    });
    fact(story, "account", { ...other, equity: "700", maintainMargin: "0", modes: { EXCHANGE_A: "NET" } });
    frame(story, "POST /api/v1/trading/order", { sym: BTC, side: "BUY", clientOrderId: "theirs" })["accountId"] =
      "2188000000000099";
    move.live(story, 40_000);
  }),
  legal("a stop that triggers: its order is ours", (story) => {
    const { stop } = held(story);
    move.live(story, 20_000);
    const closing: move.Placed = {
      id: "2190000000077777",
      orderId: "2190000000077777",
      decisionId: "",
      wanted: { ...sol, reduce: true },
      out: row(story, "beat", {}),
    };
    story.entries.pop();
    Object.assign(move.order(story, closing, "NEW", "0"), { algoOrderId: stop.algoOrderId });
    Object.assign(move.order(story, closing, "FILLED", "1"), { algoOrderId: stop.algoOrderId });
    const common = {
      transactionId: "2199000000077777",
      orderId: closing.orderId,
      clientOrderId: closing.id,
      side: "SELL",
      price: "140",
      fee: "0.07",
    };
    fact(story, "execution", { ...common, sym: SOL, quantity: "1", rpnl: "-10" });
    move.position(story, sol, "0");
    move.algo(story, stop, "COMPLETED");
    move.account(story, "990");
    pass(story, 80);
    row(story, "fill", { ...common, symbol: SOL, qty: "1", realizedPnl: "-10" });
    row(story, "position", { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "0", kind: "closed" });
    move.live(story, 40_000);
  }),
];

test.each(orders)("$what", ({ play }) => silent(play()));
