/** A configuration file as a simulation of it: the embedded venue, and consent for it. */
import type { Config } from "../../config/config.ts";
import { toWire } from "../../core/decimal.ts";

/** What a command line says of the market; `symbols` are base assets, separated by commas. */
export interface MarketChoice {
  readonly data?: string | undefined;
  readonly window?: string | undefined;
  readonly from?: string | undefined;
  readonly symbols?: string | undefined;
  readonly profile?: Config["venue"]["embedded"]["profile"] | undefined;
}

/** The file's settings with what the command line says of market and universe; the trading itself is never changed. */
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

/** A file of the service has its consent for there, or none yet; to simulate it under its caps needs no one's leave. */
const practiceSession = (session: Config["session"]): Config["session"] => ({
  ...session,
  consentFor: "embedded",
  consent: `A simulation, up to ${toWire(session.maxNotionalPerOrder)} USDT an order and ${toWire(session.maxTotalNotional)} USDT in all.`,
});
