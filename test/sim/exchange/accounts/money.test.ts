/** Money worked out by hand: averages, fees, margin, funding and coins. */
import { describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { accountOf, ALICE, BOB, code, ETH_B, field, good, ledgerIsZero, SOL, SPOT, T0, venue } from "../venue.ts";

const HOUR = 3_600_000;
const market = (side: "BUY" | "SELL", positionSide: "LONG" | "SHORT", orderQty: string, sym = SOL) => ({
  sym,
  side,
  positionSide,
  orderType: "MARKET" as const,
  orderQty,
});

describe("money by hand", () => {
  test("a round trip: average, fees, realised and unrealised profit", () => {
    const { exchange } = venue();
    good(exchange.place(ALICE, market("BUY", "LONG", "0.1"), T0));
    good(exchange.place(ALICE, market("BUY", "LONG", "0.3"), T0));
    // 0.1 at 100.1 and 0.3 at 101: average (10.01 + 30.3) / 0.4 = 100.775; fee 40.31 x 0.000175 = 0.00705425.
    const [position] = good(exchange.positions(ALICE, {}, T0));
    expect(position).toMatchObject({ avgPrice: "100.775", positionQty: "0.4", fee: "0.00705425" });
    // (100 - 100.775) x 0.4 = -0.31; value 40, margin 40 / 5, maintenance 2 %.
    expect(position).toMatchObject({
      unrealizedPNL: "-0.31",
      positionValue: "40",
      positionMargin: "8",
      positionMM: "0.8",
    });
    exchange.market.setMark(SOL, dec(110), dec(110), T0);
    expect(accountOf(exchange, ALICE)).toMatchObject({
      upnl: "3.69",
      // 1000 - 0.00705425 + 3.69.
      equity: "1003.68294575",
      // 999.99294575 x 0.9999 + 3.69 = 1003.582946455425, shown with 8 decimals.
      marginValue: "1003.58294646",
      frozenMargin: "8.8",
      maintainMargin: "0.88",
    });
    exchange.market.setLiquidity(SOL, true, [[1100, 100_000]], T0);
    good(exchange.place(ALICE, market("SELL", "LONG", "0.1"), T0));
    const [fill] = good(exchange.executions(ALICE, {}, T0));
    // (110 - 100.775) x 0.1 = 0.9225; fee 11 x 0.000175.
    expect(fill).toMatchObject({ rpnl: "0.9225", fee: "0.001925", execType: "TAKER", price: "110", quantity: "0.1" });
    expect(field(good(exchange.positions(ALICE, {}, T0))[0], "avgPrice")).toBe("100.775");
    expect(ledgerIsZero(exchange)).toBe(true);
  });

  test("a maker pays the maker's rate, fees round half up at 8 decimals", () => {
    const { exchange } = venue();
    const rest = {
      sym: SOL,
      side: "SELL",
      positionSide: "SHORT",
      orderType: "LIMIT" as const,
      orderQty: "0.07",
      limitPrice: "100",
    } as const;
    good(exchange.place(ALICE, { ...rest, orderQty: "0.11" }, T0));
    good(exchange.place(BOB, market("BUY", "LONG", "0.11"), T0));
    expect(good(exchange.executions(ALICE, {}, T0))[0]).toMatchObject({ fee: "0.00088", execType: "MAKER" });
    expect(good(exchange.executions(BOB, {}, T0))[0]).toMatchObject({ fee: "0.001925", execType: "TAKER" });
  });

  test("contracts: quantity x contract size x price", () => {
    const { exchange } = venue();
    good(exchange.transfer(ALICE, { from: "EXCHANGE_A", to: "EXCHANGE_B", amount: "400" }, T0));
    good(exchange.place(ALICE, market("SELL", "SHORT", "0.1", ETH_B), T0));
    const [position] = good(exchange.positions(ALICE, { exchange: "EXCHANGE_B" }, T0));
    // 0.1 contracts of 0.1 base at 99.9; value 0.01 x 100 = 1; profit (99.9 - 100) x 0.01.
    expect(position).toMatchObject({ positionQty: "0.1", positionValue: "1", unrealizedPNL: "-0.001" });
    expect(good(exchange.executions(ALICE, {}, T0))[0]).toMatchObject({ fee: "0.00017483" });
    expect(good(exchange.statement(ALICE, { statementType: "TRANSFER" }, T0)).list).toMatchObject([
      { exchangeType: "EXCHANGE_B", deltaAmount: "400" },
      { exchangeType: "EXCHANGE_A", deltaAmount: "-400", afterAvailable: "600" },
    ]);
    expect(code(exchange.transfer(ALICE, { from: "EXCHANGE_A", to: "EXCHANGE_B", amount: "601" }, T0))).toBe(401023);
  });

  test("an open order binds margin and a reserve, and frees them when it ends", () => {
    const { exchange } = venue();
    const rest = {
      sym: SOL,
      side: "SELL",
      positionSide: "SHORT",
      orderType: "LIMIT" as const,
      orderQty: "2",
      limitPrice: "99.5",
    } as const;
    exchange.market.setLiquidity(SOL, true, [], T0);
    const { orderId } = good(exchange.place(ALICE, rest, T0));
    // 199 / 5; fee 199 x 0.000175 = 0.034825 and (100 - 99.5) x 2 = 1.
    expect(accountOf(exchange, ALICE)).toMatchObject({ perpMargin: "39.8", openLossMargin: "1.034825" });
    expect(good(exchange.assets(ALICE, {}, T0)).list[0]).toMatchObject({
      available: "959.165175",
      frozen: "40.834825",
    });
    good(exchange.cancel(ALICE, { orderId }, T0));
    expect(accountOf(exchange, ALICE)).toMatchObject({
      perpMargin: "0",
      openLossMargin: "0",
      availableMargin: "999.9",
    });
  });

  test("funding at 08:00 UTC: longs pay a positive rate on the mark, one line per position", () => {
    const { exchange } = venue();
    exchange.market.setFunding(SOL, dec("0.0005"), T0 + 8 * HOUR);
    good(exchange.place(ALICE, market("BUY", "LONG", "0.1"), T0));
    good(exchange.place(BOB, market("SELL", "SHORT", "0.1"), T0));
    exchange.advance(T0 + 8 * HOUR - 1);
    expect(good(exchange.statement(ALICE, { statementType: "FUNDING_FEE" }, T0)).totalSize).toBe(0);
    exchange.advance(T0 + 8 * HOUR);
    const at = T0 + 8 * HOUR;
    // 0.1 x 100 x 0.0005.
    expect(good(exchange.statement(ALICE, { statementType: "FUNDING_FEE" }, at)).list).toMatchObject([
      { deltaAmount: "-0.005", sym: SOL, createAt: at },
    ]);
    expect(good(exchange.statement(BOB, { statementType: "FUNDING_FEE" }, at)).list).toMatchObject([
      { deltaAmount: "0.005" },
    ]);
    expect(field(good(exchange.positions(ALICE, {}, at))[0], "fundingFee")).toBe("-0.005");
    expect(good(exchange.fundingRate(ALICE, { sym: SOL }, at))[0]).toMatchObject({
      nextFundingTime: String(T0 + 16 * HOUR),
    });
    exchange.advance(T0 + 48 * HOUR);
    expect(good(exchange.statement(ALICE, { statementType: "FUNDING_FEE" }, T0 + 48 * HOUR)).totalSize).toBe(6);
    expect(ledgerIsZero(exchange)).toBe(true);
  });

  test("spot: coins change hands, the base coin counts as collateral, sales need the coin", () => {
    const { exchange } = venue();
    const spot = { sym: SPOT, side: "BUY", orderType: "MARKET", orderQty: "0.1" } as const;
    expect(code(exchange.place(ALICE, { ...spot, side: "SELL" }, T0))).toBe(401023);
    good(exchange.place(ALICE, spot, T0));
    const coins = good(exchange.assets(ALICE, { exchangeType: "EXCHANGE_A" }, T0)).list;
    // 10.01 paid and 0.01001 fee.
    expect(coins.map(({ coin, balance }) => [coin, balance])).toEqual([
      ["USDT", "989.97999"],
      ["BTC", "0.1"],
    ]);
    expect(field(accountOf(exchange, ALICE), "equity")).toBe("999.97999");
    good(
      exchange.place(
        ALICE,
        { sym: SPOT, side: "BUY", orderType: "MARKET", orderQty: undefined, quoteOrderQty: "50.6" },
        T0,
      ),
    );
    // The ask of 0.1 was taken; 50.6 / 101 = 0.50.. in lots of 0.01.
    expect(field(good(exchange.assets(ALICE, {}, T0)).list[1], "balance")).toBe("0.6");
    good(exchange.place(ALICE, { ...spot, side: "SELL", orderQty: "0.6" }, T0));
    expect(field(good(exchange.assets(ALICE, {}, T0)).list[1], "balance")).toBe("0");
    expect(ledgerIsZero(exchange)).toBe(true);
  });
});
