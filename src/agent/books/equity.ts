/**
 * What the account is worth, from three witnesses that may disagree: the venue's REST figure carried forward by our own
 * marks, the balance pushes of the user stream, and our own count since the day began. Also the day's anchors, which
 * survive restarts because they are journalled. All money in USDT.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { dec, Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { MINUTE_MS, parseInstant, utcDay } from "../../core/time.ts";
import type { Execution } from "../../domain/order.ts";
import type { Asset, ExchangeAccount } from "../../domain/position.ts";
import type { EquityReadings } from "../../risk/floor.ts";
import { type DayAnchors, dayBegun, ownCount, withFill } from "./day-anchors.ts";
import { type Booked, carriedForward, type EquityReading, readingOf } from "./equity-reading.ts";

export type { DayAnchors } from "./day-anchors.ts";

/** Fed by account snapshots, balance pushes and fills; a fill counts once. `unrealized` is that of all positions at present marks. */
export interface EquityBook {
  applyAccount(accounts: readonly ExchangeAccount[], unrealized: Decimal, startedAtMs: number, atMs: number): void;
  asset(asset: Asset, atMs: number): void;
  fill(execution: Execution, atMs: number): void;
  /** The three figures at this instant, given the unrealised result at present marks. The same object while nothing has changed. */
  sources(unrealized: Decimal): EquityReadings;
  /** The figure decisions are based on: REST carried forward; null before the first reading. */
  live(unrealized: Decimal): Decimal | null;
  readAtMs(): number | null;
  /** When the last reading was begun: what happened later may not be in it. */
  readFromMs(): number;
  availableMargin(): Decimal;
  /**
   * Until `untilMs` the operator may change the money itself, as at the beginning of a phase: where a reading then differs
   * from our own count, and a second witness confirms it, the day is counted again from it, so that a reset is not taken for a
   * loss or a gain.
   */
  expectReset(untilMs: number): void;
  /** Today's anchors; rolls over when the UTC day has changed (never back). */
  anchors(atMs: number, unrealized: Decimal): DayAnchors | null;
}

/** The operator closes all positions and resets the balance around the change of phase. Spec: 3 §8. */
export const PHASE_RESET_MS = 30 * MINUTE_MS;

const SEEN_CAP = 5_000;
/** A smaller difference is not worth a new count: funding and rounding can cause it too. */
const RESET_FROM_USDT = dec("5");
/** A day does not begin with a figure that the other witnesses contradict by more, unless the difference lasts this long. */
const UNSURE_FROM = dec("0.03");
const UNSURE_FOR_MS = 10 * MINUTE_MS;

const isNear = (a: Decimal, b: Decimal): boolean =>
  a
    .sub(b)
    .abs()
    .lte(Decimal.max(RESET_FROM_USDT, a.abs().mul(UNSURE_FROM)));

/**
 * The book as this run begins it, with the day's anchors where an earlier run wrote them down, and until when a reset is
 * still expected.
 */
export function createEquityBook(restored: DayAnchors | null, resetUntil = -Infinity): EquityBook {
  let reading: EquityReading | null = null;
  let sinceReading: Booked[] = [];
  let anchors = restored;
  /** An earlier fill is part of what the day began with, whenever it is reported. */
  let countsFromMs = restored ? (parseInstant(restored.day) ?? -Infinity) : -Infinity;
  let resetUntilMs = resetUntil;
  const balances = new Map<string, Decimal>();
  const seenFills = new BoundedMap<string, true>(SEEN_CAP);
  /** The last answer, and the unrealised result it was for: it is asked for at every tick and seldom differs. */
  let said: { readonly unrealized: Decimal; readonly sources: EquityReadings } | null = null;

  /** Since when the day has waited to begin because its figure is in doubt. */
  let unsureSinceMs: number | null = null;
  /** Whether the venue's figure and our own count have agreed in this run: before that neither contradicts the other. */
  let agreed = false;

  const live = (unrealized: Decimal): Decimal | null => reading && carriedForward(reading, unrealized, sinceReading);
  const readFromMs = (): number => reading?.fromMs ?? -Infinity;
  const stream = (unrealized: Decimal): Decimal | null => {
    const usdt = [...balances].filter(([key]) => key.endsWith("|USDT")).map(([, balance]) => balance);
    return usdt.length > 0 ? sumDecimals(usdt).add(unrealized) : null;
  };
  /** Taken over at once, a lone wrong reading would have our own count bear it out. */
  const isUnsure = (equity: Decimal, atMs: number, unrealized: Decimal): boolean => {
    const pushed = stream(unrealized);
    if (!anchors || !agreed || isNear(ownCount(anchors, unrealized), equity)) return false;
    if (pushed && isNear(pushed, equity)) return false;
    unsureSinceMs ??= atMs;
    return atMs - unsureSinceMs < UNSURE_FOR_MS;
  };
  const roll = (atMs: number, unrealized: Decimal): void => {
    const day = utcDay(atMs);
    if (anchors && day <= anchors.day) return;
    const equity = live(unrealized);
    if (equity === null || equity.lte(0) || isUnsure(equity, atMs, unrealized)) return;
    unsureSinceMs = null;
    anchors = dayBegun(day, equity, unrealized);
    countsFromMs = readFromMs();
    said = null;
  };
  const isReset = (atMs: number, unrealized: Decimal): boolean => {
    const equity = live(unrealized);
    if (atMs >= resetUntilMs || equity === null || equity.lte(0) || anchors === null) return false;
    return ownCount(anchors, unrealized).sub(equity).abs().gt(RESET_FROM_USDT);
  };
  /** By the balances that were pushed, or by the reading before it: a lone wrong one is no reset. */
  const isBorneOut = (equity: Decimal, before: EquityReading | null, unrealized: Decimal): boolean =>
    [stream(unrealized), before?.equity ?? null].some((other) => other !== null && isNear(other, equity));
  return {
    expectReset: (untilMs) => {
      resetUntilMs = untilMs;
    },
    applyAccount: (accounts, unrealized, startedAtMs, atMs) => {
      said = null;
      const before = reading;
      reading = readingOf(accounts, unrealized, startedAtMs, atMs);
      sinceReading = sinceReading.filter((entry) => entry.atMs >= startedAtMs);
      if (anchors && isNear(ownCount(anchors, unrealized), reading.equity)) {
        agreed = true;
        unsureSinceMs = null;
      }
      if (!isReset(atMs, unrealized) || !isBorneOut(reading.equity, before, unrealized)) return;
      anchors = dayBegun(utcDay(atMs), reading.equity, unrealized);
      countsFromMs = startedAtMs;
    },
    asset: (asset) => {
      said = null;
      balances.set(`${asset.exchange}|${asset.coin}`, asset.balance);
    },
    fill: (execution, atMs) => {
      if (seenFills.has(execution.transactionId)) return;
      said = null;
      seenFills.set(execution.transactionId, true);
      if (atMs >= readFromMs()) sinceReading.push({ atMs, amount: execution.realizedPnl.sub(execution.fee) });
      if (anchors && atMs >= countsFromMs) anchors = withFill(anchors, execution);
    },
    sources: (unrealized) => {
      if (said?.unrealized === unrealized) return said.sources;
      const sources: EquityReadings = {
        rest: live(unrealized),
        stream: stream(unrealized),
        own: anchors ? ownCount(anchors, unrealized) : null,
      };
      said = { unrealized, sources };
      return sources;
    },
    live,
    readAtMs: () => reading?.atMs ?? null,
    readFromMs,
    availableMargin: () => reading?.available ?? ZERO,
    anchors: (atMs, unrealized) => {
      roll(atMs, unrealized);
      return anchors;
    },
  };
}
