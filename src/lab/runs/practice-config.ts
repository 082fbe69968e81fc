/** Turns a configuration into one for a simulation: with the embedded venue, and a consent for it. */
import type { Config } from "../../config/config.ts";
import { practiceSession } from "../../control/consent-gap.ts";

/** The market options of a command line; `symbols` are base assets, separated by commas. */
export interface MarketChoice {
  readonly data?: string | undefined;
  readonly window?: string | undefined;
  readonly from?: string | undefined;
  readonly symbols?: string | undefined;
  readonly profile?: Config["venue"]["embedded"]["profile"] | undefined;
}

/** The file's settings with the market and universe of the command line; the trading settings never change. */
export function configFor(config: Config, { data, window, from, symbols, profile }: MarketChoice): Config {
  const embedded = {
    ...config.venue.embedded,
    ...(data === undefined ? {} : { data }),
    ...(window === undefined ? {} : { window }),
    ...(from === undefined ? {} : { from }),
    ...(profile === undefined ? {} : { profile }),
  };
  const venue = { ...config.venue, kind: "embedded" as const, embedded };
  const universe =
    symbols === undefined ? config.universe : symbols.split(",").map((base) => base.trim().toUpperCase());
  return { ...config, venue, universe, session: practiceSession(config.session) };
}
