/**
 * How far the venue's reads may lie behind what has happened: the one figure by which they prove anything. Records bear the
 * venue's own times and prove what is older; that something is missing proves only what happened this long before it was
 * asked for. Fault R9.
 */

/** Our time, ms. */
export const READS_LAG_MS = 20_000;

/** Whether a read that was asked for at `askedMs` must show what we heard of at `heardMs`. */
export const mustShow = (askedMs: number, heardMs: number): boolean => askedMs - heardMs >= READS_LAG_MS;
