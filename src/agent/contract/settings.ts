/** What the agent may be told, as plain figures. `main/` makes it from the configuration file. */
import type { Decimal } from "../../core/decimal.ts";
import type { Phase } from "../../domain/competition.ts";
import type { RiskSettings } from "../../risk/settings.ts";
import type { UptimeWindow } from "../books/uptime.ts";

/** Whose opening orders are withdrawn: those that the agent placed, or everybody's on the account. */
export type Whose = "own" | "all";

/** Zero switches a rule off. `distance` is how far behind the best price a trailing stop stays. */
export interface ProtectionSettings {
  /** Of the three distances: percent of the entry price, or multiples of the volatility of an hour. */
  readonly unit: "volatility" | "percent";
  readonly breakEvenAfter: number;
  readonly activation: number;
  readonly distance: number;
  /** Smallest move of a stop, fraction of its price. */
  readonly minStep: number;
}

/** How an opening order goes to the book. */
export interface EntrySettings {
  /** `as-wished` does what the strategy's target says; the other two do the same for every target. */
  readonly style: "as-wished" | "cross" | "post-only";
  /** Most re-pricings of one post-only entry; 0 leaves it where it was put. */
  readonly chases: number;
  /** Least time between two of them. */
  readonly chaseEveryMs: number;
  /** Furthest from the price at decision, basis points, and standard deviations of an hour; the smaller one counts. */
  readonly maxDistanceBps: number;
  readonly maxDistanceSigma: number;
  /** What becomes of a post-only entry that was not filled within its bounds. */
  readonly then: "give-up" | "cross";
}

/** How an order too large for the visible depth is cut. */
export interface SliceSettings {
  /** Largest share of the depth within the band that one order takes; 0 cuts nothing. */
  readonly depthShare: number;
  /** Width of the band from the best price, fraction. */
  readonly band: number;
  /** No slice is smaller, USDT, however thin the book. */
  readonly minUsdt: Decimal;
  /** From the end of one slice to the next. */
  readonly pauseMs: number;
}

/** Replaced whole by a `settings` event, never changed in place. */
export interface AgentSettings {
  readonly phase: Phase;
  /** Canonical symbols; the first one leads. */
  readonly universe: readonly string[];
  readonly exchange: string;
  /** Leverage set on every symbol before anything is opened in it; at most the cap of the phase. */
  readonly leverage: number;
  readonly risk: RiskSettings;
  readonly cadence: {
    readonly everyMs: number;
    readonly minGapMs: number;
    readonly firstAfterMs: number;
    readonly onNews: boolean;
    readonly onFill: boolean;
    readonly moveSigma: number;
  };
  readonly execution: {
    readonly slippage: number;
    readonly restForMs: number;
    readonly rebalanceBand: number;
    readonly protectWithinMs: number;
    readonly onStopOpenOrders: "cancel" | "keep";
    /** Whose opening orders a stop, a switch of the strategy, a hold and a halt withdraw. */
    readonly withdraws: Whose;
    readonly entry: EntrySettings;
    readonly slices: SliceSettings;
  };
  /** How stops follow the price. */
  readonly protection: ProtectionSettings;
  /** Longest that positions of an earlier strategy run on under the handover `wind-down`. */
  readonly windDownMs: number;
  /** Most that all shadows together may spend on the model in a UTC day, USD. */
  readonly shadowModelUsd: Decimal;
  /** Before a funding settlement: how long before, and from which cost on (fraction of the position's value). */
  readonly fundingCheck: { readonly beforeMs: number; readonly costShare: number };
  /** A round of questions older than this is given up: longer than any wait of the model gateway's own. */
  readonly answersWithinMs: number;
  /** True when the model's news is part of what it decides on, so that openings wait for the news stream. */
  readonly needsNews: boolean;
  /** The span that uptime is judged by; left out: seven days from the first beat. */
  readonly uptimeWindow?: UptimeWindow;
}
