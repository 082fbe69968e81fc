/**
 * What is at stake if everything that is live or in flight were filled at its worse price. Nothing is netted between
 * symbols; the two positions of one symbol add up for leverage, and the larger one counts for a gap.
 */
import { Decimal, maxDecimal, ONE, ZERO } from "../core/decimal.ts";
import { isOpening, sideOpenedBy, type PlaceOrder, remainingQty } from "../domain/order.ts";
import { positionKeyOf } from "../domain/position.ts";
import { notionalOf, type SymbolRules } from "../domain/symbol.ts";
import { gapFor, type RiskSettings } from "./settings.ts";
import type { Draft, RiskView } from "./view.ts";

/** Of a symbol; in hedge mode both may be held at once. */
export type HeldSide = "LONG" | "SHORT";

/** What is held, resting and in flight of one position, USDT. What cannot be valued counts as zero here. */
export interface PositionExposure {
  readonly symbol: string;
  readonly leg: HeldSide;
  readonly notionalUsdt: Decimal;
}

/** USDT. The sums lack what `unvalued` names: whoever allows something by them must look there as well. */
export interface Exposure {
  /** By `positionKeyOf`. */
  readonly positions: ReadonlyMap<string, PositionExposure>;
  readonly grossUsdt: Decimal;
  /** What the insured gap on every symbol at once would cost, with fees and funding to get out. */
  readonly lossAtGapUsdt: Decimal;
  /** Symbols that are held or ordered but cannot be valued, because their rules or every price are missing. */
  readonly unvalued: readonly string[];
}

/** The position that an opening order adds to. */
export const heldSideOf = (order: Pick<PlaceOrder, "side" | "positionSide">): HeldSide =>
  order.positionSide === "NONE" ? sideOpenedBy(order.side) : order.positionSide;

/** By side, position side and reduce-only, not by what is held: the order cannot add to a position. */
export const isReducing = (draft: Draft): boolean => !isOpening(draft.order);

/**
 * The worse of the prices at which an opening order may be counted: its limit, the mark with slippage, and the price it
 * would have to take. Null when no mark is known.
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

/** A draft at its worse price, with the rules that value it. */
export interface Valued {
  readonly rules: SymbolRules;
  readonly price: Decimal;
  readonly notionalUsdt: Decimal;
}

/** What a draft adds, at its worse price; null while rules or mark are not known. */
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
    const price = worsePrice(order, view, settings);
    const notionalUsdt = rules && price ? notionalOf(remainingQty(order), price, rules) : null;
    return { symbol: order.symbol, leg: heldSideOf(order), notionalUsdt };
  });
}

function flightItems(view: RiskView): readonly Item[] {
  const atVenue = new Set(view.openOrders.map((order) => order.clientOrderId));
  return view.inFlight.filter((flight) => !atVenue.has(flight.clientOrderId));
}

/** Without a draft: a dozen limits ask for it, and a view never changes. */
const present = new WeakMap<RiskView, { readonly settings: RiskSettings; readonly exposure: Exposure }>();

/** Everything at stake now and, with `draft`, after it has filled. Reducing drafts take nothing away here. */
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
  return { positions: positions, unvalued: [...unvalued], ...totals(positions.values(), view, settings) };
}

function totals(
  positions: Iterable<PositionExposure>,
  view: RiskView,
  settings: RiskSettings,
): Pick<Exposure, "grossUsdt" | "lossAtGapUsdt"> {
  const worst = new Map<string, Decimal>();
  let grossUsdt = ZERO;
  for (const { symbol, notionalUsdt } of positions) {
    worst.set(symbol, maxDecimal(worst.get(symbol) ?? ZERO, notionalUsdt));
    grossUsdt = grossUsdt.add(notionalUsdt);
  }
  let lossAtGapUsdt = grossUsdt.mul(settings.exitCost);
  for (const [symbol, notionalUsdt] of worst) {
    lossAtGapUsdt = lossAtGapUsdt.add(notionalUsdt.mul(gapIn(view, settings, symbol)));
  }
  return { grossUsdt, lossAtGapUsdt };
}

/** The gap of a symbol as the view states it, else as the settings do. Never below the settings' figure. */
export const gapIn = (view: RiskView, settings: RiskSettings, symbol: string): Decimal =>
  maxDecimal(view.symbols.get(symbol)?.gap ?? ZERO, gapFor(settings, symbol));
