/**
 * What refusals teach: a service that says "too many" although the documented window was free is stricter than it says.
 * From then on requests keep a distance that grows with each such refusal and shrinks again with time. Pure arithmetic.
 */
import type { RateLimit } from "./rate.ts";

/** A distance between requests that the service was seen to want. Plain data: it outlives the process. */
export interface Learned {
  readonly spacingMs: number;
  readonly atMs: number;
}

/** The distance halves in this time: a service that was strict for an hour is believed again after some. */
const HALF_LIFE_MS = 30 * 60_000;
/** At most so many times the documented distance, but at least 10 s: public pages know one action in 5 s (records §18 row 9). */
const TIMES_MAX = 4;
const MOST_MIN_MS = 10_000;
/** A little more than the distance that was refused. */
const MORE = 1.25;
/** Closer to the documented distance than this, and nothing is left of what was learned. */
const FORGOTTEN = 1.1;

const documented = ({ requests, perMs }: RateLimit): number => perMs / requests;
const most = (limit: RateLimit): number => Math.max(documented(limit) * TIMES_MAX, MOST_MIN_MS);

/** The distance that is kept now; 0 where nothing is learned, or it has worn off. */
export function spacingAt(learned: Learned | null, limit: RateLimit, nowMs: number): number {
  if (!learned) return 0;
  const spacing = Math.min(learned.spacingMs, most(limit)) * 0.5 ** (Math.max(0, nowMs - learned.atMs) / HALF_LIFE_MS);
  return spacing > documented(limit) * FORGOTTEN ? spacing : 0;
}

/**
 * After a refusal of a request that came `sinceMs` after the one before it. Null leaves what is known as it is: after a
 * long silence the refusal was about something else than our haste.
 */
export function learnt(
  before: Learned | null,
  { limit, sinceMs, nowMs }: { readonly limit: RateLimit; readonly sinceMs: number; readonly nowMs: number },
): Learned | null {
  if (!(sinceMs <= most(limit))) return null;
  const now = Math.max(documented(limit), spacingAt(before, limit, nowMs));
  return { spacingMs: Math.min(most(limit), Math.max(now * 2, sinceMs * MORE)), atMs: nowMs };
}
