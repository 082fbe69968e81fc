/** What the limits on when something may be opened say, word for word: symbols, session, holds, floor, freshness, drawdown. */
import { dec } from "../../src/core/decimal.ts";
import { BTC, draft, NOW_MS, position, rules, session, SOL, symbolRisk } from "./support.ts";
import { PASSED, btc, closing, table } from "./words.ts";

table("universe", [
  ["listed and live", draft(), {}, ["allow", "live", "live", "The symbol is listed and live."]],
  [
    "off the list",
    draft(),
    { universe: [SOL] },
    ["deny", BTC, "one of 1 symbol", "The symbol is not on the list of this phase."],
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
    ["deny", BTC, "one of 1 symbol", "The symbol is not on the list of this phase."],
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
    ["deny", BTC, "1 symbol", "The session does not cover this symbol."],
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
    ["deny", "before it", "after it", "The latest equity reading predates the last fill."],
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
