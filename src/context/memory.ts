/**
 * What the agent remembers beside the market: how strategies have done on paper, and lessons of earlier days. Figures and
 * words of closed lists only: nothing that news or a model wrote is in here.
 */

/** A strategy's record on a paper account that saw the same market and paid fees, spread, slippage and funding. */
export interface StrategyRecord {
  /** Name of the shadow: the strategy's own, or the one it was given beside other settings. */
  readonly name: string;
  readonly strategy: string;
  readonly sinceMs: number;
  readonly decisions: number;
  /** Decisions that it failed to make (it threw, or its model gave no usable answer). */
  readonly failed: number;
  /** Round trips ended. */
  readonly trades: number;
  readonly wins: number;
  readonly open: number;
  /** Fraction of the paper capital, open positions at their marks, after every cost but the model's. */
  readonly returnAfterCosts: number;
  /** Largest fall from a peak, fraction. */
  readonly maxDrawdown: number;
  /** By the organiser's days (00:00 to 23:00 UTC) since `sinceMs`, like the return; null before two of them are over. */
  readonly sharpe: number | null;
  /** Largest fall over full hours, fraction: what the organiser counts. */
  readonly hourlyDrawdown: number;
  /** The model that answered last; null where none has. */
  readonly model: string | null;
  readonly modelCostUsd: number;
  /** Fees, spread and slippage over the value of all fills, basis points: a shadow always crosses. Null before a fill. */
  readonly costBps: number | null;
}

/** What a lesson may say. The wording that people and models read is made from these by code. */
export const LESSON_KINDS = [
  "avoid-symbol",
  "avoid-leg",
  "costs-too-high",
  "hold-longer",
  "hold-shorter",
  "stop-wider",
  "stop-tighter",
  "news-misled",
  "trade-less",
  "keep-doing",
] as const;
/** Each has its wording, and the unit of its value, in `lesson-text.ts`. */
export type LessonKind = (typeof LESSON_KINDS)[number];

/** One typed conclusion from closed trades, shown to strategies and models until `expiresAtMs` (epoch ms). */
export interface Lesson {
  readonly id: string;
  readonly kind: LessonKind;
  /** Canonical symbol; null for all. */
  readonly symbol: string | null;
  readonly leg: "LONG" | "SHORT" | null;
  /** In the unit of its kind (minutes, percent, trades a day); null where the kind has none. */
  readonly value: number | null;
  /** Ids of the closed trades that it rests on. */
  readonly evidence: readonly string[];
  /** How many of them gained after costs; not known of lessons from earlier versions. */
  readonly won?: number | undefined;
  readonly learntAtMs: number;
  readonly expiresAtMs: number;
}
