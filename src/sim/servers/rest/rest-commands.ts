/**
 * Maps each endpoint to its command of the exchange. The compiler keeps the two lists together: an endpoint without a
 * command does not build.
 */
import type { z } from "zod";
import type { TRADING_ENDPOINTS, TradingEndpointName } from "../../../protocol/endpoints.ts";
import type { Command, Exchange } from "../../exchange/contract/api.ts";

type Endpoints = typeof TRADING_ENDPOINTS;
type Commands = { readonly [Name in TradingEndpointName]: Command<z.output<Endpoints[Name]["request"]>, unknown> };

/** By the endpoint names of `protocol/`; created once, with the routes. */
export const commandsOf = (exchange: Exchange): Commands => ({
  account: exchange.account,
  setPositionMode: exchange.setPositionMode,
  portfolioAssets: exchange.assets,
  tradingStats: exchange.tradingStats,
  userFeeRate: exchange.userFeeRate,
  brokerFeeRate: exchange.brokerFeeRate,
  placeOrder: exchange.place,
  amendOrder: exchange.amend,
  cancelOrder: exchange.cancel,
  cancelAllOrders: exchange.cancelAll,
  queryOrder: exchange.order,
  openOrders: exchange.openOrders,
  orderHistory: exchange.orderHistory,
  archiveOrderHistory: exchange.archive,
  executions: exchange.executions,
  executionsPageable: exchange.executionsPageable,
  statement: exchange.statement,
  placeAlgo: exchange.placeAlgo,
  amendAlgo: exchange.amendAlgo,
  cancelAlgo: exchange.cancelAlgo,
  queryAlgo: exchange.algo,
  openAlgos: exchange.openAlgos,
  algoHistory: exchange.algoHistory,
  cancelAllAlgos: exchange.cancelAllAlgos,
  positions: exchange.positions,
  positionHistory: exchange.positionHistory,
  closePosition: exchange.closePosition,
  closeAllPositions: exchange.closeAllPositions,
  leverage: exchange.leverage,
  setLeverage: exchange.setLeverage,
  adlRank: exchange.adlRank,
  symbolInfo: exchange.symbolInfo,
  fundingRate: exchange.fundingRate,
  markPrice: exchange.markPrice,
  positionBracket: exchange.positionBracket,
  loanInfo: exchange.loanInfo,
  coinDiscount: exchange.coinDiscount,
  marginLeverage: exchange.marginLeverage,
  trackARanking: exchange.trackARanking,
  trackBRanking: exchange.trackBRanking,
});
