/** What the limit on the stop of an opening says, word for word. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { RISK } from "../support/risk.ts";
import type { Draft, RiskView } from "../../src/risk/view.ts";
import { BTC, draft, position, SOL, view } from "./support.ts";
import { btc, closing, limitNamed, table, short, MARKET } from "./words.ts";

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
  ["a sound LIMIT order in a symbol without data", draft(), { symbols: new Map() }, ["allow", "58800", ...WORKS]],
  [
    "a LIMIT sale in a symbol without data",
    draft(short, { stop: "60000" }),
    { symbols: new Map() },
    ["deny", "0", RANGE, WINNING],
  ],
  [
    "a LIMIT order in a symbol without data",
    draft({}, { stop: "60000" }),
    { symbols: new Map() },
    ["deny", "0", RANGE, WINNING],
  ],
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
