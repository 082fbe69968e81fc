/**
 * The simulated venue as one synchronous object: the same symbols, settings and commands give the same bytes. It knows
 * neither sockets nor clocks; `servers/` speaks for it and `market/` moves its prices. Spec: document 1; records §15.
 */
import { overridable } from "../../core/overridable.ts";
import { ok } from "../../core/result.ts";
import * as operate from "./account-ops.ts";
import * as algos from "./algo-orders.ts";
import { algoRecord } from "./algo-record.ts";
import type * as api from "./api.ts";
import { viewBook } from "./book.ts";
import { amendOrder, cancelAllOrders, cancelOrder } from "./change-order.ts";
import { nextDueAtMs, runTo, settle } from "./clockwork.ts";
import { closeAllPositions, closePosition } from "./close-position.ts";
import { priceOf } from "./figures.ts";
import { findOrder } from "./find-order.ts";
import { dumpLedger } from "./ledger.ts";
import { numberOf } from "./ids.ts";
import { marketInput } from "./market-input.ts";
import { type ExchangeOptions, newWorld } from "./world.ts";
import { orderRecord } from "./order-record.ts";
import { placeOrder } from "./place.ts";
import { handOut } from "./push.ts";
import * as accountLists from "./queries/account-lists.ts";
import * as algoLists from "./queries/algo-lists.ts";
import * as orderLists from "./queries/order-lists.ts";
import * as positionLists from "./queries/position-lists.ts";
import * as ranking from "./queries/ranking.ts";
import * as reference from "./queries/reference.ts";
import { refuse } from "./refuse.ts";
import { endPending, restoreAccounts } from "./restore.ts";
import { createSaver } from "./save.ts";
import type { Saved } from "./saved.ts";
import { scoreboard } from "./scoreboard.ts";
import { rollOver } from "./roll-over.ts";
import type { HouseRules } from "./settings.ts";
import type { AlgoOrder, Portfolio, World } from "./state.ts";
import { rejectOnArrival } from "./steps.ts";
import { worldText } from "./world-text.ts";

export type { ExchangeOptions } from "./world.ts";

type Do<Request, Data> = (portfolio: Portfolio, request: Request) => api.Answer<Data>;

/** Processes the consequences of the work, and delivers the news. */
function finish(world: World, nowMs: number, wrote = false): void {
  settle(world);
  runTo(world, nowMs);
  world.commit?.(wrote);
  handOut(world);
}

/** Advances the world to `nowMs`, does the work, and finishes it. */
function during<Value>(world: World, nowMs: number, work: () => Value, wrote = false): Value {
  runTo(world, nowMs);
  const value = work();
  finish(world, nowMs, wrote);
  return value;
}

/** Why an account may not write; null if it may. */
function barOf({ frozen, eliminatedAtMs }: Portfolio): api.Answer<never> | null {
  if (eliminatedAtMs !== null) return refuse(100041, "the account was eliminated, and can only be read");
  return frozen ? refuse(100041) : null;
}

/**
 * Makes commands of functions that take a portfolio. An eliminated account can still read; its `writes` return 100041.
 */
function commands(world: World) {
  const command =
    <Request, Data>(writes: boolean, work: Do<Request, Data>): api.Command<Request, Data> =>
    (accountId, request, nowMs) => {
      runTo(world, nowMs);
      const portfolio = world.portfolios.get(accountId);
      const barred = writes && portfolio !== undefined ? barOf(portfolio) : null;
      const answer = portfolio === undefined ? refuse(100018) : (barred ?? work(portfolio, request));
      finish(world, nowMs, writes);
      return answer;
    };
  return {
    read: <Request, Data>(work: Do<Request, Data>) => command(false, work),
    write: <Request, Data>(work: Do<Request, Data>) => command(true, work),
  };
}

const mapped = <Value, Data>(answer: api.Answer<Value>, change: (value: Value) => Data): api.Answer<Data> =>
  answer.ok ? ok(change(answer.value)) : answer;
const empty = (answer: api.Answer<unknown>): api.Answer<api.WireRecord> => mapped(answer, () => ({}));

function orderCommands(world: World): api.OrderCommands {
  const { read, write } = commands(world);
  return {
    place: write((portfolio, request) => placeOrder(world, portfolio, request)),
    amend: write((portfolio, request) =>
      mapped(amendOrder(world, portfolio, request), ({ orderId, state }) => ({ orderId, orderState: state })),
    ),
    cancel: write((portfolio, request) => cancelOrder(world, portfolio, request)),
    cancelAll: write((portfolio, request) => empty(cancelAllOrders(world, portfolio, request))),
    order: read((portfolio, request) => mapped(findOrder(world, portfolio, request), orderRecord)),
    openOrders: read((portfolio, request) => orderLists.openOrders(portfolio, request)),
    orderHistory: read((portfolio, request) => orderLists.orderHistory(world, portfolio, request)),
    archive: read((portfolio, request) => orderLists.archivedOrders(world, portfolio, request)),
    executions: read((portfolio, request) => orderLists.executions(world, portfolio, request)),
    executionsPageable: read((portfolio, request) => orderLists.executionsPageable(world, portfolio, request)),
    statement: read((portfolio, request) => orderLists.statement(world, portfolio, request)),
  };
}

function accountCommands(world: World): api.AccountCommands {
  const { read, write } = commands(world);
  return {
    account: read((portfolio) => ok(accountLists.accounts(world, portfolio))),
    setPositionMode: write((portfolio, request) => empty(operate.setPositionMode(world, portfolio, request))),
    assets: read((portfolio, request) => accountLists.assets(world, portfolio, request)),
    tradingStats: read((portfolio, request) => accountLists.tradingStats(world, portfolio, request)),
    userFeeRate: read((portfolio) => ok(accountLists.userFeeRates(world, portfolio))),
    brokerFeeRate: read((portfolio, request) => ok(accountLists.brokerFeeRates(world, portfolio, request))),
    trackARanking: read((portfolio, request) => ranking.trackA(world, portfolio, request)),
    trackBRanking: read((portfolio, request) => ranking.trackB(world, portfolio, request)),
  };
}

function positionCommands(world: World): api.PositionCommands {
  const { read, write } = commands(world);
  return {
    positions: read((portfolio, request) => positionLists.positions(world, portfolio, request)),
    positionHistory: read((portfolio, request) => positionLists.positionHistory(portfolio, request)),
    closePosition: write((portfolio, request) =>
      mapped(closePosition(world, portfolio, request), ({ orderId }) => ({ orderId })),
    ),
    closeAllPositions: write((portfolio, request) => closeAllPositions(world, portfolio, request)),
    leverage: read((portfolio, request) => positionLists.leverages(world, portfolio, request)),
    setLeverage: write((portfolio, request) => empty(operate.setLeverage(world, portfolio, request))),
    adlRank: read((portfolio, request) => positionLists.adlRanks(world, portfolio, request)),
  };
}

function referenceCommands(world: World): api.ReferenceCommands {
  const { read } = commands(world);
  return {
    symbolInfo: read((_portfolio, request) => reference.symbolInfo(world, request)),
    fundingRate: read((_portfolio, request) => reference.fundingRate(world, request)),
    markPrice: read((_portfolio, request) => reference.markPrices(world, request)),
    positionBracket: read((_portfolio, request) => reference.positionBrackets(world, request)),
    loanInfo: read((_portfolio, request) => ok(reference.loanInfo(world, request))),
    coinDiscount: read((_portfolio, request) => ok(reference.coinDiscounts(world, request))),
    marginLeverage: read((_portfolio, request) => reference.marginLeverages(world, request)),
  };
}

function algoCommands(world: World): api.AlgoCommands {
  const { read, write } = commands(world);
  const ids = ({ algoOrderId, clientOrderId }: AlgoOrder) => ({ algoOrderId, clientOrderId });
  return {
    placeAlgo: write((portfolio, request) => mapped(algos.placeAlgo(world, portfolio, request), ids)),
    amendAlgo: write((portfolio, request) => mapped(algos.amendAlgo(world, portfolio, request), ids)),
    cancelAlgo: write((portfolio, request) => mapped(algos.cancelAlgo(world, portfolio, request), ids)),
    cancelAllAlgos: write((portfolio, request) =>
      mapped(algos.cancelAllAlgos(world, portfolio, request), (chosen) => chosen.map(ids)),
    ),
    algo: read((portfolio, request) => mapped(algos.findAlgo(world, portfolio, request), algoRecord)),
    openAlgos: read((portfolio, request) => algoLists.openAlgos(portfolio, request)),
    algoHistory: read((portfolio, request) => algoLists.algoHistory(world, portfolio, request)),
  };
}

function operatorCommands(world: World): api.OperatorCommands {
  const { read } = commands(world);
  const rules = overridable<HouseRules>(world.settings, (now) => void Object.assign(world.settings, now));
  return {
    openAccount: (account, nowMs) => during(world, nowMs, () => operate.openAccount(world, account), true),
    endPending: (nowMs) => during(world, nowMs, () => endPending(world), true),
    beginPhase: (phase, nowMs) => during(world, nowMs, () => rollOver(world, phase)),
    transfer: read((portfolio, request) => empty(operate.transfer(world, portfolio, request))),
    setFrozen(accountId, frozen) {
      const portfolio = world.portfolios.get(accountId);
      if (portfolio !== undefined) portfolio.frozen = frozen;
    },
    isFrozen(accountId) {
      const portfolio = world.portfolios.get(accountId);
      return portfolio !== undefined && portfolio.frozen;
    },
    accountIds: () => [...world.portfolios.keys()],
    setDuplicatePolicy: (duplicatePolicy) => rules.set({ duplicatePolicy }),
    setEnforceLeverageCap: (enforceLeverageCap) => rules.set({ enforceLeverageCap }),
    setDelays: ({ placeMs, cancelMs, amendMs }) =>
      rules.set({
        ...(placeMs === undefined ? {} : { placeDelayMs: placeMs }),
        ...(cancelMs === undefined ? {} : { cancelDelayMs: cancelMs }),
        ...(amendMs === undefined ? {} : { amendDelayMs: amendMs }),
      }),
    overrideRules: (change) => rules.override(change),
    rejectOnArrival: (orderId) => rejectOnArrival(world.steps, numberOf(orderId)),
    haltSymbol: (symbol) => world.instruments.get(symbol)?.trading.override({ state: "halted" }) ?? (() => undefined),
  };
}

function subscribe<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Builds a venue with empty books and no accounts. */
export function createExchange(options: ExchangeOptions): api.Exchange {
  const world = newWorld(options);
  const exchange = exchangeOver(world);
  if (options.saved) restoreAccounts(world, options.saved);
  if (options.keep) world.commit = committer(world, options.keep);
  return exchange;
}

/** Most commands are reads and market moves: those that changed no account need no save. */
function committer(world: World, keep: (saved: Saved) => void): (wrote: boolean) => void {
  const save = createSaver(world);
  let before = "";
  return (wrote) => {
    const { id, long, transaction } = world.counters;
    const now = `${id}:${long}:${transaction}:${world.ledger.rows.end}`;
    if (!wrote && now === before) return;
    before = now;
    keep(save());
  };
}

/** The venue that lives in a new world. */
export function exchangeOver(world: World): api.Exchange {
  operate.fundInsurance(world);
  let isOneInstant = false;
  return {
    ...orderCommands(world),
    ...accountCommands(world),
    ...positionCommands(world),
    ...referenceCommands(world),
    ...algoCommands(world),
    ...operatorCommands(world),
    market: marketInput(world, (nowMs, work) => (isOneInstant ? work() : during(world, nowMs, work))),
    together: (nowMs, work) =>
      during(world, nowMs, () => {
        isOneInstant = true;
        try {
          work();
        } finally {
          isOneInstant = false;
        }
      }),
    symbols: [...world.instruments.values()].map(({ spec }) => spec),
    advance: (nowMs) => during(world, nowMs, () => undefined),
    nextDueMs() {
      const atMs = nextDueAtMs(world);
      return atMs === Infinity ? null : atMs;
    },
    onUserPush: (hear, wants = () => true) => subscribe(world.userListeners, { hear, wants }),
    onPlanned: (listener) => subscribe(world.planListeners, listener),
    onPublic: (listener) => subscribe(world.publicListeners, listener),
    book(symbol, levels) {
      const instrument = world.instruments.get(symbol);
      return instrument === undefined ? { bids: [], asks: [] } : viewBook(instrument.book, levels);
    },
    lastPrice(symbol) {
      const instrument = world.instruments.get(symbol);
      return instrument?.lastTicks == null ? null : priceOf(instrument, instrument.lastTicks);
    },
    ledger: () => dumpLedger(world.ledger),
    scoreboard: (nowMs) => during(world, nowMs, () => scoreboard(world)),
    snapshot: () => worldText(world),
  };
}
