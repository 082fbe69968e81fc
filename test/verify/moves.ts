/** What an honest agent and venue write of each step of a run: the words from which the stories are reported. */
import {
  algoIdOf,
  type Body,
  BTC,
  CONFIG,
  type Entry,
  ETH,
  fact,
  fillIdOf,
  frame,
  hashOfParams,
  nextId,
  orderIdOf,
  pass,
  row,
  SOL,
  type Story,
} from "./story.ts";

export const RULES: Record<string, { tick: string; lot: string; minNotional: string; contractSize: string }> = {
  [BTC]: { tick: "0.1", lot: "0.001", minNotional: "5", contractSize: "1" },
  [ETH]: { tick: "0.01", lot: "0.01", minNotional: "5", contractSize: "1" },
  [SOL]: { tick: "0.001", lot: "0.1", minNotional: "5", contractSize: "1" },
};
export const MARK: Record<string, string> = { [BTC]: "60000", [ETH]: "3000", [SOL]: "150" };

export interface BootOptions {
  readonly positions?: readonly { leg: string; qty: string }[];
  readonly config?: Body;
}

export function boot(story: Story, name: string, { positions = [], config = CONFIG }: BootOptions = {}): void {
  story.boot = name;
  story.bootedMs = story.nowMs - 5;
  row(story, "boot", { boot: name, pid: 7, strategy: "momentum" });
  row(story, "config", { file: "agent.yaml", config });
  pass(story, 900);
  row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs - 700, positions, changes: [], orders: 0 });
  pass(story, 100);
  row(story, "boot", { boot: name, ready: true, strategy: "momentum" });
}

export const SESSION: Body = {
  status: "ACTIVE",
  symbols: [BTC, ETH, SOL],
  maxNotionalPerOrder: "400",
  maxTotalNotional: "20000",
  usedNotional: "0",
  allowedActions: ["order.place", "order.replace", "order.cancel"],
  allowedOrderTypes: ["LIMIT", "MARKET"],
  stoppedAtMs: null,
};

export function session(story: Story, id = "ras_1", change: Body = {}): string {
  const terms = {
    ...SESSION,
    automationSessionId: id,
    createdAtMs: story.nowMs,
    expiresAtMs: story.nowMs + 86_400_000,
  };
  row(story, "session", { event: "started", session: { ...terms, ...change } });
  return id;
}

export const beat = (story: Story): Entry =>
  row(story, "beat", { stage: "ready", floor: "NORMAL", streams: { market: true, user: true, news: true } });

/** Beats at their rhythm over a span. */
export function live(story: Story, ms: number): void {
  for (let spent = 0; spent + 10_000 <= ms; spent += 10_000) {
    pass(story, 10_000);
    beat(story);
  }
}

export function account(story: Story, equity = "1000", modes: Body = { EXCHANGE_A: "BOTH" }): Body {
  return fact(story, "account", { equity, maintainMargin: "0", modes });
}

/** What the service reports a symbol before the first order in it. */
export function symbol(story: Story, sym: string, leverage = "2"): void {
  const { tick, lot, minNotional, contractSize } = RULES[sym] ?? {
    tick: "1",
    lot: "1",
    minNotional: "5",
    contractSize: "1",
  };
  fact(story, "leverage", { sym, leverage });
  fact(story, "rules", { accountId: null, sym, tickSize: tick, lotSize: lot, minNotional, contractSize });
}

export function setLeverage(story: Story, sym: string, leverage = 2): void {
  write(story, "position.set-leverage", { symbol: sym, leverage });
  pass(story, 20);
  frame(story, "POST /api/v1/trading/position/leverage", { sym, leverage });
  pass(story, 30);
  answer(story, "done");
}

export interface WriteOptions {
  readonly decisionId?: string | null;
  readonly sessionId?: string | null;
  readonly seen?: Body | null;
  /** What a session counts; reserved before the row when there is a session. */
  readonly reserve?: string;
}

/** Preview, reservation and wire-out row of one write. */
export function write(story: Story, action: string, params: Body, options: WriteOptions = {}): Entry {
  const { decisionId = null, sessionId = null, seen = null, reserve } = options;
  const previewId = nextId(story, "rpv").replaceAll("-", "_");
  const paramsHash = hashOfParams(params);
  const clientOrderId =
    typeof params["clientOrderId"] === "string" && /place$/.test(action) ? params["clientOrderId"] : null;
  const common = {
    previewId,
    action,
    params,
    paramsHash,
    runtime: `daemon-${story.boot}`,
    automationSessionId: sessionId,
    clientOrderId,
  };
  row(story, "preview", { ...common, expiresAtMs: story.nowMs + 300_000 }, decisionId);
  pass(story, 5);
  if (sessionId !== null && reserve !== undefined)
    row(
      story,
      "session",
      { event: "reserved", automationSessionId: sessionId, previewId, notional: reserve },
      decisionId,
    );
  return row(story, "wire-out", { ...common, decisionId, seen }, decisionId);
}

/** The row with the venue's answer to the last write. */
export function answer(story: Story, outcome: string, reply: Body | null = null): Entry {
  const out = story.entries.findLast((entry) => entry.kind === "wire-out");
  const { previewId, action, clientOrderId } = out?.body ?? {};
  return row(
    story,
    "wire-in",
    { previewId, action, clientOrderId, outcome, message: outcome, reply },
    out?.decisionId ?? null,
  );
}

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

/** Decision, verdict and intent: what stands before a write. */
export function promise(story: Story, wanted: Wanted): { id: string; decisionId: string; params: Body } {
  const decisionId = wanted.decisionId ?? nextId(story, "d");
  if (wanted.decisionId === undefined) {
    row(story, "decision", { trigger: ["cadence"], strategy: "momentum" }, decisionId);
    row(
      story,
      "decision",
      { by: "momentum", kind: "wishes", note: "", targets: [{ symbol: wanted.symbol }] },
      decisionId,
    );
  }
  const id = nextId(story, "i");
  const hedge = wanted.hedge ?? true;
  const opening = wanted.reduce !== true;
  const side = sideOf(wanted);
  row(story, "verdict", { clientOrderId: id, symbol: wanted.symbol, side, kind: "approved", verdicts: [] }, decisionId);
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
      stopPrice: "1",
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

export function position(story: Story, { symbol: sym, leg: positionSide, hedge = true }: Wanted, qty: string): Body {
  const signed = !hedge && positionSide === "SHORT" && qty !== "0" ? `-${qty}` : qty;
  return fact(story, "position", {
    sym,
    positionSide: hedge ? positionSide : "NONE",
    positionQty: signed,
    avgPrice: "1",
    leverage: "2",
  });
}

export const mark = (story: Story, sym: string, price: string): Body =>
  fact(story, "mark", { accountId: null, sym, mark: price });

export interface Stop {
  readonly algoOrderId: string;
  readonly id: string;
  readonly wanted: Wanted;
}

/** A stop for a position, from the row to the venue's list. */
export function protect(story: Story, wanted: Wanted, qty = wanted.qty): Stop {
  const id = nextId(story, "p");
  const stopPrice = "55000";
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
    conditionalTriggerPrice: "55000",
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

/** A question to a model with its money, up to the answer. */
export function ask(story: Story, decisionId: string, costUsd = "0.002"): string {
  const attemptId = nextId(story, "ask");
  row(story, "question", { prompt: "llm-trader", fingerprint: "f" }, decisionId);
  row(
    story,
    "model-reserve",
    { attemptId, decisionId, purpose: "decision", model: "m-1", atMs: story.nowMs, boundUsd: "0.01" },
    decisionId,
  );
  pass(story, 10);
  const startedMs = story.nowMs;
  pass(story, 800);
  story.charges.push({
    seq: story.charges.length + 1,
    startedMs,
    atMs: story.nowMs,
    model: "m-1",
    requestId: attemptId,
    costUsd,
  });
  pass(story, 20);
  row(story, "model-settle", { attemptId, atMs: story.nowMs, costUsd, how: "actual" });
  question(story, decisionId, attemptId, { costUsd });
  return attemptId;
}

/** The row of an answer. */
export function question(story: Story, decisionId: string, attempt: string, change: Body = {}): Entry {
  const outcome = {
    kind: "answered",
    model: "m-1",
    cached: false,
    costUsd: "0",
    promptHash: "h",
    attempt,
    key: "k-1",
    ...change,
  };
  return row(story, "question", { prompt: "llm-trader", fingerprint: "f", outcome }, decisionId);
}
