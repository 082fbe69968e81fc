/**
 * Where each widening of an invariant ends: the history that made it legal stays just inside and is silent, and the same
 * history just outside is found out. A widening that grows or shrinks by a tenth fails here.
 */
import { describe, expect, test } from "vitest";
import { honestRun } from "./base.ts";
import { begun, doubled, end, held, recovery, resting, sol, unanswered } from "./legal-histories.ts";
import * as move from "./moves.ts";
import { put, the } from "./plant.ts";
import { PROCESS_STOPPED } from "../../src/verify/service.ts";
import { type Body, BTC, fact, findingsOf, frame, history, pass, row, SOL, type Story } from "./story.ts";

interface Widening {
  readonly id: string;
  readonly what: string;
  /** Amounts just inside and just outside. */
  readonly edge: readonly [inside: number, outside: number];
  play(amount: number): Story;
}

const widening = (
  id: string,
  what: string,
  edge: Widening["edge"],
  happen: (story: Story, amount: number) => void,
): Widening => ({
  ...{ id, what, edge },
  play: (amount) => {
    const story = begun();
    happen(story, amount);
    return story;
  },
});

/** Beats at a rhythm of at most 10 s, the last one at the end of the span. */
const liveFor = (story: Story, ms: number): void => {
  const beats = Math.ceil(ms / 10_000);
  for (let at = 0; at < beats; at++) {
    pass(story, ms / beats);
    move.beat(story);
  }
};

/** An order that nobody of ours placed, resting at the venue. */
function foreign(story: Story, change: Body = {}): Body {
  const body = { orderId: "2190000000088888", clientOrderId: "by-hand", sym: SOL, side: "BUY", positionSide: "LONG" };
  const terms = { orderQty: "1", limitPrice: "150", orderState: "NEW", executedQty: "0", reduceOnly: "FALSE" };
  return fact(story, "order", { ...body, algoOrderId: null, exchangeOrderType: "LIMIT", ...terms, ...change });
}

const tag = (story: Story): void =>
  void row(story, "reconcile", { event: "external-order", orderId: "2190000000088888", symbol: SOL });

const orders: readonly Widening[] = [
  widening(
    "I2",
    "an order that the transport delivered twice halts openings so late, ms",
    [14_500, 15_500],
    (story, ms) => {
      const { placed, sent } = doubled(story);
      story.wire.push({ ...sent, seq: 90 });
      move.order(story, { ...placed, orderId: "2190000000077777" }, "NEW", "0");
      fact(story, "faults", { accountId: null, on: [] });
      liveFor(story, ms);
      row(story, "floor", { from: "NORMAL", to: "HALT", reason: "two orders of one id" });
      move.live(story, 20_000);
    },
  ),
  widening(
    "I2",
    "an order that the transport delivered twice to a dead process halts the next one so late, ms",
    [14_500, 15_500],
    (story, ms) => {
      const { placed, sent } = doubled(story);
      story.wire.push({ ...sent, seq: 90 });
      move.order(story, { ...placed, orderId: "2190000000077777" }, "NEW", "0");
      fact(story, "faults", { accountId: null, on: [] });
      pass(story, 60_000);
      move.runStarts(story, "b2");
      liveFor(story, ms);
      row(story, "floor", { from: "NORMAL", to: "HALT", reason: "two orders of one id" });
      move.live(story, 20_000);
    },
  ),
  widening(
    "I2",
    "an order that the transport delivered twice to a dead process is gone before the next one, 1 or 0, without a HALT",
    [1, 0],
    (story, gone) => {
      const { placed, sent } = doubled(story);
      story.wire.push({ ...sent, seq: 90 });
      const twin = { ...placed, orderId: "2190000000077777" };
      move.order(story, twin, "NEW", "0");
      fact(story, "faults", { accountId: null, on: [] });
      pass(story, 30_000);
      if (gone === 1) move.order(story, twin, "REJECTED", "0");
      pass(story, 30_000);
      move.runStarts(story, "b2");
      move.live(story, 20_000);
    },
  ),
  widening(
    "I2",
    "of an order that the transport delivered twice to a dead process the first is gone and was never named, 1 or 0",
    [1, 0],
    (story, nameless) => {
      const { placed, sent } = doubled(story);
      if (nameless === 1)
        story.entries.splice(
          story.entries.findLastIndex(({ kind }) => kind === "wire-in"),
          1,
        );
      pass(story, 20_000);
      move.order(story, placed, "REJECTED", "0");
      story.wire.push({ ...sent, seq: 90 });
      move.order(story, { ...placed, orderId: "2190000000077777" }, "NEW", "0");
      fact(story, "faults", { accountId: null, on: [] });
      pass(story, 30_000);
      move.runStarts(story, "b2");
      move.live(story, 20_000);
    },
  ),
  widening(
    "I2",
    "of an order that the transport delivered twice the book rejected so many, without a HALT",
    [1, 0],
    (story, rejected) => {
      const { placed, sent } = doubled(story);
      story.wire.push({ ...sent, seq: 90 });
      move.order(story, { ...placed, orderId: "2190000000077777" }, rejected === 1 ? "REJECTED" : "NEW", "0");
      fact(story, "faults", { accountId: null, on: [] });
      move.live(story, 20_000);
    },
  ),
  widening("I3", "a foreign order is tagged so long after it came, ms", [29_000, 31_000], (story, ms) => {
    foreign(story);
    liveFor(story, ms);
    tag(story);
    move.live(story, 20_000);
  }),
  widening("I3", "a close whose reply was lost leads to a market order so late, ms", [59_000, 61_000], (story, ms) => {
    held(story);
    move.write(story, "position.close", { symbol: SOL, positionSide: "LONG", reduceOnly: true });
    frame(story, "DELETE /api/v1/trading/position", { sym: SOL, positionSide: "LONG" });
    liveFor(story, ms);
    const orderId = "2190000000066666";
    foreign(story, { orderId, clientOrderId: orderId, side: "SELL", exchangeOrderType: "MARKET", orderState: "NEW" });
    move.live(story, 40_000);
  }),
  widening("I4", "an order is called absent after so long a search, ms", [30_000, 29_000], (story, ms) => {
    const lost = unanswered(story);
    move.live(story, 40_000);
    const proof = { openOrdersEmpty: true, executionsEmpty: true, positionUnchanged: true };
    end(story, lost, { how: "absent", misses: 3, spreadMs: ms, ...proof });
  }),
  widening("I4", "an order is called absent after so many misses", [3, 2], (story, misses) => {
    const lost = unanswered(story);
    move.live(story, 40_000);
    const proof = { openOrdersEmpty: true, executionsEmpty: true, positionUnchanged: true };
    end(story, lost, { how: "absent", misses, spreadMs: 30_000, ...proof });
  }),
  widening("I5", "the journal ends so long after a fill that it lacks, ms", [29_000, 31_000], (story, ms) => {
    const placed = move.place(story, resting);
    move.live(story, 10_000);
    move.order(story, placed, "FILLED", "1");
    const common = { transactionId: "2199000000055555", orderId: placed.orderId, clientOrderId: placed.id };
    fact(story, "execution", {
      ...common,
      side: "BUY",
      price: "150",
      fee: "0.075",
      sym: SOL,
      quantity: "1",
      rpnl: "0",
    });
    liveFor(story, ms);
  }),
];

const money: readonly Widening[] = [
  widening("I36", "a fill is claimed so long before its row, ms", [34_000, 36_000], (story, ms) => {
    const placed = move.place(story, resting);
    move.live(story, 10_000);
    pass(story, 5_000);
    row(story, "beat", { stage: "ready", said: { "order.filled": 1 } });
    liveFor(story, ms);
    move.fill(story, placed, { held: "1" });
    move.protect(story, resting);
    pass(story, 5_000);
    move.live(story, 20_000);
  }),
  widening("I36", "equity of 1,000 is stated too high by so much, USDT", [19, 21], (story, usdt) => {
    row(story, "equity", { equityUsdt: String(1_000 + usdt), positions: 0, anchors: null });
  }),
  widening("I36", "a reading of equity is so old when its row is written, ms", [58_000, 72_000], (story, ms) => {
    move.account(story, "1000", { EXCHANGE_A: "BOTH" });
    pass(story, 1);
    move.account(story, "900", { EXCHANGE_A: "BOTH" });
    liveFor(story, ms);
    row(story, "equity", { equityUsdt: "1000", positions: 0, anchors: null });
  }),
  {
    id: "I36",
    what: "the result of a round trip is stated too high by so much, in thousandths of its value",
    edge: [0.95, 1.05],
    play: (thousandths) => {
      const { story, btc } = honestRun();
      const closed = the(story, "position", (body) => body["kind"] === "closed" && body["symbol"] === BTC);
      const figures = { qty: "0.005", entryPrice: "60100", exitPrice: "60100", feesUsdt: "0.16025", fundingUsdt: "0" };
      const netUsdt = (0.33975 + (300.5 * thousandths) / 1_000).toFixed(5);
      const times = { openedAtMs: btc.out.atMs, closedAtMs: closed.atMs };
      const body = { event: "closed", id: "1", symbol: BTC, side: "LONG", ...figures, netUsdt, ...times };
      put(story, "after", closed, { kind: "trade", body });
      return story;
    },
  },
];

const life: readonly Widening[] = [
  widening("I12", "a leverage was read so long before its opening arrives, ms", [59_000, 61_000], (story, ms) => {
    const placed = move.place(story, resting);
    placed.out.body["seen"] = { ...(placed.out.body["seen"] as Body), leverageAgeMs: ms };
  }),
  widening("I15", "the clock of an opening is sure to so much, ms", [4_900, 5_100], (story, ms) => {
    const placed = move.place(story, resting);
    placed.out.body["seen"] = { ...(placed.out.body["seen"] as Body), clockUncertaintyMs: ms };
  }),
  widening(
    "I9",
    "a position is without a stop for so long, with beats so far apart, ms",
    [12_500, 11_500],
    (story, ms) => {
      // A gap without a row is a process that did not run, and no deadline counts it.
      const placed = move.place(story, sol);
      pass(story, 100);
      move.fill(story, placed, { held: "1" });
      pass(story, 5_000);
      move.beat(story);
      for (let gap = 0; gap < 3; gap++) {
        pass(story, ms);
        move.beat(story);
      }
      move.protect(story, sol);
      move.live(story, 20_000);
    },
  ),
  widening(
    "I9",
    "a stop of an earlier journal, which only a list shows, stands on a flat position for so long, ms",
    [63_000, 67_000],
    (story, ms) => {
      fact(story, "algo", {
        ...{ algoOrderId: "2190555555555555", clientOrderId: "p-lost-1", sym: SOL, side: "SELL", positionSide: "LONG" },
        ...{ orderQty: "1", orderState: "NEW", conditionalTriggerPrice: "140", slTriggerPrice: "" },
      });
      liveFor(story, ms);
    },
  ),
  widening("I23", "no beat comes for so long while a model is asked, ms", [29_000, 31_000], (story, ms) => {
    row(story, "question", { prompt: "llm-trader" }, "d-1");
    pass(story, ms);
    move.question(story, "d-1", "ask-1");
  }),
  widening("I23", "of 35 s without a beat the process was stopped for so long, ms", [10_000, 1_000], (story, ms) => {
    row(story, "question", { prompt: "llm-trader" }, "d-1");
    pass(story, 35_000 - ms);
    fact(story, "faults", { accountId: null, on: [PROCESS_STOPPED] });
    pass(story, ms);
    fact(story, "faults", { accountId: null, on: [] });
    move.question(story, "d-1", "ask-1");
  }),
  widening(
    "I27",
    "a run lived so long with the stop of a closed position before the next cancels it, ms",
    [5_000, 7_000],
    (story, ms) => {
      row(story, "position", { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "0", kind: "closed", stop: "77" });
      pass(story, 10_000);
      recovery(story, "b2", () => undefined);
      pass(story, ms);
      move.beat(story);
      pass(story, 1_000);
      recovery(story, "b3", () => {
        move.write(story, "algo.cancel", { algoOrderId: "77" });
        move.answer(story, "done");
      });
    },
  ),
  widening(
    "I27",
    "a close that was accepted is repeated by the next run after so long, ms",
    [8_100, 7_900],
    (story, ms) => {
      held(story);
      const positions = [{ leg: `${SOL}|LONG`, qty: "1" }];
      const close = (): void => {
        move.write(story, "position.close", { symbol: SOL, positionSide: "LONG", reduceOnly: true });
        move.answer(story, "done");
      };
      pass(story, 20_000);
      recovery(story, "b2", close, positions);
      pass(story, ms);
      move.beat(story);
      recovery(story, "b3", close, positions);
      move.live(story, 20_000);
    },
  ),
  widening("I27", "a run lived so long with a move of a stop that the next asks for, ms", [900, 1_100], (story, ms) => {
    const { stop } = held(story);
    const positions = [{ leg: `${SOL}|LONG`, qty: "1" }];
    pass(story, 20_000);
    const wants = (): void => {
      const from = move.stopOf(sol);
      row(story, "protection", { leg: `${SOL}|LONG`, moving: true, why: "trailing", from, stopPrice: "146.2" });
    };
    recovery(story, "b2", wants, positions);
    pass(story, ms);
    move.beat(story);
    const moves = (): void => {
      move.write(story, "algo.replace", { algoOrderId: stop.algoOrderId, triggerPrice: "146.2" });
      pass(story, 30);
      frame(story, "PUT /api/v1/algo/order", { algoOrderId: stop.algoOrderId, conditionalTriggerPrice: "146.2" });
      move.answer(story, "done");
    };
    recovery(story, "b3", moves, positions);
    move.live(story, 20_000);
  }),
  widening(
    "I27",
    "a run lived so long with a stop that only a list shows before the next cancels it, ms",
    [49_000, 51_000],
    (story, ms) => {
      const { stop } = held(story);
      move.algo(story, { ...stop, algoOrderId: "77", id: "p-lost" }, "NEW");
      const positions = [{ leg: `${SOL}|LONG`, qty: "1" }];
      pass(story, 10_000);
      recovery(story, "b2", () => undefined, positions);
      move.live(story, ms);
      const cancel = (): void => {
        move.write(story, "algo.cancel", { algoOrderId: "77" });
        move.answer(story, "done");
      };
      recovery(story, "b3", cancel, positions);
    },
  ),
];

/** An order of ours arrives and is withdrawn while the cushion is broken; then the equity recovers. */
function orderInCushion(story: Story): void {
  const own = move.place(story, { ...resting, equity: "900" });
  move.cancelled(story, own);
  move.account(story, "990", { EXCHANGE_A: "BOTH" });
  move.live(story, 20_000);
}

const cushion: readonly Widening[] = [
  widening("I27", "the mark stands there when a second recovery closes something, USDT", [101, 100], (story, mark) => {
    move.mark(story, SOL, "100");
    recovery(story, "b2", () => undefined);
    pass(story, 1_000);
    move.beat(story);
    move.mark(story, SOL, String(mark));
    recovery(story, "b3", () => {
      move.write(story, "position.close", { symbol: SOL, positionSide: "LONG", reduceOnly: true });
      move.answer(story, "done");
    });
  }),
  widening("I14", "a mark has broken the cushion for so long, ms", [14_500, 15_500], (story, ms) => {
    held(story, { ...sol, qty: "2" });
    move.mark(story, SOL, "150");
    move.live(story, 10_000);
    move.account(story, "880", { EXCHANGE_A: "BOTH" });
    liveFor(story, ms);
    move.account(story, "881", { EXCHANGE_A: "BOTH" });
    move.account(story, "990", { EXCHANGE_A: "BOTH" });
    move.live(story, 20_000);
  }),
  widening(
    "I14",
    "somebody else's order was placed so long ago when an order of ours arrives, ms",
    [9_000, 11_000],
    (story, ms) => {
      move.mark(story, SOL, "150");
      move.mark(story, BTC, "60000");
      foreign(story, { sym: BTC, orderQty: "0.01", limitPrice: "60000", orderState: "OPEN" });
      row(story, "reconcile", { event: "external-order", orderId: "2190000000088888", symbol: BTC });
      move.account(story, "900", { EXCHANGE_A: "BOTH" });
      pass(story, ms - 400);
      orderInCushion(story);
    },
  ),
  widening(
    "I14",
    "somebody else's fill was so long ago when an order of ours arrives, ms",
    [9_000, 11_000],
    (story, ms) => {
      const wanted = { ...sol, qty: "2" };
      foreign(story, { orderQty: "2", orderState: "FILLED", executedQty: "2" });
      tag(story);
      const of = { transactionId: "2199000000044444", orderId: "2190000000088888", clientOrderId: "by-hand" };
      const terms = { ...of, side: "BUY", price: "150", fee: "0.15" };
      fact(story, "execution", { ...terms, sym: SOL, quantity: "2", rpnl: "0" });
      move.position(story, wanted, "2");
      move.mark(story, SOL, "150");
      row(story, "fill", { ...terms, symbol: SOL, qty: "2", realizedPnl: "0" });
      const holding = { leg: `${SOL}|LONG`, symbol: SOL, side: "LONG", qty: "2", avgPrice: "150" };
      row(story, "position", { ...holding, kind: "opened" });
      move.protect(story, wanted);
      move.account(story, "900", { EXCHANGE_A: "BOTH" });
      pass(story, ms - 400);
      orderInCushion(story);
    },
  ),
];

describe.each([...orders, ...money, ...life, ...cushion])(
  "$id, where $what",
  ({ id, edge: [inside, outside], play }) => {
    test(`${String(inside)} is legal, ${String(outside)} is not`, () => {
      expect([...findingsOf(history(play(inside)))]).toEqual([]);
      expect([...findingsOf(history(play(outside))).keys()]).toContain(id);
    });
  },
);
