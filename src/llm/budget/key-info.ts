/**
 * Reads the gateway's figure of a key's spend, tolerantly, and compares it with ours. The larger one counts; a
 * lagging or unreadable figure changes nothing. Spec: 3 §8; records §14.2.
 */
import { type Decimal, Decimal as DecimalType, maxDecimal, ZERO } from "../../core/decimal.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, parseInstant, parseSpan, SECOND_MS } from "../../core/time.ts";

/** The gateway's counter for our key, in USD; its reset determines the span it covers. */
export interface KeyInfo {
  readonly spendUsd: Decimal;
  /** Next reset of the counter, epoch ms; null if not stated: it may cover the key's whole life. */
  readonly resetAtMs: number | null;
  /** Length of its period; a day if it states a reset without a length. */
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

/** `spend` is at the top level, in `info` or in `data`. */
export function readKeyInfo(body: unknown): Result<KeyInfo, string> {
  if (!isFields(body)) return err("the answer is not an object");
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

/** A figure from the gateway and its time. */
export interface Report {
  readonly spendUsd: Decimal;
  readonly atMs: number;
}

/** Our own figures that the comparison needs. */
export interface OwnFigures {
  /**
   * Settled and open since an instant, available for the last 24 hours and back to the baseline; open reservations
   * always count.
   */
  spentSince(sinceMs: number): Decimal;
  /** Start of the measurement for a counter without a reset time. */
  readonly baseline: Report | null;
  readonly limitUsd: Decimal;
}

/** The changes to our books after one reading of the gateway's figure. */
export interface Comparison {
  /** What the gateway has booked beyond us, never negative. */
  readonly extraUsd: Decimal;
  /** The baseline from now on. */
  readonly baseline: Report | null;
  /** The counter's figure for a span that our books cover as well; null if there is none. */
  readonly counted: Counted | null;
}

/** The gateway's counter from an instant to another, USD. */
export interface Counted {
  readonly spendUsd: Decimal;
  readonly sinceMs: number;
  readonly atMs: number;
}

/** For this long after a reset the old figure may still be shown, so nothing is compared. */
const RESET_LAG_MS = 10 * MINUTE_MS;
/** The baseline is renewed before our 24 hours of memory run out, at the cost of at most one figure's lag. */
const BASELINE_MAX_MS = 12 * HOUR_MS;

/**
 * With a known reset, compares the counter with our spend since the last reset. Without one, compares its growth
 * since a baseline; the very first figure is adopted if it could be today's, and is only a baseline if it exceeds a
 * day's money (then it covers the key's whole life).
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
  // A lower figure was reset in between: all of it is new.
  const zeroed = info.spendUsd.lt(baseline.spendUsd);
  const growth = zeroed ? info.spendUsd : info.spendUsd.sub(baseline.spendUsd);
  const old = zeroed || nowMs - baseline.atMs > BASELINE_MAX_MS;
  // The baseline's figure already contains what was adopted with it.
  const counted = zeroed ? null : { spendUsd: growth, sinceMs: baseline.atMs + 1, atMs: nowMs };
  return { extraUsd: beyond(own, growth, baseline.atMs + 1), baseline: old ? here : baseline, counted };
}

const beyond = (own: OwnFigures, theirs: Decimal, sinceMs: number): Decimal =>
  maxDecimal(ZERO, theirs.sub(own.spentSince(sinceMs)));

/** The reset may be several periods ahead; this is the period that runs now. */
const periodStart = (resetAtMs: number, periodMs: number, nowMs: number): number =>
  resetAtMs - Math.ceil((resetAtMs - nowMs) / periodMs) * periodMs;
