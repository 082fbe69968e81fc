/** The practice model's opinions, before they are converted into the requested form. */

/** Usual distances of stop and target, in volatilities of an hour. */
export const STOP_VOLATILITIES = 2.5;
export const TARGET_VOLATILITIES = 4;

/** One stance with each fact once; `vocabulary.ts` finds the names and units of the reply schema. */
export interface Opinion {
  readonly symbol: string;
  /** NONE means that nothing should change; only used where a symbol must be mentioned. */
  readonly stance: "LONG" | "SHORT" | "FLAT" | "NONE";
  readonly size: number;
  readonly conviction: number;
  readonly stopPct: number;
  readonly targetPct: number | null;
  readonly stopVolatilities: number;
  readonly targetVolatilities: number | null;
  readonly horizonMinutes: number;
  readonly horizon: "minutes" | "hours" | "days";
  readonly urgency: "take" | "rest";
  readonly invalidation: string;
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** An analyst's view of one symbol. */
export interface View {
  readonly symbol: string;
  readonly view: "LONG" | "SHORT" | "FLAT" | "NONE";
  readonly conviction: number;
  readonly note: string;
  readonly evidence: readonly string[];
}

/** Everything that the model may be asked for; `fillSchema` takes what the reply schema names. */
export interface Decision {
  readonly echo: string;
  readonly summary: string;
  readonly stances: readonly Opinion[];
  /** The same judgement as an answer to a triage: whether to act, and on which symbols. */
  readonly matters: boolean;
  readonly symbols: readonly string[];
  /** Every symbol in the text, with or without an opinion. */
  readonly shownSymbols: readonly string[];
  /** The same judgement as an analyst's answer. */
  readonly views: readonly View[];
  readonly warning: string;
}

/** The neutral opinion for a symbol that must be mentioned. */
export const idle = (symbol: string): Opinion => ({
  symbol,
  stance: "NONE",
  size: 0,
  conviction: 0.3,
  stopPct: 2,
  targetPct: null,
  stopVolatilities: STOP_VOLATILITIES,
  targetVolatilities: null,
  horizonMinutes: 120,
  horizon: "hours",
  urgency: "rest",
  invalidation: "",
  reason: "Nothing is worth its cost here.",
  evidence: [],
});
