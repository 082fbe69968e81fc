/** What the practice model says, before it is put into the shape that was asked for. */

/** Usual distances of stop and target, in volatilities of an hour. */
export const STOP_VOLATILITIES = 2.5;
export const TARGET_VOLATILITIES = 4;

/** One stance, each fact once; `vocabulary.ts` finds the name and the unit that the reply schema asks for. */
export interface Opinion {
  readonly symbol: string;
  /** NONE says that nothing should change; only who must speak of a symbol says it. */
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

/** What an analyst would say of one symbol. */
export interface View {
  readonly symbol: string;
  readonly view: "LONG" | "SHORT" | "FLAT" | "NONE";
  readonly conviction: number;
  readonly note: string;
  readonly evidence: readonly string[];
}

/** Everything the model might be asked for at once; `fillSchema` takes what the reply schema names. */
export interface Decision {
  readonly echo: string;
  readonly summary: string;
  readonly stances: readonly Opinion[];
  /** The same judgement as an answer to a triage: is there anything to do, and where. */
  readonly matters: boolean;
  readonly symbols: readonly string[];
  /** Every symbol that the text shows, whether there is anything to say of it or not. */
  readonly shownSymbols: readonly string[];
  /** And as an analyst's. */
  readonly views: readonly View[];
  readonly warning: string;
}

/** What is said of a symbol where something must be said and nothing is meant. */
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
