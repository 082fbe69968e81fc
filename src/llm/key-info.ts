/**
 * The gateway's own figure of what a key has spent, read with tolerance and compared with ours. The larger one rules; a
 * figure that lags behind ours changes nothing, and one that cannot be read changes nothing. Spec: 3 §8; records §14.2.
 */
import { type Decimal, Decimal as DecimalType, maxDecimal, ZERO } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, parseInstant, parseSpan, SECOND_MS } from "../core/time.ts";

/** The gateway's counter for our key, in USD; from when it counts depends on its reset. */
export interface KeyInfo {
  readonly spendUsd: Decimal;
  /** Next reset of the counter, epoch ms; null when it does not say, then it may count for the key's whole life. */
  readonly resetAtMs: number | null;
  /** Length of its period; a day when it states a reset without a length. */
  readonly periodMs: number;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Money in an answer: a finite JSON number or decimal text, not negative. */
export function readUsd(value: unknown): Decimal | null {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  if (!/^\d{1,15}(\.\d{1,30})?(e-?\d{1,2})?$/i.test(text)) return null;
  const amount = new DecimalType(text);
  return amount.isFinite() ? amount : null;
}

/** `spend` stands at the top level, in `info` or in `data`. */
export function readKeyInfo(body: unknown): Result<KeyInfo, string> {
  if (!isFields(body)) return err("the answer is no object");
  const places = [body, body["info"], body["data"]].filter(isFields);
  const place = places.find((fields) => readUsd(fields["spend"]) !== null);
  const spendUsd = place && readUsd(place["spend"]);
  if (!place || !spendUsd) return err("no figure `spend` at the top level, in `info` or in `data`");
  return ok({
    spendUsd,
    resetAtMs: typeof place["budget_reset_at"] === "string" ? parseInstant(place["budget_reset_at"]) : null,
    periodMs: readPeriod(place["budget_duration"]),
  });
}

function readPeriod(value: unknown): number {
  const found = typeof value === "string" ? parseSpan(value) : null;
  return found !== null && found >= SECOND_MS ? found : DAY_MS;
}

/** A figure that the gateway reported, and when. */
export interface Report {
  readonly spendUsd: Decimal;
  readonly atMs: number;
}

/** Our own figures, as far as the comparison needs them. */
export interface OwnFigures {
  /** Settled and open since an instant, known for the last 24 hours and back to the baseline; what is open always counts. */
  spentSince(sinceMs: number): Decimal;
  /** From where a counter without a reset time is measured. */
  readonly baseline: Report | null;
  readonly limitUsd: Decimal;
}

/** What one look at the gateway's figure changes in our books. */
export interface Comparison {
  /** What the gateway has booked beyond us, never negative. */
  readonly extraUsd: Decimal;
  /** The baseline from here on. */
  readonly baseline: Report | null;
  /** What the counter says of a span that our own books hold as well; null where it says nothing of one. */
  readonly counted: Counted | null;
}

/** The gateway's counter from an instant to another, USD. */
export interface Counted {
  readonly spendUsd: Decimal;
  readonly sinceMs: number;
  readonly atMs: number;
}

/** After a reset the old figure may still be shown for a while; nothing is compared then. */
const RESET_LAG_MS = 10 * MINUTE_MS;
/** A baseline is renewed before our memory of 24 hours runs out. Renewing costs at most the lag of one figure. */
const BASELINE_MAX_MS = 12 * HOUR_MS;

/**
 * With a coming reset the counter is compared with ours since the last one. Without one it is compared by growth since a
 * baseline; the first figure of all is adopted when it could be today's, and is a mere baseline when it is more than a
 * day's money (then it counts for the key's whole life).
 */
export function compareFigures(info: KeyInfo, own: OwnFigures, nowMs: number): Comparison {
  const { baseline } = own;
  if (info.resetAtMs !== null && info.resetAtMs > nowMs && info.periodMs <= DAY_MS) {
    const startMs = periodStart(info.resetAtMs, info.periodMs, nowMs);
    if (nowMs - startMs < RESET_LAG_MS) return { extraUsd: ZERO, baseline, counted: null };
    const counted = { spendUsd: info.spendUsd, sinceMs: startMs, atMs: nowMs };
    return { extraUsd: beyond(own, info.spendUsd, startMs), baseline, counted };
  }
  const here = { spendUsd: info.spendUsd, atMs: nowMs };
  if (!baseline) {
    const lifelong = info.spendUsd.gt(own.limitUsd);
    return { extraUsd: lifelong ? ZERO : beyond(own, info.spendUsd, nowMs - DAY_MS), baseline: here, counted: null };
  }
  // A figure that fell was zeroed in between: all of it is new.
  const zeroed = info.spendUsd.lt(baseline.spendUsd);
  const growth = zeroed ? info.spendUsd : info.spendUsd.sub(baseline.spendUsd);
  const old = zeroed || nowMs - baseline.atMs > BASELINE_MAX_MS;
  // What was adopted with the baseline is in its figure already.
  const counted = zeroed ? null : { spendUsd: growth, sinceMs: baseline.atMs + 1, atMs: nowMs };
  return { extraUsd: beyond(own, growth, baseline.atMs + 1), baseline: old ? here : baseline, counted };
}

const beyond = (own: OwnFigures, theirs: Decimal, sinceMs: number): Decimal =>
  maxDecimal(ZERO, theirs.sub(own.spentSince(sinceMs)));

/** The reset may lie more than one period ahead; the running period is the one that holds now. */
const periodStart = (resetAtMs: number, periodMs: number, nowMs: number): number =>
  resetAtMs - Math.ceil((resetAtMs - nowMs) / periodMs) * periodMs;
