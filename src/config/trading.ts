/** Settings of how it trades: when it decides, what it may do, what each order and each position is bound by. */
import { z } from "zod";
import { decimal, fraction, span } from "./fields.ts";

/** When a decision is asked for, by the clock and by what happens; spans become ms in `control/agent-settings.ts`. */
export const cadence = z.strictObject({
  every: span("Time between decisions.").default("5m"),
  minGap: span("Happenings closer together than this become one decision.").default("30s"),
  firstAfter: span("Time from ready to the first decision.").default("5s"),
  onNews: z.boolean().default(true).describe("News about a held or listed asset asks for a decision."),
  onFill: z.boolean().default(true).describe("A fill asks for a decision."),
  moveSigma: z
    .number()
    .min(0)
    .default(4)
    .describe("A one-minute move of this many standard deviations asks for a decision; 0 switches it off."),
});

/** When an extra decision is asked for before a settlement that costs a held position too much. */
export const funding = z.strictObject({
  checkBefore: span("So long before a funding settlement that costs too much, an extra decision is asked for.").default(
    "10m",
  ),
  costShare: fraction("Cost of a settlement, share of the position's value, from which on it does.").default(0.0005),
});

/** The terms of the operator's consent (`control/consent.ts`); a change of any of them ends the running session. */
export const session = z.strictObject({
  consent: z
    .string()
    .default("")
    .describe("Your own words that you let the agent trade. Must name both caps. Empty: the agent only observes."),
  consentFor: z
    .string()
    .regex(
      /^(embedded|[a-z0-9.-]+(:\d+)?|\[[0-9a-f:]+\](:\d+)?)$/,
      "must be embedded, or the host of SVC_API_HOST such as api.example.com",
    )
    .default("embedded")
    .describe(
      "The venue that the consent is for: `embedded`, or the host name of the real service. On any other venue it opens nothing.",
    ),
  live: z
    .boolean()
    .default(false)
    .describe(
      "Lets the agent write to an account of the real service for the first time, as `ballast run --live` does. The data folder remembers it.",
    ),
  maxNotionalPerOrder: decimal("Largest value of one order, USDT.").default("400"),
  maxTotalNotional: decimal("Sum of the values of all orders in one session, USDT.").default("20000"),
  expiresIn: span("Life of a session; a new one is started from the same consent when it ends.").default("1d"),
  allowedActions: z
    .array(z.enum(["order.place", "order.replace", "order.cancel"]))
    .default(["order.place", "order.replace", "order.cancel"])
    .describe("What the session allows. Protective orders and closes are always allowed."),
  allowedOrderTypes: z.array(z.enum(["LIMIT", "MARKET"])).default(["LIMIT", "MARKET"]),
});

/** What `risk/limits/` hold orders to; a saved file under which a drill fails is refused. */
export const risk = z.strictObject({
  perOrderEquityShare: fraction("Largest value of one order as a share of equity.").default(0.4),
  perSymbolEquityShare: fraction("Largest exposure in one symbol as a share of equity.").default(0.4),
  perDirectionEquityShare: z.number().min(0).max(5).default(1.2).describe("Largest exposure one way, times equity."),
  maxPositions: z.number().int().min(1).max(50).default(4).describe("Positions at once."),
  leverageSafety: fraction("Share of the phase's leverage cap that is used at most.").default(0.95),
  gapMajors: fraction("Sudden move insured against for BTC and ETH, fraction of price.").default(0.12),
  gapOthers: fraction("The same for every other coin.").default(0.25),
  bufferUsdt: decimal("Kept above the floor when the cushion is computed, USDT.").default("20"),
  openingSpareUsdt: decimal(
    "What openings leave of the cushion besides, USDT: positions are made smaller once it is used up, and until it is there again.",
  ).default("10"),
  warnUsdt: decimal("Equity below which openings have half the usual size, USDT.").default("880"),
  flattenUsdt: decimal("Equity below which everything is closed and the agent halts, USDT.").default("820"),
  dailyLossStop: fraction("Loss since the UTC day began that stops openings, share of equity.").default(0.06),
  ordersPerHour: z.number().int().min(1).default(60).describe("Opening orders per hour at most."),
  feesPerDayShare: fraction("Fees per day that stop openings, share of equity.").default(0.02),
  defaultStopDistance: fraction("Stop of an opening that brings none, fraction of price.").default(0.03),
  maxStopDistance: fraction("Widest stop allowed, fraction of price.").default(0.12),
  holdUsdt: decimal("Equity below which nothing is opened until it is back at warnUsdt, USDT.").default("850"),
  minHolding: span("A position this young is not closed by a change of mind.").default("15m"),
  flipCooldown: span("After a close, no opening on the opposite position for this long.").default("15m"),
  reentryCooldown: span("After a close, no opening on the same position for this long.").default("10m"),
  maxBookAge: span("No opening on an older book.").default("2500ms"),
  maxMarkAge: span("No opening on an older mark price.").default("4500ms"),
  maxAccountAge: span("No opening on an older account reading.").default("29s"),
  priceBand: fraction("Limit prices further from the mark than this are refused.").default(0.05),
  blockedAlarm: span("Every entry blocked for this long raises the alarm.").default("15m"),
});

const entry = z.strictObject({
  style: z
    .enum(["as-wished", "cross", "post-only"])
    .default("as-wished")
    .describe(
      "as-wished: as the strategy says, target by target. cross: take at once, always. post-only: rest as maker (GTX), always.",
    ),
  chases: z
    .number()
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe("How often a post-only entry follows a price that ran away, by amending; 0 leaves it where it was put."),
  chaseEvery: span("Least time between two re-pricings. By REST the venue takes one amend in 5 s.").default("5s"),
  maxDistanceBps: z
    .number()
    .min(0)
    .max(500)
    .default(20)
    .describe("No entry further than this from the price at decision, basis points."),
  maxDistanceSigma: z
    .number()
    .min(0)
    .max(10)
    .default(0.3)
    .describe("The same in standard deviations of an hour; the smaller of the two counts. 0 leaves it out."),
  then: z
    .enum(["give-up", "cross"])
    .default("give-up")
    .describe("What becomes of a post-only entry that its bounds or `restFor` end: given up, or the rest is taken."),
});

const slices = z.strictObject({
  depthShare: fraction("Largest share of the visible depth that one opening order takes; 0 cuts nothing.").default(0.5),
  band: fraction("Depth is counted this far from the best price, fraction of price.").default(0.002),
  minUsdt: decimal("No slice is smaller than this, USDT, however thin the book.").default("50"),
  pause: span("From the end of one slice to the next; the next one sees the book as it then is.").default("6s"),
});

/** How an approved target becomes orders; see docs/EXECUTION.md. */
export const execution = z.strictObject({
  slippage: fraction("How far beyond the best price a taking order may fill, fraction.").default(0.002),
  restFor: span("How long a resting entry waits before it is withdrawn.").default("30s"),
  rebalanceBand: fraction("Differences from the target smaller than this share of it are left alone.").default(0.25),
  protectWithin: span("A position without a venue-side stop for this long is closed.").default("10s"),
  onStopOpenOrders: z
    .enum(["cancel", "keep"])
    .default("cancel")
    .describe("What becomes of open opening orders when the agent stops. Positions and their stops always stay."),
  withdraws: z
    .enum(["own", "all"])
    .default("own")
    .describe(
      "Whose opening orders a stop, a switch of the strategy, a hold and a halt withdraw: those of the agent, or all of the account.",
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
        .describe("So far in favour, the stop goes to the entry plus the fees of both sides; 0 switches it off."),
    })
    .prefault({}),
  trailing: z
    .strictObject({
      activation: z.number().min(0).default(0).describe("So far in favour, the stop begins to follow the price."),
      distance: z
        .number()
        .min(0)
        .default(0)
        .describe("How far behind the best price the stop stays; 0 switches trailing off."),
    })
    .prefault({}),
  minStep: fraction("Moves of a stop smaller than this share of its price are left alone.").default(0.001),
});
