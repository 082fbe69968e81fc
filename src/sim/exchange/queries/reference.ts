/** Market reference data: symbol rules, funding, marks, brackets and the borrowing tables. Spec: records §9. */
import { toWire } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import type { VenueResult, WirePage, WireRecord } from "../contract/api.ts";
import { discountOf } from "../positions/margin.ts";
import { inUniverse } from "../orders/order-checks.ts";
import { badField, isAbsent, readInstrument } from "../orders/read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Instrument, World } from "../state/state.ts";
import { page } from "./paging.ts";

function symbolRecord(instrument: Instrument): WireRecord {
  const { rules, parts, spec, spot } = instrument;
  const original = spec.originalSymbol ?? `${parts.base}${parts.quote}`;
  return {
    sym: instrument.symbol,
    originalSymbol: original,
    state: instrument.state,
    pricePrecision: String(rules.pricePrecision),
    qtyPrecision: String(rules.qtyPrecision),
    tickSize: spec.tickSizeText ?? toWire(rules.tickSize),
    lotSize: toWire(rules.lotSize),
    minSize: toWire(rules.minSize),
    minNotional: toWire(rules.minNotional),
    maxLimitSize: toWire(rules.maxLimitSize),
    maxMarketSize: toWire(rules.maxMarketSize),
    maxNumOrders: String(rules.maxNumOrders),
    contractSize: toWire(rules.contractSize),
    defaultLeverage: spot ? "1" : String(rules.defaultLeverage),
    safeLeverage: spot ? "1" : String(rules.defaultLeverage),
    liquidationFee: instrument.liquidationFee.toFixed(6),
  };
}

function chosen(world: World, sym: string | undefined): VenueResult<Instrument[]> {
  if (isAbsent(sym)) return ok([...world.instruments.values()]);
  const found: Instrument[] = [];
  for (const name of sym.split(",")) {
    const instrument = readInstrument(world, name.trim());
    if (!instrument.ok) return instrument;
    found.push(instrument.value);
  }
  return ok(found);
}

const keyed = (instruments: readonly Instrument[], data: (instrument: Instrument) => unknown): WireRecord =>
  Object.fromEntries(instruments.map((instrument) => [instrument.symbol, data(instrument)]));

/** Keyed by symbol, even for a single one. */
export function symbolInfo(world: World, request: RequestOf<"symbolInfo">): VenueResult<WireRecord> {
  const found = chosen(world, request.sym);
  return found.ok ? ok(keyed(found.value, symbolRecord)) : found;
}

/** For one symbol, which is required; spot returns 400001. The rate is a fraction for the interval. Records §9.2. */
export function fundingRate(world: World, request: RequestOf<"symbolInfo">): VenueResult<readonly WireRecord[]> {
  const instrument = readInstrument(world, request.sym);
  if (!instrument.ok) return isAbsent(request.sym) ? badField("sym", request.sym, "a symbol") : instrument;
  if (instrument.value.spot) return refuse(400001, "spot has no funding");
  const { symbol, fundingRate: rate, nextFundingAtMs } = instrument.value;
  return ok([
    {
      sym: symbol,
      fundingRate: toWire(rate),
      fundingTime: String(world.nowMs),
      nextFundingTime: String(nextFundingAtMs),
    },
  ]);
}

/** All perpetuals with a mark price, unless one symbol is given. */
export function markPrices(world: World, request: RequestOf<"symbolInfo">): VenueResult<readonly WireRecord[]> {
  const found = chosen(world, request.sym);
  if (!found.ok) return found;
  return ok(
    found.value.flatMap(({ symbol, spot, mark, markAtMs }) =>
      spot || mark === null
        ? []
        : [{ publicChannelTypeEnum: "MARK_PRICE", sym: symbol, markPrice: toWire(mark), time: markAtMs }],
    ),
  );
}

function bracketRows(instrument: Instrument): WireRecord[] {
  const { brackets } = instrument.spec;
  return brackets.map((tier, i) => ({
    sym: instrument.symbol,
    minNotionalValue: toWire(tier.minNotional),
    maxNotionalValue: toWire(brackets[i + 1]?.minNotional ?? tier.minNotional.mul(10).add(100_000_000)),
    maxLeverage: String(tier.maxLeverage),
    mmRate: toWire(tier.maintenanceRate),
    riskLevel: String(i + 1),
  }));
}

/** By symbol, only perpetuals. The last tier's upper bound is invented, because the wire requires one. Records §9.4. */
export function positionBrackets(world: World, request: RequestOf<"symbolInfo">): VenueResult<WireRecord> {
  const found = chosen(world, request.sym);
  return found.ok
    ? ok(
        keyed(
          found.value.filter(({ spot }) => !spot),
          bracketRows,
        ),
      )
    : found;
}

/** Coins that could be borrowed: the base coins per exchange. Borrowing itself is not available. */
function coinsOf(world: World, request: RequestOf<"marginLeverage">): { exchange: string; coin: string }[] {
  const seen = new Map<string, { exchange: string; coin: string }>();
  for (const instrument of world.instruments.values()) {
    const { exchange, base } = instrument.parts;
    if (!isAbsent(request.exchangeType) && request.exchangeType !== exchange) continue;
    if (!isAbsent(request.coin) && request.coin !== base) continue;
    if (inUniverse(world, instrument)) seen.set(`${exchange}|${base}`, { exchange, coin: base });
  }
  return [...seen.values()];
}

/** One invented tier per coin: only the form matters, because nothing can be borrowed. Records §9.5. */
export function loanInfo(world: World, request: RequestOf<"marginLeverage">): WireRecord {
  return Object.fromEntries(
    coinsOf(world, request).map(({ exchange, coin }) => [
      `${exchange}_MARGIN_${coin}_USDT`,
      {
        exchangeType: exchange,
        coin,
        tiers: [{ tier: "1", minSize: "0", maxSize: "50", mmRate: "0.05", maxLeverage: "5" }],
      },
    ]),
  );
}

/** Keyed by coin, including USDT; the exchange filter is ignored. Records §9.5. */
export function coinDiscounts(world: World, request: RequestOf<"marginLeverage">): WireRecord {
  const coins = new Set(["USDT", ...coinsOf(world, {}).map(({ coin }) => coin)]);
  return Object.fromEntries(
    [...coins]
      .filter((coin) => isAbsent(request.coin) || request.coin === coin)
      .map((coin) => [coin, { coin, discount: toWire(discountOf(world, coin)) }]),
  );
}

/** A fixed leverage of 3 for every coin, in pages of 1,000 by default. Records §9.5. */
export function marginLeverages(world: World, request: RequestOf<"marginLeverage">): VenueResult<WirePage> {
  return page(coinsOf(world, request), request, {
    defaultSize: 1000,
    record: ({ exchange, coin }) => ({ coin, exchangeType: exchange, leverage: "3" }),
  });
}
