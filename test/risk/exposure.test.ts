/** What is at stake: the value of positions, of live orders and of a draft. */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { exposureOf, isReducing, heldSideOf, valueOf, worsePrice } from "../../src/risk/exposure.ts";
import type { Draft, RiskView } from "../../src/risk/view.ts";
import { BTC, draft, position, SOL, view, settings, X, short, btc, flight, openOrder, text } from "./support.ts";

describe("what is at stake", () => {
  test("an order belongs to the position that it adds to", () => {
    expect(heldSideOf(draft().order)).toBe("LONG");
    expect(heldSideOf(draft(short).order)).toBe("SHORT");
    expect(heldSideOf(draft({ side: "BUY", positionSide: "NONE" }).order)).toBe("LONG");
    expect(heldSideOf(draft({ side: "SELL", positionSide: "NONE" }).order)).toBe("SHORT");
    expect([isReducing(draft()), isReducing(draft({ side: "SELL" }))]).toEqual([false, true]);
  });

  test.each<[string, Draft, Partial<RiskView>, string | null]>([
    ["a buy: the ask with slippage", draft(), {}, "60120.1002"],
    ["a sale: the mark with slippage, above the bid", draft(short), btc({ bid: dec("59990") }), "60120"],
    ["a sale into a bid above the mark", draft(short), btc({ bid: dec("60010") }), "60130.02"],
    ["a buy with the ask below the mark", draft(), btc({ ask: dec("59990") }), "60120"],
    ["a buy without a book", draft(), btc({ ask: null }), "60120"],
    ["a limit above all of it", draft({ limitPrice: "61000" }), {}, "61000"],
    ["a MARKET order", draft({ orderType: "MARKET", limitPrice: null }), {}, "60120.1002"],
    ["no mark", draft(), btc({ mark: null }), null],
    ["a mark of zero", draft(), btc({ mark: ZERO }), null],
    ["a symbol never heard of", draft(), { symbols: new Map() }, null],
  ])("%s", (_story, { order }, seen, price) => {
    expect(text(worsePrice(order, view(seen), settings))).toBe(price);
  });

  test("a draft is valued when both price and rules are known", () => {
    expect(text(valueOf(draft(), view(), settings)?.notionalUsdt)).toBe("300.600501");
    expect(valueOf(draft(), view(btc({ rules: null })), settings)).toBeNull();
    expect(valueOf(draft(), view(btc({ mark: null })), settings)).toBeNull();
    expect(valueOf(draft(), view({ symbols: new Map() }), settings)).toBeNull();
  });

  test("a position counts at the higher of its own mark and ours, without any at its average price", () => {
    const gross = (markPrice: string, mark: string | null): string | null => {
      const held = { ...position(BTC, "LONG", "0.01", "50000"), markPrice: dec(markPrice) };
      const seen = view({ ...btc({ mark: mark === null ? null : dec(mark) }), positions: [held] });
      return text(exposureOf(seen, settings).grossUsdt);
    };
    expect(gross("61000", "60000")).toBe("610");
    expect(gross("59000", "60000")).toBe("600");
    expect(gross("59000", null)).toBe("590");
    expect(gross("0", null)).toBe("500");
  });

  test("what has no rules or no price at all is named, and counts for nothing", () => {
    const priceless = { ...position(BTC, "LONG", "0.01", "0"), markPrice: ZERO };
    const exposure = exposureOf(
      view({
        ...btc({ mark: null }),
        positions: [priceless, position(X, "LONG", "1", "1")],
        openOrders: [openOrder({ symbol: "EXCHANGE_A_PERP_Y_USDT" })],
      }),
      settings,
    );
    expect(exposure.unvalued).toEqual([BTC, X, "EXCHANGE_A_PERP_Y_USDT"]);
    expect(text(exposure.grossUsdt)).toBe("0");
  });

  test("a live order without a price or without rules is named too", () => {
    const openOrders = [openOrder()];
    const unpriced = [openOrder({ limitPrice: null })];
    expect(exposureOf(view({ ...btc({ mark: null }), openOrders: unpriced }), settings).unvalued).toEqual([BTC]);
    expect(exposureOf(view({ ...btc({ rules: null }), openOrders }), settings).unvalued).toEqual([BTC]);
  });

  test("live orders that open count with what is left of them, those that reduce do not", () => {
    const openOrders = [
      openOrder({ clientOrderId: "a", executedQty: dec("0.002") }),
      openOrder({ clientOrderId: "b", side: "SELL" }),
      openOrder({ clientOrderId: "c", side: "SELL", positionSide: "SHORT" }),
    ];
    const exposure = exposureOf(view({ openOrders, inFlight: [flight(BTC, "LONG", "99", "a")] }), settings);
    expect(
      [...exposure.positions].map(([key, { leg: held, notionalUsdt }]) => [key, held, text(notionalUsdt)]),
    ).toEqual([
      [`${BTC}|LONG`, "LONG", dec("60120.1002").mul("0.003").toFixed()],
      [`${BTC}|SHORT`, "SHORT", "300.6"],
    ]);
    expect(exposure.unvalued).toEqual([]);
  });

  test("with an opening draft it is what stands after the fill, with a reducing one what stands now", () => {
    const seen = view({ positions: [position(BTC, "LONG", "0.01", "60000")] });
    const gross = (given?: Draft): string | null => text(exposureOf(seen, settings, given).grossUsdt);
    expect([gross(), gross(draft({ side: "SELL" })), gross(draft())]).toEqual(["600", "600", "900.600501"]);
  });

  test("the loss in the gap takes the larger side of each coin, all coins at once, and the way out", () => {
    const seen = view({
      inFlight: [flight(BTC, "LONG", "100", "a"), flight(BTC, "SHORT", "300", "b"), flight(SOL, "LONG", "200", "c")],
    });
    // 300 x 0.12 + 100 x 0.04 + 200 x 0.25 + 600 x 0.002
    expect(text(exposureOf(seen, settings).lossAtGapUsdt)).toBe("91.2");
  });
});
