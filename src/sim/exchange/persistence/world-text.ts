/**
 * The state as one text in a fixed order, so that two runs can be compared byte by byte. It omits derived figures,
 * listeners, and the position of the random source.
 */
import { toWire } from "../../../core/decimal.ts";
import { accountRecord } from "../records/account-record.ts";
import { algoRecord } from "../records/algo-record.ts";
import { viewBook } from "../book/book.ts";
import { dumpLedger } from "../state/ledger.ts";
import { walletFigures } from "../positions/margin.ts";
import { ordersOf } from "../orders/find-order.ts";
import { executionRecord, orderRecord } from "../records/order-record.ts";
import { positionHistoryRecord, positionRecord } from "../records/position-record.ts";
import type { Instrument, Portfolio, World } from "../state/state.ts";
import { statementRecord } from "../records/statements.ts";

function instrumentText(instrument: Instrument): unknown {
  const { symbol, state, mark, index, lastTicks, openInterest, fundingRate, nextFundingAtMs, book } = instrument;
  return {
    symbol,
    state,
    mark: mark && toWire(mark),
    index: index && toWire(index),
    lastTicks,
    openInterest: openInterest && toWire(openInterest),
    fundingRate: toWire(fundingRate),
    nextFundingAtMs,
    book: viewBook(book),
  };
}

const scoredText = ({ scored }: Portfolio): unknown => ({
  ...scored,
  units: [...scored.units].map(([{ symbol }, units]) => [symbol, toWire(units.value)]),
});

function portfolioText(world: World, portfolio: Portfolio): unknown {
  const wallets = [...portfolio.wallets.values()];
  return {
    accountId: portfolio.accountId,
    frozen: portfolio.frozen,
    eliminatedAtMs: portfolio.eliminatedAtMs,
    scored: scoredText(portfolio),
    accounts: wallets.map((wallet) => accountRecord(world, wallet)),
    marginCalls: wallets.map(({ marginCallAtMs }) => marginCallAtMs),
    leverage: [...portfolio.leverage],
    positions: wallets.flatMap((wallet) =>
      [...wallet.exposures.values()].flatMap((exposure) =>
        [...exposure.positions.values()].map((position) =>
          positionRecord(exposure, position, { figures: walletFigures(world, wallet), protection: [] }),
        ),
      ),
    ),
    orders: ordersOf(world, portfolio, -Infinity).map(orderRecord),
    algos: portfolio.algos.map(algoRecord),
    executions: portfolio.executions
      .since(-Infinity, world.exposures)
      .map((execution) => executionRecord(world, execution)),
    statements: portfolio.statements.map(statementRecord),
    closed: portfolio.closedPositions.map(positionHistoryRecord),
    navs: portfolio.navs.map(({ atMs, equity }) => [atMs, toWire(equity)]),
  };
}

/** Implements `Exchange.snapshot`. Visits the whole history, so it is for comparing runs and not for every step. */
export function worldText(world: World): string {
  return JSON.stringify({
    nowMs: world.nowMs,
    phase: world.phase,
    settings: world.settings,
    counters: world.counters,
    steps: world.steps,
    instruments: [...world.instruments.values()].map(instrumentText),
    portfolios: [...world.portfolios.values()].map((portfolio) => portfolioText(world, portfolio)),
    ledger: dumpLedger(world.ledger),
  });
}
