/**
 * How far the venue's reads may lag behind events; everything that a read proves follows from the first figure. Records
 * carry the venue's own times and prove what is older. That something is missing proves only that it did not exist this
 * long before the request. Fault R9.
 */

/** Our time, ms: no read lags further. What it must show by then is proven when it does not. */
export const READS_LAG_MS = 20_000;

/** Our time, ms: pushes and reads of a healthy venue show an event by then. It says when to look again, and proves nothing. */
export const SHOWN_WITHIN_MS = 5_000;

/** Whether a read requested at `askedMs` must show an event that we learned of at `heardMs`. */
export const mustShow = (askedMs: number, heardMs: number): boolean => askedMs - heardMs >= READS_LAG_MS;
