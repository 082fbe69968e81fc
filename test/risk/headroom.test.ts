/** How much may still be opened, and why no more. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { headroom, openingObstacle } from "../../src/risk/headroom.ts";
import type { RiskSettings } from "../../src/risk/settings.ts";
import type { RiskView } from "../../src/risk/view.ts";
import { BTC, flight, openings, position, session, settings, SOL, symbolRisk, text, view, X } from "./support.ts";

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
      ...openings(13),
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
      ...openings(99),
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
      return headroom(view({ symbols }), settings).roundTripCost - 2 * 0.000175;
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

describe("what stands in the way of any opening", () => {
  test("nothing, where a limit leaves room", () => {
    expect(openingObstacle(view({}), settings)).toBeNull();
  });

  test("the limits that leave none, by name", () => {
    const spent = view({ session: session({ usedNotional: dec("50000") }) });
    expect(openingObstacle(spent, settings)).toMatch(/nothing is left within the limits \(session total\)/);
  });
});
