/** The change of phase: flat, reset, history kept, the other phase's rules. Spec: 3 §8; records §8.3, §15. */
import { describe, expect, test } from "vitest";
import { createExchange } from "../../../../src/sim/exchange/exchange.ts";
import { symbolSpecs } from "../../../../src/sim/symbol-table.ts";
import { dec } from "../../../../src/core/decimal.ts";
import { ALICE, BOB, CAROL, code, good, SOL, SPOT, T0, venue } from "../venue.ts";

const MINUTE = 60_000;
const order = { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "2" } as const;

/** Alice long with a resting order and a stop, Bob short, Carol with a coin; then the mark falls and the phase ends. */
function ended() {
  const v = venue();
  const { exchange } = v;
  good(exchange.place(ALICE, order, T0));
  good(exchange.place(ALICE, { ...order, orderType: "LIMIT", limitPrice: "95", orderQty: "1" }, T0));
  good(exchange.place(BOB, { ...order, side: "SELL", positionSide: "SHORT" }, T0));
  good(exchange.place(CAROL, { sym: SPOT, side: "BUY", orderType: "MARKET", orderQty: "1" }, T0));
  exchange.market.setMark(SOL, dec(96), dec(96), T0 + MINUTE);
  exchange.beginPhase(1, T0 + MINUTE);
  return { ...v, nowMs: T0 + 2 * MINUTE };
}

describe("a phase that begins", () => {
  test("leaves nobody with orders or positions", () => {
    const { exchange, nowMs } = ended();
    for (const id of [ALICE, BOB, CAROL]) {
      expect(good(exchange.positions(id, {}, nowMs))).toEqual([]);
      expect(good(exchange.openOrders(id, {}, nowMs)).list).toEqual([]);
      expect(good(exchange.openAlgos(id, {}, nowMs))).toEqual([]);
    }
  });

  test("gives everybody the initial capital again, and each entry of the ledger is balanced", () => {
    const { exchange, nowMs } = ended();
    expect(exchange.scoreboard(nowMs).map(({ equityUsdt }) => equityUsdt)).toEqual(["1000", "1000", "1000"]);
    const { totals, entries } = exchange.ledger();
    expect(Object.values(totals).every((total) => total === "0")).toBe(true);
    expect(entries.filter(({ kind, coin }) => kind === "reset" && coin === "BTC")).toHaveLength(1);
  });

  test("closes at the mark: what Alice lost by it stands in her history", () => {
    const { exchange, nowMs } = ended();
    const [closed] = good(exchange.positionHistory(ALICE, {}, nowMs)).list;
    // Bought 0.1 at 100.1 (ten lots) and the rest at 101, closed at 96.
    expect(closed).toMatchObject({ sym: SOL });
    expect(Number(closed?.closedPnl)).toBeLessThan(-8);
    expect(good(exchange.executionsPageable(ALICE, {}, nowMs)).list.at(0)).toMatchObject({ price: "96" });
    expect(good(exchange.orderHistory(ALICE, {}, nowMs)).list.length).toBeGreaterThanOrEqual(3);
    const kinds = good(exchange.statement(ALICE, {}, nowMs)).list.map(({ statementType }) => statementType);
    expect(kinds.filter((kind) => kind === "MODIFY_ASSET")).toHaveLength(2);
  });

  test("scores from its own beginning", () => {
    const { exchange, nowMs } = ended();
    for (const row of exchange.scoreboard(nowMs)) {
      expect(row).toMatchObject({ returnFraction: 0, maxDrawdown: 0, winRate: null, trades: 0, quoteVolume: "0" });
    }
    expect(good(exchange.trackARanking(ALICE, { phase: "PHASE_I" }, nowMs))).toMatchObject({ phase: "PHASE_I" });
    expect(code(exchange.trackARanking(ALICE, { phase: "PHASE_II" }, nowMs))).toBe(30016);
  });

  test("reports participants by the usual pushes", () => {
    const { pushes } = ended();
    const of = (channel: string) => pushes.filter((push) => push.accountId === ALICE && push.channel === channel);
    expect(of("Orders").filter(({ data }) => data.orderState === "CANCELLED")).toHaveLength(1);
    expect(of("Positions").at(-1)?.data).toMatchObject({ positionQty: "0" });
    expect(of("Assets").at(-1)?.data).toMatchObject({ coin: "USDT", balance: "1000" });
  });
});

test("cap and instruments are those of the phase that has begun", () => {
  const exchange = createExchange({
    symbols: symbolSpecs({ exchanges: ["X_ONE", "X_TWO"], phase: 2 }),
    phase: 1,
    startMs: T0,
  });
  exchange.openAccount({ accountId: ALICE, exchanges: ["X_ONE"], initialUsdt: dec(1000), mode: "BOTH" }, T0);
  exchange.openAccount({ accountId: BOB, exchanges: ["X_TWO"], initialUsdt: dec(1000), mode: "BOTH" }, T0);
  const [first, second] = ["X_ONE_PERP_BTC_USDT", "X_TWO_PERP_BTC_USDT"];
  for (const symbol of [first, second]) exchange.market.setMark(symbol, dec(60_000), dec(60_000), T0);
  const limit = { side: "BUY", positionSide: "LONG", orderType: "LIMIT", limitPrice: "50000" } as const;
  const tryBoth = () => [
    code(exchange.place(ALICE, { ...limit, sym: first, orderQty: "0.002" }, T0)),
    code(exchange.place(BOB, { ...limit, sym: second, orderQty: "0.1" }, T0)),
  ];
  // Leverage is 5 by default: over the cap of Phase I, at that of Phase II.
  expect(tryBoth()).toEqual([400001, 401011]);
  exchange.beginPhase(2, T0);
  expect(tryBoth()).toEqual([200000, 200000]);
});

test("who was eliminated stays out and gets nothing", () => {
  const { exchange } = venue({ settings: { eliminationBelowUsdt: dec(800) } });
  good(exchange.place(ALICE, { ...order, orderQty: "30" }, T0));
  exchange.market.setMark(SOL, dec(90), dec(90), T0 + MINUTE);
  expect(code(exchange.cancelAll(ALICE, {}, T0 + MINUTE))).toBe(100041);
  exchange.beginPhase(2, T0 + MINUTE);
  expect(code(exchange.cancelAll(ALICE, {}, T0 + MINUTE))).toBe(100041);
  const row = exchange.scoreboard(T0 + MINUTE).find(({ accountId }) => accountId === ALICE);
  expect(row).toMatchObject({ eliminated: true });
  expect(Number(row?.equityUsdt)).toBeLessThan(900);
});
