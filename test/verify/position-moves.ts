/** What an honest agent and venue write of a position: its stop, the watch over its price, its close. */
import {
  algoIdOf,
  type Body,
  type Entry,
  fact,
  fillIdOf,
  frame,
  nextId,
  orderIdOf,
  pass,
  row,
  type Story,
} from "./story.ts";
import { live } from "./run-moves.ts";
import { write, answer } from "./write-moves.ts";
import {
  type Wanted,
  type Placed,
  sideOf,
  place,
  order,
  fill,
  position,
  positionKeyOf,
  stopOf,
} from "./order-moves.ts";

export interface Stop {
  readonly algoOrderId: string;
  readonly id: string;
  readonly wanted: Wanted;
}

/** A stop for a position, from the row to the venue's list. */
export function protect(story: Story, wanted: Wanted, qty = wanted.qty): Stop {
  const id = nextId(story, "p");
  const stopPrice = stopOf(wanted);
  row(story, "protection", { leg: positionKeyOf(wanted), clientOrderId: id, stopPrice, targetPrice: null, qty });
  const side = wanted.leg === "LONG" ? "SELL" : "BUY";
  const leg = (wanted.hedge ?? true) ? { positionSide: wanted.leg } : {};
  write(story, "algo.place", {
    algoType: "TPSL",
    symbol: wanted.symbol,
    side,
    ...leg,
    quantity: qty,
    reduceOnly: true,
    conditionType: "CONDITIONAL",
    triggerPrice: stopPrice,
    triggerType: "MARK_PRICE",
    clientOrderId: id,
  });
  pass(story, 40);
  frame(story, "POST /api/v1/algo/order", {
    algoOrderType: "TPSL",
    sym: wanted.symbol,
    clientOrderId: id,
    conditionType: "CONDITIONAL",
    side,
    orderQty: qty,
    ...leg,
    reduceOnly: true,
    conditionalTriggerPrice: stopPrice,
    conditionalTriggerType: "MARK_PRICE",
  });
  const stop = { algoOrderId: algoIdOf(story), id, wanted };
  algo(story, stop, "NEW");
  pass(story, 40);
  answer(story, "done", { algoOrderId: stop.algoOrderId });
  pass(story, 200);
  row(story, "protection", {
    leg: positionKeyOf(wanted),
    algoOrderId: stop.algoOrderId,
    standing: true,
    stopPrice,
    unprotectedMs: 400,
  });
  return stop;
}

export function algo(story: Story, { algoOrderId, id, wanted }: Stop, state: string): Body {
  const side = wanted.leg === "LONG" ? "SELL" : "BUY";
  const positionSide = (wanted.hedge ?? true) ? wanted.leg : "NONE";
  return fact(story, "algo", {
    algoOrderId,
    clientOrderId: id,
    sym: wanted.symbol,
    side,
    positionSide,
    orderQty: wanted.qty,
    orderState: state,
    conditionalTriggerPrice: stopOf(wanted),
    slTriggerPrice: "",
  });
}

/** A row that says: the price of that position is watched for so long. */
export const supervise = (story: Story, wanted: Wanted, forMs: number): void =>
  void row(story, "protection", {
    leg: positionKeyOf(wanted),
    supervised: true,
    stopPrice: "140",
    untilMs: story.nowMs + forMs,
  });

/** A position with a stop for a part of it, whose price was watched until an outage of half a minute, which is over. */
export function partThroughOutage(story: Story, wanted: Wanted): void {
  const placed = place(story, wanted);
  pass(story, 100);
  fill(story, placed, { held: wanted.qty });
  protect(story, { ...wanted, qty: "0.4" });
  supervise(story, wanted, 21_000);
  live(story, 20_000);
  fact(story, "faults", { accountId: null, on: ["maintenance"] });
  live(story, 30_000);
  fact(story, "faults", { accountId: null, on: [] });
}

/** The venue's market close of a position, from the row to flat; its protection goes with it. */
export function close(story: Story, wanted: Wanted, stop: Stop | null): Placed {
  const hedge = wanted.hedge ?? true;
  const leg = hedge ? { positionSide: wanted.leg } : {};
  row(story, "order", { close: positionKeyOf(wanted), why: "the strategy is done", qty: wanted.qty });
  write(story, "position.close", { symbol: wanted.symbol, ...leg, reduceOnly: true });
  pass(story, 30);
  frame(story, "DELETE /api/v1/trading/position", { sym: wanted.symbol, ...leg });
  const orderId = orderIdOf(story);
  const placed: Placed = {
    id: orderId,
    orderId,
    decisionId: "",
    wanted: { ...wanted, reduce: true },
    out: story.entries.at(-1) as Entry,
  };
  order(story, placed, "NEW", "0");
  const transactionId = fillIdOf(story);
  const common = {
    transactionId,
    orderId,
    clientOrderId: orderId,
    side: sideOf(placed.wanted),
    price: wanted.price,
    fee: "0.01",
  };
  order(story, placed, "FILLED", wanted.qty);
  fact(story, "execution", { ...common, sym: wanted.symbol, quantity: wanted.qty, rpnl: "0.5" });
  position(story, wanted, "0");
  pass(story, 40);
  answer(story, "done", { orderId });
  row(story, "fill", {
    ...common,
    symbol: wanted.symbol,
    qty: wanted.qty,
    realizedPnl: "0.5",
    liquidity: "TAKER",
    atMs: story.nowMs,
  });
  row(story, "position", {
    leg: positionKeyOf(wanted),
    symbol: wanted.symbol,
    side: wanted.leg,
    qty: "0",
    avgPrice: wanted.price,
    kind: "closed",
  });
  if (stop) {
    pass(story, 500);
    write(story, "algo.cancel", { algoOrderId: stop.algoOrderId });
    pass(story, 30);
    frame(story, "DELETE /api/v1/algo/order", { algoOrderId: stop.algoOrderId });
    algo(story, stop, "CANCELLED");
    pass(story, 30);
    answer(story, "done");
  }
  return placed;
}
