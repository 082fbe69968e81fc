/**
 * The costs and results of positions: fills and funding are summed per position, and a flat position yields one closed
 * trade. Fills may arrive before or after the report that the position is flat, so a trade is written a little later.
 * All money is in USDT. Knows no venue and no journal; the records of earlier runs are passed in.
 */
import { BoundedList, BoundedMap } from "../../core/bounded.ts";
import { type Decimal, dec, ZERO } from "../../core/decimal.ts";
import type { ClosedTrade, ExitCause } from "../../domain/closed-trade.ts";
import type { Execution } from "../../domain/order.ts";
import { mustShow } from "../books/read-lag.ts";
import {
  fillsBefore,
  fillsUntilFlat,
  inOrder,
  lastExitMs,
  sumsOf,
  type TradeCosts,
  type TradeFill,
} from "./trade-fills.ts";
import { type Ending, isWhole, lacksExit, type RoundTrip, NEW_TRIP, tradeOf } from "./trade-result.ts";

/** Closed trades kept for the snapshot. */
const RECENT_MAX = 50;
const FILLS_SEEN_MAX = 5_000;
/** A closing fill that is this late will not come: the executions list cannot be read. */
const SETTLE_MS = 90_000;

/** A fill from the journal of an earlier run. */
export interface PastFill {
  readonly positionKey: string;
  readonly opening: boolean;
  readonly execution: Execution;
}

/** A position that is over, of an earlier run. */
export interface PastEnding extends Ending {
  readonly positionKey: string;
}

/** From the journal, so that a position held across a restart keeps its costs and its trade. */
export interface RestoredTrades {
  /** Oldest first. */
  readonly closed: readonly ClosedTrade[];
  /** Positions that were over and whose trades are not reported yet, oldest first. */
  readonly endings: readonly PastEnding[];
  /** Fills of these and of positions that were open at the end of the journal, and funding of the latter, oldest first. */
  readonly fills: readonly PastFill[];
  readonly funding: readonly { readonly positionKey: string; readonly amountUsdt: Decimal }[];
  /** By key, when the last position that is over was closed, by the venue's time. */
  readonly ended: ReadonlyMap<string, number>;
}

/** For a start without earlier trades. */
export const NO_TRADES: RestoredTrades = { closed: [], endings: [], fills: [], funding: [], ended: new Map() };

/** The positions of one key, one after the other, whose trades are not returned yet. */
interface RoundTrips {
  /** In order; of all of them. */
  fills: readonly TradeFill[];
  /** Those that are over, oldest first. */
  endings: readonly Ending[];
  /** The one that is held. */
  open: RoundTrip | null;
  /** When the newest position was closed that is over and has been returned, by the venue's time. */
  endedMs: number;
}

/**
 * Keys are `positionKeyOf`s. A fill counts once, by transaction id, for the round trip in which it was made by the venue's
 * time, whether it arrives before or after that position is reported as flat.
 */
export interface TradeBook {
  /** False if this fill has been counted before. */
  fill(key: string, opening: boolean, execution: Execution): boolean;
  funding(key: string, amountUsdt: Decimal): void;
  /**
   * Whether a closing fill of that time is of a position from before those that are known. `begunMs`: when the held one began, if
   * there is one. All by the venue's time.
   */
  precedes(key: string, atMs: number, begunMs: number | undefined): boolean;
  /** Such a position was closed at `atMs`, the venue's time: what filled before that was its own. */
  ended(key: string, atMs: number): void;
  /** Why the held position is about to close; the first reason given counts. */
  ending(key: string, why: string, cause?: ExitCause): void;
  /** The position is flat; `settled` returns its trade later. `missed`: the only evidence is a list without it. */
  flat(
    key: string,
    position: Pick<Ending, "meta" | "avgPrice" | "qty" | "begunMs"> & { readonly missed?: boolean },
    atMs: number,
  ): void;
  /** A position missing from a list is held after all: its account continues. */
  back(key: string): void;
  /**
   * Trades whose fills have all arrived, or for which an executions list read since `readMs` shows no more. Each is
   * returned once.
   */
  settled(nowMs: number, readMs: number): readonly ClosedTrade[];
  /** Of the held position. `begunMs`: when it began, by the venue's time, where that is known. */
  costs(key: string, begunMs?: number): TradeCosts;
  /** True while a position is held or the trade of one that is over lacks closing fills. */
  knows(key: string): boolean;
  /** The entry price of a position that is over and lacks closing fills; null where there is none. */
  awaitedEntry(key: string): Decimal | null;
  /** Newest first. */
  recent(): readonly ClosedTrade[];
}

/**
 * Fills and funding of restored positions are counted again, so that their trades are complete. No executions list was read
 * before `startedAtMs`.
 */
export function createTradeBook(restored: RestoredTrades, startedAtMs = -Infinity): TradeBook {
  const all = new Map<string, RoundTrips>();
  const closed = new BoundedList<ClosedTrade>(RECENT_MAX);
  const seen = new BoundedMap<string, true>(FILLS_SEEN_MAX);

  const roundTripsOf = (key: string): RoundTrips => {
    const trips = all.get(key) ?? { fills: [], endings: [], open: null, endedMs: -Infinity };
    all.set(key, trips);
    return trips;
  };
  const fill: TradeBook["fill"] = (key, opening, execution) => {
    if (seen.has(execution.transactionId)) return false;
    seen.set(execution.transactionId, true);
    const trips = roundTripsOf(key);
    // A fill of a position whose trade has been returned, or that was never known, came too late for it.
    if (execution.atMs < Math.min(trips.endedMs, trips.endings[0]?.begunMs ?? Infinity)) return true;
    trips.fills = inOrder([...trips.fills, { opening, execution }]);
    if (heldFills(trips).length > 0) trips.open ??= NEW_TRIP;
    return true;
  };
  const funding: TradeBook["funding"] = (key, amountUsdt) => {
    const trips = roundTripsOf(key);
    const open = trips.open ?? NEW_TRIP;
    trips.open = { ...open, fundingUsdt: open.fundingUsdt.add(amountUsdt) };
  };
  const ended: TradeBook["ended"] = (key, atMs) => {
    const trips = roundTripsOf(key);
    trips.endedMs = Math.max(trips.endedMs, atMs);
    trips.fills = trips.fills.filter(({ execution }) => execution.atMs >= atMs);
  };
  for (const trade of restored.closed) closed.push(trade);
  for (const [key, atMs] of restored.ended) ended(key, atMs);
  for (const { positionKey, ...ending } of restored.endings) {
    const trips = roundTripsOf(positionKey);
    trips.endings = [...trips.endings, ending];
  }
  for (const past of restored.fills) fill(past.positionKey, past.opening, past.execution);
  for (const { positionKey, amountUsdt } of restored.funding) funding(positionKey, amountUsdt);

  const awaited = (key: string) =>
    tripsIn(roundTripsOf(key)).over.find(({ ending, fills }) => lacksExit(ending, sumsOf(fills)))?.ending;
  return {
    fill,
    funding,
    ended,
    precedes: (key, atMs, begunMs) => atMs < (roundTripsOf(key).endings[0]?.begunMs ?? begunMs ?? -Infinity),
    ending: (key, why, cause = "decision") => {
      const trips = roundTripsOf(key);
      const open = trips.open ?? NEW_TRIP;
      trips.open = { ...open, wanted: open.wanted ?? { why, cause } };
    },
    flat: (key, { missed = false, ...position }, closedAtMs) => {
      const trips = roundTripsOf(key);
      const knownMs = trips.fills.at(-1)?.execution.atMs ?? -Infinity;
      trips.endings = [...trips.endings, { ...(trips.open ?? NEW_TRIP), ...position, closedAtMs, missed, knownMs }];
      trips.open = heldFills(trips).length > 0 ? NEW_TRIP : null;
    },
    back: (key) => {
      const trips = roundTripsOf(key);
      const ending = trips.endings.findLast((candidate) => candidate.missed);
      if (!ending) return;
      const since = trips.open ?? NEW_TRIP;
      trips.endings = trips.endings.filter((other) => other !== ending);
      trips.open = {
        fundingUsdt: ending.fundingUsdt.add(since.fundingUsdt),
        wanted: ending.wanted ?? since.wanted,
      };
    },
    settled: (nowMs, readMs) => {
      const trades: ClosedTrade[] = [];
      for (const [key, trips] of all) {
        if (trips.endings.length === 0) continue;
        const done = tripsIn(trips).over.filter(
          ({ ending, fills }) =>
            isWhole(ending, sumsOf(fills)) ||
            mustShow(readMs, ending.closedAtMs) ||
            nowMs - Math.max(ending.closedAtMs, startedAtMs) >= SETTLE_MS,
        );
        for (const { ending, fills, unseen } of done) {
          trades.push(tradeOf(key, ending, sumsOf(fills)));
          trips.fills = trips.fills.filter((other) => !fills.includes(other) && !unseen.includes(other));
          trips.endings = trips.endings.filter((other) => other !== ending);
          trips.endedMs = Math.max(trips.endedMs, lastExitMs(fills));
        }
      }
      for (const trade of trades) closed.push(trade);
      return trades;
    },
    costs: (key, begunMs = -Infinity) => {
      const trips = roundTripsOf(key);
      const fills = heldFills(trips);
      return {
        feesUsdt: sumsOf(fills.slice(fillsBefore(fills, begunMs))).feesUsdt,
        fundingUsdt: trips.open?.fundingUsdt ?? ZERO,
      };
    },
    knows: (key) => roundTripsOf(key).open !== null || awaited(key) !== undefined,
    awaitedEntry: (key) => awaited(key)?.avgPrice ?? null,
    recent: () => [...closed.items()].reverse(),
  };
}

/** A position that is over, its fills, and those of positions before it that no report has shown. */
interface OverTrip {
  readonly ending: Ending;
  readonly fills: readonly TradeFill[];
  readonly unseen: readonly TradeFill[];
}

function tripsIn({ fills, endings }: RoundTrips): {
  readonly over: readonly OverTrip[];
  readonly held: readonly TradeFill[];
} {
  let left = fills;
  const over = endings.map((ending) => {
    const first = fillsBefore(left, ending.begunMs);
    const end = first + fillsUntilFlat(left.slice(first), ending);
    const trip = { ending, fills: left.slice(first, end), unseen: left.slice(0, first) };
    left = left.slice(end);
    return trip;
  });
  return { over, held: left };
}

/** Those of the position that is held. */
const heldFills = (trips: RoundTrips): readonly TradeFill[] => tripsIn(trips).held;

/** Funding of one settlement: at a positive rate a long pays and a short receives. */
export function fundingAmount(side: "LONG" | "SHORT", notionalUsdt: Decimal, rate: number): Decimal {
  const amount = notionalUsdt.mul(dec(rate.toFixed(10)));
  return side === "LONG" ? amount.neg() : amount;
}
