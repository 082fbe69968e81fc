/** Settings common to the strategies that ask a model for stances, with units, bounds and defaults. */
import { z } from "zod";

const count = (least: number, most: number) => z.number().int().min(least).max(most);
const figure = (least: number, most: number) => z.number().min(least).max(most);

const promptName = z.string().regex(/^[a-z0-9-]+$/, "the name of a prompt: lower-case letters, digits and dashes");
const PROMPT_IS =
  "Prompt of the deciding question: llm-trader (moves of minutes to a day), llm-trader-5 (score, days to weeks, own decisions, reasons first, size in three steps), or the name of a file in own/prompts/.";

/** The same setting with the newer text as its default. */
export const NEWER_PROMPT = promptName.default("llm-trader-5").describe(PROMPT_IS);

/** Spread into the settings of each strategy that asks a model for stances. */
export const TRADER_FIELDS = {
  prompt: promptName.default("llm-trader").describe(PROMPT_IS),
  question: z
    .enum(["moves", "weeks"])
    .default("moves")
    .describe(
      "For a prompt of your own: whether its tables and reply are those of llm-trader (moves) or of llm-trader-5 (weeks).",
    ),
  samples: count(1, 9)
    .default(1)
    .describe("Number of samples of the deciding question; the answers vote, and each costs a call."),
  openAgreement: figure(0.1, 1).default(0.5).describe("Share of the samples that must want an opening, 0 to 1."),
  closeAgreement: figure(0.1, 1).default(0.5).describe("Share of the samples that must say FLAT to close a position."),
  reverseAgreement: figure(0.1, 1)
    .default(0.75)
    .describe("Share of the samples for the opposite side or FLAT that reverses a position."),
  maxPositions: count(1, 20).default(4).describe("Positions at the same time; further stances are dropped."),
  minHoldMinutes: figure(0, 10_000)
    .default(60)
    .describe("Minutes before a position may be reversed. FLAT may always close it."),
  maxSize: figure(0.05, 1).default(0.8).describe("Largest size, share of the largest position the limits allow."),
  fullSizeVolatility: figure(0.0005, 0.1)
    .default(0.006)
    .describe(
      "Hourly volatility up to which a position may have full size, fraction; above it the size falls in proportion.",
    ),
  minStop: figure(0.001, 0.1).default(0.006).describe("Nearest stop, fraction of price."),
  maxStop: figure(0.002, 0.2).default(0.06).describe("Widest stop, fraction of price."),
  stopVolatilitiesMin: figure(0, 10).default(1.5).describe("Nearest stop in hourly volatilities, within maxStop."),
  stopVolatilitiesMax: figure(1, 50).default(8).describe("Widest stop in hourly volatilities that the model may ask."),
  doubtfulEvidence: figure(0, 1)
    .default(0.5)
    .describe("Weight of a vote that cites something that was not shown, or news without market data."),
  calibrationTrades: count(10, 1_000)
    .default(40)
    .describe("Own closed trades with a stated conviction before conviction may shrink a position."),
  calibrationSkill: figure(0, 1)
    .default(0.02)
    .describe("Brier skill over the plain share of wins that those trades must show, 0 to 1."),
  maxQuoteAgeSeconds: figure(0.5, 60)
    .default(5)
    .describe("Symbols with older quotes or marks are not offered and not opened, seconds."),
  promptTokensMax: count(1_000, 16_000)
    .default(7_500)
    .describe("Tokens of all tables in the question, by a real tokenizer; the least useful rows go first."),
  newsTextChars: count(0, 2_000).default(360).describe("Characters of one news text in the question."),
  maxOutputTokens: count(200, 32_000)
    .default(3_000)
    .describe("Output cap of the deciding question, tokens, without the model's thoughts (`model.names`)."),
} as const;

/** What `llm-trader` may ask beyond the deciding question while `model.targetUsd` has money for it; 0 for none. */
export const PLAN_FIELDS = {
  secondOpinions: count(0, 2)
    .default(0)
    .describe(
      "Further samples if the first would open or reverse a position, or if samples disagree, while `model.targetUsd` has money for them; 0 for none.",
    ),
  deepCandidates: count(0, 8)
    .default(0)
    .describe("Symbols of a deep answer once an hour: held ones and the best candidates; 0 for none."),
  debates: count(0, 3)
    .default(0)
    .describe("Openings of a decision for which a bull and a bear each give their case; 0 for none."),
  postMortems: count(0, 3).default(0).describe("Closed trades that a decision may have examined; 0 for none."),
  analysts: count(0, 4)
    .default(0)
    .describe("Symbols of a decision that get an analyst of their own: held ones and the best candidates; 0 for none."),
} as const;

/** The part of the settings that the spend plan uses. */
export type PlanSettings = z.infer<z.ZodObject<typeof PLAN_FIELDS>>;

/** Validated, with every default filled in. */
export type TraderSettings = z.infer<z.ZodObject<typeof TRADER_FIELDS>>;

/**
 * The prompt that such a strategy's settings name; null for a strategy without this setting. Known by its description: a
 * bundled strategy has its own copy of the field.
 */
export const promptNamed = (of: z.ZodType, settings: unknown): string | null =>
  (of as { shape?: Readonly<Record<string, z.ZodType>> }).shape?.["prompt"]?.description === PROMPT_IS
    ? (settings as TraderSettings).prompt
    : null;

/** Whether the question is the one of days and weeks, with reasons first. */
export const asksWeeks = ({ prompt, question }: TraderSettings): boolean =>
  prompt === "llm-trader-5" || (prompt !== "llm-trader" && question === "weeks");

/** For `refine`: the nearest stop must not exceed the widest. */
export const stopsInOrder = {
  holds: (settings: TraderSettings): boolean => settings.minStop <= settings.maxStop,
  problem: { path: ["minStop"], message: "must not exceed maxStop" },
};
/** For `refine`: a reversal must not be easier than an opening. */
export const barsInOrder = {
  holds: (settings: TraderSettings): boolean => settings.reverseAgreement >= settings.openAgreement,
  problem: {
    path: ["reverseAgreement"],
    message: "must not be below openAgreement: a reversal needs the higher threshold",
  },
};
