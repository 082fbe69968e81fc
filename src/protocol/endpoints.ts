/** Every REST endpoint by name, so that a server can serve them all and a client can limit each. */
import type { Endpoint } from "./endpoint.ts";
import { account } from "./trading/account.ts";
import { adlRank } from "./trading/adl-rank.ts";
import { algoHistory } from "./trading/algo-history.ts";
import { amendAlgo } from "./trading/amend-algo.ts";
import { amendOrder } from "./trading/amend-order.ts";
import { archiveOrderHistory } from "./trading/archive-order-history.ts";
import { brokerFeeRate } from "./trading/broker-fee-rate.ts";
import { cancelAlgo } from "./trading/cancel-algo.ts";
import { cancelAllAlgos } from "./trading/cancel-all-algos.ts";
import { cancelAllOrders } from "./trading/cancel-all-orders.ts";
import { cancelOrder } from "./trading/cancel-order.ts";
import { closeAllPositions } from "./trading/close-all-positions.ts";
import { closePosition } from "./trading/close-position.ts";
import { coinDiscount } from "./trading/coin-discount.ts";
import { executions } from "./trading/executions.ts";
import { executionsPageable } from "./trading/executions-pageable.ts";
import { fundingRate } from "./trading/funding-rate.ts";
import { leverage } from "./trading/leverage.ts";
import { loanInfo } from "./trading/loan-info.ts";
import { marginLeverage } from "./trading/margin-leverage.ts";
import { markPrice } from "./trading/mark-price.ts";
import { openAlgos } from "./trading/open-algos.ts";
import { openOrders } from "./trading/open-orders.ts";
import { orderHistory } from "./trading/order-history.ts";
import { placeAlgo } from "./trading/place-algo.ts";
import { placeOrder } from "./trading/place-order.ts";
import { portfolioAssets } from "./trading/portfolio-assets.ts";
import { positionBracket } from "./trading/position-bracket.ts";
import { positionHistory } from "./trading/position-history.ts";
import { positions } from "./trading/positions.ts";
import { queryAlgo } from "./trading/query-algo.ts";
import { queryOrder } from "./trading/query-order.ts";
import { setLeverage } from "./trading/set-leverage.ts";
import { setPositionMode } from "./trading/set-position-mode.ts";
import { statement } from "./trading/statement.ts";
import { symbolInfo } from "./trading/symbol-info.ts";
import { trackARanking } from "./trading/track-a-ranking.ts";
import { trackBRanking } from "./trading/track-b-ranking.ts";
import { tradingStats } from "./trading/trading-stats.ts";
import { userFeeRate } from "./trading/user-fee-rate.ts";
import { queryFeatured } from "./feeds/query-featured.ts";
import { queryHot } from "./feeds/query-hot.ts";
import { queryNews } from "./feeds/query-news.ts";

/** Document 1 §4.1 to §4.6, in the order of the document. */
export const TRADING_ENDPOINTS = {
  account,
  setPositionMode,
  portfolioAssets,
  tradingStats,
  userFeeRate,
  brokerFeeRate,
  placeOrder,
  amendOrder,
  cancelOrder,
  cancelAllOrders,
  queryOrder,
  openOrders,
  orderHistory,
  archiveOrderHistory,
  executions,
  executionsPageable,
  statement,
  placeAlgo,
  amendAlgo,
  cancelAlgo,
  queryAlgo,
  openAlgos,
  algoHistory,
  cancelAllAlgos,
  positions,
  positionHistory,
  closePosition,
  closeAllPositions,
  leverage,
  setLeverage,
  adlRank,
  symbolInfo,
  fundingRate,
  markPrice,
  positionBracket,
  loanInfo,
  coinDiscount,
  marginLeverage,
  trackARanking,
  trackBRanking,
} as const satisfies Readonly<Record<string, Endpoint>>;

/** Document 2 §4. */
export const FEED_ENDPOINTS = { queryNews, queryHot, queryFeatured } as const satisfies Readonly<
  Record<string, Endpoint>
>;

/** A server has one handler for each of these endpoints of document 1. */
export type TradingEndpointName = keyof typeof TRADING_ENDPOINTS;
