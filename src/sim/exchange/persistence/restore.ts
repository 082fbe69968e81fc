/**
 * Restores saved accounts into a new venue. Nothing is pushed: for participants it is the same venue after a pause.
 * `endPending` ends orders that were in flight, once listeners exist, and lets ids skip ahead.
 */
import { dec, ZERO } from "../../../core/decimal.ts";
import { invariant } from "../../../core/invariant.ts";
import { isTerminal } from "../../../domain/order.ts";
import { newPortfolio, newWallet } from "../accounts/account-ops.ts";
import { isAlgoEnded, setAlgoState } from "../matching/algo-life.ts";
import type { Trigger } from "../state/algo-terms.ts";
import { type Money, Sum } from "../state/amount.ts";
import { exposureIn } from "../positions/exposure.ts";
import { idOf } from "../state/ids.ts";
import { carryIn, ledgerAccount } from "../state/ledger.ts";
import { touch } from "../positions/margin.ts";
import { joinOpen, listOpen } from "../state/open-orders.ts";
import { cancelNow } from "../matching/order-life.ts";
import type { Position } from "../state/position.ts";
import type * as saved from "./saved.ts";
import type { AlgoOrder, CounterName, Exposure, Order, Portfolio, World } from "../state/state.ts";
import { tallyIn } from "../positions/tally.ts";

const PAUSED = "the venue was restarted";

/** Whole hundred-millionths if a float can hold them, as the venue itself stores money. */
function moneyFrom(text: string): Money {
  const units = dec(text).mul(1e8);
  return units.isInteger() && units.abs().lte(Number.MAX_SAFE_INTEGER) ? units.toNumber() : dec(text);
}

function sumFrom(text: string): Sum {
  const sum = new Sum();
  sum.add(moneyFrom(text));
  return sum;
}

function exposureOf(world: World, no: number): Exposure {
  const exposure = world.exposures[no];
  invariant(exposure !== undefined, `the saved accounts name an exposure ${no} that they do not list`);
  return exposure;
}

function orderFrom(world: World, given: saved.SavedOrder): Order {
  const { x, fee, ...kept } = given;
  return {
    ...kept,
    orderId: idOf(kept.ref),
    exposure: exposureOf(world, x),
    fee: fee === null ? null : sumFrom(fee),
    countedTicks: kept.ticks ?? 0,
    talliedLots: 0,
    resting: null,
    openBefore: null,
    openNext: null,
  };
}

const triggerFrom = (given: saved.SavedTrigger | null): Trigger | null =>
  given && { ...given, price: dec(given.price) };

function algoFrom(world: World, given: saved.SavedAlgo): AlgoOrder {
  const { x, child, conditional, takeProfit, stopLoss, ...kept } = given;
  return {
    ...kept,
    exposure: exposureOf(world, x),
    child: child === null ? null : (world.orders.get(child) ?? null),
    conditional: triggerFrom(conditional),
    takeProfit: triggerFrom(takeProfit),
    stopLoss: triggerFrom(stopLoss),
  };
}

function positionFrom(given: saved.SavedPosition): Position {
  const { x, avg, fee, fundingFee, liqFee, closedPnl, ...figures } = given;
  invariant(x >= 0, "a saved position names no exposure");
  return {
    ...(figures as unknown as Position),
    avg: avg === null ? null : dec(String(avg)),
    fee: sumFrom(String(fee)),
    fundingFee: dec(String(fundingFee)),
    liqFee: dec(String(liqFee)),
    closedPnl: sumFrom(String(closedPnl)),
  };
}

function addOrders(world: World, portfolio: Portfolio, orders: readonly saved.SavedOrder[]): void {
  // The list of the account ascends.
  for (const given of [...orders].sort((a, b) => a.ref - b.ref)) {
    const order = orderFrom(world, given);
    world.orders.add(order);
    portfolio.orders.push(order.ref);
    if (order.clientOrderId !== order.orderId) portfolio.byClientId.set(order.clientOrderId, order.ref);
    if (isTerminal(order.state)) world.orders.close(order);
    else {
      joinOpen(order.exposure.open, order);
      tallyIn(order);
    }
  }
}

function addAlgos(world: World, portfolio: Portfolio, algos: readonly saved.SavedAlgo[]): void {
  for (const given of [...algos].sort((a, b) => (a.algoOrderId < b.algoOrderId ? -1 : 1))) {
    const algo = algoFrom(world, given);
    world.algosById.set(algo.algoOrderId, algo);
    portfolio.algos.push(algo);
    portfolio.algosByClientId.set(algo.clientOrderId, algo);
    if (isAlgoEnded(algo)) continue;
    portfolio.liveAlgos.add(algo);
    algo.exposure.instrument.liveAlgos.add(algo);
  }
}

function addHistory(world: World, portfolio: Portfolio, history: saved.SavedHistory): void {
  for (const { x, fee, realisedPnl, ...kept } of history.executions) {
    const money = { fee: moneyFrom(fee), realisedPnl: moneyFrom(realisedPnl) };
    portfolio.executions.add({ ...kept, exposure: exposureOf(world, x), ...money });
  }
  for (const { exchange, before, after, ...kept } of history.statements) {
    const wallet = portfolio.wallets.get(exchange);
    if (!wallet) continue;
    const line = { ...kept, wallet, before: dec(before), after: dec(after) };
    portfolio.statements.push(line as unknown as Portfolio["statements"][number]);
  }
  for (const { position, ...ended } of history.closed) {
    const exposure = exposureOf(world, position.x);
    portfolio.closedPositions.push({ ...ended, exposure, position: positionFrom(position) });
  }
  for (const [atMs, equity] of history.navs) portfolio.navs.push({ atMs, equity: dec(equity) });
}

function openSaved(world: World, given: saved.SavedPortfolio): Portfolio {
  const { accountId, teamName, feeTier, initialUsdt } = given;
  const portfolio = newPortfolio(world, {
    accountId,
    teamName,
    feeTier,
    initialUsdt: dec(initialUsdt),
    exchanges: given.wallets.map(({ exchange }) => exchange),
    mode: given.wallets[0]?.mode ?? "BOTH",
  });
  for (const { exchange, mode, coins, createdAtMs, updatedAtMs } of given.wallets) {
    const wallet = { ...newWallet(world, portfolio, exchange, mode), createdAtMs, updatedAtMs };
    for (const coin of coins) {
      if (coin !== "USDT") wallet.coins.set(coin, ledgerAccount(world.ledger, `cash/${accountId}/${exchange}`, coin));
    }
    portfolio.wallets.set(exchange, wallet);
  }
  for (const [symbol, leverage] of given.leverage) portfolio.leverage.set(symbol, leverage);
  portfolio.frozen = given.frozen;
  portfolio.eliminatedAtMs = given.eliminatedAtMs;
  world.portfolios.set(accountId, portfolio);
  world.byOwner.push(portfolio);
  return portfolio;
}

/** Throws if the saved accounts hold a symbol or exchange that this venue lacks. */
export function restoreAccounts(world: World, given: saved.Saved): void {
  world.phase = given.phase;
  Object.assign(world.counters, given.counters);
  for (const portfolio of given.portfolios) openSaved(world, portfolio);
  for (const [accountId, exchange, symbol] of given.exposures) {
    const wallet = world.portfolios.get(accountId)?.wallets.get(exchange);
    const instrument = world.instruments.get(symbol);
    invariant(
      wallet !== undefined && instrument !== undefined,
      `the saved accounts hold ${symbol}, which this venue does not have`,
    );
    exposureIn(world, wallet, instrument);
  }
  for (const [name, coin, amount] of given.balances) {
    const account = ledgerAccount(world.ledger, name, coin);
    const more = dec(amount).sub(account.balance);
    if (!more.isZero()) carryIn(world.ledger, account, moneyFrom(more.toFixed()), world.nowMs);
  }
  for (const portfolioState of given.portfolios) {
    const portfolio = world.portfolios.get(portfolioState.accountId);
    if (!portfolio) continue;
    const history = given.history.find(({ accountId }) => accountId === portfolio.accountId);
    addOrders(world, portfolio, [...(history?.orders ?? []), ...portfolioState.openOrders]);
    addAlgos(world, portfolio, [...(history?.algos ?? []), ...portfolioState.liveAlgos]);
    if (history) addHistory(world, portfolio, history);
    for (const position of portfolioState.positions) {
      const made = positionFrom(position);
      exposureOf(world, position.x).positions.set(made.side, made);
    }
    const { trades, units, closed, won, skipClosed } = portfolioState.scored;
    portfolio.scored = { trades, closed, won, skipClosed, units: new Map() };
    for (const [symbol, sum] of units) {
      const instrument = world.instruments.get(symbol);
      if (instrument) portfolio.scored.units.set(instrument, sumFrom(sum));
    }
  }
  for (const exposure of world.exposures) touch(exposure);
  invariant(
    [...world.ledger.accounts.values()].reduce((sum, { balance }) => sum.add(balance), ZERO).isZero(),
    "the saved balances do not add up to zero",
  );
}

/** More ids than a venue gives in the seconds that a power cut takes from its file. */
const SKIPPED_IDS = 1_000;

/**
 * Ends orders and algo orders that were in flight, which a restarted venue cannot continue. Its ids skip ahead: a client may
 * know orders that a power cut took from the venue, and no other order may be given their ids.
 */
export function endPending(world: World): void {
  for (const counter of Object.keys(world.counters) as CounterName[]) world.counters[counter] += SKIPPED_IDS;
  for (const { open } of world.exposures) for (const order of listOpen(open)) cancelNow(world, order, "SYSTEM", PAUSED);
  for (const algo of world.algosById.values()) {
    if (algo.state === "PENDING_NEW") setAlgoState(world, algo, "NEW");
    else if (algo.state === "PENDING_CANCEL") setAlgoState(world, algo, "CANCELLED");
    else if (algo.state === "PROCESSING") setAlgoState(world, algo, "FAILED", PAUSED);
  }
}
