/**
 * Learns a spacing from refusals. A service that answers "too many" although the documented window was free is
 * stricter than documented; from then on requests keep a spacing that grows with each such refusal and decays with
 * time. Pure arithmetic.
 */
/** At most `requests` in any window of `perMs`. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** A spacing that the service was seen to require. Plain data, because it is stored across restarts. */
export interface Learned {
  readonly spacingMs: number;
  readonly atMs: number;
}

/** Half-life of the spacing: after a while the documented limit applies again. */
const HALF_LIFE_MS = 30 * 60_000;
/**
 * Upper bound in multiples of the documented spacing, but at least 10 s: public pages report one action in 5 s
 * (records §18 row 9).
 */
const TIMES_MAX = 4;
const MOST_MIN_MS = 10_000;
/** Factor above the spacing that was refused. */
const MORE = 1.25;
/** Below this multiple of the documented spacing the learned one is dropped. */
const FORGOTTEN = 1.1;

const documented = ({ requests, perMs }: RateLimit): number => perMs / requests;
const most = (limit: RateLimit): number => Math.max(documented(limit) * TIMES_MAX, MOST_MIN_MS);

/** The spacing to keep now; 0 if none was learned or it has decayed. */
export function spacingAt(learned: Learned | null, limit: RateLimit, nowMs: number): number {
  if (!learned) return 0;
  const spacing = Math.min(learned.spacingMs, most(limit)) * 0.5 ** (Math.max(0, nowMs - learned.atMs) / HALF_LIFE_MS);
  return spacing > documented(limit) * FORGOTTEN ? spacing : 0;
}

/**
 * The spacing after a refusal of a request sent `sinceMs` after the previous one. Null changes nothing: after a long
 * silence the refusal had another reason than our rate.
 */
export function learnt(
  before: Learned | null,
  { limit, sinceMs, nowMs }: { readonly limit: RateLimit; readonly sinceMs: number; readonly nowMs: number },
): Learned | null {
  if (!(sinceMs <= most(limit))) return null;
  const now = Math.max(documented(limit), spacingAt(before, limit, nowMs));
  return { spacingMs: Math.min(most(limit), Math.max(now * 2, sinceMs * MORE)), atMs: nowMs };
}
