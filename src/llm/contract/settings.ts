/** The models that may be asked, and their prices. */
import { z } from "zod";
import { decimal, fraction, span } from "../../core/setting-fields.ts";

/** Reasoning effort of a model, if it has such a setting. */
const EFFORTS = ["none", "minimal", "low", "medium", "high"] as const;
/** Sent in the chat dialect only; `check.ts` refuses it with `messages`. */
export type Effort = (typeof EFFORTS)[number];

/** Response formats from the strictest to the plainest; the schema is in the prompt as well. */
export const REPLY_FORMATS = ["json_schema", "json_object", "tool", "plain"] as const;
export type ReplyFormat = (typeof REPLY_FORMATS)[number];

/** The two dialects that a gateway may offer (records §14.1). */
const SPEECHES = ["chat", "messages"] as const;
export type Speech = (typeof SPEECHES)[number];

const tokenRates = z.strictObject({
  inputPerMillionUsd: decimal("Price of a million prompt tokens, USD."),
  outputPerMillionUsd: decimal("Price of a million output tokens, USD."),
  cachedPerMillionUsd: decimal("Price of a million prompt tokens read from the provider's cache, USD."),
});

const modelEntry = z.strictObject({
  name: z.string().min(1),
  ...tokenRates.shape,
  longContext: z
    .strictObject({ aboveTokens: z.number().int().min(1).describe("Prompts longer than this."), ...tokenRates.shape })
    .optional()
    .describe("Other prices for very long prompts, where the provider has them."),
  speech: z.enum(SPEECHES).default("chat").describe("Dialect of the service: /v1/chat/completions or /v1/messages."),
  temperature: z.number().min(0).max(2).optional().describe("Left out: the service's own default."),
  reasoningEffort: z
    .enum(EFFORTS)
    .optional()
    .describe("Reasoning effort, if the model has the setting. Left out: the service's own default."),
  reasoningTokens: z
    .number()
    .int()
    .min(0)
    .max(64_000)
    .optional()
    .describe(
      "Reasoning tokens allowed before the answer: added to the output cap of each question, reserved and billed as output. Left out: none.",
    ),
  replyFormat: z
    .enum(REPLY_FORMATS)
    .optional()
    .describe(
      "The only response format to use; plain asks in the prompt alone. Left out: the strictest that the service accepts.",
    ),
});

/**
 * Changes only with a restart. Prices have no default except for the simulated model, because budgets depend on them.
 */
export const modelSection = z.strictObject({
  names: z
    .array(modelEntry)
    .min(1)
    .prefault([
      {
        name: "ballast-sim-1",
        inputPerMillionUsd: "0.31",
        outputPerMillionUsd: "1.24",
        cachedPerMillionUsd: "0.06",
        speech: "chat",
      },
    ])
    .describe("Models in order of preference. A model without a price is refused at start."),
  dayLimitUsd: decimal("Largest spend in a day, USD; at most 10. Spec: 3 §8.")
    .refine((usd) => usd.lte(10), "at most 10: the team has no more for a day")
    .prefault("10"),
  targetUsd: decimal(
    "What a day should use, USD. While spending is behind this pace, further questions are asked where they can change a decision. Without it none are.",
  ).optional(),
  floorUsd: decimal("The least that a day should spend, USD: a forecast below it raises an alarm.").optional(),
  dayBoundaryUtcHour: z
    .union([z.number().int().min(0).max(23), z.literal("gateway")])
    .default(0)
    .describe("Hour at which the budget day begins, UTC; `gateway` takes the reset time that /key/info states."),
  maxConcurrent: z.number().int().min(1).max(64).default(16).describe("Questions in flight at once."),
  reserveForHappenings: fraction("Share of the day's money reserved for event triggers.").default(0.2),
  cache: span("Equal questions within this time share one answer. Spec: 3 §8.").prefault("5m"),
  timeout: span("Longest wait for a whole model exchange.").prefault("90s"),
});

/** USD per million tokens. */
export type TokenRates = Readonly<z.output<typeof tokenRates>>;
/** A model that may be asked: its name at the service, its rates, and its dialect. */
export type ModelPrice = Readonly<z.output<typeof modelEntry>>;

/** Spans in milliseconds. `aiUrl` is `{ai_url}` of document 3 §8: completions are below it at `/v1`, the key's figures at `/key/info`. */
export type ModelSettings = Readonly<z.output<typeof modelSection> & { aiUrl: string }>;
