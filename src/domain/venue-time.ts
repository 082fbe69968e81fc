/**
 * Two clocks: ours dates what the agent hears and requests, the venue's dates what its records say. Where one is compared with
 * the other, it is by these bounds. Faults C1, C3.
 */

/** Mutable, because it is measured again and again. */
export interface VenueTime {
  /** The venue's time minus ours; zero until it is measured. */
  offsetMs: number;
  /** How wrong that may be; zero until it is measured. */
  uncertaintyMs: number;
}

/** The two clocks agree, as far as is known. */
export const unmeasured = (): VenueTime => ({ offsetMs: 0, uncertaintyMs: 0 });

/** The earliest that the venue's clock may show at `atMs`, our time, in whole milliseconds as its records do. */
export const venueNotBefore = ({ offsetMs, uncertaintyMs }: VenueTime, atMs: number): number =>
  Math.floor(atMs + offsetMs - uncertaintyMs);

/** The latest that it may show then; no earlier than ours, because the service may report a wrong time. */
export const venueNotAfter = ({ offsetMs, uncertaintyMs }: VenueTime, atMs: number): number =>
  Math.max(atMs, Math.ceil(atMs + offsetMs + uncertaintyMs));

/** The latest that our clock may have shown at `venueMs`, the venue's time. */
export const oursNotAfter = ({ offsetMs, uncertaintyMs }: VenueTime, venueMs: number): number =>
  venueMs - offsetMs + uncertaintyMs;

/** The latest that something was made, our time, which was heard at `heardMs`; also if the service reports a wrong time. */
export const madeNotAfter = (time: VenueTime, { venueMs, heardMs }: { venueMs: number; heardMs: number }): number =>
  Math.min(heardMs, Math.max(venueMs, oursNotAfter(time, venueMs)));
