/** Forced closes that neither the book nor the insurance fund carries: the other side is reduced, by rank, exactly. */
import { describe, expect, test } from "vitest";
import { dec, sumDecimals, toWire } from "../../../../src/core/decimal.ts";
import type { Level } from "../../../../src/sim/exchange/contract/market-api.ts";
import { accountOf, ALICE, BOB, CAROL, field, good, ledgerIsZero, SOL, T0, type Venue, venue } from "../venue.ts";

const order = (side: "BUY" | "SELL", positionSide: "LONG" | "SHORT", orderQty: string, limitPrice = "100") => ({
  sym: SOL,
  side,
  positionSide,
  orderType: "LIMIT" as const,
  orderQty,
  limitPrice,
});

const rankOf = ({ exchange }: Venue, accountId: string): string => {
  const { adlRanks } = good(exchange.adlRank(accountId, {}, T0));
  return (adlRanks as { adlRank: string }[])[0]?.adlRank ?? "none";
};

/** Alice holds 45 long, bought of Bob (30) and Carol (15); Carol has the higher leverage. Nobody else quotes. */
function opposed(insuranceFundUsdt = "0"): Venue {
  const reported = venue({ settings: { insuranceFundUsdt: dec(insuranceFundUsdt), enforceLeverageCap: false } });
  const { exchange } = reported;
  for (const buys of [true, false]) exchange.market.setLiquidity(SOL, buys, [], T0);
  good(exchange.setLeverage(CAROL, { sym: SOL, leverage: 20 }, T0));
  good(exchange.place(BOB, order("SELL", "SHORT", "30"), T0));
  good(exchange.place(CAROL, order("SELL", "SHORT", "15"), T0));
  good(exchange.place(ALICE, order("BUY", "LONG", "45"), T0));
  return reported;
}

function fall({ exchange }: Venue, bids: readonly Level[] = []): void {
  exchange.market.setLiquidity(SOL, true, bids, T0);
  // 45 x (79 - 100) - 0.7875 of fees leave 54.2125, less than the maintenance of 2 % of 3555.
  exchange.market.setMark(SOL, dec(79), dec(79), T0);
}

const fills = ({ exchange }: Venue, accountId: string) =>
  good(exchange.executions(accountId, {}, T0)).map((row) =>
    ["price", "quantity", "fee"].map((name) => field(row, name)),
  );

describe("auto-deleveraging", () => {
  test("closes at the bankruptcy price against the highest rank first, and every sum stays zero", () => {
    const reported = opposed();
    const { exchange, pushes } = reported;
    expect([rankOf(reported, ALICE), rankOf(reported, BOB), rankOf(reported, CAROL)]).toEqual(["1", "1", "1"]);
    pushes.length = 0;
    fall(reported);
    // (3555 - 54.2125) / (45 x 0.999825) = 77.808895...: 77.9 is the first tick that leaves nothing missing.
    expect(fills(reported, ALICE).slice(0, 2)).toEqual([
      ["77.9", "30", "0.40897500".replace(/0+$/, "")],
      ["77.9", "15", "0.20448750".replace(/0+$/, "")],
    ]);
    expect(fills(reported, CAROL)[0]).toEqual(["77.9", "15", "0"]);
    expect(fills(reported, BOB)[0]).toEqual(["77.9", "30", "0"]);
    const ledger = exchange.ledger();
    expect(ledgerIsZero(exchange)).toBe(true);
    // All trades were among participants and all are flat: the venue has won and lost nothing.
    expect(ledger.balances.USDT?.["counterparty/EXCHANGE_A"]).toBe("0");
    const rest = ["fees/EXCHANGE_A", "insurance/EXCHANGE_A"].map((name) => dec(ledger.balances.USDT?.[name] ?? "0"));
    const cash = [ALICE, BOB, CAROL].map((id) => dec(field(accountOf(exchange, id), "equity")));
    expect(toWire(sumDecimals([...cash, ...rest]))).toBe("3000");
    expect(dec(ledger.balances.USDT?.["insurance/EXCHANGE_A"] ?? "-1").gte(0)).toBe(true);
    expect(accountOf(exchange, ALICE)).toMatchObject({ equity: "0", accountStatus: "TAKEOVER" });
  });

  test("pushes Orders, Trades, Positions and Assets of the reduced account and says ADL_CLOSED", () => {
    const reported = opposed();
    const { exchange, pushes } = reported;
    pushes.length = 0;
    fall(reported);
    const toCarol = pushes.filter(({ accountId }) => accountId === CAROL);
    expect(toCarol.map(({ channel }) => channel)).toEqual(["Orders", "Orders", "Trades", "Positions", "Assets"]);
    expect(toCarol[1]?.data).toMatchObject({ orderState: "FILLED", reason: "auto-deleveraged", side: "BUY" });
    // 15 x (100 - 77.9).
    expect(toCarol[2]?.data).toMatchObject({ rpnl: "331.5", fee: "0", price: "77.9" });
    expect(toCarol[3]?.data).toMatchObject({ positionQty: "0" });
    expect(good(exchange.positionHistory(CAROL, {}, T0)).list[0]).toMatchObject({ closedType: "ADL_CLOSED" });
    expect(good(exchange.positionHistory(ALICE, {}, T0)).list[0]).toMatchObject({ closedType: "LIQUIDATION_CLOSED" });
  });

  test("takes no more than it needs: the rank decides who is spared", () => {
    const reported = opposed();
    const { exchange } = reported;
    exchange.market.setLiquidity(SOL, true, [[1000, 1_500]], T0);
    good(exchange.place(CAROL, order("SELL", "SHORT", "15"), T0));
    exchange.market.setLiquidity(SOL, true, [], T0);
    const rests = good(exchange.place(BOB, { ...order("BUY", "SHORT", "30", "60") }, T0)).orderId;
    fall(reported);
    expect(good(exchange.positions(CAROL, {}, T0))).toEqual([]);
    expect(good(exchange.positions(BOB, {}, T0))[0]).toMatchObject({ positionQty: "15" });
    // A reducing order is cut to what is left of its position.
    expect(good(exchange.order(BOB, { orderId: rests }, T0))).toMatchObject({ orderQty: "15", orderState: "OPEN" });
  });

  test("comes after the book, which is met down to the bankruptcy price", () => {
    const reported = opposed();
    const bids: Level[] = [
      [785, 500],
      [700, 100_000],
    ];
    fall(reported, bids);
    const prices = fills(reported, ALICE).map(([price]) => price);
    expect(prices).toContain("78.5");
    expect(prices).not.toContain("70");
    expect(good(reported.exchange.positions(ALICE, {}, T0))).toEqual([]);
    expect(good(reported.exchange.positions(BOB, {}, T0))[0]).toMatchObject({ positionQty: "5" });
    expect(ledgerIsZero(reported.exchange)).toBe(true);
  });

  test("does not come while the fund carries the position, nor when there is nobody on the other side", () => {
    const funded = opposed("100");
    fall(funded);
    expect(good(funded.exchange.positions(CAROL, {}, T0))[0]).toMatchObject({ positionQty: "15" });
    expect(fills(funded, ALICE)[0]?.[0]).toBe("79");
    const alone = venue({ settings: { insuranceFundUsdt: dec(0) } });
    good(alone.exchange.place(ALICE, { ...order("BUY", "LONG", "45"), limitPrice: "101" }, T0));
    fall(alone);
    expect(good(alone.exchange.positions(ALICE, {}, T0))).toEqual([]);
    expect(fills(alone, ALICE)[0]?.[0]).toBe("79");
    expect(ledgerIsZero(alone.exchange)).toBe(true);
  });
});
