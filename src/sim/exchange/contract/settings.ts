/**
 * All settings of the venue that the documents leave open, with the defaults of the records. Spec: records §4.2, §4.6,
 * §5.1, §6.2, §7.5, §15, §19.
 */
import { type Decimal, dec } from "../../../core/decimal.ts";
import { ALGO_TRIGGER_MAX_DISTANCE } from "../../../protocol/limits.ts";
import type { FeeRates } from "../../../domain/venue.ts";

/** How a reused clientOrderId is treated. "refuse-recent": refused for open orders and the last 24 h, records §5.1. */
export type DuplicatePolicy = "refuse-always" | "refuse-recent" | "refuse-while-open" | "accept";

/** `World` holds its own copy, in which `OperatorRules` change while the venue runs. */
export interface ExchangeSettings {
  readonly perpFees: FeeRates;
  readonly spotFees: FeeRates;
  /** From acceptance until an order meets the book; zero means immediately. */
  readonly placeDelayMs: number;
  /** From acceptance of a cancel until it takes effect. */
  readonly cancelDelayMs: number;
  readonly amendDelayMs: number;
  /** LIMIT prices further from the mark price than this fraction are refused with 400001. */
  readonly priceBand: Decimal;
  /** Algo triggers further from the mark price than this fraction are refused with 400001. Records §6.2. */
  readonly algoTriggerBand: Decimal;
  /** availableMargin x leverage must be at least notional times this. Records §5.1 rule 5. */
  readonly marginBuffer: Decimal;
  readonly usdtDiscount: Decimal;
  readonly duplicatePolicy: DuplicatePolicy;
  readonly algoDuplicatePolicy: DuplicatePolicy;
  /**
   * Accept ENTIRE_CLOSE_POSITION and PARTIAL_CLOSE_POSITION; otherwise they are refused with 400001. Document 1 names
   * neither.
   */
  readonly closeTypes: boolean;
  /** Refuse opening orders whose symbol leverage exceeds the phase's cap. Records §7.5. */
  readonly enforceLeverageCap: boolean;
  /** Only the phase's instruments may be traded (others get 401011). Document 3 §8. */
  readonly enforceUniverse: boolean;
  /** Equity below which everything is closed and the account eliminated; null disables the rule. */
  readonly eliminationBelowUsdt: Decimal | null;
  /** The uniMMR at or below which each status applies. */
  readonly marginCallAt: Decimal;
  readonly cancelOpenAt: Decimal;
  readonly cancelAllAt: Decimal;
  readonly liquidateAt: Decimal;
  /** In phase 2 the initial capital is divided equally among the exchange accounts, instead of going to the first. */
  readonly phaseTwoEverywhere: boolean;
  readonly insuranceFundUsdt: Decimal;
  /** How much history is kept; null keeps all, for tests and for books that are verified from the first entry. */
  readonly retention: Retention | null;
}

/** The settings that may change while the venue runs. */
export type OperatorRules = Pick<
  ExchangeSettings,
  "placeDelayMs" | "cancelDelayMs" | "amendDelayMs" | "duplicatePolicy" | "enforceLeverageCap"
>;

/**
 * How many of each to keep, per account except for the ledger; anything older than `days` is dropped too. Executions
 * and ledger entries are dropped in blocks, so a few more of them stay.
 */
export interface Retention {
  readonly days: number;
  readonly orders: number;
  readonly executions: number;
  readonly statements: number;
  readonly closedPositions: number;
  readonly algos: number;
  readonly ledgerEntries: number;
}

/**
 * The archive reaches ninety days back (records §5.6); the numbers keep the memory of a month-long service flat: about
 * 20 MB for an account that uses them all, and 30 MB for the ledger.
 */
const DEFAULT_RETENTION: Retention = {
  days: 90,
  orders: 100_000,
  executions: 100_000,
  statements: 20_000,
  closedPositions: 5_000,
  algos: 5_000,
  ledgerEntries: 500_000,
};

/** The base of `profiles.ts` and the service's own options. The delays are zero: everything happens immediately. */
export const DEFAULT_SETTINGS: ExchangeSettings = {
  perpFees: { taker: dec("0.000175"), maker: dec("0.00008") },
  spotFees: { taker: dec("0.001"), maker: dec("0.001") },
  placeDelayMs: 0,
  cancelDelayMs: 0,
  amendDelayMs: 0,
  priceBand: dec("0.5"),
  algoTriggerBand: dec(ALGO_TRIGGER_MAX_DISTANCE),
  marginBuffer: dec("1.1"),
  usdtDiscount: dec("0.9999"),
  duplicatePolicy: "refuse-recent",
  algoDuplicatePolicy: "accept",
  closeTypes: true,
  enforceLeverageCap: true,
  enforceUniverse: true,
  eliminationBelowUsdt: dec("800"),
  marginCallAt: dec("1.5"),
  cancelOpenAt: dec("1.3"),
  cancelAllAt: dec("1.2"),
  liquidateAt: dec("1"),
  phaseTwoEverywhere: false,
  insuranceFundUsdt: dec("1000000"),
  retention: DEFAULT_RETENTION,
};
