/** Saves what has changed in the accounts of a venue since the last save. */
import { type Decimal, toWire } from "../../../core/decimal.ts";
import { isTerminal } from "../../../domain/order.ts";
import { isAlgoEnded } from "../matching/algo-life.ts";
import type { Trigger } from "../state/algo-terms.ts";
import { type Money, type Sum, toDecimal } from "../state/amount.ts";
import { listOpen } from "../state/open-orders.ts";
import type { Position } from "../state/position.ts";
import type * as saved from "./saved.ts";
import type {
  AlgoOrder,
  ClosedPosition,
  Execution,
  Exposure,
  Order,
  Portfolio,
  StatementLine,
  World,
} from "../state/state.ts";

const moneyText = (money: Money): string => toWire(toDecimal(money));
const sumText = (sum: Sum): string => toWire(sum.value);
const textOrNull = (value: Decimal | null): string | null => (value === null ? null : toWire(value));

function without<T extends object, K extends keyof T>(value: T, names: readonly K[]): Omit<T, K> {
  const left = new Set<PropertyKey>(names);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !left.has(name))) as Omit<T, K>;
}

/** Fields that are derived or created again. */
const DERIVED = ["resting", "openBefore", "openNext", "orderId", "countedTicks", "talliedLots"] as const;

function savedOrder({ exposure, fee, ...order }: Order): saved.SavedOrder {
  return { ...without(order, DERIVED), x: exposure.no, fee: fee === null ? null : sumText(fee) };
}

const savedTrigger = (trigger: Trigger | null): saved.SavedTrigger | null =>
  trigger && { ...trigger, price: toWire(trigger.price) };

function savedAlgo(algo: AlgoOrder): saved.SavedAlgo {
  const { exposure, child, conditional, takeProfit, stopLoss, ...kept } = algo;
  return {
    ...kept,
    child: child?.ref ?? null,
    x: exposure.no,
    conditional: savedTrigger(conditional),
    takeProfit: savedTrigger(takeProfit),
    stopLoss: savedTrigger(stopLoss),
  };
}

function savedPosition(exposure: Exposure, position: Position): saved.SavedPosition {
  const { avg, fee, fundingFee, liqFee, closedPnl, ...figures } = position;
  return {
    ...figures,
    x: exposure.no,
    avg: textOrNull(avg),
    fee: sumText(fee),
    fundingFee: toWire(fundingFee),
    liqFee: toWire(liqFee),
    closedPnl: sumText(closedPnl),
  };
}

const savedClosed = ({ exposure, position, ...ended }: ClosedPosition): saved.SavedClosed => ({
  ...ended,
  position: savedPosition(exposure, position),
});

function savedExecution({ exposure, fee, realisedPnl, ...kept }: Execution): saved.SavedExecution {
  return { ...kept, x: exposure.no, fee: moneyText(fee), realisedPnl: moneyText(realisedPnl) };
}

function savedStatement({ wallet, before, after, ...kept }: StatementLine): saved.SavedStatement {
  return { ...kept, exchange: wallet.exchange, before: toWire(before), after: toWire(after) };
}

function savedPortfolio(portfolio: Portfolio): saved.SavedPortfolio {
  const { accountId, teamName, feeTier, frozen, eliminatedAtMs, initialUsdt, scored } = portfolio;
  const wallets = [...portfolio.wallets.values()];
  const exposures = wallets.flatMap((wallet) => [...wallet.exposures.values()]);
  return {
    accountId,
    teamName,
    feeTier,
    frozen,
    eliminatedAtMs,
    initialUsdt: toWire(initialUsdt),
    wallets: wallets.map(({ exchange, mode, coins, createdAtMs, updatedAtMs }) => {
      return { exchange, mode, coins: [...coins.keys()], createdAtMs, updatedAtMs };
    }),
    leverage: [...portfolio.leverage],
    positions: exposures.flatMap((exposure) =>
      [...exposure.positions.values()].map((position) => savedPosition(exposure, position)),
    ),
    openOrders: exposures.flatMap(({ open }) => listOpen(open).map(savedOrder)),
    liveAlgos: [...portfolio.liveAlgos].map(savedAlgo),
    scored: { ...scored, units: [...scored.units].map(([{ symbol }, units]) => [symbol, sumText(units)] as const) },
  };
}

/** How much of the history of one portfolio has been saved. */
interface Mark {
  /** Orders from this index of the list on may be unsaved. */
  order: number;
  readonly algos: Set<string>;
  readonly orders: Set<number>;
  execution: number;
  statement: string;
  closed: Position | null;
  nav: number;
}

const newMark = (): Mark => ({
  order: 0,
  algos: new Set(),
  orders: new Set(),
  execution: 0,
  statement: "",
  closed: null,
  nav: -Infinity,
});

/** The part of a list after the last saved element. */
function behind<T>(list: readonly T[], isLast: (item: T) => boolean): readonly T[] {
  let at = list.length;
  while (at > 0 && !isLast(list[at - 1] as T)) at--;
  return list.slice(at);
}

function endedOrders(world: World, portfolio: Portfolio, mark: Mark): Order[] {
  const ended: Order[] = [];
  const orders = portfolio.orders.slice(mark.order).flatMap((ref) => world.orders.get(ref) ?? []);
  for (const order of orders) if (isTerminal(order.state) && !mark.orders.has(order.ref)) ended.push(order);
  for (const { ref } of ended) mark.orders.add(ref);
  // Everything before the first open one has its final state and is saved for good.
  for (;;) {
    const ref = portfolio.orders[mark.order];
    if (ref === undefined || !mark.orders.delete(ref)) break;
    mark.order++;
  }
  return ended;
}

function historySince(world: World, portfolio: Portfolio, mark: Mark): saved.SavedHistory | null {
  const orders = endedOrders(world, portfolio, mark).map(savedOrder);
  const algos = portfolio.algos.filter((algo) => isAlgoEnded(algo) && !mark.algos.has(algo.algoOrderId));
  for (const { algoOrderId } of algos) mark.algos.add(algoOrderId);
  const executions = portfolio.executions
    .since(-Infinity, world.exposures)
    .filter(({ no }) => no > mark.execution)
    .reverse();
  const statements = behind(portfolio.statements, ({ statementId }) => statementId === mark.statement);
  const closed = behind(portfolio.closedPositions, ({ position }) => position === mark.closed);
  const navs = behind(portfolio.navs, ({ atMs }) => atMs === mark.nav);
  mark.execution = executions.at(-1)?.no ?? mark.execution;
  mark.statement = statements.at(-1)?.statementId ?? mark.statement;
  mark.closed = closed.at(-1)?.position ?? mark.closed;
  mark.nav = navs.at(-1)?.atMs ?? mark.nav;
  const found = {
    accountId: portfolio.accountId,
    orders,
    algos: algos.map(savedAlgo),
    executions: executions.map(savedExecution),
    statements: statements.map(savedStatement),
    closed: closed.map(savedClosed),
    navs: navs.map(({ atMs, equity }) => [atMs, toWire(equity)] as const),
  };
  return Object.values(found).some((list) => Array.isArray(list) && list.length > 0) ? found : null;
}

/** Each save has the state and the new history. The history that the world starts with was restored from a save. */
export function createSaver(world: World): () => saved.Saved {
  const marks = new Map<string, Mark>();
  const save = (): saved.Saved => {
    const portfolios = [...world.portfolios.values()];
    const history = portfolios.flatMap((portfolio) => {
      const mark = marks.get(portfolio.accountId) ?? newMark();
      marks.set(portfolio.accountId, mark);
      return historySince(world, portfolio, mark) ?? [];
    });
    return {
      phase: world.phase,
      counters: { ...world.counters },
      exposures: world.exposures.map(({ wallet, instrument }) => [
        wallet.portfolio.accountId,
        wallet.exchange,
        instrument.symbol,
      ]),
      balances: world.ledger.byNo.map(({ name, coin, balance }) => [name, coin, toWire(balance)]),
      portfolios: portfolios.map(savedPortfolio),
      history,
    };
  };
  // Otherwise history would be saved twice, restored twice, and grow with every start.
  save();
  return save;
}
