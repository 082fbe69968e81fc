/** The reply to a deciding question: target positions with reasons; sizes, if at all, in steps. Spec: docs/MODEL.md. */
import { z } from "zod";
import { type Citable, citedNames, uncited, withShown } from "./citations.ts";

/** Stated in the prompt as well; a reply with more stances fails the schema. */
export const STANCES_MAX = 8;
/** Length of a reason that the prompt allows; a longer one is cut when it becomes a target's reason. */
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
    // Longer text is cut later, not refused: verbosity must not void a good answer.
    invalidation: z.string().max(2_000),
    reason: z.string().max(2_000),
    evidence: citedNames,
  });

export const SIZE_STEPS = ["small", "medium", "large"] as const;
export type SizeStep = (typeof SIZE_STEPS)[number];
/** Share of the largest size that code computes. */
export const STEP_SHARE: Readonly<Record<SizeStep, number>> = { small: 1 / 3, medium: 2 / 3, large: 1 };

/** Reasons come before the conclusions, because a model writes in this order. */
const reasonedOf = (symbol: z.ZodType<string>) =>
  z.strictObject({
    symbol,
    reason: z.string().max(2_000),
    against: z.string().max(2_000),
    invalidation: z.string().max(2_000),
    evidence: citedNames,
    stance: z.enum(["LONG", "SHORT", "FLAT"]),
    conviction: z.number().min(0).max(1),
    size: z.enum(SIZE_STEPS),
    horizon: z.enum(["minutes", "hours", "days"]),
    stopVolatilities: z.number().min(0).max(100),
    targetVolatilities: z.number().min(0).max(200).nullable(),
    urgency: z.enum(["take", "rest"]),
  });

const replyOf = <Named extends z.ZodType>(stance: Named) =>
  z.strictObject({
    echo: z.string().max(100),
    summary: z.string().max(4_000),
    stances: z.array(stance).max(STANCES_MAX),
  });

/** Which symbols a reply may name, and what it may cite. */
export interface Shown {
  readonly symbol: z.ZodType<string>;
  readonly citable: Citable;
}

/** The schema of the reply to the older prompt. A name that was not shown is dropped from a stance's evidence. */
export const stancesSchema = ({ symbol, citable }: Shown) => replyOf(stanceOf(symbol).transform(withShown(citable)));

/** The same for the prompt that asks for reasons first. */
export const reasonedSchema = ({ symbol, citable }: Shown) => replyOf(reasonedOf(symbol).transform(withShown(citable)));

const anySymbol = z.string().max(120);
/** For reading replies in either form: the current snapshot decides which symbols may still be traded. */
export const AnyStances = z.union([
  replyOf(reasonedOf(anySymbol).extend(uncited)),
  replyOf(stanceOf(anySymbol).extend(uncited)),
]);

/** An opinion on one symbol: conviction is 0 to 1, stop and target are in hourly volatilities. */
export type Stance = z.infer<ReturnType<typeof stanceOf>> & {
  /** Absent with the older prompt, which leaves the size to code. */
  readonly size?: SizeStep;
  readonly against?: string;
  /** Cited, but not shown by its question; absent in a reply that was recorded before this was checked. */
  readonly notShown?: readonly string[] | undefined;
};
/** One sample. `echo` repeats a word of the question, which proves that the answer belongs to it. */
export interface StanceReply {
  readonly echo: string;
  readonly summary: string;
  readonly stances: readonly Stance[];
}
