/** The parts that the limits are made of, each with exact figures: exposure, fitting, sizing, trimming, ladder, headroom. */
import { describe, expect, test } from "vitest";
import { dec, type Decimal, ZERO } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { describeDrill, type DrillResult, runDrills } from "../../src/risk/drills.ts";
import { createEntryWatch } from "../../src/risk/entry-watch.ts";
import { exposureOf, gapIn, isReducing, heldSideOf, valueOf, worsePrice } from "../../src/risk/exposure.ts";
import { equityQuorum, nextFloor, rungOf } from "../../src/risk/floor.ts";
import { headroom } from "../../src/risk/headroom.ts";
import { createLimitBook } from "../../src/risk/limit-book.ts";
import { heldLongEnough } from "../../src/risk/limits/pace.ts";
import { isApproved, review, reviewOperatorOrder } from "../../src/risk/review.ts";
import { RISK } from "../support/risk.ts";
import { gapFor, type RiskSettings } from "../../src/risk/settings.ts";
import { targetQty } from "../../src/risk/sizing.ts";
import { trimOf } from "../../src/risk/trim.ts";
import {
  allow,
  deny,
  figure,
  fitInto,
  judged,
  type Limit,
  type Rule,
  reducing,
  type Verdict,
} from "../../src/risk/verdict.ts";
import type { Draft, RiskView, SymbolRisk } from "../../src/risk/view.ts";
import { BTC, draft, NOW_MS, position, rules, session, SOL, symbolRisk, view } from "./support.ts";

/** What openings spare of the cushion is proven beside the limit itself. */
const settings: RiskSettings = { ...RISK, openingSpareUsdt: dec("0") };

const X = "EXCHANGE_A_PERP_X_USDT";
const short = { side: "SELL", positionSide: "SHORT" } as const;
const btc = (change: Partial<SymbolRisk>): Partial<RiskView> => ({
  symbols: new Map([
    [BTC, symbolRisk(BTC, "60000", change)],
    [SOL, symbolRisk(SOL, "150")],
  ]),
});
const flight = (
  symbol: string,
  positionSide: "LONG" | "SHORT",
  usdt: string,
  clientOrderId = "f",
): RiskView["inFlight"][number] => ({
  clientOrderId,
  symbol,
  leg: positionSide,
  notionalUsdt: dec(usdt),
});
const openOrder = (change: Partial<Draft["order"]> & { executedQty?: Decimal } = {}): RiskView["openOrders"][number] =>
  ({ ...draft().order, executedQty: ZERO, orderId: "1", ...change }) as RiskView["openOrders"][number];
const text = (value: Decimal | null | undefined): string | null => value?.toFixed() ?? null;

describe("the defaults", () => {
  test("are the figures of the page, spans in milliseconds", () => {
    const minute = 60_000;
    expect(Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === "number"))).toEqual({
      maxPositions: 4,
      ordersPerHour: 60,
      reentryCooldown: 10 * minute,
      flipCooldown: 15 * minute,
      minHolding: 15 * minute,
      maxBookAge: 2_500,
      maxMarkAge: 4_500,
      maxAccountAge: 29_000,
      maxNewsAge: 60 * minute,
      maxClockUncertainty: 5_000,
      blockedAlarm: 15 * minute,
    });
    expect(settings.majors).toEqual(["BTC", "ETH"]);
    expect(Object.isFrozen(RISK)).toBe(true);
    expect(text(RISK.openingSpareUsdt)).toBe("10");
  });

  test("never trade near elimination: the ladder's rungs stand in order above the floor and its buffer", () => {
    const rungs = [settings.warnUsdt, settings.holdUsdt, settings.flattenUsdt, dec(800).add(settings.bufferUsdt)];
    expect(rungs.map(text)).toEqual(["880", "850", "820", "820"]);
  });

  test("insure the majors for less, by the base and not by the quote", () => {
    const gap = (symbol: string): string | null => text(gapFor(settings, symbol));
    expect(["BTC", "ETH", "SOL"].map((base) => gap(`EXCHANGE_A_PERP_${base}_USDT`))).toEqual(["0.12", "0.12", "0.25"]);
    expect([gap("BTC"), gap("EXCHANGE_A_PERP_X_BTC")]).toEqual(["0.25", "0.25"]);
  });
});

describe("verdicts", () => {
  const figures = { limit: "l", found: dec("1.123456789"), allowed: 5, reason: "Why." };
  test("carry figures as text, money to eight places", () => {
    expect(allow(figures)).toEqual({ kind: "allow", limit: "l", found: "1.12345679", allowed: "5", reason: "Why." });
    expect(deny({ ...figures, found: "as it is" })).toMatchObject({ kind: "deny", found: "as it is" });
    expect([judged(true, figures).kind, judged(false, figures).kind]).toEqual(["allow", "deny"]);
    expect([figure(2.5), figure(dec("0.100"))]).toEqual(["2.5", "0.1"]);
    expect(reducing("l")).toMatchObject({ kind: "allow", limit: "l", found: "reducing", allowed: "reducing" });
  });

  /** 100 a unit, by lots of 0.1, at least 0.2 of them and 30 USDT. */
  const fit = (qty: string, roomUsdt: string, limitPrice = "100", contractSize = "1"): Verdict =>
    fitInto({
      limit: "l",
      draft: draft({ qty, limitPrice }),
      rules: rules(BTC, {
        lotSize: dec("0.1"),
        minSize: dec("0.2"),
        minNotional: dec("30"),
        contractSize: dec(contractSize),
      }),
      price: dec("100"),
      roomUsdt: dec(roomUsdt),
      found: ZERO,
      allowed: ZERO,
      reason: "Why.",
    });
  const kindOf = (verdict: Verdict): string => (verdict.kind === "shrink" ? verdict.qty : verdict.kind);

  test.each([
    ["1", "100", "allow"],
    ["1", "99.99", "0.9"],
    ["1", "30", "0.3"],
    ["1", "29.99", "deny"],
    ["1", "0", "deny"],
    ["1", "-100", "deny"],
  ])("%s units into %s USDT: %s", (qty, room, answer) => {
    expect(kindOf(fit(qty, room))).toBe(answer);
  });

  test("the smallest value is reckoned at the lower of limit and counted price, the size in contracts", () => {
    expect(kindOf(fit("1", "35", "99"))).toBe("deny");
    expect(kindOf(fit("1", "40", "99"))).toBe("0.4");
    expect(kindOf(fit("1", "30", "101"))).toBe("0.3");
    expect(kindOf(fit("200", "100", "100", "0.01"))).toBe("100");
    expect(fit("1", "1")).toMatchObject({ reason: "Why. What still fits is less than the venue's smallest order." });
    expect(fit("1", "50")).toEqual({
      kind: "shrink",
      limit: "l",
      found: "0",
      allowed: "0",
      reason: "Why.",
      qty: "0.5",
    });
  });

  test("a MARKET order shrinks like any other", () => {
    const market = draft({ orderType: "MARKET", limitPrice: null, qty: "1" });
    const small = { limit: "l", draft: market, rules: rules(BTC, { lotSize: dec("0.1") }), price: dec("100") };
    const said = fitInto({ ...small, roomUsdt: dec("55"), found: ZERO, allowed: ZERO, reason: "Why." });
    expect(kindOf(said)).toBe("0.5");
  });

  test("a lot smaller than the venue's smallest size is not offered", () => {
    const { rules: tiny } = { rules: rules(BTC, { lotSize: dec("0.1"), minSize: dec("0.5"), minNotional: ZERO }) };
    const small = { limit: "l", draft: draft({ qty: "1", limitPrice: "100" }), rules: tiny, price: dec("100") };
    const of = (roomUsdt: string): Verdict =>
      fitInto({ ...small, roomUsdt: dec(roomUsdt), found: ZERO, allowed: ZERO, reason: "Why." });
    expect([of("49"), of("50")].map(kindOf)).toEqual(["deny", "0.5"]);
    const none = { ...small, rules: rules(BTC, { lotSize: dec("0.1"), minSize: ZERO, minNotional: ZERO }) };
    expect(fitInto({ ...none, roomUsdt: dec("5"), found: ZERO, allowed: ZERO, reason: "Why." }).kind).toBe("deny");
  });
});

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
    expect(exposureOf(view({ ...btc({ mark: null }), openOrders }), settings).unvalued).toEqual([BTC]);
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

  test("the loss in the gap takes the larger side of each symbol, all symbols at once, and the way out", () => {
    const seen = view({
      inFlight: [flight(BTC, "LONG", "100", "a"), flight(BTC, "SHORT", "300", "b"), flight(SOL, "LONG", "200", "c")],
    });
    // 300 x 0.12 + 200 x 0.25 + 600 x 0.002
    expect(text(exposureOf(seen, settings).lossAtGapUsdt)).toBe("87.2");
  });

  test("a gap is never below the settings' own", () => {
    expect(text(gapIn(view(btc({ gap: dec("0.3") })), settings, BTC))).toBe("0.3");
    expect(text(gapIn(view(btc({ gap: dec("0.01") })), settings, BTC))).toBe("0.12");
    expect(text(gapIn(view(), settings, X))).toBe("0.25");
  });
});

describe("sizing", () => {
  const target = (size: string, price = "60000", change: Parameters<typeof rules>[1] = {}): string =>
    targetQty({ size: dec(size), price: dec(price), rules: rules(BTC, change) }, dec("1000"), settings).toFixed();

  test("is a share of equity, rounded down to the lot, whatever the limits leave of it", () => {
    expect(settings.perSymbolEquityShare.toFixed()).toBe("0.4");
    expect(["0", "0.5", "1"].map((size) => target(size))).toEqual(["0", "0.003", "0.006"]);
    expect(target("1", "60000", { lotSize: dec("0.0001") })).toBe("0.0066");
    expect(target("0.1")).toBe("0");
  });

  test("counts contracts by what one holds", () => {
    expect(target("1", "60000", { contractSize: dec("0.01") })).toBe("0.666");
  });
});

describe("trimming", () => {
  const held = [position(BTC, "LONG", "0.01", "60000"), position(SOL, "LONG", "2", "150")];
  const trimmed = (seen: Partial<RiskView>, change: Partial<RiskSettings> = {}) => {
    const { reductions, ...rest } = trimOf(view(seen), { ...settings, ...change });
    return { ...rest, reductions: reductions.map((one) => [one.symbol, one.leg, one.qty.toFixed(), one.whole]) };
  };

  test("begins when the buffer would be used in a gap, not a cent earlier, and restores what openings spare", () => {
    // Loss in the gap 148.80; the floor and the buffer leave equity - 820.
    const spared = { openingSpareUsdt: dec("10") };
    expect(trimmed({ positions: held, equityUsdt: dec("968.80") }, spared).reason).toBe("");
    expect(trimmed({ positions: held, equityUsdt: dec("968.79") }, spared)).toEqual({
      cancelOpenings: false,
      reason: "a gap would cost 148.80, and the cushion allows 148.79 USDT",
      // 10.01 too much, at 0.252 a unit of exposure: 39.72 of 300, in lots rounded up.
      reductions: [[SOL, "LONG", "0.265", false]],
    });
  });

  test("gives up the whole of a position whose symbol has no rules: its steps are not known", () => {
    const much = [position(BTC, "LONG", "0.02", "60000"), position(X, "LONG", "100", "10")];
    const symbols = new Map([...view().symbols, [X, symbolRisk(X, "10", { rules: null })]]);
    for (const known of [view().symbols, symbols]) {
      const { reductions } = trimmed({ positions: much, equityUsdt: dec("950"), symbols: known });
      expect(reductions.map(([symbol, , qty, whole]) => [symbol, qty, whole])).toEqual([
        [X, "100", true],
        [BTC, "0.003", false],
      ]);
    }
  });

  test("begins when exposure is above the phase's leverage", () => {
    const much = [position(BTC, "LONG", "0.04", "60000")];
    const noGap = { gapMajors: dec("0.01"), symbols: undefined };
    const seen = { positions: much, ...btc({ gap: dec("0.01") }) };
    expect(trimmed({ ...seen, equityUsdt: dec("1200") }, noGap).reason).toBe("");
    // Down to 0.95 of 2 x 1,199: 121.90 too much.
    expect(trimmed({ ...seen, equityUsdt: dec("1199") }, noGap)).toEqual({
      cancelOpenings: false,
      reason: "exposure 2400.00 is above 2398.00 USDT",
      reductions: [[BTC, "LONG", "0.003", false]],
    });
    expect(trimmed({ ...seen, phase: 2, equityUsdt: dec("1199") }, noGap).reason).toBe("");
  });

  test("cancels openings where there are any, at the venue or in flight, and reckons without them", () => {
    const waiting = { positions: held, equityUsdt: dec("958.80"), inFlight: [flight(SOL, "LONG", "10")] };
    expect(trimmed(waiting)).toMatchObject({
      cancelOpenings: true,
      reductions: [[SOL, "LONG", expect.any(String), false]],
    });
    const order = { positions: held.slice(0, 1), equityUsdt: dec("890"), openOrders: [openOrder()] };
    // 600 held need 73.20 of the 70 above the whole buffer; the order goes first, the rest is trimmed to the buffer.
    expect(trimmed(order)).toMatchObject({ cancelOpenings: true, reductions: [[BTC, "LONG", "0.001", false]] });
    const enough = { positions: held.slice(0, 1), equityUsdt: dec("900"), openOrders: [openOrder()] };
    expect(trimmed(enough)).toMatchObject({ cancelOpenings: true, reductions: [] });
  });

  test("gives up the costliest gap first, by value times gap and in contracts", () => {
    const order = (positions: RiskView["positions"], seen: Partial<RiskView> = {}): unknown[] =>
      trimmed({ positions, equityUsdt: dec("815"), ...seen }).reductions.map(([symbol, , , whole]) => [symbol, whole]);
    // 600 x 0.12 = 72 against 300 x 0.25 = 75, and against 270 x 0.25 = 67.5.
    expect(order(held)).toEqual([
      [SOL, true],
      [BTC, true],
    ]);
    const lighter = [position(SOL, "LONG", "1.8", "150"), position(BTC, "LONG", "0.01", "60000")];
    expect(order(lighter)).toEqual([
      [BTC, true],
      [SOL, true],
    ]);
    const contracts = new Map([
      [BTC, symbolRisk(BTC, "60000", { rules: rules(BTC, { contractSize: dec("0.01") }) })],
      [SOL, symbolRisk(SOL, "150")],
    ]);
    expect(
      order([position(BTC, "LONG", "0.1", "60000"), held[1] ?? position(SOL, "LONG", "2", "150")], {
        symbols: contracts,
      }),
    ).toEqual([
      [SOL, true],
      [BTC, true],
    ]);
  });

  test("what cannot be valued goes whole", () => {
    const unknown = position(X, "LONG", "500", "1");
    // The known holding alone is too much already.
    expect(trimmed({ positions: [unknown, ...held], equityUsdt: dec("900") }).reductions[0]).toEqual([
      X,
      "LONG",
      "500",
      true,
    ]);
  });

  test("goes on to the next position only as far as needed", () => {
    // 130 above the buffer's end less 85: SOL whole (75.6) is not quite enough, BTC gives the rest.
    expect(trimmed({ positions: held, equityUsdt: dec("885") }).reductions).toEqual([
      [SOL, "LONG", "2", true],
      [BTC, "LONG", "0.002", false],
    ]);
  });
});

describe("the ladder", () => {
  test.each([
    ["880", "NORMAL"],
    ["879.99", "WARN"],
    ["850", "WARN"],
    ["849.99", "HOLD"],
    ["820", "HOLD"],
    ["819.99", "FLATTEN"],
  ])("equity %s stands on %s", (equity, rung) => {
    expect(rungOf(dec(equity), settings)).toBe(rung);
  });

  const all = (rest: string, stream = rest, own = rest) => ({ rest: dec(rest), stream: dec(stream), own: dec(own) });
  const lone = (rest: string) => ({ rest: dec(rest), stream: null, own: null });

  test("WARN ends half a percent above its level and HOLD at it", () => {
    const next = (from: "WARN" | "HOLD", equity: string): string => nextFloor(from, all(equity), settings).state;
    expect([next("WARN", "884.39"), next("WARN", "884.4")]).toEqual(["WARN", "NORMAL"]);
    expect([next("HOLD", "879.99"), next("HOLD", "880")]).toEqual(["HOLD", "NORMAL"]);
    expect([next("WARN", "840"), next("HOLD", "840")]).toEqual(["HOLD", "HOLD"]);
  });

  test("reports each change, and nothing where nothing changes", () => {
    expect(nextFloor("NORMAL", all("879.994"), settings)).toEqual({
      state: "WARN",
      equityUsdt: dec("879.994"),
      agreed: true,
      reason: "equity 879.99 moves NORMAL to WARN",
    });
    expect(nextFloor("NORMAL", all("1000"), settings).reason).toBe("");
    expect(nextFloor("NORMAL", all("0", "849", "849"), settings).reason).toBe(
      "equity 849 moves NORMAL to HOLD; rest 0 disagrees with stream 849, own 849",
    );
    expect(nextFloor("NORMAL", lone("900"), settings)).toMatchObject({ reason: "only rest 900 is known" });
  });

  test("a lone reading moves it down as far as HOLD, and never up", () => {
    const next = (from: "NORMAL" | "WARN" | "HOLD" | "FLATTEN" | "HALT", equity: string): string =>
      nextFloor(from, lone(equity), settings).state;
    expect([next("NORMAL", "870"), next("NORMAL", "840"), next("NORMAL", "500")]).toEqual(["WARN", "HOLD", "HOLD"]);
    expect([next("HOLD", "870"), next("FLATTEN", "500"), next("HALT", "500")]).toEqual(["HOLD", "FLATTEN", "HALT"]);
    expect([next("WARN", "1000"), next("HOLD", "1000")]).toEqual(["WARN", "HOLD"]);
  });

  test("readings agree within three percent of the larger, or within one USDT", () => {
    const agreed = (a: string, b: string): boolean =>
      equityQuorum({ rest: dec(a), stream: dec(b), own: null }, settings).agreed;
    expect([agreed("1000", "970"), agreed("1000", "969.99"), agreed("970", "1000")]).toEqual([true, false, true]);
    expect([agreed("1", "0"), agreed("1.01", "0"), agreed("-0.5", "0.5"), agreed("-100", "-97")]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test("says what it believes and why", () => {
    const none = { rest: null, stream: null, own: null };
    expect(equityQuorum(all("1000", "1001", "999"), settings)).toEqual({
      equityUsdt: dec("999"),
      agreed: true,
      reason: "",
    });
    expect(equityQuorum(all("1000", "500", "100.126"), settings)).toEqual({
      equityUsdt: null,
      agreed: false,
      reason: "the readings disagree: rest 1000, stream 500, own 100.13",
    });
    expect(equityQuorum(none, settings)).toEqual({ equityUsdt: null, agreed: false, reason: "no reading of equity" });
    expect(equityQuorum(lone("900"), settings)).toEqual({
      equityUsdt: dec("900"),
      agreed: false,
      reason: "only rest 900 is known",
    });
    expect(equityQuorum(lone("0"), settings)).toMatchObject({ equityUsdt: null, reason: "only rest 0 is known" });
  });
});

describe("headroom", () => {
  const rooms = (seen: Partial<RiskView>, change: Partial<RiskSettings> = {}): Record<string, string> =>
    Object.fromEntries(
      headroom(view(seen), { ...settings, ...change }).limits.map(({ limit, left, unit }) => [
        limit,
        `${left.toFixed(2)} ${unit}`,
      ]),
    );

  test("names what each limit leaves of an idle account", () => {
    expect(rooms({})).toEqual({
      "one order": "400.00 USDT",
      "one symbol": "400.00 USDT",
      "session total": "50000.00 USDT",
      leverage: "1900.00 USDT",
      "all long": "1200.00 USDT",
      "all short": "1200.00 USDT",
      "cushion, a major": "1475.41 USDT",
      "cushion, another coin": "714.29 USDT",
      "loss today": "60.00 USDT",
      "fees today": "20.00 USDT",
      positions: "4.00 positions",
      "orders this hour": "60.00 orders",
    });
  });

  test("and of a busy one", () => {
    const busy = {
      positions: [position(BTC, "LONG", "0.005", "60000"), position(SOL, "SHORT", "1", "150")],
      inFlight: [flight(X, "LONG", "0")],
      equityUsdt: dec("990"),
      feesTodayUsdt: dec("7"),
      ordersLastHour: 13,
    };
    expect(rooms(busy)).toEqual({
      "one order": "396.00 USDT",
      "one symbol": "396.00 USDT",
      "session total": "50000.00 USDT",
      leverage: "1431.00 USDT",
      "all long": "888.00 USDT",
      "all short": "1038.00 USDT",
      // 170 - 300 x 0.12 - 150 x 0.25 - 450 x 0.002 = 95.6
      "cushion, a major": "783.61 USDT",
      "cushion, another coin": "379.37 USDT",
      "loss today": "50.00 USDT",
      "fees today": "13.00 USDT",
      positions: "2.00 positions",
      "orders this hour": "47.00 orders",
    });
  });

  test("never below zero", () => {
    const over = rooms({
      equityUsdt: dec("500"),
      feesTodayUsdt: dec("99"),
      ordersLastHour: 99,
      session: null,
      inFlight: [1, 2, 3, 4, 5].map((n) => flight(`EXCHANGE_A_PERP_Z${n}_USDT`, "LONG", "900")),
    });
    expect(Object.values(over).filter((left) => left.startsWith("-"))).toEqual([]);
    expect([over["all long"], over["positions"], over["orders this hour"], over["leverage"]]).toEqual([
      "0.00 USDT",
      "0.00 positions",
      "0.00 orders",
      "0.00 USDT",
    ]);
    const broke = headroom(view({ equityUsdt: dec("-5"), session: null }), settings);
    expect([broke.perOrderUsdt, broke.totalUsdt].map(text)).toEqual(["0", "0"]);
  });

  test("the cost of a round trip is two fees and the middle one of the known spreads", () => {
    const cost = (...books: readonly (readonly [string | null, string | null])[]): number => {
      const symbols = new Map(
        books.map(([bid, ask], n) => {
          const symbol = `EXCHANGE_A_PERP_Q${n}_USDT`;
          return [
            symbol,
            symbolRisk(symbol, "100", { bid: bid === null ? null : dec(bid), ask: ask === null ? null : dec(ask) }),
          ];
        }),
      );
      return headroom(view({ symbols }), settings).roundTripCost - 0.001;
    };
    expect(cost(["100", "103"], ["100", "101"], ["100", "102"])).toBeCloseTo(0.02, 9);
    expect(cost(["100", null], [null, "100"], ["0", "100"], ["100", "101"])).toBeCloseTo(0.01, 9);
    expect(cost()).toBeCloseTo(0, 9);
    expect(cost(["100", "99"])).toBeCloseTo(0, 9);
  });

  test("what takers paid beyond the book counts twice and never makes a round trip cheaper than its fees", () => {
    const symbols = new Map([[BTC, symbolRisk(BTC, "100", { bid: dec("100"), ask: dec("101") })]]);
    const cost = (slippage: number): number =>
      headroom(view({ symbols }), settings, { fee: 0.0005, slippage }).roundTripCost;
    expect(cost(0.002)).toBeCloseTo(0.001 + 0.01 + 0.004, 9);
    expect(cost(-0.02)).toBeCloseTo(0.001, 9);
  });

  test.each<[string, Partial<RiskView>, string]>([
    ["a hold", { holds: ["a part"] }, "hold: Openings are held: a part (found 1, allowed 0)"],
    [
      "a stale account",
      { accountAgeMs: 99_999 },
      "freshness: The account reading is too old to open on (found 99999 ms, allowed 29000 ms)",
    ],
    ["fees", { feesTodayUsdt: dec("20") }, "pace: The day's fees have reached their share (found 0.02, allowed 0.02)"],
    [
      "two holdings without value",
      { positions: [position(X, "LONG", "1", "1"), position("EXCHANGE_A_PERP_Y_USDT", "LONG", "1", "1")] },
      "what is held cannot be valued: EXCHANGE_A_PERP_X_USDT, EXCHANGE_A_PERP_Y_USDT",
    ],
    [
      "a session that is used up",
      { session: session({ usedNotional: dec("50000") }) },
      "nothing is left within the limits (session total)",
    ],
    [
      "a cushion that is used up",
      { inFlight: [flight(SOL, "LONG", "720")] },
      "nothing is left within the limits (cushion, a major; cushion, another coin)",
    ],
  ])("%s: may not open, in the limit's own words", (_what, seen, reason) => {
    expect(headroom(view(seen), settings)).toMatchObject({ mayOpen: false, reason });
  });

  test("with anything left, something may be opened, and the phase's leverage is reported", () => {
    const nearly = headroom(view({ phase: 2, session: session({ usedNotional: dec("49999") }) }), settings);
    expect(nearly).toMatchObject({ mayOpen: true, reason: "", leverageMax: 5 });
    expect(text(nearly.totalUsdt)).toBe("1");
  });
});

describe("the limit book", () => {
  test("hands the same limits out while the settings are the same, and keeps completing drafts", () => {
    const book = createLimitBook(settings);
    expect(book.under(settings)).toBe(book.under(settings));
    expect(book.under({ ...settings })).not.toBe(book.under(settings));
    const protects = book.under(settings).find(({ name }) => name === "protection");
    expect(text(protects?.complete?.(draft({}, { stop: null }), view()).stopPrice)).toBe("58200");
  });

  test("begins at nothing, counts every opening, and says what was said last", () => {
    const book = createLimitBook(settings);
    expect(book.counts()[0]).toEqual({ limit: "universe", evaluated: 0, fired: 0, lastFiredMs: null, lastSaid: null });
    const crowded = book.under(settings).find(({ name }) => name === "per-order-notional");
    crowded?.judge(draft(), view());
    crowded?.judge(draft({ qty: "0.007" }), view({ nowMs: 5 }));
    crowded?.judge(draft({ qty: "0.008" }), view({ nowMs: 7 }));
    const counts = book.counts().find(({ limit }) => limit === "per-order-notional");
    expect(counts).toEqual({
      limit: "per-order-notional",
      evaluated: 3,
      fired: 2,
      lastFiredMs: 7,
      lastSaid: "Value of one order against the session's cap and a share of equity. Found 480.9608016, allowed 400.",
    });
    // What was handed out does not change behind the reader's back.
    crowded?.judge(draft(), view());
    expect(counts?.evaluated).toBe(3);
  });
});

describe("the watch over entries", () => {
  test("a door that was shut again counts from its last shutting", () => {
    const watch = createEntryWatch();
    watch.looked("a", 0);
    watch.looked(null, 10);
    watch.looked("b", 20);
    expect(watch.blockedFor(20, 39)).toBeNull();
    expect(watch.blockedFor(20, 40)).toEqual({ sinceMs: 20, reason: "b" });
  });

  test("a shut door is reported before refused drafts; refusals count again after an approval", () => {
    const watch = createEntryWatch();
    watch.looked("shut", 0);
    for (const at of [0, 1, 2]) watch.tried("pace", at);
    expect(watch.blockedFor(10, 10)?.reason).toBe("shut");
    watch.looked(null, 11);
    expect(watch.blockedFor(10, 11)).toEqual({ sinceMs: 0, reason: "3 drafts refused, last by pace" });
    watch.tried(null, 12);
    watch.tried("pace", 13);
    watch.tried("cushion", 14);
    expect(watch.blockedFor(10, 30)).toBeNull();
    watch.tried("cushion", 15);
    expect(watch.blockedFor(10, 23)?.reason).toBe("3 drafts refused, last by cushion");
    expect(watch.blockedFor(10, 22)).toBeNull();
  });
});

describe("review", () => {
  const shrinking = (name: string, to: string): Rule => ({
    name,
    judge: ({ order }) => {
      const words = { limit: name, found: order.qty, allowed: to, reason: "R." };
      return order.qty.gt(to) ? { ...allow(words), kind: "shrink", qty: to } : allow(words);
    },
  });

  test("the smallest of several sizes counts, whichever limit names it first", () => {
    for (const sizes of [
      ["0.003", "0.002", "0.004"],
      ["0.002", "0.004"],
      ["0.004", "0.002"],
    ]) {
      const reviewed = review(
        draft(),
        view(),
        sizes.map((size) => shrinking(size, size)),
      );
      expect(reviewed.kind === "approved" && reviewed.draft.order.qty.toFixed()).toBe("0.002");
      expect(reviewed.verdicts.map(({ kind }) => kind)).toEqual(sizes.map(() => "shrink"));
    }
  });

  test("a limit that shrinks in one round and denies in the next is reported as denying", () => {
    const strict: Rule = {
      name: "strict",
      judge: ({ order }) => {
        const words = { limit: "strict", found: order.qty, allowed: "0.002", reason: "R." };
        return order.qty.gt("0.002") ? { ...allow(words), kind: "shrink", qty: "0.002" } : deny(words);
      },
    };
    const reviewed = review(draft(), view(), [strict]);
    expect([reviewed.kind, reviewed.verdicts.map(({ kind }) => kind)]).toEqual(["denied", ["deny"]]);
  });

  test("a verdict that agreed is of the last round, one that shrank of the round in which it did", () => {
    const counting: Rule = {
      name: "c",
      judge: ({ order }) => allow({ limit: "c", found: order.qty, allowed: "", reason: "R." }),
    };
    const reviewed = review(draft(), view(), [counting, shrinking("s", "0.002")]);
    expect(reviewed.verdicts.map(({ found }) => found)).toEqual(["0.002", "0.005"]);
  });

  test("a denial in a later round denies, and says so", () => {
    const picky: Rule = {
      name: "p",
      judge: ({ order }) => judged(order.qty.gt("0.004"), { limit: "p", found: order.qty, allowed: "", reason: "R." }),
    };
    const reviewed = review(draft(), view(), [picky, shrinking("s", "0.002")]);
    expect(reviewed.verdicts.map(({ limit, kind }) => [limit, kind])).toEqual([
      ["p", "deny"],
      ["s", "shrink"],
    ]);
    expect(reviewed.kind).toBe("denied");
  });

  test.each(["0", "-1", "0.005", "0.006"])("a limit that shrinks 0.005 to %s is at odds with itself", (qty) => {
    const odd: Rule = { name: "o", judge: () => ({ ...reducing("o"), kind: "shrink", qty }) };
    const reviewed = review(draft(), view(), [odd]);
    expect(reviewed.verdicts.at(-1)).toEqual({
      kind: "deny",
      limit: "review",
      found: "0.005",
      allowed: "a size all agree on",
      reason: "The limits did not settle on a size.",
    });
    expect([reviewed.kind, reviewed.verdicts.length]).toEqual(["denied", 2]);
  });

  test("eight rounds are enough to settle, a ninth is not made", () => {
    const down = (rounds: number): Rule => ({
      name: "d",
      judge: ({ order }) => {
        const words = { limit: "d", found: "", allowed: "", reason: "" };
        const done = order.qty.lte(dec(20 - rounds));
        return done ? allow(words) : { ...allow(words), kind: "shrink", qty: order.qty.sub(1).toFixed() };
      },
    });
    expect(review(draft({ qty: "20" }), view(), [down(7)]).kind).toBe("approved");
    expect(review(draft({ qty: "20" }), view(), [down(8)]).kind).toBe("denied");
  });

  test("only the very object that was approved counts as approved", () => {
    const reviewed = review(draft(), view(), allLimits(settings));
    if (reviewed.kind !== "approved") throw new Error("denied");
    expect(isApproved(reviewed.draft)).toBe(true);
    expect(isApproved({ ...reviewed.draft })).toBe(false);
    expect(isApproved(draft())).toBe(false);
    expect([Object.isFrozen(reviewed.draft), Object.isFrozen(reviewed.draft.order)]).toEqual([true, true]);
  });

  test("a draft is completed by each limit in turn", () => {
    const adding = (stop: string): Rule => ({
      name: stop,
      judge: () => reducing(stop),
      complete: (given) => ({ ...given, stopPrice: (given.stopPrice ?? ZERO).add(stop) }),
    });
    const reviewed = review(draft({}, { stop: null }), view(), [adding("1"), shrinking("s", "9"), adding("20")]);
    expect(reviewed.kind === "approved" && text(reviewed.draft.stopPrice)).toBe("21");
  });
});

describe("an operator's order", () => {
  const asked = { rules: rules(BTC), referencePrice: dec("60000"), maxNotionalUsdt: dec("300") };
  const words = (given: Draft, change: Partial<typeof asked> = {}): readonly (readonly string[])[] =>
    reviewOperatorOrder(given, { ...asked, ...change }).verdicts.map(({ limit, kind, found, allowed, reason }) => [
      limit,
      kind,
      found,
      allowed,
      reason,
    ]);
  const SHAPE = ["order-shape", "allow", "0.005", "lots of 0.001", "The order fits the symbol's rules."];
  const ID = [
    "client-order-id",
    "allow",
    "agent-1",
    "1 to 40 of A-Z a-z 0-9 - _",
    "The client order id is well formed.",
  ];
  const CEILING = ["max-notional", "allow", "300", "300", "The value is within the stated ceiling."];

  test("that fits is reported in all three points, and approved", () => {
    expect(words(draft())).toEqual([SHAPE, ID, CEILING]);
    const reviewed = reviewOperatorOrder(draft(), asked);
    expect(reviewed.kind === "approved" && isApproved(reviewed.draft)).toBe(true);
  });

  test("that does not is denied in the point that it fails", () => {
    expect(words(draft({ limitPrice: "59999.95" }))).toEqual([
      [
        "order-shape",
        "deny",
        "59999.95",
        "a positive multiple of the tick 0.1",
        "The price does not fit the symbol's rules.",
      ],
      ID,
      [CEILING[0], "allow", "299.99975", "300", CEILING[4]],
    ]);
    expect(words(draft({ clientOrderId: "a b" }))[1]).toEqual([
      "client-order-id",
      "deny",
      "a b",
      "1 to 40 of A-Z a-z 0-9 - _",
      "The client order id is malformed.",
    ]);
    expect(words(draft(), { maxNotionalUsdt: dec("299.99") })[2]).toEqual([
      "max-notional",
      "deny",
      "300",
      "299.99",
      "The value is above the stated ceiling.",
    ]);
    for (const given of [draft({ limitPrice: "59999.95" }), draft({ clientOrderId: "a b" })])
      expect(reviewOperatorOrder(given, asked).kind).toBe("denied");
  });

  test("without a price is valued at the reference", () => {
    const market = draft({ orderType: "MARKET", limitPrice: null });
    expect(words(market, { referencePrice: dec("61000") })[2]?.slice(0, 3)).toEqual(["max-notional", "deny", "305"]);
    const rulesOf300 = { rules: rules(BTC, { minNotional: dec("301") }) };
    expect(words(market, rulesOf300)[0]?.slice(0, 4)).toEqual(["order-shape", "deny", "300", "at least 301"]);
  });
});

describe("drills", () => {
  const name = ({ drill }: DrillResult): string => drill;

  test("run the smallest order, the typical one and each limit, in the order in which limits judge", () => {
    const results = runDrills(settings, view());
    expect(results.map(name)).toEqual(["smallest", "typical", ...allLimits(settings).map((limit) => limit.name)]);
    for (const { drill, verdict } of results.slice(2))
      expect([drill, verdict?.kind === "allow"]).toEqual([drill, false]);
    expect(results.slice(0, 2)).toEqual([
      { drill: "smallest", passed: true, verdict: null },
      { drill: "typical", passed: true, verdict: null },
    ]);
  });

  test("the typical order is half of the largest position, and no more than one order may be", () => {
    const seen: string[] = [];
    const watching: Limit = {
      name: "universe",
      judge: ({ order }) => (seen.push(order.qty.toFixed()), reducing("universe")),
      spoil: (scene) => scene,
    };
    runDrills(settings, view(), [watching]);
    runDrills(settings, { ...view(), caps: { perOrderUsdt: dec("101"), totalUsdt: dec("9") } }, [watching]);
    // 200 of 50,000 a coin is 0.004; of a cap of 101 USDT it is 0.002, rounded down to the lot.
    expect(seen.filter((_, at) => at % 3 === 1)).toEqual(["0.004", "0.002"]);
  });

  test("are described in one line each", () => {
    const verdict = deny({ limit: "pace", found: 1, allowed: 0, reason: "Why." });
    expect(describeDrill({ drill: "smallest", passed: false, verdict })).toBe(
      "the smallest sound order is refused by pace: Why.",
    );
    expect(describeDrill({ drill: "typical", passed: false, verdict: null })).toBe(
      "the typical sound order is refused: it would be too small",
    );
    expect(describeDrill({ drill: "pace", passed: false, verdict: null })).toBe(
      "pace did not refuse what it must refuse",
    );
  });

  test("under an account too poor for its typical order say that it would be too small", () => {
    const poor = { ...settings, perSymbolEquityShare: dec("0.000001") };
    const typical = runDrills(poor, view()).find(({ drill }) => drill === "typical");
    expect(typical).toEqual({ drill: "typical", passed: false, verdict: null });
  });
});

test("a position is old enough from the very instant on", () => {
  const held = (agoMs: number): boolean => heldLongEnough(NOW_MS - agoMs, NOW_MS, { ...settings, minHolding: 100 });
  expect([held(99), held(100), held(101)]).toEqual([false, true, true]);
});
