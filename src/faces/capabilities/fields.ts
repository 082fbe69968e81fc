/**
 * The fields of all inputs, each defined once with rule and meaning. Every message completes "FIELD: …". Clients send
 * figures as text. Spec: 3 §4; records §17.4.
 */
import { z } from "zod";

/** 1 to 2,000 characters. `contract/validate.ts` treats null and empty text as absent before this check. */
export const text = (meaning: string): z.ZodString =>
  z.string("must be text").min(1).max(2_000, "must have at most 2000 characters").describe(meaning);
/** Above zero, at most 20 digits on either side of the point; a JSON number is refused. */
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
/** A JSON boolean. The command line reads `true`, `false`, and the bare option as true. */
export const flag = (meaning: string) => z.boolean("must be true or false").describe(meaning);
/** A JSON integer, both bounds included; the command line reads digits as one. */
export const whole = (min: number, max: number, meaning: string) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z.int(rule).min(min, rule).max(max, rule).describe(meaning);
};
/** In exactly this spelling; the command line accepts any letter case. */
export const words = <const W extends readonly string[]>(options: W, meaning: string) =>
  z.enum(options, `must be ${options.join(" or ")}`).describe(meaning);
/** 1 to 200 texts, none of them empty; the command line splits at commas. */
export const texts = (meaning: string) =>
  z.array(z.string("must be texts").min(1), "must be a list of texts").min(1).max(200).describe(meaning);

/** `canonicalInput` makes it canonical before the schema check; this bound is only on the length. */
export const symbol = text(
  "Canonical symbol, EXCHANGE_PERP_BASE_USDT. A pair such as BTCUSDT or a known coin such as BTC is completed.",
);
/** Not compared here with the configured exchanges. */
export const exchange = text("Exchange identifier, for example EXCHANGE_A.");
export const side = words(["BUY", "SELL"], "Side of the order.");
export const orderType = words(
  ["LIMIT", "MARKET"],
  "LIMIT rests at a price, MARKET takes the best prices in the book.",
);
/** Required or forbidden by the account's position mode: `positionProblem` in `writes/account.ts`. */
export const positionSide = words(
  ["LONG", "SHORT"],
  "The position in hedge mode, the default of competition accounts. Omit it in one-way mode.",
);
/** `postOnly` is equivalent to GTX and contradicts every other value. */
export const timeInForce = words(["GTC", "IOC", "FOK", "GTX"], "How long the order rests. GTX is post-only.");
/** The default of an algo order is MARK_PRICE. */
export const triggerType = words(["LAST_PRICE", "MARK_PRICE"], "Which price triggers.");
/** The default is OCO if take-profit and stop-loss are given, otherwise CONDITIONAL. */
export const conditionType = words(
  ["CONDITIONAL", "OCO", "ENTIRE_CLOSE_POSITION", "PARTIAL_CLOSE_POSITION"],
  "Kind of take-profit or stop-loss.",
);
/** The 16 digits are checked after the schema, because a wrong id has a code of its own (00002). */
export const orderId = text("Order id of the service, 16 digits.");
/** Checked like `orderId`: 16 digits, after the schema, 00002. */
export const algoOrderId = text("Algo order id of the service, 16 digits.");
/** The preview refuses a new order with an id that was sent within the last seven days (24004). */
export const clientOrderId = z
  .string("must be text")
  .regex(/^[A-Za-z0-9_-]{1,40}$/, "must be 1 to 40 letters, digits, dashes or underscores")
  .describe("Your own id of the order, unique among your orders.");
/** The preview checks the tick by the symbol's rules (24007). */
export const price = decimalText("Limit price, a multiple of the symbol's tick.");
/** The preview checks lot and minimum size by the symbol's rules (24006). */
export const quantity = decimalText("Base units or contracts, as the symbol's rules say; a multiple of the lot.");
/** A greater value is refused with 24001, at the preview and again at the submit. */
export const maxNotional = decimalText("Ceiling of the order's value in USDT. A safety limit, never the target size.");
/** 13 digits as text, the service's form of a time; neither seconds nor ISO 8601. */
export const epochMs = z
  .string("must be epoch milliseconds as text")
  .regex(/^\d{13}$/, "must be epoch milliseconds (13 digits) as text");
export const begin = epochMs.describe("From this time on, epoch ms as text.");
export const end = epochMs.describe("Up to this time, epoch ms as text.");
export const page = whole(1, 1_000_000, "Page, from 1.");
/** The default depends on the read: 1,000 rows of orders, 100 of closed positions, otherwise the service's default. */
export const pageSize = whole(1, 1_000, "Items on a page.");

/** The two fields that every submit needs. They are not part of the comparison with the preview. */
export const submitFields = {
  previewId: text("From the preview."),
  continueConsentId: text("The preview's confirmation.submitToken."),
};

/** Compatibility claims: a preview with a version other than ours is refused. */
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

/** Fields that are not business parameters: they are neither shown as such nor hashed. Records §17.5. */
export const NOT_BUSINESS: ReadonlySet<string> = new Set([
  "targetCapabilityId",
  "previewId",
  "continueConsentId",
  "explicitUserConsent",
  "acceptedRiskText",
  ...Object.keys(consentFields),
]);

/** Optional filters that lists of orders, algo orders and positions share. */
export const listFields = {
  symbol: symbol.optional(),
  exchange: exchange.optional(),
  businessType: words(["PERP", "SPOT", "MARGIN"], "Kind of instrument.").optional(),
  page: page.optional(),
  pageSize: pageSize.optional(),
};

/** The service's own envelope, which successful reads and writes return unchanged in `data`. */
export const restEnvelope = z.looseObject({
  code: z.union([z.number(), z.string()]),
  message: z.string().optional(),
  data: z.unknown(),
});
