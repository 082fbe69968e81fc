/**
 * The figures of all limits: those that a file may set, and fixed ones. Shares are fractions of equity, money is
 * USDT, spans are milliseconds. No strategy or model can change any of them. The competition's own figures are in
 * `domain/competition.ts`.
 */
import { z } from "zod";
import { dec, type Decimal } from "../core/decimal.ts";
import { decimal, share, span } from "../core/setting-fields.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import type { FeeRates } from "../domain/venue.ts";
import { parseSymbol } from "../domain/symbol.ts";

/** The settings that `risk/limits/` apply; a saved file under which a self-test fails is refused. */
export const riskSection = z.strictObject({
  perOrderEquityShare: share("Largest value of one order as a share of equity.").prefault(0.4),
  perSymbolEquityShare: share("Largest exposure in one symbol as a share of equity.").prefault(0.4),
  perDirectionEquityShare: share("Largest exposure in one direction, times equity.", 5).prefault(1.2),
  maxPositions: z.number().int().min(1).max(50).default(4).describe("Positions at the same time."),
  leverageSafety: share("Share of the phase's leverage cap that is used at most.").prefault(0.95),
  gapMajors: share("Insured sudden move of BTC and ETH, fraction of price.").prefault(0.12),
  gapOthers: share("The same for every other coin.").prefault(0.25),
  gapHedged: share(
    "Insured divergence of a coin held both ways: its smaller side counts with this, its larger one with the whole gap.",
  ).prefault(0.04),
  bufferUsdt: decimal("Kept above the floor when the cushion is computed, USDT.").prefault("20"),
  openingSpareUsdt: decimal(
    "Part of the cushion that openings leave unused, USDT. Once it is used up, positions are reduced until it is restored.",
  ).prefault("10"),
  warnUsdt: decimal("Equity below which openings have half the usual size, USDT.").prefault("880"),
  flattenUsdt: decimal("Equity below which everything is closed and the agent halts, USDT.").prefault("820"),
  dailyLossStop: share("Loss since the start of the UTC day that stops openings, share of equity.").prefault(0.06),
  ordersPerHour: z.number().int().min(1).default(60).describe("Opening orders per hour at most."),
  feesPerDayShare: share("Fees in a day that stop openings, share of equity.").prefault(0.02),
  defaultStopDistance: share("Stop of an opening without one, fraction of price.").prefault(0.03),
  maxStopDistance: share("Widest stop allowed, fraction of price.").prefault(0.12),
  holdUsdt: decimal(
    "Equity below which nothing is opened until it is back at warnUsdt, or until no more is held than holdEquityShare allows, USDT.",
  ).prefault("850"),
  holdEquityShare: share(
    "Below holdUsdt, an account that holds no more than this share of equity may open up to it: the way back from HOLD.",
  ).prefault(0.1),
  minHolding: span("A new decision of the strategy closes no position that is younger than this.").prefault("15m"),
  flipCooldown: span("After a close, no opening on the opposite position for this long.").prefault("15m"),
  reentryCooldown: span("After a close, no opening on the same position for this long.").prefault("10m"),
  // A little under the age allowed on arrival at the venue, because the request takes time too. Invariant I15.
  maxBookAge: span("No opening on an older book.").prefault("2500ms"),
  maxMarkAge: span("No opening on an older mark price.").prefault("4500ms"),
  maxAccountAge: span("No opening on an older account reading.").prefault("29s"),
  takerBps: z
    .number()
    .min(0)
    .max(100)
    .default(1.75)
    .describe("Taker fee until the venue or fills show the real one, basis points of value."),
  makerBps: z
    .number()
    .min(-10)
    .max(100)
    .default(0.8)
    .describe("Maker fee until then; negative if the maker receives it."),
  priceBand: share("Limit prices further from the mark than this are refused.").prefault(0.05),
  blockedAlarm: span("An alarm is raised when every entry has been blocked for this long.").prefault("15m"),
});

/** Figures that no file can set. */
const FIXED = Object.freeze({
  majors: Object.freeze(["BTC", "ETH"]),
  /** Fees and funding reserved per unit of exposure, fraction. */
  exitCost: dec("0.002"),
  /** Assumed fill beyond the mark, fraction: an order's worst price. */
  slippage: dec("0.002"),
  /** Share of the usual size allowed for an opening below `warnUsdt`. */
  warnOrderShare: dec("0.5"),
  /** Two readings of equity agree if they differ by no more than this fraction. */
  equityAgreement: dec("0.03"),
  maxNewsAge: HOUR_MS,
  maxClockUncertainty: 5 * SECOND_MS,
  /** Nearest allowed stop, fraction of the entry price. */
  minStopDistance: dec("0.002"),
});

/** The fees of the settings as fractions of value. */
export const assumedFees = ({ takerBps, makerBps }: Pick<RiskSettings, "takerBps" | "makerBps">): FeeRates => ({
  taker: dec(takerBps).div(10_000),
  maker: dec(makerBps).div(10_000),
});

/** Immutable: figures are cached by the object's identity, so a change needs a new object. */
export type RiskSettings = Readonly<z.output<typeof riskSection> & typeof FIXED>;

/** The settings of the limits from a section of the file. */
export const riskSettings = (section: z.output<typeof riskSection>): RiskSettings =>
  Object.freeze({ ...FIXED, ...section });

/** The insured gap of a symbol: the majors' or the others'. Text that is not a symbol counts as other. */
export function gapFor(settings: RiskSettings, symbol: string): Decimal {
  const parts = parseSymbol(symbol);
  return parts.ok && settings.majors.includes(parts.value.base) ? settings.gapMajors : settings.gapOthers;
}

/** What two positions have in common if they are of the same coin, on any exchange. */
export function coinOf(symbol: string): string {
  const parts = parseSymbol(symbol);
  return parts.ok ? parts.value.base : symbol;
}
