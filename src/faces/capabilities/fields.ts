/**
 * The fields that inputs are made of, each said once with rule and meaning. Every message completes "FIELD: …". A client
 * sends text for all figures. Spec: 3 §4; records §17.4.
 */
import { z } from "zod";

export const text = (meaning: string): z.ZodString => z.string("must be text").min(1).max(2_000).describe(meaning);
export const decimalText = (meaning: string) =>
  z
    .string("must be a positive plain decimal as text")
    .regex(/^(?=.*[1-9])\d{1,20}(\.\d{1,20})?$/, "must be a positive plain decimal as text")
    .describe(meaning);
/** As above, with zero allowed: `"0"` as an algo's limit price means market. */
export const decimalOrZero = (meaning: string) =>
  z
    .string("must be a plain decimal as text")
    .regex(/^\d{1,20}(\.\d{1,20})?$/, "must be a plain decimal as text, not negative")
    .describe(meaning);
export const flag = (meaning: string) => z.boolean("must be true or false").describe(meaning);
export const whole = (min: number, max: number, meaning: string) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule).describe(meaning);
};
export const words = <const W extends readonly string[]>(options: W, meaning: string) =>
  z.enum(options, `must be ${options.join(" or ")}`).describe(meaning);
export const texts = (meaning: string) =>
  z.array(z.string("must be texts").min(1), "must be a list of texts").min(1).max(200).describe(meaning);

export const symbol = text("Canonical symbol, EXCHANGE_PERP_BASE_USDT. A bare pair such as BTCUSDT is completed.");
export const exchange = text("Exchange identifier, for example EXCHANGE_A.");
export const side = words(["BUY", "SELL"], "Side of the order.");
export const orderType = words(["LIMIT", "MARKET"], "LIMIT rests at a price, MARKET takes what the book offers.");
export const positionSide = words(
  ["LONG", "SHORT"],
  "The leg in hedge mode, the default of competition accounts. Left out in one-way mode.",
);
export const timeInForce = words(["GTC", "IOC", "FOK", "GTX"], "How long the order stands. GTX is post-only.");
export const triggerType = words(["LAST_PRICE", "MARK_PRICE"], "Which price triggers.");
export const conditionType = words(
  ["CONDITIONAL", "OCO", "ENTIRE_CLOSE_POSITION", "PARTIAL_CLOSE_POSITION"],
  "Kind of take-profit or stop-loss.",
);
export const orderId = text("Order id of the service, 16 digits.");
export const algoOrderId = text("Algo order id of the service, 16 digits.");
export const clientOrderId = z
  .string("must be text")
  .regex(/^[A-Za-z0-9_-]{1,40}$/, "must be 1 to 40 letters, digits, dashes or underscores")
  .describe("Your own id of the order, unique among your orders.");
export const price = decimalText("Limit price, a multiple of the symbol's tick.");
export const quantity = decimalText("Base units or contracts, as the symbol's rules say; a multiple of the lot.");
export const maxNotional = decimalText("Ceiling of the order's value in USDT. A safety limit, never the target size.");
export const epochMs = z
  .string("must be epoch milliseconds as text")
  .regex(/^\d{13}$/, "must be epoch milliseconds (13 digits) as text");
export const begin = epochMs.describe("From this time on, epoch ms as text.");
export const end = epochMs.describe("Up to this time, epoch ms as text.");
export const page = whole(1, 1_000_000, "Page, from 1.");
export const pageSize = whole(1, 1_000, "Items on a page.");

/** The two fields of every submit. Not part of what is compared. */
export const submitFields = {
  previewId: text("From the preview.").optional(),
  continueConsentId: text("The preview's confirmation.submitToken.").optional(),
};

/** Compatibility claims: given and different from ours, the preview is refused. */
export const claimFields = {
  mcpSchemaVersion: text("The schema version that the caller was written for.").optional(),
  skillsVersion: text("The skills version that the caller uses.").optional(),
  skillsSchemaVersion: text("The skills schema version that the caller uses.").optional(),
};

/** Consent and session of a preview. Spec: 3 §2.3. */
export const consentFields = {
  automationSessionId: text("Bind the preview to this automation session.").optional(),
  automationMode: flag("Ask for consent to this one preview in the user's own words.").optional(),
  automationConsentText: text(
    "The user's words, unchanged: symbol, maxNotional and the intent to automate.",
  ).optional(),
  automationScope: text("single-preview").optional(),
  consentId: text("A note of yours; it has no effect.").optional(),
  ...claimFields,
};

/** Not business parameters: they are neither shown as such nor hashed. Records §17.5. */
export const NOT_BUSINESS: ReadonlySet<string> = new Set([
  "targetCapabilityId",
  "previewId",
  "continueConsentId",
  "explicitUserConsent",
  "acceptedRiskText",
  ...Object.keys(consentFields),
]);

export const listFields = {
  symbol: symbol.optional(),
  exchange: exchange.optional(),
  businessType: words(["PERP", "SPOT", "MARGIN"], "Kind of instrument.").optional(),
  page: page.optional(),
  pageSize: pageSize.optional(),
};

/** The REST envelope that successful reads and writes carry in `data`. Records §17.3. */
export const restEnvelope = z.looseObject({ code: z.number(), message: z.string(), data: z.unknown() });
