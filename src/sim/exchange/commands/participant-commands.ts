/** A participant's commands, each handled by its part of the exchange. */
import { ok } from "../../../core/result.ts";
import * as operate from "../accounts/account-ops.ts";
import * as algos from "../orders/algo-orders.ts";
import { algoRecord } from "../records/algo-record.ts";
import type * as api from "../contract/api.ts";
import { amendOrder, cancelAllOrders, cancelOrder } from "../orders/change-order.ts";
import { closeAllPositions, closePosition } from "../orders/close-position.ts";
import { commands, empty, mapped } from "./command.ts";
import { findOrder } from "../orders/find-order.ts";
import { orderRecord } from "../records/order-record.ts";
import { placeOrder } from "../orders/place.ts";
import * as accountLists from "../queries/account-lists.ts";
import * as algoLists from "../queries/algo-lists.ts";
import * as orderLists from "../queries/order-lists.ts";
import * as positionLists from "../queries/position-lists.ts";
import * as ranking from "../queries/ranking.ts";
import * as reference from "../queries/reference.ts";
import type { AlgoOrder, World } from "../state/state.ts";

/** Orders, their history and fills. */
export function orderCommands(world: World): api.OrderCommands {
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

/** The account, its mode, fees and rank. */
export function accountCommands(world: World): api.AccountCommands {
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

/** Positions, their closing and their leverage. */
export function positionCommands(world: World): api.PositionCommands {
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

/** Data that are the same for all accounts; read-only. */
export function referenceCommands(world: World): api.ReferenceCommands {
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

/** Algo orders. */
export function algoCommands(world: World): api.AlgoCommands {
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
