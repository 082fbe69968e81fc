/**
 * Named sets of all settings that the documents leave open or that were seen to differ. `documented` is what a reader
 * of the documents expects, `observed` is what entrants of such competitions measured, and `harsh` is worse than both,
 * so that an agent that survives it has a margin. `usual` has the defaults of the records. Spec: records §4.6, §5.1,
 * §7.5, §19.
 */
import { dec } from "../core/decimal.ts";
import { HOUR_MS } from "../core/time.ts";
import type { ExchangeSettings } from "./exchange/contract/settings.ts";
import { type MarketConditions, TABLE_CONDITIONS } from "./market/reference-prices.ts";

/** The values of the `profile` option. */
export const PROFILE_NAMES = ["documented", "observed", "harsh", "usual"] as const;
/** One of `PROFILE_NAMES`; "usual" by default. */
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Set at the start of the service; does not change afterwards. */
export interface Profile {
  /** Overrides the defaults: fees, delays of asynchronous steps, duplicate policies, price band, margin rules. */
  readonly settings: Partial<ExchangeSettings>;
  /** Position mode of the account generated from the seed; accounts of a file have their own. */
  readonly mode: "BOTH" | "NET";
  /** A symbol's leverage until the account sets it. */
  readonly defaultLeverage: number;
  /** For generated markets; recorded ones are played unchanged. */
  readonly market: MarketConditions;
  /** Multiplies the windows of request and order-action rates: 2 halves every documented rate. */
  readonly rateStretch: number;
  /** Milliseconds after midnight UTC at which the model's budget day begins. */
  readonly budgetResetMs: number;
}

/** Also used if no profile is named. */
const USUAL: Profile = {
  settings: {},
  mode: "BOTH",
  defaultLeverage: 5,
  market: TABLE_CONDITIONS,
  rateStretch: 1,
  budgetResetMs: 0,
};

/** By name. A profile only lists its differences from the defaults of `exchange/settings.ts`. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  documented: {
    settings: {
      // The documents give no rate: usual taker and maker fees.
      perpFees: { taker: dec("0.0005"), maker: dec("0.0002") },
      duplicatePolicy: "refuse-always",
      algoDuplicatePolicy: "refuse-always",
      closeTypes: false,
    },
    mode: "BOTH",
    defaultLeverage: 2,
    market: TABLE_CONDITIONS,
    rateStretch: 1,
    budgetResetMs: 0,
  },
  observed: {
    settings: { placeDelayMs: 40, cancelDelayMs: 60, amendDelayMs: 60 },
    mode: "NET",
    defaultLeverage: 5,
    market: { ...TABLE_CONDITIONS, funding: 0.1 },
    rateStretch: 1,
    budgetResetMs: 16 * HOUR_MS,
  },
  harsh: {
    settings: {
      perpFees: { taker: dec("0.001"), maker: dec("0.0005") },
      placeDelayMs: 400,
      cancelDelayMs: 1_500,
      amendDelayMs: 1_500,
      priceBand: dec("0.1"),
      algoTriggerBand: dec("0.1"),
      duplicatePolicy: "accept",
      algoDuplicatePolicy: "accept",
    },
    mode: "NET",
    defaultLeverage: 20,
    market: { volatility: 1.6, spread: 4, depth: 0.2, funding: 6 },
    rateStretch: 2,
    budgetResetMs: 5 * HOUR_MS + 30 * 60_000,
  },
  usual: USUAL,
};

/** The usual profile if no name is given. */
export const profileNamed = (name: ProfileName = "usual"): Profile => PROFILES[name];
