/** What each limit says, word for word: the figure found, the figure allowed and the sentence. People act on these. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { RISK } from "../support/risk.ts";
import type { RiskSettings } from "../../src/risk/settings.ts";
import type { Limit } from "../../src/risk/verdict.ts";
import type { Draft, RiskView, SymbolRisk } from "../../src/risk/view.ts";
import { BTC, draft, NOW_MS, position, rules, session, SOL, symbolRisk, view } from "./support.ts";

const limitNamed = (name: string, settings: RiskSettings): Limit => {
  const found = allLimits(settings).find((limit) => limit.name === name);
  if (!found) throw new Error(`no limit ${name}`);
  return found;
};

/** kind, found, allowed, reason; and the quantity where it shrank. */
type Words = readonly [kind: string, found: string, allowed: string, reason: string, qty?: string];
type Case = readonly [
  story: string,
  given: Draft,
  seen: Partial<RiskView>,
  words: Words,
  settings?: Partial<RiskSettings>,
];

function table(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    for (const [story, given, seen, [kind, found, allowed, reason, qty], settings] of cases) {
      test(story, () => {
        const said = limitNamed(name, { ...RISK, openingSpareUsdt: dec("0"), ...settings }).judge(given, view(seen));
        expect(said).toEqual({ limit: name, kind, found, allowed, reason, ...(qty === undefined ? {} : { qty }) });
      });
    }
  });
}

const btc = (change: Partial<SymbolRisk>): Partial<RiskView> => ({
  symbols: new Map([
    [BTC, symbolRisk(BTC, "60000", change)],
    [SOL, symbolRisk(SOL, "150")],
  ]),
});
const X = "EXCHANGE_A_PERP_X_USDT";
const unvalued: Partial<RiskView> = { positions: [position(X, "LONG", "1", "1")] };
const flight = (notionalUsdt: string, symbol = SOL, positionSide: "LONG" | "SHORT" = "LONG"): Partial<RiskView> => ({
  inFlight: [{ clientOrderId: "other", symbol, leg: positionSide, notionalUsdt: dec(notionalUsdt) }],
});
const closing = draft({ side: "SELL" }, { stop: null });
const PASSED: Words = ["allow", "reducing", "reducing", "The order reduces risk; this limit does not apply."];

table("universe", [
  ["listed and live", draft(), {}, ["allow", "live", "live", "The symbol is listed and live."]],
  [
    "off the list",
    draft(),
    { universe: [SOL] },
    ["deny", BTC, "one of 1 symbols", "The symbol is not on the list of this phase."],
  ],
  [
    "halted",
    draft(),
    btc({ rules: rules(BTC, { state: "halted" }) }),
    ["deny", "halted", "live", "The venue does not trade this symbol now."],
  ],
  [
    "without rules",
    draft(),
    btc({ rules: null }),
    ["deny", "unknown", "live", "The venue does not trade this symbol now."],
  ],
  [
    "never heard of",
    draft(),
    { symbols: new Map() },
    ["deny", "unknown", "live", "The venue does not trade this symbol now."],
  ],
  [
    "held and off the list, to be closed",
    closing,
    { universe: [], positions: [position(BTC, "LONG", "1", "1")] },
    PASSED,
  ],
  [
    "held beside another, to be closed",
    closing,
    { universe: [], positions: [position(SOL, "LONG", "1", "1"), position(BTC, "LONG", "1", "1")] },
    PASSED,
  ],
  [
    "off the list and not held, to be closed",
    closing,
    { universe: [SOL], positions: [position(SOL, "LONG", "1", "1")] },
    ["deny", BTC, "one of 1 symbols", "The symbol is not on the list of this phase."],
  ],
  ["listed and halted, to be closed", closing, btc({ rules: rules(BTC, { state: "halted" }) }), PASSED],
]);

table("session", [
  ["active", draft(), {}, ["allow", "ras_1", "active", "The automation session covers the order."]],
  ["none", draft(), { session: null }, ["deny", "none", "active", "There is no automation session."]],
  [
    "stopped",
    draft(),
    { session: session({ active: false }) },
    ["deny", "ended", "active", "The automation session is not active."],
  ],
  [
    "expired at this instant",
    draft(),
    { session: session({ expiresAtMs: NOW_MS }) },
    ["deny", "ended", "active", "The automation session is not active."],
  ],
  [
    "a moment before its end",
    draft(),
    { session: session({ expiresAtMs: NOW_MS + 1 }) },
    ["allow", "ras_1", "active", "The automation session covers the order."],
  ],
  [
    "for other actions",
    draft(),
    { session: session({ allowedActions: ["order.cancel", "order.replace"] }) },
    ["deny", "order.place", "order.cancel, order.replace", "The session does not allow placing orders."],
  ],
  [
    "ended, whatever it covered",
    draft(),
    { session: session({ active: false, symbols: [SOL], allowedActions: [], allowedOrderTypes: [] }) },
    ["deny", "ended", "active", "The automation session is not active."],
  ],
  [
    "for another symbol",
    draft(),
    { session: session({ symbols: [SOL] }) },
    ["deny", BTC, "1 symbols", "The session does not cover this symbol."],
  ],
  [
    "for other order types",
    draft(),
    { session: session({ allowedOrderTypes: ["MARKET", "STOP"] }) },
    ["deny", "LIMIT", "MARKET, STOP", "The session does not allow this order type."],
  ],
  ["none, to close", closing, { session: null }, PASSED],
]);

table("hold", [
  ["every part sound", draft(), {}, ["allow", "0", "0", "Every part is sound."]],
  ["two parts unsound", draft(), { holds: ["one", "two"] }, ["deny", "2", "0", "Openings are held: one."]],
  ["unsound, to close", closing, { holds: ["one"] }, PASSED],
]);

const deniedIn = (mode: string): string => `In mode ${mode} orders may only reduce risk; nothing is opened.`;
table("floor-ladder", [
  ["NORMAL", draft(), {}, ["allow", "NORMAL", "NORMAL", "Equity allows openings."]],
  ["WARN", draft(), { floorState: "WARN" }, ["allow", "WARN", "WARN", "Equity allows openings of reduced size."]],
  [
    "WARN that allows no size",
    draft(),
    { floorState: "WARN" },
    ["deny", "WARN", "NORMAL", deniedIn("WARN")],
    { warnOrderShare: dec(0) },
  ],
  ["HOLD", draft(), { floorState: "HOLD" }, ["deny", "HOLD", "NORMAL", deniedIn("HOLD")]],
]);

const old = (what: string): string => `The ${what} is too old to open on.`;
table("freshness", [
  ["all fresh", draft(), {}, ["allow", "fresh", "fresh", "All that the order rests on is fresh."]],
  ["book", draft(), btc({ bookAgeMs: 2_501 }), ["deny", "2501 ms", "2500 ms", old("book")]],
  ["mark", draft(), btc({ markAgeMs: 4_501 }), ["deny", "4501 ms", "4500 ms", old("mark")]],
  [
    "mark in time",
    draft(),
    btc({ markAgeMs: 4_500 }),
    ["allow", "fresh", "fresh", "All that the order rests on is fresh."],
  ],
  ["nothing of the symbol", draft(), { symbols: new Map() }, ["deny", "Infinity ms", "2500 ms", old("book")]],
  ["account", draft(), { accountAgeMs: 29_001 }, ["deny", "29001 ms", "29000 ms", old("account reading")]],
  ["news", draft(), { newsAgeMs: 3_600_001 }, ["deny", "3600001 ms", "3600000 ms", old("news")]],
  ["clock", draft(), { clockUncertaintyMs: 5_001 }, ["deny", "5001 ms", "5000 ms", old("measure of the clock")]],
  [
    "all at their limits",
    draft(),
    { accountAgeMs: 29_000, newsAgeMs: 3_600_000, clockUncertaintyMs: 5_000 },
    ["allow", "fresh", "fresh", "All that the order rests on is fresh."],
  ],
  [
    "market stream",
    draft(),
    { streamsUp: { market: false, user: true } },
    ["deny", "down", "up", "The market stream is down."],
  ],
  [
    "user stream",
    draft(),
    { streamsUp: { market: true, user: false } },
    ["deny", "down", "up", "The user stream is down."],
  ],
  [
    "both",
    draft(),
    { streamsUp: { market: false, user: false } },
    ["deny", "down", "up", "The market stream is down."],
  ],
  [
    "equity in doubt",
    draft(),
    { equityAgreed: false },
    ["deny", "disagreeing", "agreeing", "The readings of equity do not agree."],
  ],
  [
    "equity from before a fill or a close",
    draft(),
    { equityBehind: true },
    ["deny", "before it", "after it", "What was filled or closed a moment ago is in no reading of equity yet."],
  ],
  [
    "equity from after it",
    draft(),
    { equityBehind: false },
    ["allow", "fresh", "fresh", "All that the order rests on is fresh."],
  ],
  [
    "another coin held at an old mark",
    draft(),
    {
      positions: [position(SOL, "LONG", "0.1", "150")],
      symbols: new Map([
        [BTC, symbolRisk(BTC, "60000")],
        [SOL, symbolRisk(SOL, "150", { markAgeMs: 4_501 })],
      ]),
    },
    ["deny", "4501 ms", "4500 ms", `The mark of ${SOL}, which is held, is too old to open on.`],
  ],
  [
    "equity agreed",
    draft(),
    { equityAgreed: true },
    ["allow", "fresh", "fresh", "All that the order rests on is fresh."],
  ],
]);

table("drawdown", [
  ["nothing lost", draft(), {}, ["allow", "0", "0.06", "The day's loss is within its stop."]],
  [
    "6 % lost",
    draft(),
    { equityUsdt: dec("940") },
    [
      "deny",
      "0.06",
      "0.06",
      "The day's loss stop is reached: no openings until the loss is within it again, or the UTC day ends.",
    ],
  ],
  [
    "an unknown beginning",
    draft(),
    { equityDayStartUsdt: dec(0) },
    [
      "deny",
      "1",
      "0.06",
      "The day's loss stop is reached: no openings until the loss is within it again, or the UTC day ends.",
    ],
  ],
]);

const closed = (positionSide: "LONG" | "SHORT", agoMs: number, symbol = BTC): Partial<RiskView> => ({
  recentCloses: [{ symbol, leg: positionSide, atMs: NOW_MS - agoMs }],
});
const IN_PACE: Words = ["allow", "0", "60", "Orders and fees are within their pace."];
table("pace", [
  ["idle", draft(), {}, IN_PACE],
  ["60 orders", draft(), { ordersLastHour: 60 }, ["deny", "60", "under 60", "As many openings as an hour may have."]],
  [
    "fees of 2 %",
    draft(),
    { feesTodayUsdt: dec("20") },
    ["deny", "0.02", "0.02", "The day's fees have reached their share."],
  ],
  ["fees of a cent less", draft(), { feesTodayUsdt: dec("19.99") }, IN_PACE],
  [
    "fees of an unknown day",
    draft(),
    { equityDayStartUsdt: dec(0) },
    ["deny", "1", "0.02", "The day's fees have reached their share."],
  ],
  [
    "closed 9 minutes ago",
    draft(),
    closed("LONG", 540_000),
    ["deny", "540000 ms", "600000 ms", "The LONG position was closed a short while ago."],
  ],
  [
    "the opposite closed 14 minutes ago",
    draft(),
    closed("SHORT", 840_000),
    ["deny", "840000 ms", "900000 ms", "The SHORT position was closed a short while ago."],
  ],
  ["another symbol closed just now", draft(), closed("LONG", 0, SOL), IN_PACE],
  [
    "one of two closes is recent",
    draft(),
    {
      recentCloses: [
        { symbol: SOL, leg: "LONG", atMs: NOW_MS },
        { symbol: BTC, leg: "LONG", atMs: NOW_MS - 700_000 },
        { symbol: BTC, leg: "LONG", atMs: NOW_MS - 100 },
      ],
    },
    ["deny", "100 ms", "600000 ms", "The LONG position was closed a short while ago."],
  ],
  [
    "closed just now, and held again",
    draft(),
    { ...closed("LONG", 0), positions: [position(BTC, "LONG", "0.001", "60000")] },
    IN_PACE,
  ],
  [
    "closed just now, another symbol held",
    draft(),
    { ...closed("LONG", 0), positions: [position(SOL, "LONG", "1", "150")] },
    ["deny", "0 ms", "600000 ms", "The LONG position was closed a short while ago."],
  ],
  [
    "closed just now, the opposite at zero",
    draft(),
    { ...closed("LONG", 0), positions: [position(BTC, "SHORT", "0", "60000")] },
    ["deny", "0 ms", "600000 ms", "The LONG position was closed a short while ago."],
  ],
  [
    "the opposite held",
    draft(),
    { positions: [position(BTC, "SHORT", "0.001", "60000")] },
    ["deny", "0.001", "no SHORT held", "The opposite position is held: close it first, open later."],
  ],
  [
    "the opposite of a short held",
    draft({ side: "SELL", positionSide: "SHORT" }, { stop: "61200" }),
    { positions: [position(BTC, "LONG", "0.002", "60000")] },
    ["deny", "0.002", "no LONG held", "The opposite position is held: close it first, open later."],
  ],
  ["the opposite of another symbol held", draft(), { positions: [position(SOL, "SHORT", "1", "150")] }, IN_PACE],
  ["the opposite at zero", draft(), { positions: [position(BTC, "SHORT", "0", "60000")] }, IN_PACE],
]);

const ONE_ORDER = "Value of one order against the session's cap and a share of equity.";
const NO_VALUE = "The order cannot be valued.";
const TOO_LITTLE = "What still fits is less than the venue's smallest order.";
table("per-order-notional", [
  ["fits", draft(), {}, ["allow", "300.600501", "400", ONE_ORDER]],
  ["too large", draft({ qty: "0.007" }), {}, ["shrink", "420.8407014", "400", ONE_ORDER, "0.006"]],
  [
    "less than a lot is left",
    draft(),
    { equityUsdt: dec("100") },
    ["deny", "300.600501", "40", `${ONE_ORDER} ${TOO_LITTLE}`],
  ],
  ["no mark", draft(), btc({ mark: null }), ["deny", "no price", "400", NO_VALUE]],
  ["no session", draft(), { session: null }, ["allow", "300.600501", "400", ONE_ORDER]],
]);

const ALL_OPENED = "Everything opened under this session, with what is in flight.";
const UNCOUNTED = "Without a session and a price nothing can be counted.";
table("total-notional", [
  ["fits", draft(), flight("100"), ["allow", "400.600501", "50000", ALL_OPENED]],
  [
    "too much",
    draft({ qty: "0.007" }),
    { session: session({ maxTotalNotional: dec("1000"), usedNotional: dec("600") }) },
    ["shrink", "1020.8407014", "1000", ALL_OPENED, "0.006"],
  ],
  ["no session", draft(), { session: null }, ["deny", "no session", "0", UNCOUNTED]],
  ["no mark", draft(), btc({ mark: null }), ["deny", "no price", "0", UNCOUNTED]],
  ["neither", draft(), { ...btc({ mark: null }), session: null }, ["deny", "no price", "0", UNCOUNTED]],
]);

const ONE_SYMBOL = "Exposure in one symbol.";
const ONE_WAY = "Exposure in one direction, all symbols together.";
const positions = (...symbols: readonly string[]): Partial<RiskView> => ({
  inFlight: symbols.map((symbol) => ({ clientOrderId: symbol, symbol, leg: "LONG", notionalUsdt: dec("1") })),
});
const named = (base: string): string => `EXCHANGE_A_PERP_${base}_USDT`;
table("crowding", [
  ["alone", draft(), {}, ["allow", "300.600501", "400", ONE_SYMBOL]],
  ["one way", draft(), flight("1100"), ["shrink", "1400.600501", "1200", ONE_WAY, "0.001"]],
  ["as much room either way", draft(), flight("800"), ["allow", "1100.600501", "1200", ONE_WAY]],
  [
    "both positions of the symbol count",
    draft(),
    flight("200", BTC, "SHORT"),
    ["shrink", "500.600501", "400", ONE_SYMBOL, "0.003"],
  ],
  [
    "four others",
    draft(),
    positions(named("A"), named("B"), named("C"), named("D")),
    ["deny", "5", "4", "The account holds or opens 4 of 4 positions."],
  ],
  [
    "three others and the own position",
    draft(),
    positions(named("A"), named("B"), named("C"), BTC),
    ["allow", "301.600501", "400", ONE_SYMBOL],
  ],
  [
    "three others and an empty one",
    draft(),
    { inFlight: [...(positions(named("A"), named("B"), named("C")).inFlight ?? []), ...(flight("0").inFlight ?? [])] },
    ["allow", "300.600501", "400", ONE_SYMBOL],
  ],
  ["no mark", draft(), btc({ mark: null }), ["deny", "no price", "0", NO_VALUE]],
]);

const OVER_EQUITY = "Gross exposure over equity with everything filled.";
const NO_EXPOSURE = "Exposure over equity cannot be computed.";
table("opening-leverage", [
  ["fits", draft(), {}, ["allow", "0.3006005", "1.9", OVER_EQUITY]],
  ["too much", draft(), flight("1650"), ["shrink", "1.9506005", "1.9", OVER_EQUITY, "0.004"]],
  ["Phase II", draft(), { phase: 2 }, ["allow", "0.3006005", "4.75", OVER_EQUITY]],
  [
    "a setting never read",
    draft(),
    btc({ leverage: null }),
    ["deny", "not read", "2", "The symbol's leverage setting has not been read back."],
  ],
  [
    "a symbol never heard of",
    draft(),
    { symbols: new Map() },
    ["deny", "not read", "2", "The symbol's leverage setting has not been read back."],
  ],
  [
    "a setting above the cap",
    draft(),
    btc({ leverage: 3 }),
    ["deny", "3", "2", "The symbol's leverage setting is above the phase's cap."],
  ],
  ["a holding without value", draft(), unvalued, ["deny", X, "1.9", NO_EXPOSURE]],
  ["no mark", draft(), btc({ mark: null }), ["deny", BTC, "1.9", NO_EXPOSURE]],
  [
    "a holding and a draft without value",
    draft(),
    { ...btc({ mark: null }), ...unvalued },
    ["deny", `${X}, ${BTC}`, "1.9", NO_EXPOSURE],
  ],
  ["no equity", draft(), { equityUsdt: dec(0) }, ["deny", "no equity", "1.9", NO_EXPOSURE]],
  ["less than none", draft(), { equityUsdt: dec(-5) }, ["deny", "no equity", "1.9", NO_EXPOSURE]],
]);

const IN_GAP = "Loss in the insured gap against equity above floor and buffer.";
table("cushion", [
  // 300.600501 x (0.12 + 0.002)
  ["fits", draft(), {}, ["allow", "36.67326112", "180", IN_GAP]],
  ["too much", draft({ qty: "0.025" }), {}, ["shrink", "183.36630561", "180", IN_GAP, "0.024"]],
  ["nothing to bear it", draft(), { equityUsdt: dec("820") }, ["deny", "36.67326112", "0", `${IN_GAP} ${TOO_LITTLE}`]],
  ["no mark", draft(), btc({ mark: null }), ["deny", BTC, "180", "What is at stake cannot be valued."]],
  [
    "two without value",
    draft(),
    { ...btc({ mark: null }), ...unvalued },
    ["deny", `${X}, ${BTC}`, "180", "What is at stake cannot be valued."],
  ],
  [
    "a holding without value beside a draft that has one",
    draft(),
    unvalued,
    ["deny", X, "180", "What is at stake cannot be valued."],
  ],
  // 100 short count for nothing beside 300.6 long of the same symbol: 300.6 x 0.12 + 400.6 x 0.002.
  ["the smaller position of a symbol", draft(), flight("100", BTC, "SHORT"), ["allow", "36.87326112", "180", IN_GAP]],
]);

const short = { side: "SELL", positionSide: "SHORT" } as const;
const RANGE = "0.002 to 0.12";
const WORKS: readonly [string, string] = ["within 0.12", "The opening carries a stop that can work."];
const WINNING = "The stop is on the winning side of the entry.";
const BEYOND = "The stop lies beyond liquidation.";
const LOSING = "The target is on the losing side of the entry.";
table("protection", [
  ["a sound stop", draft(), {}, ["allow", "58800", ...WORKS]],
  ["no stop", draft({}, { stop: null }), {}, ["deny", "no stop", "a stop", "No stop can be priced for this order."]],
  [
    "no price at all",
    draft({ orderType: "MARKET", limitPrice: null }),
    { symbols: new Map() },
    ["deny", "no stop", "a stop", "No stop can be priced for this order."],
  ],
  ["a stop at the entry", draft({}, { stop: "60000" }), {}, ["deny", "0", RANGE, WINNING]],
  ["a long's stop above it", draft({}, { stop: "60600" }), {}, ["deny", "-0.01", RANGE, WINNING]],
  ["a short's stop below it", draft(short, { stop: "59400" }), {}, ["deny", "-0.01", RANGE, WINNING]],
  ["a short's sound stop", draft(short, { stop: "61200" }), {}, ["allow", "61200", ...WORKS]],
  ["just far enough", draft({}, { stop: "59880" }), {}, ["allow", "59880", ...WORKS]],
  ["too near", draft({}, { stop: "59882" }), {}, ["deny", "0.00196667", RANGE, "The stop is too near the entry."]],
  ["as far as may be", draft({}, { stop: "52800" }), {}, ["allow", "52800", ...WORKS]],
  ["too far", draft({}, { stop: "52799.9" }), {}, ["deny", "0.12000167", RANGE, "The stop is too far from the entry."]],
  // 1/20 of 60,000 is gone at 57,000.
  [
    "at a long's liquidation",
    draft({}, { stop: "57000" }),
    btc({ leverage: 20 }),
    ["deny", "57000", "before 57000", BEYOND],
  ],
  ["just before it", draft({}, { stop: "57000.1" }), btc({ leverage: 20 }), ["allow", "57000.1", ...WORKS]],
  ["at a short's", draft(short, { stop: "63000" }), btc({ leverage: 20 }), ["deny", "63000", "before 63000", BEYOND]],
  ["just before that", draft(short, { stop: "62999.9" }), btc({ leverage: 20 }), ["allow", "62999.9", ...WORKS]],
  ["with a leverage never read", draft({}, { stop: "52800" }), btc({ leverage: null }), ["allow", "52800", ...WORKS]],
  [
    "at the liquidation that the venue states",
    draft(),
    { positions: [{ ...position(BTC, "LONG", "0.001", "60000"), liquidationPrice: dec("58800") }] },
    ["deny", "58800", "before 58800", BEYOND],
  ],
  [
    "held where the venue states none yet",
    draft(),
    { positions: [position(BTC, "LONG", "0.001", "60000")] },
    ["allow", "58800", ...WORKS],
  ],
  [
    "where the venue states none",
    draft(),
    { positions: [{ ...position(BTC, "LONG", "0.001", "60000"), liquidationPrice: dec("0") }] },
    ["allow", "58800", ...WORKS],
  ],
  [
    "beside the liquidation of another symbol and of the other position",
    draft(),
    {
      positions: [
        { ...position(SOL, "LONG", "1", "150"), liquidationPrice: dec("59900") },
        { ...position(BTC, "SHORT", "1", "60000"), liquidationPrice: dec("59900") },
      ],
    },
    ["allow", "58800", ...WORKS],
  ],
  ["a long's target above", draft({}, { target: "63000" }), {}, ["allow", "58800", ...WORKS]],
  ["at the entry", draft({}, { target: "60000" }), {}, ["deny", "60000", "above 60000", LOSING]],
  ["below", draft({}, { target: "59000" }), {}, ["deny", "59000", "above 60000", LOSING]],
  ["a short's target below", draft(short, { stop: "61200", target: "59000" }), {}, ["allow", "61200", ...WORKS]],
  ["above", draft(short, { stop: "61200", target: "61000" }), {}, ["deny", "61000", "below 60000", LOSING]],
  [
    "at nothing",
    draft(short, { stop: "61200", target: "0" }),
    {},
    ["deny", "0", "above 0", "The target is not a valid price."],
  ],
  // Distances are from the price that a crossing order would really take: 60000.1 to buy, 60000 to sell.
  [
    "a buy that crosses",
    draft({ limitPrice: "61000" }, { stop: "60300" }),
    {},
    ["deny", "-0.00499833", "0.002 to 0.12", WINNING],
  ],
  [
    "a sale that crosses",
    draft({ ...short, limitPrice: "59000" }, { stop: "59500" }),
    {},
    ["deny", "-0.00833333", RANGE, WINNING],
  ],
  ["a buy at the ask", draft({ limitPrice: "60000.1" }, { stop: "58800" }), {}, ["allow", "58800", ...WORKS]],
  [
    "a MARKET order from the price it faces",
    draft({ orderType: "MARKET", limitPrice: null }, { stop: "60000.1" }),
    {},
    ["deny", "0", RANGE, WINNING],
  ],
  [
    "a MARKET order without a book from the mark",
    draft({ orderType: "MARKET", limitPrice: null }, { stop: "60000" }),
    btc({ ask: null, bid: null }),
    ["deny", "0", RANGE, WINNING],
  ],
  ["a sound LIMIT order of which nothing is known", draft(), { symbols: new Map() }, ["allow", "58800", ...WORKS]],
  [
    "a LIMIT sale of which nothing is known",
    draft(short, { stop: "60000" }),
    { symbols: new Map() },
    ["deny", "0", RANGE, WINNING],
  ],
  [
    "a LIMIT order of which nothing is known",
    draft({}, { stop: "60000" }),
    { symbols: new Map() },
    ["deny", "0", RANGE, WINNING],
  ],
]);

const FORMED: Words = ["allow", "0.005", "the symbol's rules", "The order is well formed."];
const MODE = "The position side does not fit the position mode.";
const TYPE = "A LIMIT order has a price and a MARKET order has none.";
const MARKET = { orderType: "MARKET", limitPrice: null } as const;
table("order-shape", [
  ["sound", draft(), {}, FORMED],
  [
    "rules unknown",
    draft(),
    btc({ rules: null }),
    ["deny", "unknown", "known rules", "The symbol's trading rules are not known."],
  ],
  [
    "symbol unknown",
    draft(),
    { symbols: new Map() },
    ["deny", "unknown", "known rules", "The symbol's trading rules are not known."],
  ],
  [
    "bad id",
    draft({ clientOrderId: "a&b" }),
    {},
    ["deny", "a&b", "1 to 40 of A-Z a-z 0-9 - _", "The client order id is malformed."],
  ],
  ["no side in hedge mode", draft({ positionSide: "NONE" }), {}, ["deny", "NONE", "LONG or SHORT", MODE]],
  ["a side in one-way mode", draft(), { hedgeMode: false }, ["deny", "LONG", "NONE", MODE]],
  ["MARKET with a price", draft({ orderType: "MARKET" }), {}, ["deny", "60000", "MARKET", TYPE]],
  ["LIMIT without one", draft({ limitPrice: null }), {}, ["deny", "no price", "LIMIT", TYPE]],
  ["a MARKET order", draft(MARKET), {}, FORMED],
  [
    "a MARKET order of less than the smallest value",
    draft(MARKET),
    btc({ rules: rules(BTC, { minNotional: dec("301") }) }),
    ["deny", "300", "at least 301", "The notional does not fit the symbol's rules."],
  ],
  [
    "off the tick",
    draft({ limitPrice: "60000.05" }),
    {},
    ["deny", "60000.05", "a positive multiple of the tick 0.1", "The price does not fit the symbol's rules."],
  ],
  [
    "a MARKET order that nothing can value",
    draft(MARKET),
    btc({ mark: null }),
    ["deny", "no mark", "a mark", "No price is known to value the order."],
  ],
  [
    "a closing MARKET order is valued by the position's own mark",
    draft({ ...MARKET, side: "SELL" }, { stop: null }),
    { ...btc({ mark: null }), positions: [position(BTC, "LONG", "0.005", "60000")] },
    FORMED,
  ],
  [
    "and not by another's",
    draft({ ...MARKET, side: "SELL" }, { stop: null }),
    { ...btc({ mark: null }), positions: [position(SOL, "LONG", "0.005", "60000")] },
    ["deny", "no mark", "a mark", "No price is known to value the order."],
  ],
  [
    "what closes may be of little value and far from the mark",
    draft({ side: "SELL", limitPrice: "70000" }, { stop: null }),
    btc({ rules: rules(BTC, { minNotional: dec("1000") }) }),
    FORMED,
  ],
  [
    "no mark for the band",
    draft(),
    btc({ mark: null }),
    ["deny", "no mark", "a mark", "There is no mark to hold the price against."],
  ],
  [
    "a mark of zero",
    draft(),
    btc({ mark: dec(0) }),
    ["deny", "no mark", "a mark", "There is no mark to hold the price against."],
  ],
  ["5 % above", draft({ limitPrice: "63000" }), {}, FORMED],
  [
    "further",
    draft({ limitPrice: "63000.1" }),
    {},
    ["deny", "0.05000167", "0.05", "The limit price is too far from the mark."],
  ],
  [
    "post-only at the ask",
    draft({ timeInForce: "GTX", limitPrice: "60000.1" }),
    {},
    ["deny", "60000.1", "below 60000.1", "A post-only order at this price would take."],
  ],
  ["post-only under it", draft({ timeInForce: "GTX", limitPrice: "60000" }), {}, FORMED],
  [
    "post-only at the bid",
    draft({ ...short, timeInForce: "GTX", limitPrice: "60000" }, { stop: "61200" }),
    {},
    ["deny", "60000", "above 60000", "A post-only order at this price would take."],
  ],
  ["post-only over it", draft({ ...short, timeInForce: "GTX", limitPrice: "60000.1" }, { stop: "61200" }), {}, FORMED],
  ["post-only without a book", draft({ timeInForce: "GTX", limitPrice: "60100" }), btc({ ask: null }), FORMED],
  ["not post-only at the ask", draft({ timeInForce: "GTC", limitPrice: "60000.1" }), {}, FORMED],
]);

const B = "EXCHANGE_B_PERP_SOL_USDT";
const MARGIN = "Initial margin, and what is left for it on EXCHANGE_A, USDT.";
const funds = (
  availableUsdt: string,
  hedgeMode: boolean | null = true,
  exchange = "EXCHANGE_A",
): Partial<RiskView> => ({
  accounts: new Map([[exchange, { availableUsdt: dec(availableUsdt), hedgeMode }]]),
});
table("exchange-account", [
  ["enough margin at 2x", draft(), funds("1000"), ["allow", "150.3002505", "909.09090909", MARGIN]],
  [
    "at a leverage never read, once its value",
    draft(),
    { ...funds("1000"), ...btc({ leverage: null }) },
    ["allow", "300.600501", "909.09090909", MARGIN],
  ],
  ["margin for a part", draft({ qty: "0.004" }), funds("55"), ["shrink", "120.2402004", "50", MARGIN, "0.001"]],
  ["less than none left", draft(), funds("-3"), ["deny", "150.3002505", "0", `${MARGIN} ${TOO_LITTLE}`]],
  [
    "200 of margin on their way there",
    draft(),
    { ...funds("550"), ...flight("400") },
    ["allow", "150.3002505", "300", MARGIN],
  ],
  [
    "on their way at a leverage never read",
    draft(),
    { ...funds("550"), ...flight("400", X) },
    ["shrink", "150.3002505", "100", MARGIN, "0.003"],
  ],
  [
    "on their way elsewhere",
    draft(),
    { ...funds("550"), ...flight("400", B) },
    ["allow", "150.3002505", "500", MARGIN],
  ],
  [
    "an account never read",
    draft(),
    funds("1000", true, "EXCHANGE_B"),
    ["deny", "not read", "an account on EXCHANGE_A", "The account of the symbol's exchange has not been read."],
  ],
  [
    "one-way, and orders for both positions",
    draft(),
    funds("1000", false),
    ["deny", "NET", "BOTH", "The position mode of EXCHANGE_A is not the one that orders are written for."],
  ],
  [
    "both positions, and orders for one way",
    draft({ positionSide: "NONE" }),
    { ...funds("1000"), hedgeMode: false },
    ["deny", "BOTH", "NET", "The position mode of EXCHANGE_A is not the one that orders are written for."],
  ],
  [
    "a mode that the account does not say",
    draft(),
    funds("1000", null),
    ["deny", "not told", "BOTH", "The position mode of EXCHANGE_A is not the one that orders are written for."],
  ],
  ["no mark", draft(), btc({ mark: null }), ["deny", "no price", "a price", NO_VALUE]],
  [
    "a text that is no symbol",
    draft({ symbol: "ODD" }),
    {},
    ["deny", "not read", "an account on ODD", "The account of the symbol's exchange has not been read."],
  ],
  ["to close", closing, { accounts: new Map() }, PASSED],
]);

describe("what protection adds to an opening", () => {
  const completed = (given: Draft, seen: Partial<RiskView> = {}): readonly (string | undefined)[] => {
    const whole = limitNamed("protection", RISK).complete?.(given, view(seen));
    return [whole?.stopPrice?.toFixed(), whole?.targetPrice?.toFixed()];
  };
  test("the default stop where it brings none, 3 % from the entry, on the tick's tighter side", () => {
    expect(completed(draft({}, { stop: null }))).toEqual(["58200", undefined]);
    expect(completed(draft({ limitPrice: "60000.1" }, { stop: null }))).toEqual(["58200.1", undefined]);
    expect(completed(draft({ ...short, limitPrice: "60000.1" }, { stop: null }))).toEqual(["61800.1", undefined]);
  });
  test("stop and target on the tick: the stop tighter, the target nearer", () => {
    expect(completed(draft({}, { stop: "58800.01", target: "63000.09" }))).toEqual(["58800.1", "63000"]);
    expect(completed(draft(short, { stop: "61200.09", target: "59000.01" }))).toEqual(["61200", "59000.1"]);
  });
  test("nothing where it reduces, or where no tick or price is known", () => {
    expect(completed(closing)).toEqual([undefined, undefined]);
    expect(completed(draft({}, { stop: "58800.01" }), btc({ rules: null }))).toEqual(["58800.01", undefined]);
    expect(completed(draft({}, { stop: "58800.01" }), { symbols: new Map() })).toEqual(["58800.01", undefined]);
    const bare = { ...btc({ mark: null, bid: null, ask: null }) };
    expect(completed(draft(MARKET, { stop: "58800.01" }), bare)).toEqual(["58800.01", undefined]);
  });
});
