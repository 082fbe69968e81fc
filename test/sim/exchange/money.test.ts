import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import { accountOf, ALICE, BOB, code, ETH_B, field, good, ledgerIsZero, SOL, SPOT, T0, venue } from "./venue.ts";

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

describe("trouble", () => {
  /** 45 long at 100.9.., leverage 5: value 4500, maintenance 90 at 2 %. */
  function leveraged() {
    const reported = venue();
    good(reported.exchange.place(ALICE, market("BUY", "LONG", "45"), T0));
    return reported;
  }
  const markAt = (reported: ReturnType<typeof venue>, mark: number, at = T0) => {
    reported.exchange.market.setLiquidity(SOL, true, [[mark * 10 - 1, 100_000]], at);
    reported.exchange.market.setLiquidity(SOL, false, [[mark * 10 + 1, 100_000]], at);
    reported.exchange.market.setMark(SOL, dec(mark), dec(mark), at);
  };
  const status = (reported: ReturnType<typeof venue>) => field(accountOf(reported.exchange, ALICE), "accountStatus");

  test("the ladder of statuses on uniMMR, and the margin call every minute", () => {
    const reported = leveraged();
    const { exchange, pushes } = reported;
    const rest = {
      sym: SOL,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      orderQty: "0.1",
      limitPrice: "70",
    } as const;
    good(exchange.place(ALICE, rest, T0));
    good(exchange.place(ALICE, { ...rest, side: "SELL", limitPrice: "130" }, T0));
    const state = () => [status(reported), good(exchange.openOrders(ALICE, {}, T0)).totalSize];
    expect(state()).toEqual(["NORMAL", 2]);
    // Valid margin is about 0.9999 x 999.2 + 45 x (mark - 100.98); maintenance 0.9 x mark.
    markAt(reported, 81);
    expect(state()).toEqual(["MARGIN_CALL", 2]);
    const calls = () => pushes.filter((push) => push.channel === "MarginCall").length;
    expect(calls()).toBe(1);
    exchange.advance(T0 + 60_000);
    expect(calls()).toBe(2);
    markAt(reported, 80.8, T0 + 60_000);
    expect(state()).toEqual(["CANCEL_OPEN", 1]);
    expect(code(exchange.place(ALICE, rest, T0 + 60_000))).toBe(401023);
    markAt(reported, 80.5, T0 + 60_000);
    expect(state()).toEqual(["CANCEL_ALL", 0]);
    expect(ledgerIsZero(exchange)).toBe(true);
  });

  test("liquidation closes by market with its fee, pushes its records, and leaves the account flat", () => {
    const reported = leveraged();
    markAt(reported, 80);
    const { exchange, pushes } = reported;
    expect(good(exchange.positions(ALICE, {}, T0))).toEqual([]);
    // About 50 USDT were left after the close; the fee takes more than that, the insurance fund the rest.
    expect(accountOf(exchange, ALICE)).toMatchObject({ accountStatus: "TAKEOVER", equity: "0" });
    const [line] = good(exchange.statement(ALICE, { statementType: "LIQUIDATION_FEE" }, T0)).list;
    // 45 x 79.9 x 0.03, all of it taken although the balance does not carry it.
    expect(field(line, "deltaAmount")).toBe("-107.865");
    expect(good(exchange.positionHistory(ALICE, {}, T0)).list[0]).toMatchObject({
      closedType: "LIQUIDATION_CLOSED",
      liqFee: "107.865",
    });
    const forced = pushes.filter(({ channel }) => channel.startsWith("Liquidation"));
    expect(forced.map(({ channel }) => channel)).toEqual(["LiquidationPosition", "LiquidationEvent"]);
    expect(forced[0]?.data).toMatchObject({ reduceQty: "45", liqFee: "107.865", positionSide: "LONG" });
    expect(ledgerIsZero(exchange)).toBe(true);
  });

  test("positions go with the largest loss first, and only until the account is NORMAL again", () => {
    const reported = venue({ settings: { liquidateAt: dec("3"), marginCallAt: dec("4") } });
    const { exchange } = reported;
    good(exchange.place(ALICE, market("BUY", "LONG", "30"), T0));
    good(exchange.place(ALICE, market("SELL", "SHORT", "2"), T0));
    markAt(reported, 70);
    const [kept] = good(exchange.positions(ALICE, {}, T0));
    expect(kept).toMatchObject({ positionSide: "SHORT", positionQty: "2" });
    expect(status(reported)).toBe("NORMAL");
    expect(
      field(good(exchange.statement(ALICE, { statementType: "LIQUIDATION_FEE" }, T0)).list[0], "deltaAmount"),
    ).toBe("-62.91");
  });

  test("a gap through zero: the insurance fund makes the balance good", () => {
    const reported = leveraged();
    markAt(reported, 60);
    const account = accountOf(reported.exchange, ALICE);
    expect(account).toMatchObject({ equity: "0", accountStatus: "TAKEOVER", positionValue: "0" });
    expect(good(reported.exchange.statement(ALICE, { statementType: "LIQ_COMPENSATION" }, T0)).totalSize).toBe(1);
    expect(ledgerIsZero(reported.exchange)).toBe(true);
  });

  test("what an empty book does not take is taken over at the mark", () => {
    const reported = leveraged();
    reported.exchange.market.setLiquidity(SOL, true, [], T0);
    reported.exchange.market.setMark(SOL, dec(80), dec(80), T0);
    expect(good(reported.exchange.positions(ALICE, {}, T0))).toEqual([]);
    expect(good(reported.exchange.executions(ALICE, {}, T0))[0]).toMatchObject({ price: "80", quantity: "45" });
  });

  test("equity under 800: everything is closed, writes are refused, and the account can be read", () => {
    const reported = venue({ settings: { eliminationBelowUsdt: dec(800) } });
    const { exchange } = reported;
    good(exchange.place(ALICE, market("BUY", "LONG", "20"), T0));
    markAt(reported, 92);
    expect(good(exchange.positions(ALICE, {}, T0))).toHaveLength(1);
    markAt(reported, 90);
    expect(exchange.isFrozen(ALICE)).toBe(false);
    expect(good(exchange.account(ALICE, {}, T0))[0]).toMatchObject({ accountStatus: "LIQUIDATING" });
    expect(good(exchange.positions(ALICE, {}, T0))).toEqual([]);
    expect(code(exchange.place(ALICE, market("BUY", "LONG", "1"), T0))).toBe(100041);
    expect(code(exchange.cancelAll(ALICE, {}, T0))).toBe(100041);
    const rows = exchange.scoreboard(T0);
    expect(rows.map(({ accountId, eliminated }) => [accountId, eliminated]).at(-1)).toEqual([ALICE, true]);
    expect(ledgerIsZero(exchange)).toBe(true);
  });

  test("the liquidation price shown is the mark at which uniMMR reaches 1", () => {
    const reported = leveraged();
    const shown = Number(field(good(reported.exchange.positions(ALICE, {}, T0))[0], "liqPrice"));
    const figures = accountOf(reported.exchange, ALICE);
    const valid = Number(figures.validMargin) + 45 * (shown - 100);
    expect(valid).toBeCloseTo(0.02 * 45 * shown, 4);
  });
});
