/** The reply that a deciding question asks for: target positions with their reasons, and no size. Spec: docs/MODEL.md. */
import { z } from "zod";

/** Reported in the prompt as well; a reply with more stances does not pass the schema. */
export const STANCES_MAX = 8;
/** Characters of a reason that the prompt allows; a longer one is cut to this when it becomes a target's. */
export const REASON_CHARS_MAX = 300;

const stanceOf = (symbol: z.ZodType<string>) =>
  z.strictObject({
    symbol,
    stance: z.enum(["LONG", "SHORT", "FLAT"]),
    conviction: z.number().min(0).max(1),
    horizon: z.enum(["minutes", "hours", "days"]),
    stopVolatilities: z.number().min(0).max(100),
    targetVolatilities: z.number().min(0).max(200).nullable(),
    urgency: z.enum(["take", "rest"]),
    // Longer than asked for is cut later, not refused: a good answer is not lost to its verbosity.
    invalidation: z.string().max(2_000),
    reason: z.string().max(2_000),
    evidence: z.array(z.string().max(200)).max(12),
  });

const replyOf = (symbol: z.ZodType<string>) =>
  z.strictObject({
    echo: z.string().max(100),
    summary: z.string().max(4_000),
    stances: z.array(stanceOf(symbol)).max(STANCES_MAX),
  });

/** The reply to a question; `symbol` says which symbols it may name. */
export const stancesSchema = (symbol: z.ZodType<string>) => replyOf(symbol);

/** The same for reading: which symbols may still be traded is judged on the snapshot of that later moment. */
export const AnyStances = replyOf(z.string().max(120));
/** One sample. `echo` repeats a word of the question: proof that this is the answer to it. */
export type StanceReply = z.infer<typeof AnyStances>;
/** An opinion on one symbol: conviction is 0 to 1, stop and target are in hourly volatilities. */
export type Stance = StanceReply["stances"][number];
