/** Settings of what is around the trading: venue, model, competition, books, recordings, status. */
import { z } from "zod";
import { fraction, instant, span } from "../core/setting-fields.ts";
import { DAY_MS } from "../core/time.ts";
import { cron } from "./fields.ts";

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
  modelLatency: span("How long the simulated model takes to answer, at least.").prefault("400ms"),
  record: z
    .boolean()
    .default(true)
    .describe(
      "Keep what the practice venue saw of this run in the data folder, for `ballast verify`: some 2 MB an hour with positions open.",
    ),
});

const embedded = practiceVenue.superRefine((given, { addIssue }) => {
  for (const name of ["window", "from"] as const)
    if (given[name] !== undefined && given.data === undefined)
      addIssue({ code: "custom", path: [name], message: "a place in recorded data: name their folder as data too" });
});

/** Changes with a restart only. Addresses and keys of the real service come from the environment. */
export const venue = z.strictObject({
  kind: z
    .enum(["embedded", "service"], {
      error: ({ input }) =>
        input === "auto"
          ? "auto is gone, because credentials in the environment must not decide where orders go: write embedded to practise, or service to trade the real service"
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
    .describe("Which way opening orders go. Document 1 allows one per 5 s by REST, 1200 per 60 s by the user stream."),
});

/** The review of closed trades and what it teaches; a saved file counts from the next review. */
export const learning = z.strictObject({
  review: cron
    .or(z.literal("off"))
    .default("50 23 * * *")
    .describe("When the closed trades are reviewed, in UTC; `off` for never."),
  lookBack: span("Closed trades of this long are reviewed.").prefault("3d"),
  lessonsFor: span("A lesson expires after this long.").prefault("7d"),
  tradesMin: z.number().int().min(1).default(4).describe("Fewer closed trades than this are not reviewed."),
});

/** Phase II goes by the venue's clock; uptime is judged over `days` from `start` on. */
export const competition = z.strictObject({
  start: instant(
    "First instant of the span that uptime is judged by, ISO 8601. Left out: the first beat of this journal.",
  ).optional(),
  days: z.number().min(0.01).max(366).default(7).describe("Length of that span, days."),
  phaseTwo: instant(
    "When Phase II begins, ISO 8601. From then on, by the venue's clock and never before, its leverage cap and instruments hold. Left out: `phase` holds throughout.",
  ).optional(),
});

/** Read when a run begins. Both marks of the disk must be passed before openings are held. */
export const journal = z.strictObject({
  keep: span("Rows older than this are moved into an archive file beside the journal; at least 15d.")
    .refine((ms) => ms >= 15 * DAY_MS, "at least 15d: a restart reads that far back")
    .prefault("30d"),
  holdAtDiskUsed: fraction("Nothing is opened while more of the disk than this is used.").default(0.9),
  diskFreeEnough: z
    .number()
    .min(0)
    .default(2)
    .describe("With this many gigabytes free the disk counts as roomy, however large the share used."),
});

/** Changes with a restart only. The token for other machines comes from the environment. */
export const status = z.strictObject({
  host: z
    .string()
    .default("127.0.0.1")
    .describe("Address the health and status endpoint listens on; one of the network needs BALLAST_STATUS_TOKEN."),
  port: z
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(0)
    .describe(
      "Its port; 0 takes a free one. `/health` is a check of life, `/health?strict=1` fails (503) while there is an alarm too.",
    ),
});

const PLACES = ["{symbol}", "{base}"] as const;

/** Read when a run begins. Beside the agent's own recording; the practice market answers for its own past. */
export const history = z.strictObject({
  folder: z
    .string()
    .min(1)
    .optional()
    .describe("Data folder with recent candles, as `ballast data import` makes it, for the past weeks at a start."),
  url: z
    .url({ protocol: /^https?$/, error: "an http or https address" })
    .refine((text) => PLACES.some((place) => text.includes(place)), "must contain {symbol} or {base}")
    .optional()
    .describe(
      "Public address that answers rows of candles (open time, open, high, low, close, volume), with {symbol} or {base} and {quote}, {step} such as 1h, {limit}, and {before} where it can be paged. Asked in the background, once in 600 ms at most.",
    ),
});

/** Read when a run begins: a saved file counts from the next start. */
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
    .describe("Most that a recording may take on disk, megabytes. Beyond it the oldest month goes."),
});
