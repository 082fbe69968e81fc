/** The faults that a seed may draw, each with the parameters it may have. Names are those of the simulated service. */
import type { Entropy } from "../../src/core/entropy.ts";

export interface DrawnFault {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** About a hundred USDT of each base that seeds trade, in base units. */
export const HUNDRED_USDT: Readonly<Record<string, string>> = {
  BTC: "0.002",
  ADA: "400",
  LAB: "160",
  LINK: "12",
  QNT: "1.5",
  JST: "2400",
  XLM: "640",
  SKY: "1600",
};

export interface Dish {
  readonly name: string;
  /** How often beside the others. */
  readonly weight: number;
  params(chance: Draw): Readonly<Record<string, unknown>>;
}

/** Draws under one reason, so that a plan reads as a list of choices. */
export interface Draw {
  one<T>(of: readonly T[]): T;
  int(min: number, max: number): number;
  float(min: number, max: number): number;
  often(probability: number): boolean;
  readonly bases: readonly string[];
}

export function drawFrom(entropy: Entropy, bases: readonly string[]): Draw {
  return {
    one: <T>(of: readonly T[]): T => {
      const [first] = of;
      if (first === undefined) throw new RangeError("nothing to choose from");
      return of[entropy.int("seed:choice", 0, of.length)] ?? first;
    },
    int: (min, max) => entropy.int("seed:int", min, max + 1),
    float: (min, max) => Number((min + entropy.next("seed:float") * (max - min)).toFixed(4)),
    often: (probability) => entropy.chance("seed:chance", probability),
    bases,
  };
}

const share = (draw: Draw): number => draw.one([0.2, 0.5, 1]);
const none = (): Readonly<Record<string, unknown>> => ({});
const PATHS = ["", "", "/trading/order", "/trading/algo", "/trading/position", "/account"] as const;
const restMatch = (draw: Draw): Readonly<Record<string, unknown>> => ({ path: draw.one(PATHS), share: share(draw) });
const channel = (draw: Draw): Readonly<Record<string, unknown>> => ({
  channel: draw.one(["*", "BBO", "ORDER_BOOK", "MARK_PRICE", "TRADE"]),
});

const someBase = (draw: Draw): Readonly<Record<string, unknown>> => {
  const symbol = draw.one(draw.bases);
  return { symbol, orderQty: HUNDRED_USDT[symbol] ?? "1" };
};

const dish = (name: string, weight: number, params: Dish["params"] = none): Dish => ({ name, weight, params });

export const MENU: readonly Dish[] = [
  dish("drop-before-apply", 3, restMatch),
  dish("drop-after-apply", 3, restMatch),
  dish("rest-delay", 3, (draw) => ({
    ...restMatch(draw),
    beforeMs: draw.one([0, 500, 3_000, 12_000]),
    afterMs: draw.one([0, 500, 3_000, 12_000]),
  })),
  dish("duplicate-delivery", 2, restMatch),
  dish("server-error", 2, (draw) => ({
    ...restMatch(draw),
    status: draw.one([500, 502, 504]),
    applied: draw.often(0.5),
  })),
  dish("html-body", 1, restMatch),
  dish("cut-json", 1, restMatch),
  dish("rate-limit-burst", 2, (draw) => ({ ...restMatch(draw), retryAfterSec: draw.one([0, 1, 5, 20]) })),
  dish("read-lag", 3, (draw) => ({ lagMs: draw.one([500, 2_000, 5_000, 15_000]) })),
  dish("schema-drift", 1, (draw) => ({
    ...restMatch(draw),
    kind: draw.one(["extra-field", "number-for-text", "exponent", "huge-number"]),
  })),
  dish("key-revoked", 1, (draw) => ({ status: draw.one(["disabled", "frozen"]) })),
  dish("stalled-body", 2, restMatch),
  dish("mute", 2, channel),
  dish("freeze", 2, channel),
  dish("market-drop", 1, channel),
  dish("market-duplicate", 1, channel),
  dish("market-reorder", 1, channel),
  dish("corrupt-gzip", 1, (draw) => ({ kind: draw.one(["flip", "cut"]), share: 0.1 })),
  dish("gzip-bomb", 1, () => ({ megabytes: 5, share: 0.005 })),
  dish("oversize-frame", 1, () => ({ megabytes: 2, share: 0.005 })),
  dish("bad-price", 2, (draw) => ({
    kind: draw.one(["tenfold", "zero", "negative", "nan"]),
    share: draw.one([0.05, 0.3, 1]),
  })),
  dish("market-burst", 1, (draw) => ({ copies: draw.one([2, 8]) })),
  dish("half-open", 2, (draw) => ({ existing: true, fresh: draw.often(0.3) })),
  dish("market-disconnect", 2, (draw) => ({ everyMs: draw.one([0, 4_000]) })),
  dish("subscription-refused", 1, (draw) => ({ symbol: "*", channel: draw.one(["*", "ORDER_BOOK"]) })),
  dish("push-drop", 3, (draw) => ({ share: share(draw), channel: draw.one(["*", "Orders", "Trades", "Positions"]) })),
  dish("push-duplicate", 2, (draw) => ({ share: share(draw) })),
  dish("push-reorder", 3, (draw) => ({ holdMs: draw.one([300, 1_500, 6_000]), share: draw.one([0.3, 0.7]) })),
  dish("unknown-state", 2, (draw) => ({ share: share(draw), bare: draw.often(0.4) })),
  dish("login-refused", 1),
  dish("user-disconnect", 3, (draw) => ({ everyMs: draw.one([0, 3_000]) })),
  dish("action-lost", 2, (draw) => ({ applied: draw.often(0.6), share: share(draw) })),
  dish("external-order", 2, (draw) => ({
    ...someBase(draw),
    ...draw.one([
      { side: "BUY", positionSide: "LONG" },
      { side: "SELL", positionSide: "SHORT" },
      { side: "SELL", positionSide: "LONG" },
    ]),
  })),
  dish("news-flood", 1, (draw) => ({ perMinute: draw.one([60, 600]) })),
  dish("news-late", 1, (draw) => ({ shiftMs: draw.one([-21_600_000, 3_600_000]), missing: draw.often(0.3) })),
  dish("news-disconnect", 1, (draw) => ({ everyMs: draw.one([0, 5_000]) })),
  dish("news-429", 1),
  dish("news-edited", 1, () => ({ afterMs: 5_000 })),
  dish("hostile-news", 1, (draw) => ({ everyMs: 3_000, base: draw.one(draw.bases) })),
  dish("model-lost", 1, (draw) => ({ how: draw.one(["lost", "stalled"]), share: share(draw) })),
  dish("model-garbage", 1, (draw) => ({
    reply: draw.one(["prose", "garbage", "cut", "empty", "wrong-shape", "fenced"]),
  })),
  dish("model-over-budget", 1),
  dish("model-529", 1, (draw) => ({ status: draw.one([500, 503, 529]) })),
  dish("model-missing-usage", 1),
  dish("model-wrong-model", 1),
  dish("model-slow", 1, (draw) => ({ extraMs: draw.one([3_000, 30_000]) })),
  dish("model-key-expired", 1),
  dish("model-spend-lag", 1),
  dish("model-rate-limit", 1),
  dish("reject-late", 2, (draw) => ({ afterMs: draw.one([200, 1_500]), share: draw.one([0.3, 1]) })),
  dish("cancel-then-fill", 2, (draw) => ({ cancelMs: draw.one([200, 1_000, 4_000]) })),
  dish("maintenance", 2, (draw) => ({ cutStreams: draw.often(0.7) })),
  dish("clock-skew", 1, (draw) => ({ ms: draw.one([-90_000, -4_000, 4_000, 90_000]) })),
  dish("ghost-fill", 3, (draw) => ({
    answerLostAfterMs: draw.one([0, 800]),
    deniedMs: draw.one([2_000, 10_000]),
    share: share(draw),
  })),
  dish("price-gap", 3, (draw) => ({
    symbol: draw.one(["*", ...draw.bases]),
    move: draw.one([-1, 1]) * draw.float(0.005, 0.1),
    overMs: draw.one([250, 2_000]),
    ...(draw.often(0.4) ? { reboundAfterMs: 3_000, reboundOverMs: 2_000 } : {}),
  })),
  dish("halted-symbol", 1, (draw) => ({ symbol: draw.one(draw.bases) })),
  dish("leverage-reset", 2, (draw) => ({ leverage: draw.one([10, 20, 50]), now: draw.often(0.5) })),
];

/** The steps of the symbols that seeds trade are multiples of these; rules that are coarser by a factor still fit them. */
const COARSER: Readonly<Record<string, { readonly tickSize: string; readonly lotSize: string }>> = {
  BTC: { tickSize: "10", lotSize: "0.01" },
  ADA: { tickSize: "0.01", lotSize: "50" },
  LAB: { tickSize: "0.01", lotSize: "50" },
  LINK: { tickSize: "0.1", lotSize: "5" },
  QNT: { tickSize: "1", lotSize: "1" },
  JST: { tickSize: "0.001", lotSize: "500" },
  XLM: { tickSize: "0.001", lotSize: "100" },
  SKY: { tickSize: "0.001", lotSize: "200" },
};

const coarser = (draw: Draw): Readonly<Record<string, unknown>> => {
  const symbol = draw.one(draw.bases);
  const { tickSize, lotSize } = COARSER[symbol] ?? { tickSize: "1", lotSize: "1" };
  return { symbol, ...draw.one([{ tickSize }, { lotSize }, { minNotional: "150" }, { tickSize, lotSize }]) };
};

const HEADLINES = [
  "Regulator approves the first fund of its kind",
  "Exchange halts withdrawals after a breach",
  "Foundation denies rumours of a sale",
] as const;

const RECORD_FIELDS = ["", "orderId", "clientOrderId", "orderState", "executedQty", "positionQty", "sym"] as const;
const WRITES = ["POST", "PUT", "DELETE"] as const;
const someSymbol = (draw: Draw): string => draw.one(["*", ...draw.bases]);

/**
 * What came to the menu later. A seed draws from here by a source of its own, because one more dish up there would change
 * what every seed stands for.
 */
export const MORE: readonly Dish[] = [
  dish("schema-drift", 4, (draw) => ({
    ...restMatch(draw),
    kind: draw.one(["duplicate-key", "duplicate-key", "missing-field"]),
    field: draw.one(RECORD_FIELDS),
  })),
  dish("rule-change", 2, coarser),
  dish("price-wave", 2, (draw) => ({
    symbol: someSymbol(draw),
    swing: draw.one([0.0005, 0.004, 0.03]),
    halfMs: draw.one([700, 3_000, 10_000]),
  })),
  dish("news-item", 1, (draw) => ({ title: draw.one(HEADLINES), base: draw.one(draw.bases) })),
  dish("duplicate-policy", 2, (draw) => ({
    policy: draw.one(["refuse-always", "refuse-recent", "refuse-while-open", "accept"]),
  })),
  dish("corrupt-gzip", 1, (draw) => ({ ...channel(draw), kind: draw.one(["flip", "cut"]), share: share(draw) })),
  dish("gzip-bomb", 1, (draw) => ({ ...channel(draw), megabytes: 5, share: 0.02 })),
  dish("bad-price", 1, (draw) => ({
    kind: draw.one(["thousandfold", "thirty-percent"]),
    share: draw.one([0.05, 1]),
  })),
  dish("mute", 1, (draw) => ({ ...channel(draw), symbol: someSymbol(draw) })),
  dish("server-error", 1, (draw) => ({ methods: WRITES, share: 1, status: 503, applied: draw.often(0.5) })),
  dish("drop-after-apply", 1, () => ({ methods: WRITES, share: 1 })),
  dish("stalled-body", 1, () => ({ methods: WRITES, share: 1 })),
];

/** A price on the coarsest tick of the symbol, at a share of what it is worth in seeds. */
function priceAt(symbol: string, share: number): string {
  const tick = Number(COARSER[symbol]?.tickSize ?? "1");
  return String(Number((Math.round(((100 / Number(HUNDRED_USDT[symbol] ?? "1")) * share) / tick) * tick).toFixed(8)));
}

const external = (draw: Draw, kind: "LIMIT" | "stop"): Readonly<Record<string, unknown>> => {
  const symbol = draw.one(draw.bases);
  const order = { symbol, orderQty: HUNDRED_USDT[symbol] ?? "1", side: "BUY", positionSide: "LONG" };
  return kind === "LIMIT"
    ? { ...order, orderType: "LIMIT", limitPrice: priceAt(symbol, draw.one([0.8, 0.99, 1.2])) }
    : { ...order, slTriggerPrice: priceAt(symbol, draw.one([0.9, 1.1])) };
};

/** What came after that, from a third source. */
export const LATEST: readonly Dish[] = [
  dish("duplicate-delivery", 3, (draw) => ({
    path: "/trading/order",
    methods: ["POST"],
    share: share(draw),
    afterMs: draw.one([500, 1_200, 3_000, 8_000]),
  })),
  dish("external-order", 2, (draw) => external(draw, "LIMIT")),
  dish("external-order", 1, (draw) => external(draw, "stop")),
];

/** How often each fault comes in a seed of the kind `account`; those of the other menus that are not here never do. */
const ABOUT_ACCOUNT: Readonly<Record<string, number>> = {
  "read-lag": 5,
  "push-drop": 3,
  "push-reorder": 4,
  "push-duplicate": 1,
  "external-order": 2,
  "unknown-state": 2,
  "halted-symbol": 1,
  maintenance: 2,
  "drop-before-apply": 1,
  "drop-after-apply": 2,
  "action-lost": 2,
  "stalled-body": 1,
  "rest-delay": 2,
  "duplicate-delivery": 1,
  "ghost-fill": 2,
  "reject-late": 1,
  "cancel-then-fill": 1,
  "rule-change": 2,
  "user-disconnect": 2,
  "key-revoked": 1,
  "schema-drift": 1,
  "price-gap": 2,
  "price-wave": 2,
};

export const ACCOUNT: readonly Dish[] = [...MENU, ...MORE, ...LATEST].flatMap((other) => {
  const weight = ABOUT_ACCOUNT[other.name];
  return weight === undefined ? [] : [{ ...other, weight }];
});

/** Fields that the documents do not promise in pushes, by channel. */
const UNPROMISED = [
  { channel: "Orders", fields: ["updateAt"] },
  { channel: "Orders", fields: ["updateAt", "positionSide"] },
  { channel: "Trades", fields: ["rpnl"] },
  { channel: "Trades", fields: ["createAt"] },
  { channel: "Trades", fields: ["rpnl", "createAt", "fee"] },
] as const;

/** What a seed of the kind `apart` draws from. */
export const APART: readonly Dish[] = [
  ...ACCOUNT,
  dish("sparse-push", 12, (draw) => ({ ...draw.one(UNPROMISED), share: draw.one([0.5, 1]) })),
];

/** What a seed of the kind `midnight` draws from: its owner, and whoever runs the competition, are at work besides. */
export const MIDNIGHT: readonly Dish[] = [
  ...ACCOUNT,
  dish("external-cancel", 6, (draw) => ({ what: draw.one(["orders", "stops", "stops", "positions"]) })),
];

export function drawFault(draw: Draw, menu: readonly Dish[] = MENU): DrawnFault {
  const total = menu.reduce((sum, { weight }) => sum + weight, 0);
  let left = draw.int(0, total - 1);
  const found = menu.find(({ weight }) => (left -= weight) < 0) ?? menu[0];
  if (!found) throw new RangeError("the menu is empty");
  return { name: found.name, params: found.params(draw) };
}
