/** Settings around trading: venue, journal, history, recording, status. */
import { z } from "zod";
import { fraction, span } from "../core/setting-fields.ts";
import { DAY_MS } from "../core/time.ts";

/** Has no default: the owner must choose the treatment of open positions. */
export const handover = z
  .enum(["adopt", "wind-down", "close"])
  .describe(
    "adopt: the new strategy manages what is open. wind-down: stops and targets stay, nothing is added. close: at once.",
  );

/** Checks only that there are five fields; `cronProblem` checks their values. */
export const cron = z
  .string()
  .regex(/^\S+( \S+){4}$/, "five fields: minute hour day month weekday")
  .describe("When, in UTC: minute hour day month weekday.");

const practiceVenue = z.strictObject({
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
  modelLatency: span("Shortest response time of the simulated model.").prefault("400ms"),
  record: z
    .boolean()
    .default(true)
    .describe(
      "Keep the practice venue's records of this run in the data folder, for `ballast verify`: about 2 MB an hour with open positions.",
    ),
});

const embedded = practiceVenue.superRefine((given, { addIssue }) => {
  for (const name of ["window", "from"] as const)
    if (given[name] !== undefined && given.data === undefined)
      addIssue({ code: "custom", path: [name], message: "applies to recorded data: set data to its folder too" });
});

/** Changes with a restart only. Addresses and keys of the real service come from the environment. */
export const venue = z.strictObject({
  kind: z
    .enum(["embedded", "service"], {
      error: ({ input }) =>
        input === "auto"
          ? "auto was removed, because credentials in the environment must not decide where orders go: write embedded to practise, or service to trade the real service"
          : "must be embedded (practice) or service (the real one)",
    })
    .default("embedded")
    .describe(
      "embedded: the practice venue inside this process. service: the real one, with the credentials in the environment.",
    ),
  embedded: embedded.prefault({}),
  orderRoute: z
    .enum(["rest", "user-stream"])
    .default("rest")
    .describe("Route of opening orders. Document 1 allows one per 5 s by REST, 1200 per 60 s by the user stream."),
});

/** The review of closed trades and its lessons; a saved file takes effect at the next review. */
export const learning = z.strictObject({
  review: cron
    .or(z.literal("off"))
    .default("50 23 * * *")
    .describe("Time of the review of closed trades, UTC; `off` for never."),
  lookBack: span("The review covers closed trades of this span.").prefault("3d"),
  lessonsFor: span("A lesson expires after this long.").prefault("7d"),
  tradesMin: z.number().int().min(1).default(4).describe("Fewer closed trades than this are not reviewed."),
});

/** Read at the start of a run. Openings are held only if both disk thresholds are exceeded. */
export const journal = z.strictObject({
  keep: span("Rows older than this are moved to an archive file beside the journal; at least 15d.")
    .refine((ms) => ms >= 15 * DAY_MS, "at least 15d: a restart reads that far back")
    .prefault("30d"),
  holdAtDiskUsed: fraction("No position is opened while more than this share of the disk is used.").default(0.9),
  diskFreeEnough: z
    .number()
    .min(0)
    .default(2)
    .describe("With this many gigabytes free the disk is not considered full, regardless of the used share."),
});

/** Changes with a restart only. The token for other machines comes from the environment. */
export const status = z.strictObject({
  host: z
    .string()
    .default("127.0.0.1")
    .describe(
      "Address on which the health and status endpoint listens; any but the loopback address needs BALLAST_STATUS_TOKEN.",
    ),
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe(
      "Its port; 0 takes a free one. `/health` is a liveness check, `/health?strict=1` also fails (503) during an alarm.",
    ),
});

const PLACES = ["{symbol}", "{base}"] as const;

/** Read at the start of a run. Used besides the agent's own recording; the practice market has its own past. */
export const history = z.strictObject({
  folder: z
    .string()
    .min(1)
    .optional()
    .describe("Data folder with recent candles, as written by `ballast data import`, for the past weeks at a start."),
  url: z
    .url({ protocol: /^https?$/, error: "an http or https address" })
    .refine((text) => PLACES.some((place) => text.includes(place)), "must contain {symbol} or {base}")
    .optional()
    .describe(
      "Public address that returns rows of candles (open time, open, high, low, close, volume), with {symbol} or {base} and {quote}, {step} such as 1h, {limit}, and {before} if it supports paging. Requested in the background, at most once in 600 ms.",
    ),
});

/** Read at the start of a run. */
export const recorder = z.strictObject({
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
    .describe("Largest size of a recording on disk, megabytes. Beyond it the oldest month is deleted."),
});
