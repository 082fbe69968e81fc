/** The settings of the agent. The sections are those of the configuration file; amounts are exact, durations are in milliseconds. */
import { z } from "zod";
import type { Decimal } from "../../core/decimal.ts";
import { decimal, fraction, span } from "../../core/setting-fields.ts";
import type { Phase } from "../../domain/competition.ts";
import type { PhaseDates } from "../../domain/live-score.ts";
import type { Scoring } from "../../domain/scoring.ts";
import type { RiskSettings } from "../../risk/settings.ts";
import type { UptimeWindow } from "../books/uptime.ts";
import type { VenueRate, VenueRates } from "../../domain/venue.ts";

/** When a decision is asked for, by the clock and by what happens. */
export const cadence = z.strictObject({
  every: span("Time between decisions.").prefault("5m"),
  minGap: span("Events closer together than this become one decision.").prefault("30s"),
  firstAfter: span("Time from ready to the first decision.").prefault("5s"),
  onNews: z.boolean().default(true).describe("News about a held or listed asset triggers a decision."),
  newsSymbolsMax: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe("News that names more of our assets than this is an overview: it is shown, but triggers no decision."),
  onFill: z
    .boolean()
    .default(false)
    .describe(
      "An own fill triggers a decision. It carries out an earlier decision, so by itself it is no reason for another.",
    ),
  openingsPerHour: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe("New positions that decisions may open in an hour. Without it only `risk.ordersPerHour` limits them."),
  moveSigma: z
    .number()
    .min(0)
    .default(4)
    .describe("A one-minute move of this many standard deviations triggers a decision; 0 switches it off."),
});

/** When an extra decision is asked for before a settlement that costs a held position too much. */
export const funding = z.strictObject({
  checkBefore: span(
    "How long before a funding settlement that costs too much an extra decision is triggered.",
  ).prefault("10m"),
  costShare: fraction("A settlement costs too much from this share of the position's value on.").default(0.0005),
});

const entry = z.strictObject({
  style: z
    .enum(["as-wished", "cross", "post-only"])
    .default("as-wished")
    .describe(
      "as-wished: as the strategy says for each target. cross: always take at once. post-only: always rest as maker (GTX).",
    ),
  chases: z
    .number()
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe(
      "How often a post-only entry is amended to follow a price that moves away; 0 leaves it at its first price.",
    ),
  chaseEvery: span("Shortest time between two amends. By REST the venue accepts one amend in 5 s.").prefault("5s"),
  maxDistanceBps: z
    .number()
    .min(0)
    .max(500)
    .default(20)
    .describe("No entry is further than this from the price at the decision, basis points."),
  maxDistanceSigma: z
    .number()
    .min(0)
    .max(10)
    .default(0.3)
    .describe("The same in standard deviations of an hour; the smaller of the two applies. 0 switches it off."),
  then: z
    .enum(["give-up", "cross"])
    .default("give-up")
    .describe(
      "What happens when these bounds or `restFor` end a post-only entry: it is given up, or the rest is taken.",
    ),
});

const slices = z.strictObject({
  depthShare: fraction("Largest share of the visible depth that one opening order takes; 0 cuts nothing.").default(0.5),
  band: fraction("Depth is counted this far from the best price, fraction of price.").default(0.002),
  minUsdt: decimal("No slice is smaller than this, USDT, however thin the book.").prefault("50"),
  pause: span("From the end of one slice to the next; the next one sees the book as it then is.").prefault("6s"),
});

/** How an approved target becomes orders; see docs/EXECUTION.md. */
export const execution = z.strictObject({
  slippage: fraction("How far beyond the best price a taking order may fill, fraction.").default(0.002),
  restFor: span("How long a resting entry waits before it is cancelled.").prefault("30s"),
  rebalanceBand: fraction("Differences from the target that are smaller than this share of it are not traded.").default(
    0.25,
  ),
  protectWithin: span("A position without a venue-side stop for this long is closed.").prefault("10s"),
  onStopOpenOrders: z
    .enum(["cancel", "keep"])
    .default("cancel")
    .describe("What happens to open opening orders when the agent stops. Positions and their stops always stay."),
  withdraws: z
    .enum(["own", "all"])
    .default("own")
    .describe(
      "Which opening orders are cancelled at a stop, a strategy switch, a hold and a halt: the agent's own, or all of the account.",
    ),
  entry: entry.prefault({}),
  slices: slices.prefault({}),
});

/** How a stop follows its position; see docs/PROTECTION.md. */
export const protection = z.strictObject({
  unit: z
    .enum(["volatility", "percent"])
    .default("volatility")
    .describe("Unit of the distances below: multiples of the volatility of an hour, or percent of the entry price."),
  breakEven: z
    .strictObject({
      after: z
        .number()
        .min(0)
        .default(0)
        .describe(
          "After a move this far in favour, the stop goes to the entry price plus the fees of both sides; 0 switches it off.",
        ),
    })
    .prefault({}),
  trailing: z
    .strictObject({
      activation: z
        .number()
        .min(0)
        .default(0)
        .describe("After a move this far in favour, the stop begins to follow the price."),
      distance: z
        .number()
        .min(0)
        .default(0)
        .describe("How far behind the best price the stop stays; 0 switches trailing off."),
    })
    .prefault({}),
  minStep: fraction("A stop is not moved by less than this share of its price.").default(0.001),
});

export type ProtectionSettings = Readonly<z.output<typeof protection>>;
/** How an opening order goes to the book. */
export type EntrySettings = Readonly<z.output<typeof entry>>;
/** How an order too large for the visible depth is cut. */
export type SliceSettings = Readonly<z.output<typeof slices>>;
/** Whose opening orders are withdrawn: those that the agent placed, or everybody's on the account. */
export type Whose = z.output<typeof execution>["withdraws"];

/** Replaced whole by a `settings` event, never changed in place. */
export interface AgentSettings {
  readonly phase: Phase;
  /** Canonical symbols; the first one is the leading market. */
  readonly universe: readonly string[];
  readonly exchange: string;
  /** Leverage set on every symbol before anything is opened in it; at most the cap of the phase. */
  readonly leverage: number;
  readonly risk: RiskSettings;
  readonly cadence: Readonly<z.output<typeof cadence>>;
  readonly execution: Readonly<z.output<typeof execution>>;
  readonly protection: ProtectionSettings;
  readonly funding: Readonly<z.output<typeof funding>>;
  /** The longest time that positions of an earlier strategy run on under the handover `wind-down`. */
  readonly windDownMs: number;
  /** Most that all shadows together may spend on the model in a UTC day, USD. */
  readonly shadowModelUsd: Decimal;
  /** A round of questions older than this is given up. Longer than any timeout of the model gateway. */
  readonly answersWithinMs: number;
  /** True when the model's news is part of what it decides on, so that openings wait for the news stream. */
  readonly needsNews: boolean;
  /** What the live score is counted by; without it there is none. */
  readonly competition?: { readonly dates: PhaseDates; readonly scoring: Scoring };
  /** The period over which uptime is judged; when left out, seven days from the first heartbeat. */
  readonly uptimeWindow?: UptimeWindow;
}

/** Computed once at a start; all in ms. */
export interface ReadPace {
  /** Between readings of the account: an earlier one would only be refused. */
  readonly sweepGapMs: number;
  /** Interval between reads of the live stops: one read in a window leaves the others for cases of doubt. */
  readonly algoSweepMs: number;
  /** Interval until they are asked for again if an answer failed: used at once, no slot would be left when the venue answers again. */
  readonly algoAgainMs: number;
  /**
   * Interval between reads of the executions, which also serve look-ups of lost orders; shorter if a push may be
   * missing.
   */
  readonly fillsEveryMs: number;
  readonly fillsSoonMs: number;
  /**
   * Interval between two cancels of one stop: if all slots were used at once, none would be left when the venue answers
   * again.
   */
  readonly cancelStopEveryMs: number;
}

const evenly = ({ requests, perMs }: VenueRate): number => perMs / requests;

export const readPace = (rates: VenueRates): ReadPace => ({
  sweepGapMs: Math.round(1.1 * evenly(rates["account.read"])),
  algoSweepMs: Math.round(0.9 * rates["algo.list"].perMs),
  algoAgainMs: Math.round(1.02 * evenly(rates["algo.list"])),
  fillsEveryMs: Math.round(2.2 * evenly(rates["execution.list"])),
  fillsSoonMs: Math.round(1.1 * evenly(rates["execution.list"])),
  cancelStopEveryMs: Math.round(1.02 * evenly(rates["algo.cancel"])),
});
