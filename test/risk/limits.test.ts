import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { RISK } from "../support/risk.ts";
import type { RiskSettings } from "../../src/risk/settings.ts";
import type { Limit } from "../../src/risk/verdict.ts";
import type { Draft, RiskView, SymbolRisk } from "../../src/risk/view.ts";
import { BTC, draft, NOW_MS, openings, position, rules, session, SOL, symbolRisk, view } from "./support.ts";

const limitNamed = (name: string, settings: RiskSettings): Limit => {
  const found = allLimits(settings).find((limit) => limit.name === name);
  if (!found) throw new Error(`no limit ${name}`);
  return found;
};

const btc = (change: Partial<SymbolRisk>): Partial<RiskView> => ({
  symbols: new Map([
    [BTC, symbolRisk(BTC, "60000", change)],
    [SOL, symbolRisk(SOL, "150")],
  ]),
});

const nothingSpared = { openingSpareUsdt: dec("0") };

/** What a limit says of a draft: its kind, and where it shrank the quantity. */
function says(name: string, given: Draft, seen: Partial<RiskView> = {}, settings: Partial<RiskSettings> = {}): string {
  const verdict = limitNamed(name, { ...RISK, ...nothingSpared, ...settings }).judge(given, view(seen));
  expect(verdict.limit).toBe(name);
  expect(verdict.reason).toMatch(/^[A-Z].*\.$/);
  return verdict.kind === "shrink" ? `shrink ${verdict.qty}` : verdict.kind;
}

type Case = readonly [
  story: string,
  given: Draft,
  seen: Partial<RiskView>,
  answer: string,
  settings?: Partial<RiskSettings>,
];

function table(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    for (const [story, given, seen, answer, settings] of cases) {
      test(story, () => expect(says(name, given, seen, settings)).toBe(answer));
    }
    test("never holds up a sound reducing order", () => {
      const held = { positions: [position(BTC, "LONG", "0.01", "60000")] };
      const worst: Partial<RiskView> = {
        ...held,
        session: null,
        floorState: "HALT",
        equityUsdt: dec("1"),
        streamsUp: { market: false, user: false },
        ...openings(10_000),
        universe: [],
      };
      expect(says(name, draft({ side: "SELL" }, { stop: null }), worst)).toBe("allow");
    });
  });
}

const halted = { rules: rules(BTC, { state: "halted" }) };
table("universe", [
  ["a listed live symbol", draft(), {}, "allow"],
  ["a symbol off the list", draft(), { universe: [SOL] }, "deny"],
  ["a symbol the venue has halted", draft(), btc(halted), "deny"],
  ["a symbol without rules", draft(), btc({ rules: null }), "deny"],
]);

table("session", [
  ["an active session that covers it", draft(), {}, "allow"],
  ["no session", draft(), { session: null }, "deny"],
  ["a stopped session", draft(), { session: session({ active: false }) }, "deny"],
  ["the very instant of expiry", draft(), { session: session({ expiresAtMs: NOW_MS }) }, "deny"],
  ["a symbol it does not name", draft(), { session: session({ symbols: [SOL] }) }, "deny"],
  ["an action it does not name", draft(), { session: session({ allowedActions: ["order.cancel"] }) }, "deny"],
  ["an order type it does not name", draft(), { session: session({ allowedOrderTypes: ["MARKET"] }) }, "deny"],
]);

table("order-shape", [
  ["a sound order", draft(), {}, "allow"],
  ["a price off the tick", draft({ limitPrice: "60000.05" }), {}, "deny"],
  ["a quantity off the lot", draft({ qty: "0.0055" }), {}, "deny"],
  [
    "less than the smallest value",
    draft({ qty: "0.005" }),
    btc({ rules: rules(BTC, { minNotional: dec("301") }) }),
    "deny",
  ],
  ["more than the largest size", draft(), btc({ rules: rules(BTC, { maxLimitSize: dec("0.004") }) }), "deny"],
  ["41 characters of id", draft({ clientOrderId: "x".repeat(41) }), {}, "deny"],
  ["an ampersand in the id", draft({ clientOrderId: "a&b" }), {}, "deny"],
  ["no position side in hedge mode", draft({ positionSide: "NONE" }), {}, "deny"],
  ["a position side in one-way mode", draft(), { hedgeMode: false, accounts: new Map() }, "deny"],
  ["one-way mode without a side", draft({ positionSide: "NONE" }), { hedgeMode: false, accounts: new Map() }, "allow"],
  ["a MARKET order with a price", draft({ orderType: "MARKET" }), {}, "deny"],
  ["a LIMIT order without one", draft({ limitPrice: null }), {}, "deny"],
  ["5 % from the mark", draft({ limitPrice: "57000" }), {}, "allow"],
  ["further than 5 % from the mark", draft({ limitPrice: "56999.9" }), {}, "deny"],
  ["post-only below the ask", draft({ timeInForce: "GTX" }), {}, "allow"],
  ["post-only at the ask", draft({ timeInForce: "GTX", limitPrice: "60000.1" }), {}, "deny"],
  ["no mark to hold the price against", draft(), btc({ mark: null }), "deny"],
]);

// A BTC order at 60,000 is counted at (60000.1) x 1.002 = 60120.1002, the ask with slippage.
table("per-order-notional", [
  ["0.006 BTC: 360.72 of 400", draft({ qty: "0.006" }), {}, "allow"],
  ["0.007 BTC: 420.84 of 400", draft({ qty: "0.007" }), {}, "shrink 0.006"],
  [
    "the session's cap of 300",
    draft({ qty: "0.006" }),
    { session: session({ maxNotionalPerOrder: dec("300") }) },
    "shrink 0.004",
  ],
  ["half of it while the ladder warns", draft({ qty: "0.006" }), { floorState: "WARN" }, "shrink 0.003"],
  ["less than one lot is left", draft(), { equityUsdt: dec("100") }, "deny"],
  ["no mark", draft(), btc({ mark: null }), "deny"],
]);

const flight = (notionalUsdt: string, symbol = SOL): Pick<RiskView, "inFlight" | "unreadOpenings"> => {
  const inFlight = [{ clientOrderId: "other", symbol, leg: "LONG" as const, notionalUsdt: dec(notionalUsdt) }];
  return { inFlight, unreadOpenings: inFlight };
};
const nearlyUsed = session({ maxTotalNotional: dec("1000"), usedNotional: dec("600") });
table("total-notional", [
  ["600 of 1,000 used: 0.005 BTC fit", draft(), { session: nearlyUsed }, "allow"],
  ["600 used: 0.007 BTC do not", draft({ qty: "0.007" }), { session: nearlyUsed }, "shrink 0.006"],
  ["200 more in flight", draft(), { session: nearlyUsed, ...flight("200") }, "shrink 0.003"],
  ["400 more in flight", draft(), { session: nearlyUsed, ...flight("400") }, "deny"],
  ["no session", draft(), { session: null }, "deny"],
]);

table("opening-leverage", [
  ["setting 2 in Phase I", draft(), {}, "allow"],
  ["setting 3 in Phase I", draft(), btc({ leverage: 3 }), "deny"],
  ["setting 5 in Phase II", draft(), { phase: 2, ...btc({ leverage: 5 }) }, "allow"],
  ["a setting never read", draft(), btc({ leverage: null }), "deny"],
  ["gross 1,500 held, 300.6 fit under 1.9 x 1,000", draft(), flight("1500"), "allow"],
  ["gross 1,650 held", draft(), flight("1650"), "shrink 0.004"],
  ["gross 1,900 held", draft(), flight("1900"), "deny"],
  [
    "a holding that cannot be valued",
    draft(),
    { positions: [position("EXCHANGE_A_PERP_X_USDT", "LONG", "1", "1")] },
    "deny",
  ],
  ["no equity", draft(), { equityUsdt: dec("0") }, "deny"],
]);

const noCost = { exitCost: dec("0") };
const exact = { ...noCost, slippage: dec("0") };
const plain: Partial<SymbolRisk> = { ask: dec("60000"), bid: dec("59999.9") };
table("cushion", [
  ["less what openings spare", draft({ qty: "0.025" }), {}, "shrink 0.023", { openingSpareUsdt: dec("10") }],
  ["equity 1,000 bears 1,500 of a major", draft({ qty: "0.025" }), btc(plain), "allow", exact],
  ["and no lot more", draft({ qty: "0.026" }), btc(plain), "shrink 0.025", exact],
  ["equity 900 bears 667", draft({ qty: "0.025" }), { ...btc(plain), equityUsdt: dec("900") }, "shrink 0.011", exact],
  ["equity 820 bears nothing", draft(), { equityUsdt: dec("820") }, "deny"],
  ["720 of another coin fill it", draft({ qty: "0.001" }), { ...btc(plain), ...flight("720") }, "deny", exact],
  [
    "500 of another leave 458 of a major",
    draft({ qty: "0.025" }),
    { ...btc(plain), ...flight("500") },
    "shrink 0.007",
    exact,
  ],
  ["fees and funding are set aside", draft({ qty: "0.025" }), btc(plain), "shrink 0.024", { slippage: dec("0") }],
]);

table("floor-ladder", [
  ["NORMAL", draft(), {}, "allow"],
  ["WARN", draft(), { floorState: "WARN" }, "allow"],
  ["WARN where it allows no size", draft(), { floorState: "WARN" }, "deny", { warnOrderShare: dec("0") }],
  ["HOLD", draft(), { floorState: "HOLD" }, "deny"],
  [
    "WARN below holdUsdt shrinks to a tenth of equity",
    draft({ qty: "0.003" }),
    { ...btc(plain), floorState: "WARN", equityUsdt: dec("840") },
    "shrink 0.001",
    exact,
  ],
  [
    "WARN below holdUsdt counts what is held",
    draft({ qty: "0.001" }),
    { ...btc(plain), ...flight("30"), floorState: "WARN", equityUsdt: dec("840") },
    "deny",
    exact,
  ],
  ["FLATTEN", draft(), { floorState: "FLATTEN" }, "deny"],
  ["HALT", draft(), { floorState: "HALT" }, "deny"],
]);

table("drawdown", [
  ["5.9 % lost today", draft(), { equityUsdt: dec("941") }, "allow"],
  ["6 % lost today", draft(), { equityUsdt: dec("940") }, "deny"],
  ["a day that began with nothing known", draft(), { equityDayStartUsdt: dec("0") }, "deny"],
]);

const closedAgo = (positionSide: "LONG" | "SHORT", agoMs: number): Partial<RiskView> => ({
  recentCloses: [{ symbol: BTC, leg: positionSide, atMs: NOW_MS - agoMs }],
});
table("pace", [
  ["59 orders this hour", draft(), { ...openings(59) }, "allow"],
  ["60 orders this hour", draft(), { ...openings(60) }, "deny"],
  ["fees of 2 % today", draft(), { feesTodayUsdt: dec("20") }, "deny"],
  ["the position closed 9 minutes ago", draft(), closedAgo("LONG", 9 * 60_000), "deny"],
  ["the position closed 10 minutes ago", draft(), closedAgo("LONG", 10 * 60_000), "allow"],
  ["the opposite closed 14 minutes ago", draft(), closedAgo("SHORT", 14 * 60_000), "deny"],
  ["the opposite closed 15 minutes ago", draft(), closedAgo("SHORT", 15 * 60_000), "allow"],
  ["the opposite is held", draft(), { positions: [position(BTC, "SHORT", "0.001", "60000")] }, "deny"],
]);

table("freshness", [
  ["all is fresh", draft(), {}, "allow"],
  ["a book of 2.5 s", draft(), btc({ bookAgeMs: 2_500 }), "allow"],
  ["a book older than 3 s", draft(), btc({ bookAgeMs: 2_501 }), "deny"],
  ["a mark older than 5 s", draft(), btc({ markAgeMs: 5_001 }), "deny"],
  ["an account older than 30 s", draft(), { accountAgeMs: 30_001 }, "deny"],
  ["an age that is not a number", draft(), { accountAgeMs: NaN }, "deny"],
  ["news never heard", draft(), { newsAgeMs: Infinity }, "deny"],
  ["a clock unsure by more than 5 s", draft(), { clockUncertaintyMs: 5_001 }, "deny"],
  ["the market stream down", draft(), { streamsUp: { market: false, user: true } }, "deny"],
  ["the user stream down", draft(), { streamsUp: { market: true, user: false } }, "deny"],
  ["readings of equity that disagree", draft(), { equityAgreed: false }, "deny"],
  ["another coin held at a fresh mark", draft(), { positions: [position(SOL, "LONG", "0.1", "150")] }, "allow"],
  [
    "another coin held whose mark is held back",
    draft(),
    {
      positions: [position(SOL, "LONG", "0.1", "150")],
      symbols: new Map([
        [BTC, symbolRisk(BTC, "60000")],
        [SOL, symbolRisk(SOL, "150", { markAgeMs: Infinity })],
      ]),
    },
    "deny",
  ],
]);

const short = { side: "SELL", positionSide: "SHORT" } as const;
table("protection", [
  ["a long with its stop 2 % below", draft(), {}, "allow"],
  ["no stop", draft({}, { stop: null }), {}, "deny"],
  ["a stop above a long's entry", draft({}, { stop: "60600" }), {}, "deny"],
  ["a stop below a short's entry", draft(short, { stop: "59400" }), {}, "deny"],
  ["a short with its stop above", draft(short, { stop: "61200" }), {}, "allow"],
  ["a stop in the noise", draft({}, { stop: "59990" }), {}, "deny"],
  ["a stop too far to matter", draft({}, { stop: "52000" }), {}, "deny"],
  ["a stop beyond liquidation at 20x", draft({}, { stop: "56500" }), btc({ leverage: 20 }), "deny"],
  [
    "a stop beyond the venue's liquidation price",
    draft(),
    { positions: [{ ...position(BTC, "LONG", "0.001", "60000"), liquidationPrice: dec("59000") }] },
    "deny",
  ],
  ["a target below a long's entry", draft({}, { target: "59000" }), {}, "deny"],
  ["a target above it", draft({}, { target: "63000" }), {}, "allow"],
]);

const three = ["A", "B", "C", "D"].map((base) => `EXCHANGE_A_PERP_${base}_USDT`);
table("crowding", [
  ["0.006 BTC: 360.7 of 400 in one symbol", draft({ qty: "0.006" }), {}, "allow"],
  ["0.007 BTC do not fit", draft({ qty: "0.007" }), {}, "shrink 0.006"],
  ["300 of it held", draft(), flight("300", BTC), "shrink 0.001"],
  ["1,100 long elsewhere, 100 fit one way", draft(), flight("1100"), "shrink 0.001"],
  ["1,100 long elsewhere do not hinder a short", draft(short), flight("1100"), "allow"],
  [
    "four other positions",
    draft(),
    { inFlight: three.map((symbol) => ({ clientOrderId: symbol, symbol, leg: "LONG", notionalUsdt: dec("1") })) },
    "deny",
  ],
]);

const A = "EXCHANGE_A";
const funds = (availableUsdt: string, hedgeMode: boolean | null = true, exchange = A): Pick<RiskView, "accounts"> => ({
  accounts: new Map([[exchange, { availableUsdt: dec(availableUsdt), hedgeMode }]]),
});
table("exchange-account", [
  ["an account with margin for it", draft(), funds("500"), "allow"],
  ["an account that nobody has read", draft(), { accounts: new Map() }, "deny"],
  ["money on another exchange only", draft(), funds("500", true, "EXCHANGE_B"), "deny"],
  ["an account in another position mode", draft(), funds("500", false), "deny"],
  ["an account that does not say its position mode", draft(), funds("500", null), "deny"],
  ["an account with nothing left", draft(), funds("0"), "deny"],
  ["an account below zero", draft(), funds("-3"), "deny"],
  ["margin for a part of it", draft({ qty: "0.004" }), funds("55"), "shrink 0.001"],
  ["margin that an order on its way will take", draft(), { ...funds("500"), ...flight("1000") }, "deny"],
]);
