import { describe, expect, test } from "vitest";
import { createTradeBook, fundingAmount, NO_TRADES } from "../../src/agent/positions/trade-book.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import type { Execution } from "../../src/domain/order.ts";
import { BTC, position, ready, scripted, START_MS, target, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

let nth = 0;
const fillOf = (change: Partial<Execution>): Execution => ({
  transactionId: `tx-${++nth}`,
  orderId: "2190000000000001",
  clientOrderId: "",
  symbol: BTC,
  side: "BUY",
  qty: dec("0.004"),
  price: dec("60000"),
  fee: dec("0.1"),
  realizedPnl: ZERO,
  liquidity: "TAKER",
  atMs: START_MS,
  ...change,
});
const meta = {
  decisionId: "d-1",
  strategy: "momentum",
  thesis: "because",
  stopPrice: dec("59000"),
  targetPrice: dec("62000"),
  openedAtMs: START_MS,
};
const KEY = `${BTC}|LONG`;
const flatPosition = { meta, avgPrice: dec("60000"), qty: dec("0.004"), begunMs: -Infinity };

describe("trade book", () => {
  test("adds up fills, fees and funding to one result", () => {
    const book = createTradeBook(NO_TRADES);
    book.fill(KEY, true, fillOf({ qty: dec("0.002"), price: dec("60000") }));
    book.fill(KEY, true, fillOf({ qty: dec("0.002"), price: dec("60100") }));
    book.funding(KEY, dec("-0.05"));
    expect(book.costs(KEY)).toMatchObject({ feesUsdt: dec("0.2"), fundingUsdt: dec("-0.05") });
    book.ending(KEY, "the move faded");
    book.ending(KEY, "a later reason");
    book.fill(KEY, false, fillOf({ side: "SELL", price: dec("60500"), realizedPnl: dec("1.8") }));
    book.flat(KEY, flatPosition, START_MS + 60_000);
    const [trade] = book.settled(START_MS + 60_000, -Infinity);
    expect(trade).toMatchObject({
      id: `${KEY}@${START_MS}`,
      entryPrice: dec("60050"),
      exitPrice: dec("60500"),
      netUsdt: dec("1.45"),
      exitReason: "the move faded",
      thesis: "because",
    });
    expect(book.settled(START_MS + 99_000, -Infinity)).toEqual([]);
    expect(book.recent()).toEqual([trade]);
  });

  test("fills of a position that no report has shown are none of the next, nor does that wait for more", () => {
    const book = createTradeBook(NO_TRADES);
    const begunMs = START_MS + 10_000;
    book.fill(KEY, true, fillOf({ fee: dec("1") }));
    book.fill(KEY, false, fillOf({ side: "SELL", atMs: START_MS + 1_000, fee: dec("2") }));
    book.fill(KEY, true, fillOf({ atMs: begunMs, fee: dec("4") }));
    expect(book.costs(KEY, begunMs).feesUsdt).toEqual(dec("4"));
    book.fill(KEY, false, fillOf({ side: "SELL", atMs: begunMs + 1_000, fee: dec("8") }));
    book.flat(KEY, { ...flatPosition, begunMs }, begunMs + 1_000);
    const trades = book.settled(begunMs + 2_000, -Infinity);
    expect(trades.map(({ feesUsdt }) => feesUsdt)).toEqual([dec("12")]);
    expect(book.costs(KEY).feesUsdt).toEqual(dec("0"));
  });

  test("a fill reported twice counts once; one that comes after the flat news still counts", () => {
    const book = createTradeBook(NO_TRADES);
    const entry = fillOf({});
    expect(book.fill(KEY, true, entry)).toBe(true);
    expect(book.fill(KEY, true, entry)).toBe(false);
    book.flat(KEY, flatPosition, START_MS);
    expect(book.settled(START_MS + 1_000, -Infinity)).toEqual([]);
    book.fill(KEY, false, fillOf({ side: "SELL", price: dec("58990"), realizedPnl: dec("-4.04") }));
    expect(book.settled(START_MS + 1_000, -Infinity)[0]).toMatchObject({ netUsdt: dec("-4.24"), exitReason: "stop" });
  });

  test("without closing fills the result is unknown, not zero", () => {
    const book = createTradeBook(NO_TRADES);
    book.flat(KEY, flatPosition, START_MS);
    expect(book.settled(START_MS + 90_000, -Infinity)[0]).toMatchObject({
      netUsdt: null,
      exitPrice: null,
      entryPrice: dec("60000"),
    });
  });

  test("a trade that lacks closing fills waits for the list of executions that shows them", () => {
    const book = createTradeBook(NO_TRADES);
    book.fill(KEY, true, fillOf({}));
    book.flat(KEY, flatPosition, START_MS);
    book.fill(KEY, false, fillOf({ side: "SELL", qty: dec("0.001"), price: dec("60400"), realizedPnl: dec("0.4") }));
    expect(book.settled(START_MS + 15_000, START_MS + 10_000)).toEqual([]);
    book.fill(KEY, false, fillOf({ side: "SELL", qty: dec("0.003"), price: dec("60000") }));
    expect(book.settled(START_MS + 20_000, START_MS + 10_000)[0]).toMatchObject({
      exitPrice: dec("60100"),
      netUsdt: dec("0.1"),
    });
  });

  test("a trade is reported with what is known once such a list shows no more", () => {
    const book = createTradeBook(NO_TRADES);
    book.flat(KEY, flatPosition, START_MS);
    expect(book.settled(START_MS + 21_000, START_MS + 20_000)).toHaveLength(1);
  });

  test("a trade that waits takes no fill of the position that came after it", () => {
    const book = createTradeBook(NO_TRADES);
    const closes = (atMs: number) => fillOf({ side: "SELL", price: dec("60500"), realizedPnl: dec("2"), atMs });
    book.fill(KEY, true, fillOf({}));
    book.flat(KEY, flatPosition, START_MS + 1_000);
    book.fill(KEY, true, fillOf({ atMs: START_MS + 5_000 }));
    book.fill(KEY, false, closes(START_MS + 9_000));
    book.flat(KEY, { ...flatPosition, meta: { ...meta, openedAtMs: START_MS + 5_000 } }, START_MS + 9_000);
    expect(book.settled(START_MS + 9_000, -Infinity)).toMatchObject([{ openedAtMs: START_MS + 5_000 }]);
    book.fill(KEY, false, closes(START_MS + 1_000));
    expect(book.settled(START_MS + 9_000, -Infinity)).toMatchObject([{ openedAtMs: START_MS, netUsdt: dec("1.8") }]);
  });

  test("an account leaves out what had filled before the previous position was closed, in any order", () => {
    const before = fillOf({ atMs: START_MS, fee: dec("0.3") });
    const own = fillOf({ atMs: START_MS + 5_000 });
    for (const fills of [
      [before, own],
      [own, before],
    ]) {
      for (const heardFirst of [0, 1, 2]) {
        const book = createTradeBook(NO_TRADES);
        for (const execution of fills.slice(0, heardFirst)) book.fill(KEY, true, execution);
        book.ended(KEY, START_MS + 1_000);
        for (const execution of fills.slice(heardFirst)) book.fill(KEY, true, execution);
        expect(book.costs(KEY)).toMatchObject({ feesUsdt: dec("0.1") });
      }
    }
  });

  test("is bounded, newest first, and goes on where an earlier run ended", () => {
    const book = createTradeBook({
      ...NO_TRADES,
      fills: [{ positionKey: KEY, opening: true, execution: fillOf({}) }],
      funding: [{ positionKey: KEY, amountUsdt: dec("0.01") }],
    });
    expect(book.costs(KEY)).toMatchObject({ feesUsdt: dec("0.1"), fundingUsdt: dec("0.01") });
    for (let n = 0; n < 80; n++) {
      book.flat(KEY, { ...flatPosition, meta: { ...meta, openedAtMs: n } }, n);
      book.settled(n + 90_000, -Infinity);
    }
    expect(book.recent()).toHaveLength(50);
    expect(book.recent()[0]?.openedAtMs).toBe(79);
  });

  test("why we closed it is known also of a position that we know no fill of", () => {
    const book = createTradeBook(NO_TRADES);
    book.ending(KEY, "handover to another strategy", "handover");
    book.fill(KEY, false, fillOf({ side: "SELL", price: dec("60500") }));
    book.flat(KEY, flatPosition, START_MS);
    expect(book.settled(START_MS, -Infinity)).toEqual([]);
    expect(book.settled(START_MS + 21_000, START_MS + 20_000)).toMatchObject([
      { exit: "handover", exitReason: "handover to another strategy" },
    ]);
  });

  test("a trade waits for its opening fills too, and they are not those of the position after it", () => {
    const book = createTradeBook(NO_TRADES);
    book.fill(KEY, false, fillOf({ side: "SELL", atMs: START_MS + 1_000, realizedPnl: dec("2") }));
    book.flat(KEY, flatPosition, START_MS + 1_000);
    book.fill(KEY, true, fillOf({ atMs: START_MS + 5_000, fee: dec("0.7") }));
    expect(book.settled(START_MS + 5_000, -Infinity)).toEqual([]);
    book.fill(KEY, true, fillOf({ atMs: START_MS }));
    expect(book.settled(START_MS + 5_000, -Infinity)).toMatchObject([{ netUsdt: dec("1.8"), feesUsdt: dec("0.2") }]);
    expect(book.costs(KEY)).toMatchObject({ feesUsdt: dec("0.7") });
    book.fill(KEY, true, fillOf({ atMs: START_MS }));
    expect(book.costs(KEY)).toMatchObject({ feesUsdt: dec("0.7") });
  });

  test("what precedes the position that a waiting trade is of counts for neither", () => {
    const book = createTradeBook(NO_TRADES);
    const begunMs = START_MS + 5_000;
    book.fill(KEY, true, fillOf({ atMs: START_MS }));
    book.fill(KEY, false, fillOf({ side: "SELL", atMs: START_MS + 9_000, realizedPnl: dec("2") }));
    book.flat(KEY, { ...flatPosition, begunMs }, START_MS + 9_000);
    expect(book.precedes(KEY, START_MS + 1_000, undefined)).toBe(true);
    expect(book.precedes(KEY, START_MS + 9_000, undefined)).toBe(false);
    book.ended(KEY, START_MS + 1_000);
    book.fill(KEY, true, fillOf({ atMs: begunMs }));
    expect(book.settled(START_MS + 9_000, -Infinity)).toMatchObject([{ netUsdt: dec("1.8"), feesUsdt: dec("0.2") }]);
  });

  test("why a position is closed says nothing about the one before it, whose trade is not reported yet", () => {
    const book = createTradeBook(NO_TRADES);
    book.flat(KEY, flatPosition, START_MS);
    book.ending(KEY, "handover to another strategy", "handover");
    expect(book.settled(START_MS + 90_000, -Infinity)).toMatchObject([{ exit: "outside" }]);
  });

  test("longs pay positive funding, shorts receive it", () => {
    expect(fundingAmount("LONG", dec("1000"), 0.0001)).toEqual(dec("-0.1"));
    expect(fundingAmount("SHORT", dec("1000"), 0.0001)).toEqual(dec("0.1"));
  });
});

describe("in the agent", () => {
  const seen: Snapshot[] = [];
  const asked = (): World => {
    const chosen = scripted("momentum", () => ({ kind: "targets", targets: [target()], note: "" }));
    const decide = chosen.strategy.decide;
    return ready({
      strategies: {
        chosen: {
          ...chosen,
          strategy: {
            ...chosen.strategy,
            decide: (snapshot, settings) => {
              seen.push(snapshot);
              return decide(snapshot, settings);
            },
          },
        },
        fallback: scripted("hold", () => ({ kind: "targets", targets: [], note: "" })),
      },
    });
  };

  const closedRows = (w: World) =>
    w.of("record").flatMap(({ row, body }) => (row === "trade" && body["event"] === "closed" ? [body] : []));
  /** An order of the agent's own has opened a long position of 0.004 BTC. */
  const entered = (): World => {
    const w = story("1.5 s -> places BTC", asked());
    return story(`fill BUY 0.004 as ${w.last("place").intent.clientOrderId} now\npush BTC LONG 0.004`, w);
  };

  test("what closed before a listed position began is no part of its trade, however late it is found", () => {
    const listed = { ...position(BTC, "0.004", "60000"), createdAtMs: START_MS };
    const w = ready({}, { positions: [listed] });
    const earlier = { side: "SELL", atMs: START_MS - 10_000, price: dec("70000"), realizedPnl: dec("40") } as const;
    w.feed({ kind: "fill", execution: fillOf(earlier) });
    story(
      `
      fill SELL 0.004 @ 60600 by 301 earning 2.4 now
      push BTC LONG flat
      0.5 s
      `,
      w,
    );
    // Its opening fills are from before this run: a list that would show them ends the wait.
    expect(closedRows(w)).toEqual([]);
    w.tick(90_000);
    expect(closedRows(w)).toMatchObject([{ exitPrice: "60600" }]);
    expect(Number(closedRows(w)[0]?.["netUsdt"])).toBeLessThan(2.4);
  });

  test("a position's costs are shown while it is held, its result once it is closed", () => {
    const w = entered();
    w.context.onFunding({ symbol: BTC, rate: dec("0.0001"), nextFundingAtMs: w.nowMs + 1_000 });
    story(
      `
      0.5 s
      1 s
      fill SELL 0.004 @ 60600 by 301 earning 2.4 now
      push BTC LONG flat
      0.5 s
      `,
      w,
    );
    expect(closedRows(w)).toMatchObject([{ symbol: BTC, side: "LONG", fundingUsdt: "-0.024", netUsdt: "2.176" }]);
    w.tick(61_000);
    const last = seen.at(-1);
    expect(last?.account?.recentTrades[0]).toMatchObject({
      symbol: BTC,
      netUsdt: dec("2.176"),
      exitReason: "closed at the venue",
    });
    expect(last?.headroom.limits.map(({ limit }) => limit)).toContain("loss today");
  });

  test("closing fills that no push brought and that the list shows later are in the result", () => {
    const w = story("1 s\npush BTC LONG flat\n6 s", entered());
    const fills = [fillOf({ side: "SELL", price: dec("60600"), realizedPnl: dec("2.4"), atMs: w.nowMs - 6_000 })];
    w.feed({ kind: "fills-read", startedAtMs: w.nowMs - 1_000, fills });
    story("0.5 s\nlist nothing, no stops\n11 s", w);
    expect(closedRows(w)).toMatchObject([{ exitPrice: "60600", netUsdt: "2.2" }]);
    // The agent did not request the close, so it triggers a decision.
    expect(w.logs("decision.triggered").join()).toContain(`stop: ${BTC}|LONG outside`);
  });

  test("a position that a list lacked for a moment is no trade and keeps its costs", () => {
    const w = story(
      `
      6 s
      list nothing, no stops
      6 s
      list BTC LONG 0.004, no stops
      0.5 s
      `,
      entered(),
    );
    expect(closedRows(w)).toEqual([]);
    story(
      `
      21 s
      fill SELL 0.004 @ 60600 by 301 earning 2.4 now
      push BTC LONG flat
      0.5 s
      `,
      w,
    );
    expect(closedRows(w)).toMatchObject([{ entryPrice: "60000", feesUsdt: "0.2", netUsdt: "2.2" }]);
  });

  test("a fill that realised nothing, away from its entry, closed no position that a list lacks either", () => {
    story(`
      list BTC LONG 0.004, S1
      30 s with list BTC LONG 0.004, S1
      30 s without prices
      restart
      list nothing, no stops
      fill SELL 0.004 @ 59000 by 301 now                 -> writes fill ${BTC}|SHORT true
    `);
  });

  test("an unannounced fill whose result the venue does not say closes what is held", () => {
    story(`
      list BTC LONG 0.004, S1
      30 s with list BTC LONG 0.004, S1
      fill SELL 0.004 @ 58000 by 301 earning unsaid now
      order 301 FILLED SELL LONG
      push BTC LONG flat
      stop S1 CANCELLED
      120 s with lists                                   -> writes trade closed LONG 58000 null once
      fill SELL 0.003 by 303 now
      order 303 FILLED SELL SHORT of 0.003
      push BTC SHORT 0.003
      1 s with list BTC SHORT 0.003
      fill BUY 0.003 @ 59000 by 302 earning 3 now
      push BTC SHORT flat
      120 s with lists                                   -> writes trade closed SHORT 0.003 60000 2.8 once
    `);
  });
});
