/** What becomes of an account whose margin runs out: its statuses, the order of liquidation, and who bears the rest. */
import { describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { accountOf, ALICE, code, field, good, ledgerIsZero, SOL, T0, venue } from "../venue.ts";

const market = (side: "BUY" | "SELL", positionSide: "LONG" | "SHORT", orderQty: string, sym = SOL) => ({
  sym,
  side,
  positionSide,
  orderType: "MARKET" as const,
  orderQty,
});

describe("an account whose margin runs out", () => {
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
