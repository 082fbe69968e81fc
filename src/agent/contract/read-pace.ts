/** How often the venue is asked, by what it allows. */
import type { VenueRate, VenueRates } from "../../domain/venue.ts";

/** Computed once at a start; all in ms. */
export interface ReadPace {
  /** Between readings of the account: one sooner after another would only be refused. */
  readonly sweepGapMs: number;
  /** Between readings of the stops that stand: one in a window leaves the others for when something is in doubt. */
  readonly algoSweepMs: number;
  /** Between readings of the executions, which look-ups of lost orders need too; less where a push may be missing. */
  readonly fillsEveryMs: number;
  readonly fillsSoonMs: number;
  /** Between two cancels of one stop: whoever spends them at once has none when the venue answers again. */
  readonly cancelStopEveryMs: number;
}

const evenly = ({ requests, perMs }: VenueRate): number => perMs / requests;

export const readPace = (rates: VenueRates): ReadPace => ({
  sweepGapMs: Math.round(1.1 * evenly(rates["account.read"])),
  algoSweepMs: Math.round(0.9 * rates["algo.list"].perMs),
  fillsEveryMs: Math.round(2.2 * evenly(rates["execution.list"])),
  fillsSoonMs: Math.round(1.1 * evenly(rates["execution.list"])),
  cancelStopEveryMs: Math.round(1.02 * evenly(rates["algo.cancel"])),
});
