/** What an honest agent and venue write of an order: decision and intent, placement, states, fills, the end, a cancel. */
import { type Body, type Entry, fact, fillIdOf, frame, nextId, orderIdOf, pass, row, type Story } from "./story.ts";
import { RULES, MARK, account } from "./run-moves.ts";
import { write, answer } from "./write-moves.ts";

export interface Wanted {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly qty: string;
  readonly price: string;
  readonly resting?: boolean;
  readonly counted?: readonly string[];
  readonly equity?: string;
  readonly hedge?: boolean;
  readonly reduce?: boolean;
  readonly via?: "rest" | "stream";
  readonly sessionId?: string;
  readonly asked?: boolean;
  readonly decisionId?: string;
}

export interface Placed {
  readonly id: string;
  readonly orderId: string;
  readonly decisionId: string;
  readonly wanted: Wanted;
  readonly out: Entry;
}

export const sideOf = ({ leg: positionSide, reduce = false }: Wanted): "BUY" | "SELL" =>
  (positionSide === "LONG") === !reduce ? "BUY" : "SELL";
export const positionKeyOf = ({ symbol: sym, leg: positionSide }: Pick<Wanted, "symbol" | "leg">): string =>
  `${sym}|${positionSide}`;

export function seen(story: Story, wanted: Wanted): Body {
  return {
    atMs: story.nowMs,
    phase: 1,
    floor: "NORMAL",
    hedgeMode: wanted.hedge ?? true,
    equityUsdt: wanted.equity ?? "1000",
    bookAgeMs: 240,
    markAgeMs: 900,
    accountAgeMs: 6_000,
    clockUncertaintyMs: 40,
    leverage: 2,
    leverageAgeMs: 20_000,
    mark: MARK[wanted.symbol],
    rules: RULES[wanted.symbol],
    counted: wanted.counted ?? [],
  };
}

/** The distance at which every decision of these stories wants its stop. */
const DISTANCE = 0.03;
const SLIPPAGE = 0.002;

/** Where the stop of an opening stands: at the decision's distance from the best price that its limit was made from. */
export function stopOf({ symbol, leg, price, resting = false }: Wanted): string {
  const tick = Number(RULES[symbol]?.tick ?? "1");
  const slip = resting ? 0 : SLIPPAGE;
  const long = leg === "LONG";
  const exact = long ? (Number(price) / (1 + slip)) * (1 - DISTANCE) : (Number(price) / (1 - slip)) * (1 + DISTANCE);
  return String(Number(((long ? Math.ceil(exact / tick) : Math.floor(exact / tick)) * tick).toFixed(8)));
}

/** Decision, verdict and intent: what stands before a write. */
export function promise(story: Story, wanted: Wanted): { id: string; decisionId: string; params: Body } {
  const decisionId = wanted.decisionId ?? nextId(story, "d");
  if (wanted.decisionId === undefined) {
    row(story, "decision", { trigger: ["cadence"], strategy: "momentum" }, decisionId);
    row(
      story,
      "decision",
      {
        by: "momentum",
        kind: "wishes",
        note: "",
        wishes: [{ symbol: wanted.symbol, leg: wanted.leg, stopDistance: DISTANCE }],
      },
      decisionId,
    );
  }
  const id = nextId(story, "i");
  const hedge = wanted.hedge ?? true;
  const opening = wanted.reduce !== true;
  const side = sideOf(wanted);
  const stopPrice = opening ? stopOf(wanted) : null;
  const verdicts = opening ? [{ limit: "protection", kind: "allow", found: stopPrice }] : [];
  row(story, "verdict", { clientOrderId: id, symbol: wanted.symbol, side, kind: "approved", verdicts }, decisionId);
  const order = { symbol: wanted.symbol, side, qty: wanted.qty, limitPrice: wanted.price, clientOrderId: id };
  row(
    story,
    "intent",
    {
      event: "open",
      intentId: id,
      clientOrderId: id,
      decisionId,
      symbol: wanted.symbol,
      opening,
      leg: wanted.leg,
      order,
      stopPrice,
      targetPrice: null,
    },
    decisionId,
  );
  const params: Body = {
    symbol: wanted.symbol,
    side,
    ...(hedge ? { positionSide: wanted.leg } : {}),
    orderType: "LIMIT",
    price: wanted.price,
    quantity: wanted.qty,
    ...(wanted.resting ? { postOnly: true } : { timeInForce: "IOC" }),
    ...(!opening && !hedge ? { reduceOnly: true } : {}),
    clientOrderId: id,
  };
  return { id, decisionId, params };
}

const timesText = (a: string, b: string): string => String(Number((Number(a) * Number(b)).toFixed(8)));

/** The frame of a placed order, as the venue receives it. */
export function placeFrame(story: Story, params: Body, via: "rest" | "stream" = "rest"): Body {
  const {
    symbol: sym,
    side,
    positionSide,
    orderType,
    price,
    quantity,
    postOnly,
    timeInForce,
    reduceOnly,
    clientOrderId,
  } = params;
  const wire = {
    sym,
    side,
    ...(positionSide === undefined ? {} : { positionSide }),
    orderType,
    orderQty: quantity,
    limitPrice: price,
    timeInForce: postOnly === true ? "GTX" : timeInForce,
    clientOrderId,
    ...(reduceOnly === true ? { reduceOnly: "TRUE" } : {}),
  };
  return frame(story, via === "rest" ? "POST /api/v1/trading/order" : "place_order", wire);
}

/** From the decision to the venue's acceptance; the order then stands at the venue as NEW. */
export function place(story: Story, wanted: Wanted): Placed {
  const { id, decisionId, params } = promise(story, wanted);
  pass(story, 5);
  const opening = wanted.reduce !== true;
  const out = write(story, "order.place", params, {
    decisionId,
    ...(opening
      ? {
          sessionId: wanted.sessionId ?? "ras_1",
          seen: seen(story, wanted),
          reserve: timesText(wanted.qty, wanted.price),
        }
      : {}),
  });
  pass(story, 20);
  placeFrame(story, params, wanted.via);
  const orderId = orderIdOf(story);
  pass(story, 10);
  const placed = { id, orderId, decisionId, wanted, out };
  order(story, placed, "NEW", "0");
  pass(story, 30);
  answer(story, "done", { orderId });
  return placed;
}

/** A state of an order at the venue. */
export function order(story: Story, { id, orderId, wanted }: Placed, state: string, executedQty: string): Body {
  const hedge = wanted.hedge ?? true;
  return fact(story, "order", {
    orderId,
    clientOrderId: id,
    algoOrderId: null,
    sym: wanted.symbol,
    side: sideOf(wanted),
    positionSide: hedge ? wanted.leg : "NONE",
    exchangeOrderType: "LIMIT",
    orderQty: wanted.qty,
    limitPrice: wanted.price,
    orderState: state,
    executedQty,
    reduceOnly: !hedge && wanted.reduce === true ? "TRUE" : "FALSE",
  });
}

export interface Filled {
  readonly qty?: string;
  readonly of?: string;
  /** What the position holds afterwards. */
  readonly held: string;
  readonly kind?: "opened" | "resized" | "closed";
  readonly equity?: string;
}

/** An execution with everything that both sides write of it. */
export function fill(story: Story, placed: Placed, filled: Filled): Entry {
  const { wanted } = placed;
  const qty = filled.qty ?? wanted.qty;
  const executed = filled.of ?? wanted.qty;
  const whole = executed === wanted.qty;
  const transactionId = fillIdOf(story);
  const fee = timesText(timesText(qty, wanted.price), "0.0005");
  const common = {
    transactionId,
    orderId: placed.orderId,
    clientOrderId: placed.id,
    side: sideOf(wanted),
    price: wanted.price,
    fee,
  };
  order(story, placed, whole ? "FILLED" : "PARTIALLY_FILLED", executed);
  fact(story, "execution", { ...common, sym: wanted.symbol, quantity: qty, rpnl: "0" });
  position(story, wanted, filled.held);
  account(story, filled.equity ?? "1000", { EXCHANGE_A: (wanted.hedge ?? true) ? "BOTH" : "NET" });
  pass(story, 60);
  if (whole) ended(story, placed, "FILLED", executed);
  const made = row(
    story,
    "fill",
    { ...common, symbol: wanted.symbol, qty, realizedPnl: "0", liquidity: "TAKER", atMs: story.nowMs - 60 },
    placed.decisionId,
  );
  row(
    story,
    "position",
    {
      leg: positionKeyOf(wanted),
      symbol: wanted.symbol,
      side: wanted.leg,
      qty: filled.held,
      avgPrice: wanted.price,
      stopPrice: filled.held === "0" || wanted.reduce ? null : stopOf(wanted),
      kind: filled.kind ?? "opened",
    },
    placed.decisionId,
  );
  return made;
}

/** The rows of an order that is over. */
export function ended(
  story: Story,
  { id, orderId, decisionId, wanted }: Placed,
  state: string,
  executedQty: string,
): void {
  row(story, "intent", { event: "end", intentId: id, how: "terminal", orderId, state, executedQty }, decisionId);
  row(
    story,
    "order",
    { clientOrderId: id, symbol: wanted.symbol, orderId, ended: true, state, qty: wanted.qty, executedQty, why: "" },
    decisionId,
  );
}

export function position(story: Story, wanted: Wanted, qty: string): Body {
  const { symbol: sym, leg: positionSide, hedge = true } = wanted;
  const signed = !hedge && positionSide === "SHORT" && qty !== "0" ? `-${qty}` : qty;
  return fact(story, "position", {
    sym,
    positionSide: hedge ? positionSide : "NONE",
    positionQty: signed,
    avgPrice: wanted.price,
    leverage: "2",
  });
}

/** The request to cancel a resting order, up to the venue's acceptance. */
export function askCancel(story: Story, { id, decisionId }: Placed): void {
  row(story, "order", { cancel: id, why: "it rested long enough" }, decisionId);
  write(story, "order.cancel", { clientOrderId: id }, { decisionId });
  pass(story, 30);
  frame(story, "DELETE /api/v1/trading/order", { clientOrderId: id });
  pass(story, 30);
  answer(story, "done");
}

export function cancelled(story: Story, placed: Placed, executedQty = "0"): void {
  order(story, placed, "CANCELLED", executedQty);
  pass(story, 50);
  ended(story, placed, "CANCELLED", executedQty);
}
