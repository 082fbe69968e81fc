/** What the venue shows must be readable by the protocol's own schemas, and hold exactly the fields of the records. */
import { describe, expect, test } from "vitest";
import { TRADING_ENDPOINTS, type TradingEndpointName } from "../../../../src/protocol/endpoints.ts";
import { USER_PUSH_SCHEMAS } from "../../../../src/protocol/user/pushes.ts";
import { dec } from "../../../../src/core/decimal.ts";
import { ALICE, BOB, good, SOL, T0, venue } from "../venue.ts";

/** A venue in which everything has happened once: fills, a close, a resting order, funding, an algo order. */
function eventful() {
  const reported = venue();
  const { exchange } = reported;
  const order = { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "1" } as const;
  const filled = good(exchange.place(ALICE, order, T0));
  good(exchange.place(ALICE, { ...order, side: "SELL", orderQty: "1" }, T0));
  good(exchange.place(ALICE, order, T0));
  good(exchange.place(ALICE, { ...order, orderType: "LIMIT", limitPrice: "98", slTriggerPrice: "95" }, T0));
  const algo = good(
    exchange.placeAlgo(
      ALICE,
      {
        algoOrderType: "TPSL",
        sym: SOL,
        conditionType: "PARTIAL_CLOSE_POSITION",
        side: "SELL",
        positionSide: "LONG",
        orderQty: "1",
        slTriggerPrice: "95",
      },
      T0,
    ),
  );
  exchange.market.setFunding(SOL, dec("0.0001"), T0 + 1000);
  exchange.advance(T0 + 1000);
  return { ...reported, filled, algo };
}

const ENDED = { begin: "1700000000", end: "1900000000" };

describe("replies", () => {
  const { exchange, filled, algo } = eventful();
  const at = T0 + 2000;
  const replies: readonly (readonly [TradingEndpointName, unknown])[] = [
    ["account", good(exchange.account(ALICE, {}, at))],
    ["portfolioAssets", good(exchange.assets(ALICE, {}, at))],
    ["tradingStats", good(exchange.tradingStats(ALICE, ENDED, at))],
    ["userFeeRate", good(exchange.userFeeRate(ALICE, {}, at))],
    ["brokerFeeRate", good(exchange.brokerFeeRate(ALICE, {}, at))],
    ["queryOrder", good(exchange.order(ALICE, { orderId: filled.orderId }, at))],
    ["openOrders", good(exchange.openOrders(ALICE, {}, at))],
    ["orderHistory", good(exchange.orderHistory(ALICE, {}, at))],
    ["archiveOrderHistory", good(exchange.archive(ALICE, {}, at))],
    ["executions", good(exchange.executions(ALICE, {}, at))],
    ["executionsPageable", good(exchange.executionsPageable(ALICE, {}, at))],
    ["statement", good(exchange.statement(ALICE, {}, at))],
    ["positions", good(exchange.positions(ALICE, {}, at))],
    ["positionHistory", good(exchange.positionHistory(ALICE, {}, at))],
    ["leverage", good(exchange.leverage(ALICE, {}, at))],
    ["adlRank", good(exchange.adlRank(ALICE, {}, at))],
    ["symbolInfo", good(exchange.symbolInfo(ALICE, {}, at))],
    ["fundingRate", good(exchange.fundingRate(ALICE, { sym: SOL }, at))],
    ["markPrice", good(exchange.markPrice(ALICE, {}, at))],
    ["positionBracket", good(exchange.positionBracket(ALICE, {}, at))],
    ["loanInfo", good(exchange.loanInfo(ALICE, {}, at))],
    ["coinDiscount", good(exchange.coinDiscount(ALICE, {}, at))],
    ["marginLeverage", good(exchange.marginLeverage(ALICE, {}, at))],
    ["trackARanking", good(exchange.trackARanking(ALICE, { phase: "PHASE_II" }, at))],
    ["trackBRanking", good(exchange.trackBRanking(ALICE, { participantId: ALICE }, at))],
    ["queryAlgo", good(exchange.algo(ALICE, { algoOrderId: algo.algoOrderId }, at))],
    ["openAlgos", good(exchange.openAlgos(ALICE, {}, at))],
    ["algoHistory", good(exchange.algoHistory(ALICE, {}, at))],
  ];

  test.each(replies)("%s", (name, data) => {
    const read = TRADING_ENDPOINTS[name].reply.safeParse(data);
    expect(read.error?.issues ?? []).toEqual([]);
  });

  test("have exactly the fields of the records", () => {
    const fields = (record: object | undefined): string[] => Object.keys(record ?? {}).sort();
    const words = (text: string): string[] => text.trim().split(/\s+/).sort();
    expect(fields(good(exchange.order(ALICE, { orderId: filled.orderId }, at)))).toEqual(
      words(`portfolioId portfolioName orderId clientOrderId orderState sym side exchangeOrderType orderType exchangeType
        businessType positionSide orderQty quoteOrderQty limitPrice timeInForce executedQty executedAmount executedAvgPrice
        lastExecutedQty lastExecutedPrice lastExecutedAmount fee feeCoin rebate rebateCoin reason action actionMsg cancelType
        amendType reduceOnly leverage borrowAmount borrowAsset algoOrderId tpTriggerPrice tpTriggerType tpPrice
        slTriggerPrice slTriggerType slPrice createAt updateAt`),
    );
    expect(fields(good(exchange.executions(ALICE, {}, at))[0])).toEqual(
      words(`transactionId portfolioId orderId clientOrderId algoOrderId exchangeType businessType sym side quantity price
        tradingFee tradingFeeCoin fee feeCoin rebate rebateCoin rpnl execType tradeSource createAt`),
    );
    expect(fields(good(exchange.positions(ALICE, {}, at))[0])).toEqual(
      words(`positionId portfolioId sym positionSide positionQty avgPrice markPrice positionValue positionMargin positionMM
        unrealizedPNL unrealizedPNLRate leverage maxLeverage riskLevel fee fundingFee liqPrice tpslOrder createAt updateAt`),
    );
    expect(good(exchange.positions(ALICE, {}, at))[0]?.tpslOrder).toHaveLength(1);
  });
});

describe("pushes", () => {
  test("every channel is readable", () => {
    const { exchange, pushes } = eventful();
    exchange.market.setMark(SOL, dec("94"), dec("94"), T0 + 3000);
    exchange.market.print(SOL, false, 900, 10, T0 + 3000);
    good(
      exchange.place(
        BOB,
        { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "40" },
        T0 + 3000,
      ),
    );
    exchange.market.setMark(SOL, dec("75"), dec("75"), T0 + 4000);
    expect(new Set(pushes.map(({ channel }) => channel))).toEqual(
      new Set([
        "Orders",
        "Trades",
        "Positions",
        "Assets",
        "MarginCall",
        "LiquidationEvent",
        "LiquidationPosition",
        "ALGO_ORDER",
      ]),
    );
    for (const { channel, data } of pushes) {
      const read = USER_PUSH_SCHEMAS[channel].safeParse(data);
      expect([channel, read.error?.issues ?? []]).toEqual([channel, []]);
    }
  });
});
