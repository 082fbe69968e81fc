/** Exposure at the venue at one moment, counting every live and in-flight order as filled at its worse price. */
import { abs, add, gt, max, mul, neg, NIL, type Num, num, show, sub, sum } from "./decimal.ts";
import { text } from "./fields.ts";
import { addsExposure, left, ONE, type AccountState } from "./venue-view.ts";
import type { Frame } from "./outside.ts";
import type { VenueOrder } from "./venue-facts.ts";

/** The positions if every resting and in-flight order filled, in USDT. */
export interface Exposure {
  /** Sum of the absolute values of all positions and pending openings, USDT. */
  readonly gross: Num;
  /** Worst net value by symbol, USDT; absolute. */
  readonly bySymbol: ReadonlyMap<string, Num>;
  /** By coin, on all exchanges together: what could be held long and what short, USDT. */
  readonly byCoin: ReadonlyMap<string, CoinSides>;
}

export interface CoinSides {
  readonly long: Num;
  readonly short: Num;
}

/** `coming`: opening frames that have arrived and are not yet orders. */
export function exposureOf(standing: AccountState, coming: readonly Frame[]): Exposure {
  const net = new Map<string, { net: Num; buys: Num; sells: Num; price: Num }>();
  const grossParts: Num[] = [];
  const at = (symbol: string): { net: Num; buys: Num; sells: Num; price: Num } => {
    const known = net.get(symbol) ?? { net: NIL, buys: NIL, sells: NIL, price: NIL };
    net.set(symbol, known);
    return known;
  };
  for (const [key, qty] of standing.positions) {
    const symbol = key.split("|")[0] ?? "";
    const value = mul(mul(qty, markIn(standing, symbol)), sizeIn(standing, symbol));
    at(symbol).net = add(at(symbol).net, value);
    grossParts.push(abs(value));
  }
  for (const order of comingOrders(standing, coming)) {
    const value = mul(mul(order.qty, max(order.price, markIn(standing, order.symbol))), sizeIn(standing, order.symbol));
    const side = at(order.symbol);
    if (order.side === "BUY") side.buys = add(side.buys, value);
    else side.sells = add(side.sells, value);
    grossParts.push(value);
  }
  const worst = [...net].map(([symbol, { net: held, buys, sells }]): [string, Num] => [
    symbol,
    max(abs(add(held, buys)), abs(add(held, neg(sells)))),
  ]);
  return { gross: sum(grossParts), bySymbol: new Map(worst), byCoin: sidesByCoin(net) };
}

type Reach = ReadonlyMap<string, { readonly net: Num; readonly buys: Num; readonly sells: Num }>;

function sidesByCoin(reach: Reach): ReadonlyMap<string, CoinSides> {
  const coins = new Map<string, CoinSides>();
  for (const [symbol, { net, buys, sells }] of reach) {
    const { long, short } = coins.get(coinOf(symbol)) ?? { long: NIL, short: NIL };
    coins.set(coinOf(symbol), {
      long: add(long, max(NIL, add(net, buys))),
      short: add(short, max(NIL, sub(sells, net))),
    });
  }
  return coins;
}

/** The name of the coin within a symbol. */
export const coinOf = (symbol: string): string => symbol.split("_").at(-2) ?? symbol;

const markIn = ({ marks }: AccountState, symbol: string): Num => marks.get(symbol) ?? NIL;
const sizeIn = ({ rules }: AccountState, symbol: string): Num => rules.get(symbol)?.contractSize ?? ONE;

interface Coming {
  readonly symbol: string;
  readonly side: string;
  readonly qty: Num;
  readonly price: Num;
}

function comingOrders({ orders }: AccountState, frames: readonly Frame[]): readonly Coming[] {
  const resting = [...orders.values()].filter(addsExposure);
  const known = new Set(resting.map(({ clientOrderId }) => clientOrderId));
  const flying = frames.filter(({ params }) => !known.has(text(params, "clientOrderId") ?? ""));
  return [
    ...resting.map((order: VenueOrder) => ({
      symbol: order.symbol,
      side: order.side,
      qty: left(order),
      price: order.price ?? NIL,
    })),
    ...flying.map(({ params }) => ({
      symbol: text(params, "sym") ?? "",
      side: text(params, "side") ?? "",
      qty: num(params["orderQty"]) ?? NIL,
      price: num(params["limitPrice"]) ?? NIL,
    })),
  ];
}

/** In words, for findings. */
export const exposureText = ({ gross, bySymbol }: Exposure): string =>
  `${show(gross)} USDT (${[...bySymbol]
    .filter(([, value]) => gt(value, NIL))
    .map(([symbol, value]) => `${symbol} ${show(value)}`)
    .join(", ")})`;
