/** Account, assets, trading statistics and fee rates. Spec: records §4. */
import { sumDecimals, toWire, ZERO } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import { accountRecord, assetRecord } from "../records/account-record.ts";
import type { VenueResult, WirePage, WireRecord } from "../contract/api.ts";
import { money, valueOf } from "../state/figures.ts";
import { badField, isAbsent } from "../orders/read-request.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Portfolio, World } from "../state/state.ts";
import { matches, page, readWindow, within } from "./paging.ts";

/** One record for each exchange account of the portfolio. Records §4.1. */
export const accounts = (world: World, portfolio: Portfolio): readonly WireRecord[] =>
  [...portfolio.wallets.values()].map((wallet) => accountRecord(world, wallet));

/**
 * One row for each coin that an exchange account has ever held, even if its balance is zero. Pages of 1,000 by default.
 * Records §4.4.
 */
export function assets(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"portfolioAssets">,
): VenueResult<WirePage> {
  const rows = [...portfolio.wallets.values()]
    .filter(({ exchange }) => isAbsent(request.exchangeType) || request.exchangeType === exchange)
    .flatMap((wallet) => [...wallet.coins.keys()].map((coin) => ({ wallet, coin })));
  return page(rows, request, { defaultSize: 1000, record: ({ wallet, coin }) => assetRecord(world, wallet, coin) });
}

/** Executed amounts in USDT; `begin` and `end` are epoch seconds. */
export function tradingStats(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"tradingStats">,
): VenueResult<WireRecord> {
  for (const field of ["begin", "end"] as const) {
    if (!/^\d{1,10}$/.test(request[field])) return badField(field, request[field], "epoch seconds (10 digits) as text");
  }
  const window = readWindow(`${request.begin}000`, `${request.end}999`);
  if (!window.ok) return window;
  const executed = portfolio.executions
    .since(window.value.fromMs, world.exposures)
    .filter(({ atMs, exposure }) => within(window.value, atMs) && matches(exposure.instrument, request));
  const total = (type: string, exchange?: string) =>
    sumDecimals(
      executed
        .filter(({ exposure }) => {
          const { parts } = exposure.instrument;
          return parts.type === type && (exchange === undefined || parts.exchange === exchange);
        })
        .map(({ exposure, ticks, lots }) => valueOf(exposure.instrument, ticks * lots)),
    );
  const details = [...portfolio.wallets.keys()].flatMap((exchange) =>
    (["SPOT", "PERP"] as const)
      .map((businessType) => ({ exchange, businessType, executedAmount: total(businessType, exchange) }))
      .filter(({ executedAmount }) => executedAmount.gt(ZERO))
      .map((row) => ({ ...row, executedAmount: money(row.executedAmount) })),
  );
  const { begin, end } = request;
  return ok({ begin, end, allSpot: money(total("SPOT")), allPerp: money(total("PERP")), details });
}

const ratesOf = (world: World, type: "SPOT" | "PERP") =>
  type === "SPOT" ? world.settings.spotFees : world.settings.perpFees;

/** Perpetuals and spot of each exchange account; the rates do not depend on the tier label. Records §4.6. */
export const userFeeRates = (world: World, portfolio: Portfolio): readonly WireRecord[] =>
  [...portfolio.wallets.keys()].flatMap((exchangeType) =>
    (["PERP", "SPOT"] as const).map((businessType) => ({
      exchangeType,
      businessType,
      takerFeeRate: toWire(ratesOf(world, businessType).taker),
      makerFeeRate: toWire(ratesOf(world, businessType).maker),
      level: portfolio.feeTier,
      groupList: null,
    })),
  );

/** The server decides whether the key may ask (main key). Records §4.7. */
export function brokerFeeRates(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"brokerFeeRate">,
): readonly WireRecord[] {
  const ids = isAbsent(request.portfolioIds) ? [portfolio.accountId] : request.portfolioIds.split(",");
  const effDate = new Date(world.nowMs).toISOString().slice(0, 10);
  return ids
    .flatMap((id) => world.portfolios.get(id.trim()) ?? [])
    .flatMap((found) => [...found.wallets.keys()].map((exchange) => ({ found, exchange })))
    .filter(({ exchange }) => isAbsent(request.exchange) || request.exchange === exchange)
    .flatMap(({ found, exchange }) =>
      (["PERP", "SPOT"] as const)
        .filter((type) => isAbsent(request.instType) || request.instType.toUpperCase() === type)
        .map((type) => ({
          portfolioId: found.accountId,
          exchange,
          instType: type.toLowerCase(),
          effDate,
          maker: toWire(ratesOf(world, type).maker),
          taker: toWire(ratesOf(world, type).taker),
        })),
    );
}
