/** What the limits on the shape of an order and on its margin say, word for word. */
import { dec } from "../../src/core/decimal.ts";
import type { RiskView } from "../../src/risk/view.ts";
import { BTC, draft, position, rules, SOL } from "./support.ts";
import { NO_VALUE, PASSED, TOO_LITTLE, X, btc, closing, flight, table, type Words, short, MARKET } from "./words.ts";

const FORMED: Words = ["allow", "0.005", "the symbol's rules", "The order is well formed."];

const MODE = "The position side does not fit the position mode.";

const TYPE = "A LIMIT order has a price and a MARKET order has none.";

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
  ["a side in one-way mode", draft(), { hedgeMode: false, accounts: new Map() }, ["deny", "LONG", "NONE", MODE]],
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
    ["deny", "no mark", "a mark", "There is no mark to compare the price with."],
  ],
  [
    "a mark of zero",
    draft(),
    btc({ mark: dec(0) }),
    ["deny", "no mark", "a mark", "There is no mark to compare the price with."],
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
    ["deny", "unknown", "BOTH", "The position mode of EXCHANGE_A is not the one that orders are written for."],
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
