/** Positions, their history, leverage settings and ADL ranks. Spec: records §7. */
import { ok } from "../../../core/result.ts";
import { closesSign, isAlgoEnded } from "../matching/algo-life.ts";
import { adlRankOf } from "../risk/adl.ts";
import { algoRecord } from "../records/algo-record.ts";
import type { VenueResult, WirePage, WireRecord } from "../contract/api.ts";
import { leverageOf, walletFigures } from "../positions/margin.ts";
import { positionHistoryRecord, positionRecord } from "../records/position-record.ts";
import { isAbsent, readInstrument } from "../orders/read-request.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Instrument, Portfolio, World } from "../state/state.ts";
import { matches, newestFirst, page, readWindow, within } from "./paging.ts";

/** A given symbol must be valid. */
function checkFilter(world: World, request: RequestOf<"positions">): VenueResult<null> {
  if (isAbsent(request.sym)) return ok(null);
  const instrument = readInstrument(world, request.sym);
  return instrument.ok ? ok(null) : instrument;
}

function positionsOf(
  portfolio: Portfolio,
  request: RequestOf<"positions">,
): { exposure: Exposure; position: Position }[] {
  return [...portfolio.wallets.values()]
    .flatMap((wallet) => [...wallet.exposures.values()])
    .filter(({ instrument }) => matches(instrument, request))
    .flatMap((exposure) => [...exposure.positions.values()].map((position) => ({ exposure, position })));
}

function protectionOf(exposure: Exposure, position: Position): readonly WireRecord[] {
  return [...exposure.instrument.liveAlgos]
    .filter(
      (algo) =>
        algo.exposure === exposure &&
        algo.positionSide === position.side &&
        !isAlgoEnded(algo) &&
        (closesSign(algo) === 0 || closesSign(algo) === Math.sign(position.lots)),
    )
    .map(algoRecord);
}

/**
 * Only open positions, each with the live algo orders that would close it. 401011 for an unknown symbol. Records §7.1.
 */
export function positions(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"positions">,
): VenueResult<readonly WireRecord[]> {
  const passed = checkFilter(world, request);
  if (!passed.ok) return passed;
  return ok(
    positionsOf(portfolio, request).map(({ exposure, position }) =>
      positionRecord(exposure, position, {
        figures: walletFigures(world, exposure.wallet),
        protection: protectionOf(exposure, position),
      }),
    ),
  );
}

/** Positions that have ended, by the time of their end. */
export function positionHistory(portfolio: Portfolio, request: RequestOf<"openOrders">): VenueResult<WirePage> {
  const window = readWindow(request.begin, request.end);
  if (!window.ok) return window;
  const closed = newestFirst(
    portfolio.closedPositions,
    ({ exposure, position }) => matches(exposure.instrument, request) && within(window.value, position.updatedAtMs),
  );
  return page(closed, request, { defaultSize: 100, record: positionHistoryRecord });
}

/** The setting of every perpetual on the portfolio's exchanges, held or not. Records §7.5. */
export function leverages(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"positions">,
): VenueResult<readonly WireRecord[]> {
  const passed = checkFilter(world, request);
  if (!passed.ok) return passed;
  const shown = (instrument: Instrument): boolean =>
    !instrument.spot && portfolio.wallets.has(instrument.parts.exchange) && matches(instrument, request);
  return ok(
    [...world.instruments.values()]
      .filter(shown)
      .map((instrument) => ({ sym: instrument.symbol, leverage: String(leverageOf(portfolio, instrument)) })),
  );
}

/** One row for each open position; `adl.ts` computes the rank. Records §7.6. */
export function adlRanks(world: World, portfolio: Portfolio, request: RequestOf<"positions">): VenueResult<WireRecord> {
  const passed = checkFilter(world, request);
  if (!passed.ok) return passed;
  const adlRanks = positionsOf(portfolio, request).map(({ exposure, position }) => ({
    sym: exposure.instrument.symbol,
    adlRank: adlRankOf(exposure, position),
    positionId: position.positionId,
    positionSide: position.side,
  }));
  return ok({ adlRanks });
}
