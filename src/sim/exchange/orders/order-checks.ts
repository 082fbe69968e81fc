/**
 * Whether an order may be placed. The checks and their order are those of records §5.1 rule 7: account, symbol form,
 * supported and live, words and numbers, price, quantity, notional, then sizes and band, duplicate id, reducing,
 * margin.
 */
import { type Decimal, isMultipleOf, toWire, ZERO } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import { OPENING_LEVERAGE_MAX } from "../../../domain/competition.ts";
import {
  CLIENT_ORDER_ID_PATTERN,
  type OrderType,
  type PositionSide,
  type Side,
  type TimeInForce,
} from "../../../domain/order.ts";
import type { VenueResult } from "../contract/api.ts";
import { bandOf, gaugeOf } from "../positions/gauge.ts";
import { priceOf, qtyOf, referencePrice, valueOf } from "../state/figures.ts";
import { availableCoin, bracketOf, heldOf, leverageIn, leverageOf, walletFigures } from "../positions/margin.ts";
import { onlyReduces } from "../positions/opening.ts";
import { reducibleLots } from "../positions/positions.ts";
import { PASSED, refuse } from "../contract/refuse.ts";
import type { DuplicatePolicy } from "../contract/settings.ts";
import type { Exposure, Instrument, Order, Portfolio, Wallet, World } from "../state/state.ts";

const DAY_MS = 86_400_000;

/** The phase's instruments: fifty perpetuals of the first exchange, later all perpetuals. Document 3 §8. */
export function inUniverse(world: World, instrument: Instrument): boolean {
  if (!world.settings.enforceUniverse) return true;
  const { parts, spot, phaseOne } = instrument;
  if (spot) return false;
  return world.phase === 2 || (phaseOne && parts.exchange === world.exchanges[0]);
}

/** 401011 unless the instrument currently accepts orders. */
export function checkTradable(world: World, instrument: Instrument, portfolio: Portfolio): VenueResult<Wallet> {
  const { symbol, parts } = instrument;
  const wallet = portfolio.wallets.get(parts.exchange);
  if (wallet === undefined) return refuse(401011, `${symbol}: the portfolio has no account on ${parts.exchange}`);
  if (!inUniverse(world, instrument)) return refuse(401011, `${symbol} is not open in this phase`);
  if (instrument.state !== "live") return refuse(401011, `${symbol} is ${instrument.state}`);
  return ok(wallet);
}

/** Price of a LIMIT order in whole ticks. 401015. */
export function checkPrice(instrument: Instrument, price: Decimal): VenueResult<number> {
  const { tickSize, pricePrecision } = instrument.rules;
  if (price.decimalPlaces() > pricePrecision || !isMultipleOf(price, tickSize)) {
    const rule = `a multiple of ${toWire(tickSize)} with at most ${pricePrecision} decimals`;
    return refuse(401015, `limitPrice ${toWire(price)} must be ${rule}`);
  }
  return ok(price.div(tickSize).toNumber());
}

/** Quantity in whole lots: on the step and large enough (401015). */
export function checkQty(instrument: Instrument, qty: Decimal): VenueResult<number> {
  const { lotSize, minSize } = instrument.rules;
  if (!isMultipleOf(qty, lotSize))
    return refuse(401015, `orderQty ${toWire(qty)} must be a multiple of ${toWire(lotSize)}`);
  if (qty.lt(minSize)) return refuse(401015, `orderQty ${toWire(qty)} must be at least ${toWire(minSize)}`);
  return ok(qty.div(lotSize).toNumber());
}

/** 401017; `units` is ticks x lots at the counted price. */
export function checkNotional(instrument: Instrument, units: number): VenueResult<null> {
  if (units >= instrument.measures.minUnits) return PASSED;
  const value = valueOf(instrument, units);
  const { minNotional } = instrument.rules;
  return refuse(401017, `order value ${toWire(value)} must be at least ${toWire(minNotional)}`);
}

/** 400001: the largest quantity of the order type, and the distance of a limit from the mark price. */
export function checkBounds(
  world: World,
  instrument: Instrument,
  order: { lots: number; ticks: number | null },
): VenueResult<null> {
  const { measures } = instrument;
  if (order.lots > (order.ticks === null ? measures.maxMarketLots : measures.maxLimitLots)) {
    const { maxLimitSize, maxMarketSize } = instrument.rules;
    const max = order.ticks === null ? maxMarketSize : maxLimitSize;
    return refuse(400001, `orderQty ${toWire(qtyOf(instrument, order.lots))} must be at most ${toWire(max)}`);
  }
  const gauge = gaugeOf(instrument);
  if (order.ticks === null || gauge === null || instrument.mark === null) return PASSED;
  const band = world.settings.priceBand;
  const { lowest, highest } = bandOf(instrument, gauge, band);
  if (order.ticks >= lowest && order.ticks <= highest) return PASSED;
  const price = priceOf(instrument, order.ticks);
  return refuse(
    400001,
    `limitPrice ${toWire(price)} must be within ${toWire(band)} of the mark ${toWire(instrument.mark)}`,
  );
}

/** 400001 when a symbol already has as many open orders as it may. */
export function checkOrderCount(exposure: Exposure): VenueResult<null> {
  const { maxNumOrders } = exposure.instrument.rules;
  return exposure.open.size < maxNumOrders ? PASSED : refuse(400001, `at most ${maxNumOrders} open orders per symbol`);
}

/** 406010 by the current policy. `isOpen` says whether the earlier order with the id is still open. */
export function checkDuplicate(
  world: World,
  policy: DuplicatePolicy,
  earlier: { readonly createdAtMs: number; readonly isOpen: boolean } | null,
): VenueResult<null> {
  if (earlier === null || policy === "accept") return PASSED;
  const recent = policy === "refuse-recent" && world.nowMs - earlier.createdAtMs <= DAY_MS;
  return policy === "refuse-always" || earlier.isOpen || recent ? refuse(406010) : PASSED;
}

/** 1 to 40 letters, digits, dashes and underscores. `checkDuplicate` says whether it was used before. */
export const isClientOrderId = (text: string): boolean => CLIENT_ORDER_ID_PATTERN.test(text);

/** A new or amended order after parsing: the input of the later checks, in ticks and lots. */
export interface ParsedOrder {
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  readonly lots: number;
  /** Null for MARKET. */
  readonly ticks: number | null;
  /** The price at which it is counted: the limit, else the reference price in ticks, rounded up. */
  readonly countedTicks: number;
}

/** A reducing order needs a position (401097) of at least its own size (400001). */
export function checkReducing(exposure: Exposure, wanted: ParsedOrder): VenueResult<null> {
  if (exposure.instrument.spot || !onlyReduces(wanted)) return PASSED;
  const room = reducibleLots(exposure, wanted);
  const flat = !exposure.positions.has(wanted.positionSide);
  if (flat) return refuse(401097, "nothing to reduce");
  if (room === 0) return refuse(400001, "a reduce-only order would enlarge the position");
  if (wanted.lots <= room) return PASSED;
  return refuse(400001, `a reducing order of at most ${toWire(qtyOf(exposure.instrument, room))} is allowed here`);
}

/** Lots of the order that would open: in one-way mode those beyond the unreserved part of the position. */
export function opensLots(exposure: Exposure, wanted: ParsedOrder, except?: Order): number {
  if (onlyReduces(wanted)) return 0;
  const held = reducibleLots(exposure, wanted);
  if (held === 0) return wanted.lots;
  const { buyLots, sellLots } = exposure.tally;
  const own = except?.side === wanted.side ? except.lots - except.filledLots : 0;
  const room = held - ((wanted.side === "BUY" ? buyLots : sellLots) - own);
  return Math.max(0, wanted.lots - Math.max(0, room));
}

/** 400001: the phase's cap on opening leverage, and what the tier of the grown position allows. Records §7.5, §9.4. */
export function checkLeverage(world: World, exposure: Exposure, units: number): VenueResult<null> {
  const { instrument, wallet } = exposure;
  const leverage = leverageOf(wallet.portfolio, instrument);
  const cap = OPENING_LEVERAGE_MAX[world.phase];
  if (world.settings.enforceLeverageCap && leverage > cap) {
    return refuse(400001, `opening leverage is ${leverage}, at most ${cap} is allowed in this phase`);
  }
  if (leverage <= instrument.measures.freeLeverage) return PASSED;
  const value = heldOf(exposure).positionValue.add(valueOf(instrument, units));
  const { tier } = bracketOf(instrument.spec, value);
  if (leverage <= tier.maxLeverage) return PASSED;
  return refuse(400001, `a position of ${toWire(value)} allows leverage ${tier.maxLeverage}, it is ${leverage}`);
}

/**
 * 401023: availableMargin x leverage must cover the opening notional with its buffer. `units` is ticks x lots of the
 * opening part; `freed` is returned by an amendment.
 */
export function checkMargin(world: World, exposure: Exposure, units: number, freed: Decimal = ZERO): VenueResult<null> {
  const { instrument, wallet } = exposure;
  if (wallet.status !== "NORMAL" && wallet.status !== "MARGIN_CALL") {
    return refuse(401023, `the account is ${wallet.status} and may not open positions`);
  }
  const available = walletFigures(world, wallet).availableMargin.add(freed);
  const leverage = leverageIn(exposure);
  const needed = valueOf(instrument, units).mul(world.settings.marginBuffer);
  if (available.mul(leverage).gte(needed)) return PASSED;
  return refuse(
    401023,
    `available margin ${toWire(available)} at leverage ${leverage} does not cover ${toWire(needed)}`,
  );
}

/** 401023 for coins: a spot sale needs the coin, a spot buy the money without any discount. */
export function checkSpotFunds(world: World, exposure: Exposure, wanted: ParsedOrder): VenueResult<null> {
  const { instrument, wallet } = exposure;
  if (wanted.side === "BUY") return checkMargin(world, exposure, wanted.lots * wanted.countedTicks);
  const coin = instrument.parts.base;
  const free = availableCoin(world, wallet, coin);
  if (free.gte(instrument.lotBase.mul(wanted.lots))) return PASSED;
  return refuse(401023, `${toWire(free)} ${coin} are available`);
}

/** The reference price in ticks, rounded up; null while there is no price at all. */
export function referenceTicks(instrument: Instrument): number | null {
  const price = referencePrice(instrument);
  return price === null ? null : price.div(instrument.rules.tickSize).ceil().toNumber();
}
