/** What can be set of the llm-trader strategy, with units and bounds, and the reply that it asks the model for. */
import { z } from "zod";

export const STANCES_MAX = 8;

export const Settings = z
  .strictObject({
    maxPositions: z.number().int().min(1).max(20).default(4).describe("Positions at once; stances beyond are dropped."),
    minHoldMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .default(60)
      .describe("A leg is not turned round before, minutes. It may always be closed by FLAT."),
    maxSize: z
      .number()
      .min(0.05)
      .max(1)
      .default(0.8)
      .describe("Largest size, share of the largest position the limits allow."),
    fullSizeVolatility: z
      .number()
      .min(0.0005)
      .max(0.1)
      .default(0.006)
      .describe("Volatility of an hour up to which a position may be full, fraction; smaller in proportion beyond."),
    minStop: z.number().min(0.001).max(0.1).default(0.006).describe("Nearest stop, fraction of price."),
    maxStop: z.number().min(0.002).max(0.2).default(0.06).describe("Widest stop, fraction of price."),
    stopVolatilitiesMin: z
      .number()
      .min(0)
      .max(10)
      .default(1.5)
      .describe("A stop nearer than so many hourly volatilities is widened to them, within maxStop."),
    confidenceMin: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe("Openings with less stated confidence are dropped; 0 gives the statement no power."),
    doubtfulEvidenceSize: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe("An opening that cites something that does not exist is shrunk to this share."),
    maxQuoteAgeSeconds: z
      .number()
      .min(0.5)
      .max(60)
      .default(5)
      .describe("Symbols with older quotes or marks are not offered and not opened, seconds."),
    promptCharsMax: z
      .number()
      .int()
      .min(2_000)
      .max(40_000)
      .default(20_000)
      .describe("Characters of all tables in the question; the least useful rows go first."),
    newsTextChars: z
      .number()
      .int()
      .min(0)
      .max(2_000)
      .default(360)
      .describe("Characters of one news text in the question."),
    maxOutputTokens: z
      .number()
      .int()
      .min(200)
      .max(8_000)
      .default(1_800)
      .describe("Output cap of the question, tokens."),
  })
  .refine((settings) => settings.minStop <= settings.maxStop, {
    path: ["minStop"],
    message: "must not exceed maxStop",
  });

export type Settings = z.infer<typeof Settings>;

/** One stance of a reply. Every member is required; see docs/MODEL.md. */
const stanceOf = (symbol: z.ZodType<string>) =>
  z.strictObject({
    symbol,
    stance: z.enum(["LONG", "SHORT", "FLAT"]),
    size: z.number().min(0).max(1),
    stopPct: z.number().min(0).max(100),
    targetPct: z.number().min(0).max(100).nullable(),
    urgency: z.enum(["take", "rest"]),
    confidence: z.number().min(0).max(1),
    horizon: z.enum(["minutes", "hours", "days"]),
    // Longer than asked for is cut later, not refused: a good answer is not lost to its verbosity.
    reason: z.string().max(2_000),
    evidence: z.array(z.string().max(200)).max(12),
  });

const replyOf = (symbol: z.ZodType<string>) =>
  z.strictObject({
    echo: z.string().max(100),
    summary: z.string().max(4_000),
    stances: z.array(stanceOf(symbol)).max(STANCES_MAX),
  });

/** The reply to a question that offers exactly these symbols. */
export const replySchemaFor = (symbols: readonly [string, ...string[]]) => replyOf(z.enum(symbols));

/** The same for reading: which symbols may still be traded is judged on the snapshot of that later moment. */
export const AnyReply = replyOf(z.string().max(120));
export type Stance = z.infer<typeof AnyReply>["stances"][number];
