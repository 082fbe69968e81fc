/**
 * The exposure if every live and in-flight order were filled at its worse price. Everything adds up for leverage. For a gap,
 * the larger side of a coin counts whole, on whichever exchanges it is held, and the smaller side with the residual that the
 * two may move apart: also if the other side is stopped, liquidated or never filled, no more can be lost. Coins are not
 * netted against each other. docs/OBJECTIVES.md has the proof and the figures.
 */
import { Decimal, maxDecimal, minDecimal, ONE, ZERO } from "../core/decimal.ts";
import { isOpening, sideOpenedBy, type PlaceOrder, remainingQty } from "../domain/order.ts";
import { positionKeyOf } from "../domain/position.ts";
import { notionalOf, type SymbolRules } from "../domain/symbol.ts";
import { coinOf, gapFor, type RiskSettings } from "./settings.ts";
import type { Draft, RiskView } from "./view.ts";

/** Side of a position; in hedge mode a symbol can have both. */
export type HeldSide = "LONG" | "SHORT";

/** Held, resting and in-flight value of one position, USDT. What cannot be valued counts as zero here. */
export interface PositionExposure {
  readonly symbol: string;
  readonly leg: HeldSide;
  readonly notionalUsdt: Decimal;
}

/** USDT. The sums exclude the symbols in `unvalued`; a check that allows something must test that list as well. */
export interface Exposure {
  /** By `positionKeyOf`. */
  readonly positions: ReadonlyMap<string, PositionExposure>;
  readonly grossUsdt: Decimal;
  /** The loss if every coin moved by its insured gap at once, including exit fees and funding. */
  readonly lossAtGapUsdt: Decimal;
  /** Symbols with a position or order that cannot be valued, because their rules or all prices are missing. */
  readonly unvalued: readonly string[];
}

/** The position that an opening order adds to. */
export const heldSideOf = (order: Pick<PlaceOrder, "side" | "positionSide">): HeldSide =>
  order.positionSide === "NONE" ? sideOpenedBy(order.side) : order.positionSide;

/** Whether the order cannot add to a position, by side, position side and reduce-only flag. */
export const isReducing = (draft: Draft): boolean => !isOpening(draft.order);

/**
 * The worst price at which an opening order may be counted: its limit, the mark with slippage, or the price it would
 * have to take. Null if no mark is known.
 */
export function worsePrice(
  order: Pick<PlaceOrder, "symbol" | "side" | "limitPrice">,
  view: RiskView,
  settings: RiskSettings,
): Decimal | null {
  const known = view.symbols.get(order.symbol);
  if (!known?.mark?.gt(0)) return null;
  const opposite = (order.side === "BUY" ? known.ask : known.bid) ?? ZERO;
  const slipped = maxDecimal(known.mark, opposite).mul(ONE.add(settings.slippage));
  return maxDecimal(slipped, order.limitPrice ?? ZERO);
}

/** A draft at its worst price, with the rules that value it. */
export interface Valued {
  readonly rules: SymbolRules;
  readonly price: Decimal;
  readonly notionalUsdt: Decimal;
}

/** The value that a draft adds at its worst price; null while rules or mark are unknown. */
export function valueOf(draft: Draft, view: RiskView, settings: RiskSettings): Valued | null {
  const rules = view.symbols.get(draft.order.symbol)?.rules;
  const price = worsePrice(draft.order, view, settings);
  return rules && price ? { rules, price, notionalUsdt: notionalOf(draft.order.qty, price, rules) } : null;
}

interface Item {
  readonly symbol: string;
  readonly leg: HeldSide;
  readonly notionalUsdt: Decimal | null;
}

function positionItems(view: RiskView): Item[] {
  return view.positions.map(({ symbol, side, qty, markPrice, avgPrice }) => {
    const known = view.symbols.get(symbol);
    const mark = maxDecimal(markPrice, known?.mark ?? ZERO);
    const price = mark.gt(0) ? mark : avgPrice;
    return {
      symbol,
      leg: side,
      notionalUsdt: known?.rules && price.gt(0) ? notionalOf(qty, price, known.rules) : null,
    };
  });
}

function orderItems(view: RiskView, settings: RiskSettings): Item[] {
  return view.openOrders.filter(isOpening).map((order) => {
    const rules = view.symbols.get(order.symbol)?.rules;
    // Where nobody watches the symbol it fills at its limit, as a position there is valued by the venue's own figures.
    const price = worsePrice(order, view, settings) ?? order.limitPrice;
    const notionalUsdt = rules && price ? notionalOf(remainingQty(order), price, rules) : null;
    return { symbol: order.symbol, leg: heldSideOf(order), notionalUsdt };
  });
}

function flightItems(view: RiskView): readonly Item[] {
  const atVenue = new Set(view.openOrders.map((order) => order.clientOrderId));
  return view.inFlight.filter((flight) => !atVenue.has(flight.clientOrderId));
}

/** Cached without a draft, because a dozen limits ask for it and a view never changes. */
const present = new WeakMap<RiskView, { readonly settings: RiskSettings; readonly exposure: Exposure }>();

/** Current exposure and, with `draft`, the exposure after it has filled. Reducing drafts subtract nothing. */
export function exposureOf(view: RiskView, settings: RiskSettings, draft?: Draft): Exposure {
  if (draft) return addedUp(view, settings, draft);
  const known = present.get(view);
  if (known?.settings === settings) return known.exposure;
  const exposure = addedUp(view, settings);
  present.set(view, { settings, exposure });
  return exposure;
}

function addedUp(view: RiskView, settings: RiskSettings, draft?: Draft): Exposure {
  const items: Item[] = [...positionItems(view), ...orderItems(view, settings), ...flightItems(view)];
  if (draft && !isReducing(draft)) {
    const { symbol } = draft.order;
    items.push({
      symbol,
      leg: heldSideOf(draft.order),
      notionalUsdt: valueOf(draft, view, settings)?.notionalUsdt ?? null,
    });
  }
  const positions = new Map<string, PositionExposure>();
  const unvalued = new Set<string>();
  for (const { symbol, leg: positionSide, notionalUsdt } of items) {
    if (notionalUsdt === null) unvalued.add(symbol);
    const before = positions.get(positionKeyOf(symbol, positionSide))?.notionalUsdt ?? ZERO;
    positions.set(positionKeyOf(symbol, positionSide), {
      symbol,
      leg: positionSide,
      notionalUsdt: before.add(notionalUsdt ?? ZERO),
    });
  }
  return { positions: positions, unvalued: [...unvalued], ...totals(positions.values(), settings) };
}

/** What is held, resting and in flight of one coin, USDT. */
interface CoinSides {
  readonly long: Decimal;
  readonly short: Decimal;
  /** All symbols of a coin have the same. */
  readonly gap: Decimal;
}

function totals(
  positions: Iterable<PositionExposure>,
  settings: RiskSettings,
): Pick<Exposure, "grossUsdt" | "lossAtGapUsdt"> {
  const coins = new Map<string, CoinSides>();
  let grossUsdt = ZERO;
  for (const { symbol, leg, notionalUsdt } of positions) {
    const coin = coinOf(symbol);
    const { long, short, gap } = coins.get(coin) ?? { long: ZERO, short: ZERO, gap: gapFor(settings, symbol) };
    coins.set(coin, {
      long: leg === "LONG" ? long.add(notionalUsdt) : long,
      short: leg === "SHORT" ? short.add(notionalUsdt) : short,
      gap,
    });
    grossUsdt = grossUsdt.add(notionalUsdt);
  }
  let lossAtGapUsdt = grossUsdt.mul(settings.exitCost);
  for (const { long, short, gap } of coins.values()) {
    const hedged = minDecimal(long, short).mul(residualOf(settings, gap));
    lossAtGapUsdt = lossAtGapUsdt.add(maxDecimal(long, short).mul(gap)).add(hedged);
  }
  return { grossUsdt, lossAtGapUsdt };
}

/** How far the two sides of a coin may move apart; never more than either of them moves. */
export const residualOf = (settings: RiskSettings, gap: Decimal): Decimal => minDecimal(settings.gapHedged, gap);

/** How much more of the other side of its coin is at stake than of its own, USDT; zero if less. */
export function unhedgedUsdt(
  { positions }: Exposure,
  { symbol, leg }: Pick<PositionExposure, "symbol" | "leg">,
): Decimal {
  const coin = coinOf(symbol);
  let unhedged = ZERO;
  for (const position of positions.values()) {
    if (coinOf(position.symbol) !== coin) continue;
    unhedged = position.leg === leg ? unhedged.sub(position.notionalUsdt) : unhedged.add(position.notionalUsdt);
  }
  return maxDecimal(ZERO, unhedged);
}
