/**
 * The one schema of everything that can be set. Defaults stand here, limits of the competition are visible on one page,
 * and every field says what it is and in which unit. Read in `main/`, frozen, handed out in slices. Secrets are not here:
 * they come from the environment (`environment.ts` in `main/`).
 */
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { DECIMAL_PATTERN } from "./core/decimal.ts";
import { nearestWord } from "./core/nearest.ts";
import { err, ok, type Result } from "./core/result.ts";
import { parseSpan } from "./core/time.ts";

/** Money and quantities are written as quoted decimals, so that no float ever stands for them. */
const decimal = (what: string) =>
  z.string().regex(DECIMAL_PATTERN, 'write it as a quoted plain decimal, for example "100" or "0.5"').describe(what);

const span = (what: string) =>
  z
    .string()
    .refine((text) => parseSpan(text) !== null, "write a span such as 30s, 5m, 2h or 1d")
    .describe(what);

const fraction = (what: string) => z.number().min(0).max(1).describe(what);

const embedded = z.strictObject({
  seed: z.number().int().min(0).default(1).describe("Seed of the generated market, accounts and news."),
  speed: z.number().min(0.1).max(1000).default(1).describe("Practice minutes per real minute."),
  data: z.string().optional().describe("Folder of recorded candles and news to play back instead of generating."),
  window: z.string().optional().describe("Window inside the data folder, for example klines-1m/perp-2025-05_06."),
  from: z.string().optional().describe("First instant of the playback, ISO 8601 UTC."),
  profile: z
    .enum(["documented", "observed", "harsh", "usual"])
    .default("documented")
    .describe(
      "Fees, delays, policies, leverage and position mode of the practice venue, see docs/SIMULATED-SERVICE.md.",
    ),
  modelLatency: span("How long the simulated model takes to answer, at least.").default("400ms"),
  record: z
    .boolean()
    .default(true)
    .describe(
      "Keep what the practice venue saw of this run in the data folder, for `ballast verify`: some 2 MB an hour with positions open.",
    ),
});

const venue = z.strictObject({
  kind: z
    .enum(["auto", "embedded", "service"])
    .default("auto")
    .describe("auto: the real service when its credentials are in the environment, else the embedded one."),
  embedded: embedded.prefault({}),
  orderRoute: z
    .enum(["rest", "user-stream"])
    .default("rest")
    .describe("Which way opening orders go. Document 1 allows one per 5 s by REST, 1200 per 60 s by the user stream."),
});

const cadence = z.strictObject({
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

const handover = z
  .enum(["adopt", "wind-down", "close"])
  .describe(
    "adopt: the new strategy manages what is open. wind-down: stops and targets stay, nothing is added. close: at once.",
  );

const cron = z
  .string()
  .regex(/^\S+( \S+){4}$/, "five fields: minute hour day month weekday")
  .describe("When, in UTC: minute hour day month weekday.");

const funding = z.strictObject({
  checkBefore: span("So long before a funding settlement that costs too much, an extra decision is asked for.").default(
    "10m",
  ),
  costShare: fraction("Cost of a settlement, share of the position's value, from which on it does.").default(0.0005),
});

const learning = z.strictObject({
  review: cron
    .or(z.literal("off"))
    .default("50 23 * * *")
    .describe("When the closed trades are reviewed, in UTC; `off` for never."),
  lookBack: span("Closed trades of this long are reviewed.").default("3d"),
  lessonsFor: span("A lesson expires after this long.").default("7d"),
  tradesMin: z.number().int().min(1).default(4).describe("Fewer closed trades than this are not reviewed."),
});

const session = z.strictObject({
  consent: z
    .string()
    .default("")
    .describe("Your own words that you let the agent trade. Must name both caps. Empty: the agent only observes."),
  maxNotionalPerOrder: decimal("Largest value of one order, USDT.").default("400"),
  maxTotalNotional: decimal("Sum of the values of all orders in one session, USDT.").default("20000"),
  expiresIn: span("Life of a session; a new one is started from the same consent when it ends.").default("1d"),
  allowedActions: z
    .array(z.enum(["order.place", "order.replace", "order.cancel"]))
    .default(["order.place", "order.replace", "order.cancel"])
    .describe("What the session allows. Protective orders and closes are always allowed."),
  allowedOrderTypes: z.array(z.enum(["LIMIT", "MARKET"])).default(["LIMIT", "MARKET"]),
});

const risk = z.strictObject({
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
  flipCooldown: span("After a close, no opening on the opposite leg for this long.").default("15m"),
  reentryCooldown: span("After a close, no opening on the same leg for this long.").default("10m"),
  maxBookAge: span("No opening on an older book.").default("2500ms"),
  maxMarkAge: span("No opening on an older mark price.").default("5s"),
  maxAccountAge: span("No opening on an older account reading.").default("30s"),
  priceBand: fraction("Limit prices further from the mark than this are refused.").default(0.05),
  blockedAlarm: span("Every entry blocked for this long raises the alarm.").default("15m"),
});

const entry = z.strictObject({
  style: z
    .enum(["as-wished", "cross", "post-only"])
    .default("as-wished")
    .describe(
      "as-wished: as the strategy says, wish by wish. cross: take at once, always. post-only: rest as maker (GTX), always.",
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

const execution = z.strictObject({
  slippage: fraction("How far beyond the best price a taking order may fill, fraction.").default(0.002),
  restFor: span("How long a resting entry waits before it is withdrawn.").default("30s"),
  rebalanceBand: fraction("Differences from the target smaller than this share of it are left alone.").default(0.25),
  protectWithin: span("A position without a venue-side stop for this long is closed.").default("10s"),
  onStopOpenOrders: z
    .enum(["cancel", "keep"])
    .default("cancel")
    .describe("What becomes of open opening orders when the agent stops. Positions and their stops always stay."),
  entry: entry.prefault({}),
  slices: slices.prefault({}),
});

const protection = z.strictObject({
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

const rates = {
  inputPerMillionUsd: decimal("Price of a million prompt tokens, USD."),
  outputPerMillionUsd: decimal("Price of a million output tokens, USD."),
  cachedPerMillionUsd: decimal("Price of a million prompt tokens read from the provider's cache, USD."),
};

const model = z.strictObject({
  names: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        ...rates,
        longContext: z
          .strictObject({ aboveTokens: z.number().int().min(1).describe("Prompts longer than this."), ...rates })
          .optional()
          .describe("Other prices for very long prompts, where the provider has them."),
        speech: z
          .enum(["chat", "messages"])
          .default("chat")
          .describe("Dialect of the service: /v1/chat/completions or /v1/messages."),
        temperature: z.number().min(0).max(2).optional().describe("Left out: the service's own default."),
        reasoningEffort: z
          .enum(["none", "minimal", "low", "medium", "high"])
          .optional()
          .describe("How much the model may think, where it has the setting. Left out: the service's own default."),
      }),
    )
    .min(1)
    .default([
      {
        name: "ballast-sim-1",
        inputPerMillionUsd: "0.31",
        outputPerMillionUsd: "1.24",
        cachedPerMillionUsd: "0.06",
        speech: "chat",
      },
    ])
    .describe("Models in order of preference. A model without a price is refused at start."),
  dayLimitUsd: decimal("Most that may be spent in a day, USD. Spec: 3 §8.").default("10"),
  floorUsd: decimal("Lower end of the day's spend band, USD: a forecast below it raises an alarm.").optional(),
  dayBoundaryUtcHour: z
    .union([z.number().int().min(0).max(23), z.literal("gateway")])
    .default(0)
    .describe("Hour at which the budget day begins, UTC; `gateway` takes the reset time that /key/info states."),
  maxConcurrent: z.number().int().min(1).max(64).default(16).describe("Questions under way at once."),
  reserveForHappenings: fraction("Share of the day's money kept for happenings.").default(0.2),
  cache: span("Equal questions within this time share one answer. Spec: 3 §8.").default("5m"),
  timeout: span("Longest wait for a whole model exchange.").default("90s"),
});

const competition = z.strictObject({
  start: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      "First instant of the span that uptime is judged by, ISO 8601. Left out: the first beat of this journal.",
    ),
  days: z.number().min(0.01).max(366).default(7).describe("Length of that span, days."),
  phaseTwo: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      "When Phase II begins, ISO 8601. From then on, by the venue's clock and never before, its leverage cap and instruments hold. Left out: `phase` holds throughout.",
    ),
});

const journal = z.strictObject({
  keep: span("Rows older than this are moved into an archive file beside the journal; at least 15d.")
    .refine((text) => (parseSpan(text) ?? 0) >= 15 * 86_400_000, "at least 15d: a restart reads that far back")
    .default("30d"),
  holdAtDiskUsed: fraction("Nothing is opened while more of the disk than this is used.").default(0.9),
  diskFreeEnough: z
    .number()
    .min(0)
    .default(2)
    .describe("With this many gigabytes free the disk counts as roomy, however large the share used."),
});

const status = z.strictObject({
  host: z.string().default("127.0.0.1").describe("Address the health and status endpoint listens on."),
  port: z.number().int().min(0).max(65535).default(0).describe("Its port; 0 takes a free one."),
});

const recorder = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe(
      "Record candles, funding, open interest and news; a restart reads them and `ballast sim --data` plays them.",
    ),
  quotaMb: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(512)
    .describe("Most that a recording may take on disk, megabytes. Beyond it the oldest month goes."),
});

/** A base asset, or the canonical name of a perpetual. */
const INSTRUMENT = /^[A-Z0-9]+(?:(?:_[A-Z0-9]+)*_PERP_[A-Z0-9]+_USDT)?$/;

export const ConfigSchema = z.strictObject({
  phase: z
    .union([z.literal(1), z.literal(2)])
    .default(1)
    .describe("Competition phase at the start: 1 caps leverage at 2x, 2 at 5x. See competition.phaseTwo."),
  venue: venue.prefault({}),
  universe: z
    .union([
      z.literal("phase"),
      z
        .array(
          z.string().regex(INSTRUMENT, "a base asset such as BTC, or a perpetual such as EXCHANGE_B_PERP_BTC_USDT"),
        )
        .min(1)
        .max(100),
    ])
    .default("phase")
    .describe(
      "What to watch and trade: base assets (on the first exchange) and, for Phase II, perpetuals of either exchange by their whole name; or `phase` for the fifty pairs of Phase I. The first one leads.",
    ),
  strategy: z
    .strictObject({
      use: z.string().default("momentum").describe("Name of a file in strategies/."),
      fallback: z.string().default("hold").describe("Decides while the chosen one cannot."),
      handover: handover
        .optional()
        .describe(
          "What becomes of open positions when another strategy takes over. Left out: a saved file cannot switch, `ballast strategy use` must say it.",
        ),
      windDown: span("Longest that positions run on under the handover `wind-down`; what is left is closed.").default(
        "4h",
      ),
      settings: z
        .record(z.string(), z.record(z.string(), z.unknown()))
        .default({})
        .describe("Settings by strategy name; each strategy documents its own."),
      shadows: z
        .array(
          z.union([
            z.string().min(1),
            z.strictObject({
              use: z.string().min(1),
              as: z.string().regex(/^[a-z0-9-]+$/, "lower-case letters, digits and dashes"),
              settings: z.record(z.string(), z.unknown()).default({}),
            }),
          ]),
        )
        .max(20)
        .default([])
        .describe(
          "Strategies scored on paper beside the trading one: a name, or {use, as, settings} for one with settings of its own.",
        ),
      shadowModelUsd: decimal("Most that all shadows together may spend on the model in a UTC day, USD.").default("1"),
      schedule: z
        .array(z.strictObject({ cron, use: z.string().min(1), handover }))
        .max(50)
        .default([])
        .describe("Strategies by the clock: at each time that fits `cron`, `use` takes over with that `handover`."),
    })
    .prefault({}),
  cadence: cadence.prefault({}),
  funding: funding.prefault({}),
  learning: learning.prefault({}),
  session: session.prefault({}),
  risk: risk.prefault({}),
  execution: execution.prefault({}),
  protection: protection.prefault({}),
  model: model.prefault({}),
  status: status.prefault({}),
  recorder: recorder.prefault({}),
  competition: competition.prefault({}),
  journal: journal.prefault({}),
});

export type Config = z.infer<typeof ConfigSchema>;

export interface ConfigProblem {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** The names that the schema knows at a path, for the hint beside an unknown one. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema: unknown = z.toJSONSchema(ConfigSchema, { io: "input", unrepresentable: "any" });
  for (const step of path) {
    const properties = (schema as { properties?: Record<string, unknown> }).properties;
    schema = properties?.[String(step)] ?? {};
  }
  return Object.keys((schema as { properties?: Record<string, unknown> }).properties ?? {});
}

type Located = Pick<ConfigProblem, "line" | "column">;

function describe(issue: z.core.$ZodIssue, locate: (path: readonly PropertyKey[]) => Located): ConfigProblem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const hint = nearestWord(key, knownKeys(issue.path));
      return {
        path: [...issue.path, key].join("."),
        ...locate([...issue.path, key]),
        message: `unknown setting${hint ? `; did you mean ${hint}?` : ""}`,
      };
    });
  }
  return [{ path: issue.path.join(".") || "(file)", ...locate(issue.path), message: issue.message }];
}

/** The plain values of a document; an alias that leads nowhere, or too many of them, shows only here. */
function valuesOf(document: Document): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 20 }) ?? {});
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
}

/** Reads a configuration text. Every problem names the setting, line and column, and the rule it breaks. */
export function readConfig(text: string): Result<Config, readonly ConfigProblem[]> {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: true });
  const at = (offset: number | undefined): Located => {
    if (offset === undefined) return { line: null, column: null };
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
  const broken = document.errors[0];
  if (broken)
    return err([{ path: "(file)", ...at(broken.pos[0]), message: broken.message.split("\n")[0] ?? "not YAML" }]);
  const locate = (path: readonly PropertyKey[]): Located => {
    for (let depth = path.length; depth > 0; depth--) {
      const node: unknown = document.getIn(path.slice(0, depth), true);
      const range = (node as { range?: [number, number, number] } | undefined)?.range;
      if (range) return at(range[0]);
    }
    return { line: 1, column: 1 };
  };
  const values = valuesOf(document);
  if (!values.ok) return err([{ path: "(file)", line: 1, column: 1, message: values.error }]);
  const parsed = ConfigSchema.safeParse(values.value);
  if (!parsed.success) return err(parsed.error.issues.flatMap((issue) => describe(issue, locate)));
  return ok(deepFreeze(parsed.data));
}

/** `config/agent.yaml:12:3 risk.warnUsdt: ...`, one line a problem. */
export const describeConfigProblem = (file: string, problem: ConfigProblem): string =>
  `${file}${problem.line === null ? "" : `:${problem.line}:${problem.column}`} ${problem.path}: ${problem.message}`;

function deepFreeze<T>(value: T): T {
  if (value && typeof value === "object") {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
