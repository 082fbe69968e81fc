/**
 * What the account is worth, from three sources that may disagree: the venue's REST figure carried forward by our own
 * marks, the balance pushes of the user stream, and our own count since the day began. Also the day's anchors, which
 * survive restarts because they are journalled. All money in USDT.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { type Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { Execution } from "../../domain/order.ts";
import type { Asset, ExchangeAccount } from "../../domain/position.ts";
import type { EquityReadings } from "../../risk/floor.ts";
import type { DayAnchors } from "./day-anchors.ts";
import { mustShow } from "./read-lag.ts";
import { type Booked, carriedForward, type EquityReading, isNear, readingOf } from "./equity-reading.ts";
import { RunningDay } from "./running-day.ts";

export type { DayAnchors } from "./day-anchors.ts";

/** Fed by account snapshots, balance pushes and fills; a fill counts once. `unrealized` is that of all positions at present marks. */
export interface EquityBook {
  applyAccount(accounts: readonly ExchangeAccount[], unrealized: Decimal, startedAtMs: number, atMs: number): void;
  asset(asset: Asset, atMs: number): void;
  /** False where what the day began with includes it. */
  fill(execution: Execution, atMs: number): boolean;
  /** The three figures at this instant, given the unrealised result at present marks. The same object while nothing has changed. */
  sources(unrealized: Decimal): EquityReadings;
  /** The figure decisions are based on: REST carried forward; null before the first reading. */
  live(unrealized: Decimal): Decimal | null;
  readAtMs(): number | null;
  /** When the last reading was begun: what happened later may not be in it. */
  readFromMs(): number;
  availableMargin(): Decimal;
  /** True while the first reading of an account without a past waits for a second source: the next one comes within seconds. */
  isUnsure(): boolean;
  /**
   * Until `untilMs` the operator may change the money itself, as at the beginning of a phase: where a reading then differs
   * from our own count, and a second source confirms it, the day is counted again from it, so that a reset is not taken for a
   * loss or a gain.
   */
  expectReset(untilMs: number): void;
  /** Today's anchors; rolls over when the UTC day has changed (never back). */
  anchors(atMs: number, unrealized: Decimal): DayAnchors | null;
}

/** The operator closes all positions and resets the balance around the change of phase. Spec: 3 §8. */
export const PHASE_RESET_MS = 30 * MINUTE_MS;

const SEEN_CAP = 5_000;

/**
 * The book at the start of this run, with the day's anchors if an earlier run recorded them, and the time until which a
 * reset is still expected.
 */
export function createEquityBook(restored: DayAnchors | null, resetUntil = -Infinity): EquityBook {
  let reading: EquityReading | null = null;
  /** Whether the reading before it said the same. */
  let repeated = false;
  let sinceReading: Booked[] = [];
  const day = new RunningDay(restored);
  let resetUntilMs = resetUntil;
  const balances = new Map<string, Decimal>();
  /** Our time of the newest push. */
  let pushedMs = -Infinity;
  const seenFills = new BoundedMap<string, true>(SEEN_CAP);
  /** The last result, and the unrealised profit it was computed for: every tick asks for it, and it seldom changes. */
  let said: { readonly unrealized: Decimal; readonly sources: EquityReadings } | null = null;

  const live = (unrealized: Decimal): Decimal | null => reading && carriedForward(reading, unrealized, sinceReading);
  const readFromMs = (): number => reading?.fromMs ?? -Infinity;
  /** Null too where a reading that must include the pushes says otherwise: they are no second witness against it. */
  const stream = (unrealized: Decimal): Decimal | null => {
    const [pushed, read] = [pushedFigure(balances, unrealized), live(unrealized)];
    const isOutdated = pushed && read && mustShow(readFromMs(), pushedMs) && !isNear(pushed, read);
    return isOutdated ? null : pushed;
  };
  const roll = (atMs: number, unrealized: Decimal): void => {
    if (!day.isOver(atMs)) return;
    const equity = live(unrealized);
    if (equity === null || equity.lte(0)) return;
    if (day.isUnconfirmed(equity, atMs, { unrealized, pushed: stream(unrealized), repeated })) return;
    day.begin({ equity, unrealized, fromMs: readFromMs() }, atMs);
    said = null;
  };
  const isReset = (atMs: number, unrealized: Decimal): boolean => {
    const equity = live(unrealized);
    return atMs < resetUntilMs && equity !== null && equity.gt(0) && day.differs(equity, unrealized);
  };
  /** Confirmed by pushed balances or by the previous reading: a single wrong reading is no reset. */
  const isBorneOut = (equity: Decimal, unrealized: Decimal): boolean => {
    const pushed = stream(unrealized);
    return repeated || (pushed !== null && isNear(pushed, equity));
  };
  return {
    expectReset: (untilMs) => {
      resetUntilMs = untilMs;
    },
    applyAccount: (accounts, unrealized, startedAtMs, atMs) => {
      said = null;
      const before = live(unrealized);
      reading = readingOf(accounts, unrealized, startedAtMs, atMs);
      sinceReading = sinceReading.filter((entry) => entry.atMs >= startedAtMs);
      // With the fills that were heard of while it was under way, as the figures that it is compared with.
      const equity = carriedForward(reading, unrealized, sinceReading);
      repeated = before !== null && isNear(before, equity);
      day.compare(equity, atMs, { unrealized, pushed: stream(unrealized), repeated });
      const isConfirmed = equity.gt(0) && isBorneOut(equity, unrealized);
      if (isConfirmed && (isReset(atMs, unrealized) || day.isOutvoted(atMs)))
        day.begin({ equity, unrealized, fromMs: startedAtMs }, atMs);
    },
    asset: (asset, atMs) => {
      said = null;
      pushedMs = atMs;
      balances.set(`${asset.exchange}|${asset.coin}`, asset.balance);
    },
    fill: (execution, atMs) => {
      if (seenFills.has(execution.transactionId)) return true;
      said = null;
      seenFills.set(execution.transactionId, true);
      if (atMs >= readFromMs()) sinceReading.push({ atMs, amount: (execution.realizedPnl ?? ZERO).sub(execution.fee) });
      return day.fill(execution, atMs);
    },
    sources: (unrealized) => {
      if (said?.unrealized === unrealized) return said.sources;
      const own = day.ownCount(unrealized);
      said = { unrealized, sources: { rest: live(unrealized), stream: stream(unrealized), own } };
      return said.sources;
    },
    live,
    readAtMs: () => reading?.atMs ?? null,
    readFromMs,
    availableMargin: () => reading?.available ?? ZERO,
    isUnsure: () => day.anchors === null && !repeated,
    anchors: (atMs, unrealized) => {
      roll(atMs, unrealized);
      return day.anchors;
    },
  };
}

/** What the account is worth by the balances that were pushed; null before the first push. */
function pushedFigure(balances: ReadonlyMap<string, Decimal>, unrealized: Decimal): Decimal | null {
  const usdt = [...balances].filter(([key]) => key.endsWith("|USDT")).map(([, balance]) => balance);
  return usdt.length > 0 ? sumDecimals(usdt).add(unrealized) : null;
}
