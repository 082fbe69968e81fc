import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { readSymbolInfo, symbolInfo } from "../../src/protocol/trading/symbol-info.ts";
import { fundingOf, fundingRate } from "../../src/protocol/trading/funding-rate.ts";
import { leverage, readLeverage } from "../../src/protocol/trading/leverage.ts";
import { markPrice, readMarkPrices } from "../../src/protocol/trading/mark-price.ts";
import { feesOf, userFeeRate } from "../../src/protocol/trading/user-fee-rate.ts";

const SYM = "EXCHANGE_A_PERP_BTC_USDT";

describe("reference data", () => {
  const info = {
    sym: SYM,
    state: "live",
    pricePrecision: "1",
    qtyPrecision: "3",
    lotSize: "0.001",
    tickSize: "0.10",
    minNotional: "50",
    minSize: "0.001",
    contractSize: "1",
    defaultLeverage: "5",
  };

  test("symbol rules keyed by symbol, without stated maxima", () => {
    const [rules] = readSymbolInfo(symbolInfo.reply.parse({ [SYM]: info }));
    expect(rules).toMatchObject({ symbol: SYM, tickSize: dec("0.1"), minNotional: dec("50"), defaultLeverage: 5 });
    expect(rules?.maxMarketSize.gt("1000000000")).toBe(true);
  });

  test("a plain array and the older names are read too", () => {
    const [rules] = readSymbolInfo(
      symbolInfo.reply.parse([{ sym: SYM, priceTick: "0.5", stepSize: "0.01", minOrderQty: "0.02" }]),
    );
    expect(rules).toMatchObject({
      tickSize: dec("0.5"),
      pricePrecision: 1,
      lotSize: dec("0.01"),
      minSize: dec("0.02"),
      contractSize: dec(1),
    });
  });

  test("a symbol without steps cannot be traded and is left out", () => {
    expect(readSymbolInfo(symbolInfo.reply.parse({ X: { sym: "X", state: "live" } }))).toEqual([]);
  });

  test("funding, mark price and leverage", () => {
    const funding = fundingRate.reply.parse([
      { sym: SYM, fundingRate: "-0.0001", fundingTime: "1", nextFundingTime: "1784534400000" },
    ]);
    expect(fundingOf(funding, SYM)).toEqual({ symbol: SYM, rate: dec("-0.0001"), nextFundingAtMs: 1784534400000 });
    expect(fundingOf(funding, "OTHER")).toBeNull();
    expect(readMarkPrices(markPrice.reply.parse([{ sym: SYM, markPrice: "60499.8", timestamp: "7" }]))).toEqual([
      { symbol: SYM, markPrice: dec("60499.8"), atMs: 7 },
    ]);
    expect(readLeverage(leverage.reply.parse([{ sym: SYM, leverage: "2" }]))).toEqual([{ symbol: SYM, leverage: 2 }]);
  });

  test.each([undefined, null, ""])("a symbol whose leverage or mark is %j is left out, and hides no other", (none) => {
    const settings = leverage.reply.parse([
      { sym: "X", leverage: none },
      { sym: SYM, leverage: "2" },
    ]);
    expect(readLeverage(settings)).toEqual([{ symbol: SYM, leverage: 2 }]);
    const marks = markPrice.reply.parse([
      { sym: "X", markPrice: none, time: 9 },
      { sym: SYM, markPrice: "60499.8", time: 7 },
    ]);
    expect(readMarkPrices(marks)).toEqual([{ symbol: SYM, markPrice: dec("60499.8"), atMs: 7 }]);
  });
});

test("fees are those of perpetuals, and a rate that cannot be a fraction is none", () => {
  const row = (exchangeType: string, businessType: string, takerFeeRate: string, makerFeeRate: string) => ({
    exchangeType,
    businessType,
    takerFeeRate,
    makerFeeRate,
  });
  const records = userFeeRate.reply.parse([
    row("EXCHANGE_A", "SPOT", "0.001", "0.001"),
    row("EXCHANGE_A", "PERP", "0.000175", "-0.00001"),
    row("EXCHANGE_B", "PERP", "5", "2"),
  ]);
  expect(feesOf(records)).toEqual([{ exchange: "EXCHANGE_A", taker: dec("0.000175"), maker: dec("-0.00001") }]);
});
