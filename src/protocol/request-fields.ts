/**
 * The value forms of requests, as documents 1 and 2 define them. Every message completes the sentence "must be …",
 * because it becomes part of an error that names field, value and rule.
 */
import { z } from "zod";
import { CLIENT_ORDER_ID_PATTERN, ORDER_ID_PATTERN } from "../domain/order.ts";
import { parseSymbol } from "../domain/symbol.ts";

/** Every message about a symbol ends like this, by which `parseRequest` recognises code 400009. */
export const SYMBOL_RULE = "a symbol of the form EXCHANGE_TYPE_BASE_QUOTE in upper case";

/** Canonical symbol, 1 §2.1. A malformed one has its own code (400009). */
export const symbol = z.string(SYMBOL_RULE).refine((text) => parseSymbol(text).ok, { error: SYMBOL_RULE });

/** One of the operator's exchange identifiers; only the server knows which ones exist. */
export const exchange = z
  .string("an exchange identifier")
  .regex(/^[A-Z0-9]+(_[A-Z0-9]+)*$/, "an exchange identifier in upper case");

/** 16 digits as text, 1 §2.3. */
export const orderId = z.string("16 digits as text").regex(ORDER_ID_PATTERN, "16 digits as text");

/** 1 §8.4: at most 40 characters. The alphabet is from records §5.1 rule 1. */
export const clientOrderId = z
  .string("text of letters, digits, dash and underscore, at most 40")
  .regex(CLIENT_ORDER_ID_PATTERN, "text of letters, digits, dash and underscore, at most 40");

const POSITIVE = /^(?=.*[1-9])\d{1,20}(\.\d{1,20})?$/;
const NOT_NEGATIVE = /^\d{1,20}(\.\d{1,20})?$/;

/** A price or quantity above zero: plain digits, no exponent. */
export const positiveDecimal = z
  .string("a positive plain decimal as text")
  .regex(POSITIVE, "a positive plain decimal as text");

/** The same with zero allowed: `"0"` as a price means market (records §5.1). */
export const decimalOrZero = z
  .string("a plain decimal as text")
  .regex(NOT_NEGATIVE, "a plain decimal as text, not negative");

/** Epoch milliseconds as text, records §1.4. */
export const epochMs = z
  .string("epoch milliseconds as text")
  .regex(/^\d{13}$/, "epoch milliseconds (13 digits) as text");
/** Epoch seconds as text, records §1.4. */
export const epochSec = z.string("epoch seconds as text").regex(/^\d{10}$/, "epoch seconds (10 digits) as text");
/** Page number, page size or limit: digits as text, from 1. */
export const countText = z.string("a whole number from 1").regex(/^[1-9]\d{0,8}$/, "a whole number from 1");

/** Upper case; a server's `normalize` converts other spellings. */
export const side = z.enum(["BUY", "SELL"], "BUY or SELL");
/** The position of an order in hedge mode; NONE or absent in one-way mode. */
export const positionSide = z.enum(["LONG", "SHORT", "NONE"], "LONG or SHORT (NONE or absent in one-way mode)");
/** The records call this `exchangeOrderType`; their `orderType` is a different field. */
export const orderType = z.enum(["LIMIT", "MARKET"], "LIMIT or MARKET");
/** GTX is post-only. */
export const timeInForce = z.enum(["GTC", "IOC", "FOK", "GTX"], "GTC, IOC, FOK or GTX");
/** The price that a trigger is compared with: the last trade's or the mark. */
export const triggerType = z.enum(["LAST_PRICE", "MARK_PRICE"], "LAST_PRICE or MARK_PRICE");
/** BOTH is hedge mode with a position for each side, NET is one-way mode. */
export const positionMode = z.enum(["BOTH", "NET"], "BOTH or NET");
/** `MARGIN` exists outside the competition (records §0.3). */
export const businessType = z.enum(["PERP", "SPOT", "MARGIN"], "PERP or SPOT");
/** A flag in a query string. */
export const flagText = z.enum(["true", "false"], "the text true or false");

/** Filters of the order lists, records §5.6. `begin` and `end` are inclusive [guess]. */
export const listFilters = {
  sym: symbol.optional(),
  exchange: exchange.optional(),
  businessType: businessType.optional(),
  begin: epochMs.optional(),
  end: epochMs.optional(),
};

/** The requested page, 1-based, records §1.3. */
export const pageFields = { page: countText.optional(), pageSize: countText.optional() };

/** Identifies an order by either of its ids. */
export const orderKeyFields = { orderId: orderId.optional(), clientOrderId: clientOrderId.optional() };

/** The refinement for a pair of ids: at least one must be given. */
export const oneOf =
  (...fields: readonly string[]) =>
  (context: z.core.ParsePayload<Record<string, unknown>>): void => {
    if (fields.some((field) => context.value[field] !== undefined)) return;
    context.issues.push({
      code: "custom",
      input: undefined,
      path: [fields[0] ?? ""],
      message: fields.length > 1 ? `given, or else ${fields.slice(1).join(" or ")}` : "given",
    });
  };
