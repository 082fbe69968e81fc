/** Tricky but legal histories: the verifier must be silent about every one of them. */
import { describe, expect, test } from "vitest";
import { honestRun, LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import {
  type Body,
  BTC,
  CONFIG,
  ETH,
  fact,
  findingsOf,
  frame,
  history,
  newStory,
  orderIdOf,
  pass,
  row,
  SOL,
  START_MS,
  type Story,
} from "./story.ts";
import { judgeOne } from "../../src/verify/verify.ts";
import { ALL_INVARIANTS } from "../../src/verify/all-invariants.ts";

const sol: move.Wanted = { symbol: SOL, leg: "LONG", qty: "1", price: "150" };
const resting: move.Wanted = { ...sol, resting: true };

/** A boot with a session, ready to trade; `NET` is one-way mode. */
function begun(mode: "BOTH" | "NET" = "BOTH", config: Body = CONFIG): Story {
  const story = newStory();
  move.account(story, "1000", { EXCHANGE_A: mode });
  move.boot(story, "b1", { config });
  move.beat(story);
  move.session(story);
  for (const sym of [BTC, ETH, SOL]) move.symbol(story, sym);
  move.live(story, 10_000);
  return story;
}

/** One more beat, which reports something beside. */
const report = (story: Story, body: Body, afterMs = 10_000): void => {
  pass(story, afterMs);
  row(story, "beat", { stage: "ready", ...body });
};

/** A long of SOL with its stop. */
function held(story: Story, wanted: move.Wanted = sol): { placed: move.Placed; stop: move.Stop } {
  const placed = move.place(story, wanted);
  pass(story, 300);
  move.fill(story, placed, { held: wanted.qty });
  const stop = move.protect(story, wanted);
  return { placed, stop };
}

/** A position is reported as closed whose stop, 77, nobody has reported as over. */
const closedWithStop = (story: Story): void =>
  void row(story, "position", { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "0", kind: "closed", stop: "77" });

/** That stop is taken away. */
function cancelLeft(story: Story): void {
  move.write(story, "algo.cancel", { algoOrderId: "77" });
  pass(story, 30);
  frame(story, "DELETE /api/v1/algo/order", { algoOrderId: "77" });
  move.answer(story, "done");
}

/** What the venue alone reports the fill of an order that rested. */
function filledUnheard(story: Story, placed: move.Placed): Body {
  move.order(story, placed, "FILLED", "1");
  const common = {
    transactionId: "2199000000055555",
    orderId: placed.orderId,
    clientOrderId: placed.id,
    side: "BUY",
    price: "150",
    fee: "0.075",
  };
  fact(story, "execution", { ...common, sym: SOL, quantity: "1", rpnl: "0" });
  move.position(story, sol, "1");
  return common;
}

/** An order that rested is filled while nobody writes. Returns what a boot writes when it finds out. */
function filledWhileDown(story: Story): () => void {
  const placed = move.place(story, resting);
  pass(story, 40_000);
  const common = filledUnheard(story, placed);
  pass(story, 2_000);
  return () => {
    move.ended(story, placed, "FILLED", "1");
    row(story, "fill", { ...common, symbol: SOL, qty: "1", realizedPnl: "0" });
    row(story, "position", { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "1", kind: "opened" });
  };
}

/** A boot that has work to do before it is ready. */
function recovery(story: Story, name: string, work: () => void): void {
  story.boot = name;
  story.bootedMs = story.nowMs;
  row(story, "boot", { boot: name });
  row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions: [] });
  work();
  row(story, "boot", { boot: name, ready: true });
}

const silent = (story: Story): void => expect([...findingsOf(history(story))]).toEqual([]);

interface Legal {
  readonly what: string;
  report(): Story;
}

const reported = (what: string, report: (story: Story) => void, make: () => Story = () => begun()): Legal => ({
  what,
  report: () => {
    const story = make();
    report(story);
    return story;
  },
});

/** Every way of opening, by position, mode, patience and road, filled at once or in parts, then closed. */
function ways(): readonly Legal[] {
  const made: Legal[] = [];
  for (const positionSide of ["LONG", "SHORT"] as const)
    for (const hedge of [true, false])
      for (const rests of [true, false])
        for (const via of ["rest", "stream"] as const)
          made.push({
            what: `${positionSide} in ${hedge ? "hedge" : "one-way"} mode, ${rests ? "resting" : "taking"}, by ${via}`,
            report: () => {
              const story = begun(hedge ? "BOTH" : "NET");
              const wanted: move.Wanted = {
                symbol: ETH,
                leg: positionSide,
                qty: "0.1",
                price: "3000",
                hedge,
                resting: rests,
                via,
              };
              const placed = move.place(story, wanted);
              if (rests) {
                move.order(story, placed, "OPEN", "0");
                move.live(story, 20_000);
                move.fill(story, placed, { qty: "0.04", of: "0.04", held: "0.04" });
                pass(story, 2_000);
                move.fill(story, placed, { qty: "0.06", held: "0.1", kind: "resized" });
              } else {
                pass(story, 200);
                move.fill(story, placed, { held: "0.1" });
              }
              const stop = move.protect(story, wanted);
              move.live(story, 30_000);
              move.close(story, wanted, stop);
              move.live(story, 40_000);
              return story;
            },
          });
  return made;
}

/** A part of a position given up by an order of its own. */
const reductions: readonly Legal[] = [true, false].flatMap((hedge) =>
  (["LONG", "SHORT"] as const).map((positionSide) =>
    reported(
      `a ${positionSide} reduced by half in ${hedge ? "hedge" : "one-way"} mode`,
      (story) => {
        const wanted: move.Wanted = { symbol: ETH, leg: positionSide, qty: "0.1", price: "3000", hedge };
        held(story, wanted);
        move.live(story, 20_000);
        const reduce = move.place(story, { ...wanted, qty: "0.05", reduce: true });
        pass(story, 100);
        move.fill(story, reduce, { held: "0.05", kind: "resized" });
        move.live(story, 40_000);
      },
      () => begun(hedge ? "BOTH" : "NET"),
    ),
  ),
);

/** An order that left and whose reply never came. */
function unanswered(story: Story, wanted: move.Wanted = sol): { id: string; decisionId: string; params: Body } {
  const promised = move.promise(story, wanted);
  const { decisionId, params } = promised;
  move.write(story, "order.place", params, {
    decisionId,
    sessionId: "ras_1",
    seen: move.seen(story, wanted),
    reserve: "150",
  });
  pass(story, 20);
  return promised;
}
const end = (story: Story, { id, decisionId }: { id: string; decisionId: string }, how: Body): void =>
  void row(story, "intent", { event: "end", intentId: id, ...how }, decisionId);

const orders: readonly Legal[] = [
  reported("the answer lost, the order found filled", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    const placed: move.Placed = { ...sent, orderId: orderIdOf(story), wanted: sol, out: move.answer(story, "unknown") };
    move.order(story, placed, "NEW", "0");
    pass(story, 500);
    move.fill(story, placed, { held: "1" });
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  reported("an order far below the mark at which its symbol was last held", (story) => {
    const { stop } = held(story);
    move.mark(story, SOL, "290");
    move.live(story, 10_000);
    move.close(story, sol, stop);
    move.live(story, 40_000);
    move.order(story, move.place(story, { ...resting, qty: "2.6" }), "OPEN", "0");
  }),
  reported(
    "an order in one-way mode, the account of the other exchange in hedge mode",
    (story) => {
      move.account(story, "1000", { EXCHANGE_A: "NET", EXCHANGE_B: "BOTH" });
      move.order(story, move.place(story, { ...resting, hedge: false }), "OPEN", "0");
    },
    () => begun("NET"),
  ),
  reported("a fill while the venue is cut off, until the end", (story) => {
    const placed = move.place(story, resting);
    move.order(story, placed, "OPEN", "0");
    move.live(story, 10_000);
    fact(story, "faults", { accountId: null, on: ["maintenance"] });
    pass(story, 1_000);
    filledUnheard(story, placed);
    move.live(story, 60_000);
  }),
  reported("the request lost, the order proven absent", (story) => {
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
  reported("refused with a code", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    move.answer(story, "rejected");
    end(story, sent, { how: "refused", code: "401009", message: "insufficient margin" });
  }),
  reported("accepted, then rejected by the venue", (story) => {
    const placed = move.place(story, sol);
    move.order(story, placed, "REJECTED", "0");
    move.ended(story, placed, "REJECTED", "0");
  }),
  reported("refused by the rate limit", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    const last = story.wire.at(-1);
    if (last) last["result"] = "429";
    move.answer(story, "rate-limited");
    end(story, sent, { how: "not-sent", reason: "rate-limited: too many requests" });
  }),
  reported("dropped at the last look, after its row", (story) => {
    const sent = unanswered(story);
    move.answer(story, "not-sent");
    end(story, sent, { how: "not-sent", reason: "blocked: freshness" });
  }),
  reported("dropped at the last look, as the mark and the leverage had moved meanwhile", (story) => {
    const promised = move.promise(story, sol);
    const { decisionId, params } = promised;
    const seen = { ...move.seen(story, sol), mark: "900", leverage: 50 };
    move.write(story, "order.place", params, { decisionId, sessionId: "ras_1", seen, reserve: "150" });
    pass(story, 20);
    move.answer(story, "not-sent");
    end(story, promised, { how: "not-sent", reason: "blocked: per-order-notional" });
  }),
  reported("promised and blocked before any row", (story) => {
    const sent = move.promise(story, sol);
    end(story, sent, { how: "not-sent", reason: "blocked: no session" });
  }),
  reported("a cancel that lost to the fill", (story) => {
    const placed = move.place(story, resting);
    move.order(story, placed, "OPEN", "0");
    move.live(story, 20_000);
    move.askCancel(story, placed);
    move.fill(story, placed, { held: "1" });
    move.protect(story, resting);
    move.live(story, 40_000);
  }),
  reported("cancelled after a part was filled", (story) => {
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
  reported("another opening that counts the one being cancelled", (story) => {
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
  reported("an opening after the cancel has its evidence", (story) => {
    const placed = move.place(story, resting);
    move.live(story, 10_000);
    move.askCancel(story, placed);
    move.cancelled(story, placed);
    pass(story, 6_000);
    held(story, { ...LONG_BTC, qty: "0.002" });
  }),
  reported("pushes that repeat a terminal state", (story) => {
    const { placed } = held(story);
    for (let again = 0; again < 3; again++) move.order(story, placed, "FILLED", "1");
    move.live(story, 40_000);
  }),
  reported("a close asked for twice, the second one refused", (story) => {
    const { stop } = held(story);
    move.live(story, 10_000);
    move.close(story, sol, stop);
    pass(story, 3_000);
    move.write(story, "position.close", { symbol: SOL, positionSide: "LONG", reduceOnly: true });
    frame(story, "DELETE /api/v1/trading/position", { sym: SOL, positionSide: "LONG" }, "401097");
    move.answer(story, "rejected");
    move.live(story, 40_000);
  }),
  reported("a close whose reply was lost", (story) => {
    const { stop } = held(story);
    move.live(story, 10_000);
    move.close(story, sol, null);
    const reply = story.entries.findLast((entry) => entry.kind === "wire-in");
    if (reply) reply.body = { ...reply.body, outcome: "unknown", reply: null };
    move.algo(story, stop, "CANCELLED");
    move.live(story, 40_000);
  }),
  reported(
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
  reported("figures with idle zeros", (story) => {
    const { placed } = held(story);
    const sent = story.wire.find((found) => (found["params"] as Body)["clientOrderId"] === placed.id);
    Object.assign((sent?.["params"] ?? {}) as Body, { orderQty: "1.000", limitPrice: "150.00" });
    move.live(story, 40_000);
  }),
  reported("orders exactly 5 s apart", (story) => {
    for (let at = 0; at < 3; at++) {
      const from = story.nowMs;
      const placed = move.place(story, { ...resting, qty: "0.1" });
      move.cancelled(story, placed);
      story.nowMs = from + 5_000;
    }
    for (const [at, sent] of story.wire.entries()) sent["atMs"] = (story.wire[0]?.["atMs"] as number) + at * 5_000;
  }),
  reported("another team's orders and frames in the same logs", (story) => {
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
  reported("a stop that triggers: its order is ours", (story) => {
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

const doubled = (story: Story): { placed: move.Placed; sent: Body } => {
  fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
  const placed = move.place(story, resting);
  const sent = story.wire.at(-1) ?? {};
  return { placed, sent };
};

const trouble: readonly Legal[] = [
  reported("a frame delivered twice, the second refused", (story) => {
    const { placed, sent } = doubled(story);
    story.wire.push({ ...sent, seq: 90, atMs: story.nowMs, result: "401012" });
    move.cancelled(story, placed);
  }),
  reported("a position that no list shows yet, because lists lag", (story) => {
    fact(story, "faults", { accountId: null, on: ["read-lag"] });
    move.live(story, 10_000);
    move.position(story, sol, "1");
    pass(story, 12_000);
    move.boot(story, "b2");
    move.position(story, sol, "0");
    pass(story, 1_000);
  }),
  reported("a frame delivered twice and accepted twice after a wait, when nothing more comes twice", (story) => {
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
  reported("a frame delivered twice and accepted twice: HALT, then resumed", (story) => {
    const { placed, sent } = doubled(story);
    story.wire.push({ ...sent, seq: 90, atMs: story.nowMs });
    const twin = { ...placed, orderId: orderIdOf(story) };
    move.order(story, twin, "NEW", "0");
    pass(story, 2_000);
    row(story, "floor", { from: "NORMAL", to: "HALT", reason: "an order came twice" });
    move.order(story, twin, "CANCELLED", "0");
    move.cancelled(story, placed);
    pass(story, 3_000);
    row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs - 400, positions: [] });
    row(story, "operator", { command: "resume", from: "HALT", to: "NORMAL" });
    move.live(story, 20_000);
    held(story);
  }),
  reported("a frame delivered twice, and meant again later, on a clock that is an hour off", (story) => {
    story.skewMs = 3_600_000;
    fact(story, "faults", { accountId: null, on: ["duplicate-delivery"] });
    move.setLeverage(story, SOL);
    story.wire.push({ ...story.wire.at(-1), seq: 90 });
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 5_000);
    move.setLeverage(story, SOL);
  }),
  reported(
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
      move.boot(story, "b2");
      move.setLeverage(story, SOL);
    },
  ),
  reported("a frame delivered twice whose like our own limit had kept back", (story) => {
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
  reported("a reconciliation that waits for as long as a refusal gave it to", (story) => {
    pass(story, 5_000);
    fact(story, "faults", { accountId: null, on: ["rate-limit-burst"] });
    pass(story, 1_000);
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 15_000);
    move.boot(story, "b2");
    const { body = {} } = story.entries.findLast(({ kind }) => kind === "reconcile") ?? {};
    body["startedAtMs"] = story.nowMs - 13_000;
  }),
  reported("a foreign order, tagged, and an opening after its end", (story) => {
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
  reported("a foreign order that was refused while nobody ran", (story) => {
    pass(story, 1_000);
    const order: Body = {
      ...{ orderId: "2190999999999997", clientOrderId: "by-hand-3", sym: SOL, side: "BUY", positionSide: "LONG" },
      ...{ orderQty: "1", orderState: "NEW", executedQty: "0", limitPrice: "" },
    };
    fact(story, "order", order);
    pass(story, 200);
    fact(story, "order", { ...order, orderState: "REJECTED" });
    pass(story, 5_000);
    move.boot(story, "b2");
    move.live(story, 60_000);
  }),
  reported("a foreign order that was refused after a moment, and no push reported it", (story) => {
    const order: Body = {
      ...{ orderId: "2190999999999996", clientOrderId: "by-hand-4", sym: SOL, side: "BUY", positionSide: "LONG" },
      ...{ orderQty: "1", orderState: "NEW", executedQty: "0", limitPrice: "" },
    };
    fact(story, "order", order);
    pass(story, 300);
    fact(story, "order", { ...order, orderState: "REJECTED" });
    move.live(story, 60_000);
  }),
  reported("a foreign order at the very end", (story) => {
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
  reported("a restart over a position and its stop", (story) => {
    held(story);
    move.live(story, 30_000);
    pass(story, 3_000);
    move.boot(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
    move.live(story, 30_000);
  }),
  reported("a crash with an order on its way, ended by the next boot", (story) => {
    const sent = unanswered(story);
    move.placeFrame(story, sent.params);
    const placed: move.Placed = {
      ...sent,
      orderId: orderIdOf(story),
      wanted: sol,
      out: story.entries.at(-1) as move.Placed["out"],
    };
    move.order(story, placed, "NEW", "0");
    move.order(story, placed, "CANCELLED", "0");
    pass(story, 8_000);
    move.boot(story, "b2");
    pass(story, 600);
    move.ended(story, placed, "CANCELLED", "0");
    move.live(story, 20_000);
  }),
  reported("a fill while it was down, found after the restart", (story) => {
    const found = filledWhileDown(story);
    move.boot(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
    found();
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  reported("a recovery that died before its stop was sent, ended by the next one", (story) => {
    const found = filledWhileDown(story);
    recovery(story, "b2", () => {
      found();
      row(story, "protection", { leg: `${SOL}|LONG`, clientOrderId: "p-lost", stopPrice: "55000", qty: "1" });
    });
    pass(story, 2_000);
    recovery(story, "b3", () => void move.protect(story, sol));
    move.live(story, 40_000);
  }),
  reported("a recovery that lived on for a moment only, its stop placed by the next one", (story) => {
    const found = filledWhileDown(story);
    recovery(story, "b2", found);
    move.beat(story);
    pass(story, 2_000);
    recovery(story, "b3", () => void move.protect(story, sol));
    move.live(story, 40_000);
  }),
  reported("a stop that outlived its position, cancelled by the next recovery but one", (story) => {
    closedWithStop(story);
    pass(story, 1_000);
    recovery(story, "b2", () => undefined);
    move.beat(story);
    pass(story, 5_000);
    recovery(story, "b3", () => cancelLeft(story));
    move.live(story, 20_000);
  }),
  reported("the same, where the recovery between lived too short for the venue's word", (story) => {
    closedWithStop(story);
    pass(story, 12_000);
    recovery(story, "b2", () => undefined);
    pass(story, 1_000);
    move.beat(story);
    recovery(story, "b3", () => cancelLeft(story));
    move.live(story, 20_000);
  }),
  reported("a stop that the mark moves before the second recovery is over", (story) => {
    const { stop } = held(story);
    recovery(story, "b2", () => undefined);
    move.beat(story);
    pass(story, 5_000);
    recovery(story, "b3", () => {
      row(story, "protection", {
        leg: `${SOL}|LONG`,
        moving: true,
        why: "trailing",
        from: "55000",
        stopPrice: "55100",
      });
      move.write(story, "algo.replace", { algoOrderId: stop.algoOrderId, triggerPrice: "55100" });
      pass(story, 30);
      frame(story, "PUT /api/v1/algo/order", { algoOrderId: stop.algoOrderId, conditionalTriggerPrice: "55100" });
      move.answer(story, "done");
    });
    move.live(story, 20_000);
  }),
  reported("a venue whose clock is behind by less than the skew", (story) => {
    story.skewMs = 200;
    held(story);
    for (const sent of story.wire) sent["atMs"] = (sent["atMs"] as number) - 150;
    move.live(story, 40_000);
  }),
  reported("three boots, the last two with nothing to do", (story) => {
    for (const name of ["b2", "b3", "b4"]) {
      pass(story, 5_000);
      move.boot(story, name);
    }
    move.live(story, 20_000);
  }),
  reported(
    "an order that has rested long enough only in the second recovery",
    (story) => {
      const placed = move.place(story, resting);
      pass(story, 10_000);
      recovery(story, "b2", () => undefined);
      move.beat(story);
      pass(story, 21_000);
      recovery(story, "b3", () => {
        move.askCancel(story, placed);
        move.cancelled(story, placed);
      });
      move.live(story, 20_000);
    },
    () => begun("BOTH", { ...CONFIG, execution: { ...CONFIG.execution, restFor: "30s" } }),
  ),
  reported(
    "a withdrawal that was too young to be repeated in the first recovery",
    (story) => {
      const placed = move.place(story, resting);
      pass(story, 31_000);
      move.askCancel(story, placed);
      recovery(story, "b2", () => undefined);
      move.beat(story);
      pass(story, 12_000);
      recovery(story, "b3", () => {
        move.askCancel(story, placed);
        move.cancelled(story, placed);
      });
      move.live(story, 20_000);
    },
    () => begun("BOTH", { ...CONFIG, execution: { ...CONFIG.execution, restFor: "8s" } }),
  ),
  reported(
    "a withdrawal repeated because the order had not ended 10 s after the recovery before had asked for it",
    (story) => {
      const placed = move.place(story, resting);
      pass(story, 1_000);
      recovery(story, "b2", () => {
        move.askCancel(story, placed);
      });
      pass(story, 10_000);
      recovery(story, "b3", () => {
        move.askCancel(story, placed);
        move.cancelled(story, placed);
      });
      move.live(story, 20_000);
    },
  ),
  reported("two recoveries that write different things", (story) => {
    pass(story, 2_000);
    row(story, "operator", { command: "note" });
    for (const [name, id] of [
      ["b2", "i-old-1"],
      ["b3", "i-old-2"],
    ] as const) {
      recovery(story, name, () => {
        row(story, "order", { cancel: id, why: "stale" });
        move.write(story, "order.cancel", { clientOrderId: id });
        pass(story, 6_000);
        frame(story, "DELETE /api/v1/trading/order", { clientOrderId: id });
        move.answer(story, "done");
        if (name === "b2") pass(story, 10);
      });
      row(story, "operator", { command: "note" });
    }
  }),
];

const consent: readonly Legal[] = [
  reported("a session renewed in the middle", (story) => {
    held(story);
    move.live(story, 10_000);
    move.session(story, "ras_2");
    held(story, { ...LONG_BTC, qty: "0.002", sessionId: "ras_2" });
  }),
  reported("a session stopped right after the order left", (story) => {
    const placed = move.place(story, resting);
    row(story, "session", {
      event: "stopped",
      session: {
        ...move.SESSION,
        automationSessionId: "ras_1",
        status: "STOPPED",
        stoppedAtMs: story.nowMs,
        expiresAtMs: START_MS + 90_000_000,
      },
    });
    move.askCancel(story, placed);
    move.cancelled(story, placed);
  }),
  reported("a session extended before it ended", (story) => {
    row(story, "session", {
      event: "extended",
      session: { ...move.SESSION, automationSessionId: "ras_1", expiresAtMs: story.nowMs + 172_800_000 },
    });
    pass(story, 90_000_000);
    move.boot(story, "b2");
    held(story);
  }),
  reported("what was released is used again, to the last cent", (story) => {
    const total = story.entries.find((entry) => entry.kind === "session");
    Object.assign((total?.body["session"] ?? {}) as Body, { maxTotalNotional: "150" });
    const placed = move.place(story, resting);
    move.order(story, placed, "REJECTED", "0");
    move.ended(story, placed, "REJECTED", "0");
    row(story, "session", {
      event: "released",
      automationSessionId: "ras_1",
      previewId: placed.out.body["previewId"],
      notional: "150",
    });
    pass(story, 6_000);
    held(story);
  }),
  reported("an exit without any session", (story) => {
    const { stop } = held(story);
    row(story, "session", {
      event: "stopped",
      session: {
        ...move.SESSION,
        automationSessionId: "ras_1",
        status: "STOPPED",
        stoppedAtMs: story.nowMs,
        expiresAtMs: START_MS + 90_000_000,
      },
    });
    pass(story, 4_000);
    move.close(story, sol, stop);
    move.live(story, 40_000);
  }),
];

const floor: readonly Legal[] = [
  reported("HOLD that opens by itself", (story) => {
    row(story, "floor", { from: "NORMAL", to: "HOLD", reason: "849" });
    move.live(story, 20_000);
    row(story, "floor", { from: "HOLD", to: "NORMAL", reason: "900" });
    held(story);
  }),
  reported("an order that was on its way when the halt was written", (story) => {
    const sent = unanswered(story);
    row(story, "floor", { from: "NORMAL", to: "HALT", reason: "alarm" });
    pass(story, 1_900);
    move.placeFrame(story, sent.params);
    const placed: move.Placed = { ...sent, orderId: orderIdOf(story), wanted: sol, out: move.answer(story, "done") };
    move.order(story, placed, "NEW", "0");
    move.cancelled(story, placed);
  }),
  reported("FLATTEN, everything closed, HALT, looked at, resumed", (story) => {
    const { stop } = held(story);
    row(story, "floor", { from: "NORMAL", to: "FLATTEN", reason: "819" });
    pass(story, 4_000);
    move.close(story, sol, stop);
    row(story, "floor", { from: "FLATTEN", to: "HALT", reason: "flattened" });
    move.live(story, 20_000);
    row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions: [] });
    row(story, "operator", { command: "resume", from: "HALT", to: "NORMAL" });
    held(story);
  }),
  reported("a jump beyond the gap that stays on the linear bound", (story) => {
    held(story, { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" });
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    pass(story, 1_000);
    move.mark(story, SOL, "70");
    move.account(story, "795");
    pass(story, 2_000);
    row(story, "floor", { from: "NORMAL", to: "HALT", reason: "795" });
  }),
  reported("a jump that has come back when the loss is reported", (story) => {
    held(story, { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" });
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    for (const price of ["140", "75", "148"]) {
      pass(story, 1_000);
      move.mark(story, SOL, price);
    }
    move.account(story, "798");
  }),
  reported("a jump that costs a short what the mark rose", (story) => {
    held(story, { symbol: SOL, leg: "SHORT", qty: "2.6", price: "150" });
    for (const price of ["150", "230", "160"]) {
      pass(story, 1_000);
      move.mark(story, SOL, price);
    }
    move.account(story, "795");
  }),
  reported("a jump after more than a minute without a new mark", (story) => {
    held(story, { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" });
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    move.live(story, 70_000);
    move.mark(story, SOL, "70");
    move.account(story, "795");
  }),
  reported("a jump that needs not answer for what was lost more than a minute before", (story) => {
    held(story);
    move.mark(story, SOL, "150");
    move.account(story, "1000");
    pass(story, 5_000);
    move.account(story, "861");
    move.live(story, 50_000);
    pass(story, 5_000);
    move.mark(story, SOL, "40");
    pass(story, 6_000);
    move.account(story, "795");
  }),
  reported("a cushion that a mark has broken and a trim has mended", (story) => {
    const wanted: move.Wanted = { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" };
    held(story, wanted);
    move.mark(story, SOL, "150");
    pass(story, 10_000);
    move.beat(story);
    move.mark(story, SOL, "120");
    move.account(story, "890");
    pass(story, 4_000);
    const reduce = move.place(story, { ...wanted, qty: "1.6", price: "119", reduce: true });
    pass(story, 300);
    move.fill(story, reduce, { held: "1", kind: "resized", equity: "889" });
    pass(story, 20_000);
    move.mark(story, SOL, "121");
    move.account(story, "890");
  }),
  reported("a cushion that is whole again late, because the venue refused the first trims", (story) => {
    const wanted: move.Wanted = { symbol: SOL, leg: "LONG", qty: "2.6", price: "150" };
    held(story, wanted);
    move.mark(story, SOL, "150");
    pass(story, 10_000);
    move.beat(story);
    move.mark(story, SOL, "120");
    move.account(story, "890");
    for (let refused = 0; refused < 3; refused++) {
      pass(story, 6_000);
      move.beat(story);
      const trim = move.place(story, { ...wanted, qty: "1.6", price: "119", reduce: true });
      pass(story, 500);
      move.order(story, trim, "REJECTED", "0");
      move.ended(story, trim, "REJECTED", "0");
    }
    move.mark(story, SOL, "119.9");
    pass(story, 6_000);
    const reduce = move.place(story, { ...wanted, qty: "1.6", price: "117", reduce: true });
    pass(story, 300);
    move.fill(story, reduce, { held: "1", kind: "resized", equity: "889" });
    pass(story, 20_000);
    move.mark(story, SOL, "121");
    move.account(story, "890");
  }),
  reported(
    "five times the equity in the second phase",
    (story) => {
      for (const sym of [BTC, ETH]) fact(story, "leverage", { sym, leverage: "5" });
      const wanted: move.Wanted = { symbol: BTC, leg: "LONG", qty: "0.006", price: "60000" };
      const { placed } = held(story, wanted);
      placed.out.body["seen"] = { ...(placed.out.body["seen"] as Body), leverage: 5 };
    },
    () => begun("BOTH", { ...CONFIG, phase: 2 }),
  ),
];

const protection: readonly Legal[] = [
  reported("14 s without a stop", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    pass(story, 14_000);
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  reported("a minute without a stop while the venue is down", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    fact(story, "faults", { accountId: null, on: ["maintenance"] });
    move.live(story, 60_000);
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 5_000);
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  reported("a process that is frozen before it can place a stop", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    pass(story, 40_000);
    move.beat(story);
    move.protect(story, sol);
    move.live(story, 20_000);
  }),
  reported("a supervised stop while the venue takes none", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    for (let at = 0; at < 6; at++) {
      move.supervise(story, sol, 12_000);
      move.live(story, 10_000);
    }
    move.protect(story, sol);
    move.live(story, 20_000);
  }),
  reported("a supervised stop while the venue takes none, taken up again after a death", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    for (let at = 0; at < 3; at++) {
      move.supervise(story, sol, 12_000);
      move.live(story, 10_000);
    }
    pass(story, 30_000);
    move.boot(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
    move.supervise(story, sol, 12_000);
    move.live(story, 5_000);
    move.protect(story, sol);
    move.live(story, 20_000);
  }),
  reported("a supervised stop for what the one at the venue does not cover", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    move.protect(story, { ...sol, qty: "0.4" });
    for (let at = 0; at < 4; at++) {
      move.supervise(story, sol, 12_000);
      move.live(story, 10_000);
    }
    move.protect(story, { ...sol, qty: "0.6" });
    move.live(story, 20_000);
  }),
  reported("a supervised stop for a part, taken up again 10 s after an outage", (story) => {
    move.partThroughOutage(story, sol);
    move.live(story, 10_000);
    move.supervise(story, sol, 12_000);
    move.live(story, 10_000);
    move.protect(story, { ...sol, qty: "0.6" });
    move.live(story, 20_000);
  }),
  reported("a new stop beside the old one for a while", (story) => {
    const { stop } = held(story);
    move.live(story, 20_000);
    move.protect(story, sol);
    move.live(story, 20_000);
    move.algo(story, stop, "CANCELLED");
    move.live(story, 20_000);
  }),
  reported("a stop that outlives its position by ten seconds", (story) => {
    const { stop } = held(story);
    pass(story, 5_000);
    move.close(story, sol, null);
    pass(story, 10_000);
    move.algo(story, stop, "CANCELLED");
    move.live(story, 40_000);
  }),
];

const spend = (
  story: Story,
  id: string,
  money: { bound: string; cost: string; atMs?: number; settledMs?: number; how?: string },
): void => {
  const { bound, cost, atMs = story.nowMs, settledMs = atMs, how = "actual" } = money;
  row(story, "model-reserve", {
    attemptId: id,
    decisionId: "d",
    purpose: "decision",
    model: "m-1",
    atMs,
    boundUsd: bound,
  });
  row(story, "model-settle", { attemptId: id, atMs: settledMs, costUsd: cost, how });
};

const money: readonly Legal[] = [
  reported("exactly ten dollars", (story) => {
    spend(story, "a", { bound: "4", cost: "4" });
    spend(story, "b", { bound: "6", cost: "5.5" });
    spend(story, "c", { bound: "0.5", cost: "0.5" });
  }),
  reported("six dollars, and six more 24 hours later", (story) => {
    spend(story, "a", { bound: "6", cost: "6" });
    pass(story, 86_400_000);
    spend(story, "b", { bound: "6", cost: "6" });
  }),
  reported("reserved a second before midnight, settled after", (story) => {
    const midnight = Date.UTC(2026, 2, 11);
    pass(story, midnight - 1_000 - story.nowMs);
    spend(story, "a", { bound: "6", cost: "2", settledMs: midnight + 5_000 });
    pass(story, 10_000);
    spend(story, "b", { bound: "8", cost: "3" });
  }),
  reported("an adopted figure above the limit, and no call since", (story) => {
    spend(story, "a", { bound: "5", cost: "5" });
    row(story, "model-settle", {
      attemptId: "adopt-1",
      atMs: story.nowMs,
      costUsd: "7",
      how: "adopted",
      reportedUsd: "12",
    });
  }),
  reported("a repair paid by the reservation of its question", (story) => {
    const attempt = move.ask(story, "d-1");
    const [first] = story.charges;
    story.charges.push({ ...first, seq: 2, requestId: `${attempt}.repair`, costUsd: "0.001" });
    const settle = story.entries.find((entry) => entry.kind === "model-settle");
    if (settle) settle.body["costUsd"] = "0.003";
  }),
  reported("a reservation that a crash left open, settled at its bound by the next boot", (story) => {
    row(story, "model-reserve", { attemptId: "a", decisionId: "d", model: "m-1", atMs: story.nowMs, boundUsd: "0.02" });
    story.charges.push({
      seq: 1,
      startedMs: story.nowMs + 5,
      atMs: story.nowMs + 900,
      model: "m-1",
      requestId: "a",
      costUsd: "0.004",
    });
    pass(story, 3_000);
    story.boot = "b2";
    story.bootedMs = story.nowMs;
    row(story, "model-settle", { attemptId: "a", atMs: story.nowMs, costUsd: "0.02", how: "crash" });
    move.boot(story, "b2");
  }),
  reported("a refused call that cost nothing", (story) =>
    spend(story, "a", { bound: "0.02", cost: "0", how: "nothing" }),
  ),
  reported("an answer shared after 299 s", (story) => {
    const attempt = move.ask(story, "d-1");
    move.live(story, 290_000);
    pass(story, 9_000);
    move.question(story, "d-2", attempt, { cached: true });
  }),
  reported("two questions in flight together, one pays", (story) => {
    const attempt = move.ask(story, "d-1");
    const paid = story.entries.pop();
    move.question(story, "d-2", attempt, { cached: true });
    if (paid) story.entries.push(paid);
  }),
  reported("the fallback opens after the model has failed", (story) => {
    const decisionId = "d-1";
    row(story, "decision", { trigger: ["cadence"], strategy: "llm-trader" }, decisionId);
    row(story, "question", { prompt: "llm-trader" }, decisionId);
    pass(story, 400);
    move.question(story, decisionId, "ask-1", { kind: "unavailable" });
    row(story, "decision", { failed: "llm-trader", reason: "unavailable" }, decisionId);
    row(story, "decision", { by: "momentum", kind: "wishes", targets: [] }, decisionId);
    held(story, { ...sol, decisionId });
  }),
  reported("a model that takes two minutes while the loop beats on", (story) => {
    row(story, "question", { prompt: "llm-trader" }, "d-1");
    move.live(story, 120_000);
    move.question(story, "d-1", "ask-1");
  }),
];

const records: readonly Legal[] = [
  reported("a tail mark behind the last light rows", (story) => {
    story.finish = (built) => ({ ...built, tail: { state: "read", seq: 3, hash: built.rows[2]?.hash ?? "" } });
  }),
  reported("a journal alone", (story) => {
    held(story);
    story.finish = (built) => ({
      ...built,
      wire: null,
      venue: null,
      charges: null,
      sinks: null,
      secrets: null,
      tail: null,
    });
  }),
  reported("rows of writes that never arrived", (story) => {
    for (const leverage of [1, 2]) {
      move.write(story, "position.set-leverage", { symbol: ETH, leverage });
      move.answer(story, "unknown");
    }
  }),
  reported("a clock that is set back by a minute", (story) => {
    move.live(story, 20_000);
    const { bootedMs } = story;
    story.nowMs -= 60_000;
    story.bootedMs = bootedMs - 60_000;
    move.live(story, 30_000);
  }),
  reported("a freeze that the prober saw as well", (story) => {
    move.live(story, 30_000);
    const fromMs = story.nowMs;
    pass(story, 120_000);
    move.beat(story);
    fact(story, "uptime", { rest: { gaps: [{ fromMs, toMs: story.nowMs }] } });
  }),
  reported("a twin run that traded less", (story) => {
    held(story);
    story.finish = (built) => ({ ...built, twin: history(begun()).rows });
  }),
  reported("an equal run", (story) => {
    story.finish = (built) => ({ ...built, same: history(begun()).rows });
  }),
  reported("gauges at their caps", (story) => {
    pass(story, 10_000);
    row(story, "beat", { gauges: { previews: { high: 2_000, cap: 2_000 } } });
  }),
  reported("messages of a tool server", (story) => {
    const messages: readonly Body[] = [
      { id: 1, result: {} },
      { method: "notifications/x" },
      { id: "a", method: "y", params: [] },
      { id: null, error: { code: -32_700, message: "parse" } },
    ];
    story.sinks.push({
      name: "svc.mcp-stdout",
      content: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
    });
  }),
  reported("HTTP that refuses outsiders and escapes headlines", (story) => {
    const exchanges: readonly Body[] = [
      {
        method: "GET",
        host: "localhost:1",
        loopback: true,
        status: 200,
        body: "&lt;b&gt;x&lt;/b&gt;",
        untrusted: ["<b>x</b>"],
      },
      { method: "POST", host: "127.0.0.1", loopback: true, status: 405, body: "" },
      { method: "GET", host: "evil.example", loopback: true, status: 403, body: '{"error":"foreign Host or Origin"}' },
      {
        method: "GET",
        host: "agent.lan",
        allowedHosts: ["agent.lan"],
        loopback: false,
        token: true,
        status: 200,
        body: "ok",
      },
      {
        method: "GET",
        host: "localhost",
        loopback: true,
        status: 200,
        contentType: "application/json",
        body: '{"t":"<b>"}',
        untrusted: ["<b>"],
      },
    ];
    story.sinks.push({ name: "page.http.jsonl", content: exchanges.map((one) => `${JSON.stringify(one)}\n`).join("") });
  }),
  reported("files inside their roots", (story) => {
    const sha256 = "c".repeat(64);
    Object.assign(story.entries[0]?.body ?? {}, {
      allowed: [sha256],
      files: [{ path: "x.md", real: "/app/prompts/deep/x.md", root: "/app/prompts", sha256 }],
    });
  }),
  reported("beats that report only what has changed, up to the caps, and start again with another boot", (story) => {
    report(story, {
      gauges: { news: { high: 10, cap: 10 }, orders: { high: 0, cap: 5 } },
      said: {},
      met: [],
      visits: [],
    });
    report(story, { gauges: { orders: { high: 5, cap: 5 } } });
    pass(story, 5_000);
    move.boot(story, "b2");
    report(story, { gauges: { news: { high: 1, cap: 10 } } });
  }),
  reported("a heap that fills its caches and then swings between collections", (story) => {
    for (let at = 0; at < 150; at++) {
      pass(story, 60_000);
      const filling = Math.min(at, 8) * 30e6;
      const heapUsed = 90e6 + filling + ((at * 37) % 11) * 9e6;
      row(story, "beat", { stage: "ready", vitals: { heapUsed, heapLimit: 500e6, files: 40 + ((at * 5) % 9) } });
    }
  }),
  reported("an hour of steep growth that an hour cannot foretell a week from", (story) => {
    for (let at = 0; at < 55; at++) {
      pass(story, 60_000);
      row(story, "beat", { stage: "ready", vitals: { heapUsed: 90e6 + at * 1e6, heapLimit: 500e6, files: 40 } });
    }
  }),
  reported("what the log claimed is borne out, a fill by a row that comes after the order's own push", (story) => {
    pass(story, 9_000);
    const placed = move.place(story, sol);
    report(story, { said: { "order.filled": 1 } }, 900);
    move.fill(story, placed, { held: "1" });
    move.protect(story, sol);
    report(story, { said: { "order.filled": 1, "position.opened": 1, "position.protected": 1 } }, 9_000);
    move.live(story, 50_000);
  }),
  reported("outsiders turned away at the door, a caller with the token, a wrong method refused", (story) => {
    const local = { method: "GET", host: "127.0.0.1:1", origin: "", loopback: true, token: false, status: 200 };
    const json = { contentType: "application/json", count: 1, refusalChars: 0 };
    const refused = { status: 403, contentType: "text/plain;charset=UTF-8", count: 7, refusalChars: 9 };
    report(story, {
      visits: [
        { ...local, ...json },
        { ...local, ...json, method: "POST", status: 404 },
        { ...local, ...json, host: "agent.lan:80", loopback: false, token: true },
        { ...local, ...refused, host: "evil.example" },
        { ...local, ...refused, host: "many", loopback: false },
      ],
    });
  }),
  reported("a configuration saved again with other caps, and the session that follows it", (story) => {
    const given = (cap: string) => ({ ...CONFIG, session: { maxNotionalPerOrder: cap, maxTotalNotional: "20000" } });
    row(story, "config", { by: "file", config: given("400") });
    row(story, "config", { by: "operator", config: given("300") });
    move.session(story, "ras_2", { maxNotionalPerOrder: "300.00" });
    move.session(story, "ras_3");
  }),
  reported("only hosts that the environment names are met", (story) => {
    Object.assign(story.entries[0]?.body ?? {}, { hosts: ["api.example:443", "ai.example:443"] });
    report(story, { met: ["ai.example:443"], wrote: ["journal.db", "notes by the owner.txt"] });
  }),
  reported("files inside their roots, of which no list of hashes was made", (story) => {
    const file = { path: "x.md", real: "/app/prompts/x.md", root: "/app/prompts", sha256: "d".repeat(64) };
    Object.assign(story.entries[0]?.body ?? {}, { files: [file] });
  }),
  reported(
    "a log line of a kind that is called as a member of every object is",
    (story) => void story.sinks.push({ name: "agent.jsonl", content: `${JSON.stringify({ evt: "constructor" })}\n` }),
  ),
  reported("a position that begins again sooner after its close was reported than clocks may be apart", (story) => {
    story.skewMs = 2_000;
    const [positionKey, symbol] = [`${SOL}|LONG`, SOL];
    row(story, "position", { leg: positionKey, symbol, side: "LONG", qty: "0", kind: "closed" });
    const said = { time: new Date(story.nowMs + 40).toISOString(), evt: "position.closed", leg: positionKey };
    story.sinks.push({ name: "agent.jsonl", content: `${JSON.stringify(said)}\n` });
    pass(story, 1_500);
    held(story);
    move.live(story, 20_000);
  }),
  reported(
    "a masked key in a log",
    (story) => void story.sinks.push({ name: "agent.log", content: "key sk-5***9a6b\n" }),
  ),
];

const legal: readonly Legal[] = [
  ...ways(),
  ...reductions,
  ...orders,
  ...trouble,
  ...consent,
  ...floor,
  ...protection,
  ...money,
  ...records,
];

test("there are enough of them", () => {
  expect(new Set(legal.map(({ what }) => what)).size).toBeGreaterThanOrEqual(50);
});

test("an honest run", () => silent(honestRun().story));

describe("legal", () => {
  test.each(legal)("$what", ({ report }) => silent(report()));
});

test("what is not given is not judged, and never held", () => {
  const { story } = honestRun();
  story.finish = (built) => ({ ...built, wire: null, venue: null, charges: null, sinks: null, secrets: null });
  const bare = history(story);
  for (const invariant of ALL_INVARIANTS.filter(({ needs }) => needs.length > 0))
    expect(judgeOne(invariant, bare).verdict.kind, invariant.id).toBe("not judged");
});

test("there are 36, each with a rule", () => {
  expect(ALL_INVARIANTS.map(({ id }) => id)).toEqual(Array.from({ length: 36 }, (_none, at) => `I${at + 1}`));
  for (const { rule, title } of ALL_INVARIANTS) expect(rule.length + title.length).toBeGreaterThan(30);
});
