/**
 * Measures the venue's time by requesting mark prices: the answer has a Date header (to the second) and the time of
 * each mark, which is never in the venue's future. Spec: records §1.2, §9.3; faults C1, C3.
 */
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import type { ClockOffset } from "../domain/venue.ts";
import type { Timing } from "../net/rest.ts";
import { markPrice, readMarkPrices } from "../protocol/trading/mark-price.ts";
import type { VenueCall } from "./call.ts";
import type { VenueClock } from "./venue-clock.ts";

/** Assumed maximum age of a mark when read. */
const MARK_AGE_MS = 4_000;
/** If Date header and marks differ by more, the header is from another clock (a proxy), or the marks are frozen. */
const DISAGREEMENT_MS = 60_000;

/** Updates `venueClock`. "done" with the offset also if the venue refused our time but reported its own. */
export async function measureVenueClock(
  env: Env,
  log: Log,
  call: VenueCall,
  venueClock: VenueClock,
): Promise<Outcome<ClockOffset>> {
  let heard: { dateMs: number | null; timing: Timing } | null = null;
  const onAnswer = (dateMs: number | null, timing: Timing): void => void (heard = { dateMs, timing });
  // The venue sends marks only if it accepted our signature, so its time is near the time of signing.
  const signedAheadMs = venueClock.nowMs() - env.clock.monotonicMs();
  const outcome = await call(markPrice, {}, { onAnswer, attempts: 2 });
  const answer = heard as { dateMs: number | null; timing: Timing } | null;
  if (!answer) return outcome.kind === "done" ? { kind: "unknown", message: "no answer to time" } : outcome;

  const markMs = outcome.kind === "done" ? Math.max(0, ...readMarkPrices(outcome.value).map((row) => row.atMs)) : 0;
  // With a faster practice clock, the Date header of an HTTP library is not the venue's time.
  const sample = sampleOf(env.clock.scale === 1 ? answer.dateMs : null, markMs, { ...answer.timing, signedAheadMs });
  if (!sample) return { kind: "unknown", message: `the venue reported no time (${describeOutcome(outcome)})` };
  venueClock.note(sample);
  const offset = venueClock.offset();
  const { offsetMs, uncertaintyMs } = offset;
  const direction = offsetMs < 0 ? "behind" : "ahead of";
  const reported = `${Math.abs(Math.round(offsetMs))} ms ${direction} ours, give or take ${Math.round(uncertaintyMs)} ms`;
  log.event("info", "venue.offset", `the venue's clock is ${reported}`, {
    offsetMs: Math.round(offsetMs),
    uncertaintyMs: Math.round(uncertaintyMs),
    scale: env.clock.scale,
  });
  return { kind: "done", value: offset };
}

interface Moment extends Timing {
  /** Venue time minus monotonic time, as assumed when the request was signed. */
  readonly signedAheadMs: number;
}

function sampleOf(dateMs: number | null, markMs: number, { sentMs, answeredMs, signedAheadMs }: Moment) {
  const halfTripMs = (answeredMs - sentMs) / 2;
  const atMonotonicMs = sentMs + halfTripMs;
  // A Date header is truncated to the second: the true time is up to a second later.
  const fromDate = dateMs === null ? null : { venueMs: dateMs + 500, uncertaintyMs: 500 + halfTripMs, atMonotonicMs };
  if (markMs <= 0) return fromDate;
  const half = MARK_AGE_MS / 2;
  const fromMarks = { venueMs: markMs + half, uncertaintyMs: half + halfTripMs, atMonotonicMs };
  if (!fromDate) return fromMarks;
  const behindMs = fromDate.venueMs - markMs;
  if (Math.abs(behindMs) <= DISAGREEMENT_MS) return fromDate;
  // A mark is never from the future but may be old; then the time of the accepted signature decides.
  const signedMs = sentMs + signedAheadMs;
  return behindMs > 0 && Math.abs(fromDate.venueMs - signedMs) < Math.abs(markMs - signedMs) ? fromDate : fromMarks;
}
