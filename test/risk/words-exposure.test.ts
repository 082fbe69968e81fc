/** What the limits on how much may be opened say, word for word: pace, values, crowding, leverage, cushion. */
import { dec } from "../../src/core/decimal.ts";
import type { RiskView } from "../../src/risk/view.ts";
import { BTC, draft, NOW_MS, openings, position, session, SOL } from "./support.ts";
import { NO_VALUE, TOO_LITTLE, X, btc, flight, table, unvalued, type Words } from "./words.ts";

const closed = (positionSide: "LONG" | "SHORT", agoMs: number, symbol = BTC): Partial<RiskView> => ({
  recentCloses: [{ symbol, leg: positionSide, atMs: NOW_MS - agoMs }],
});

const IN_PACE: Words = ["allow", "0", "60", "Orders and fees are within their pace."];

table("pace", [
  ["idle", draft(), {}, IN_PACE],
  ["60 orders", draft(), { ...openings(60) }, ["deny", "60", "under 60", "As many openings as an hour may have."]],
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
    ["deny", "5", "4", "This would be position 5 of at most 4, counting those that are being opened."],
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
  // 100 short count with the residual beside 300.6 long of the same coin: 300.6 x 0.12 + 100 x 0.04 + 400.6 x 0.002.
  ["the smaller position of a symbol", draft(), flight("100", BTC, "SHORT"), ["allow", "40.87326112", "180", IN_GAP]],
]);
