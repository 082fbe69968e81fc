/** The input of the limits: drafts, and everything known about the account at one instant. */
import type { Decimal } from "../core/decimal.ts";
import { DAY_MS } from "../core/time.ts";
import type { Phase } from "../domain/competition.ts";
import type { Order, PlaceOrder } from "../domain/order.ts";
import type { Position } from "../domain/position.ts";
import type { SymbolRules } from "../domain/symbol.ts";

/** An exact order that no limit has checked. The stop is part of it: an opening without one is incomplete. */
export interface Draft {
  readonly order: PlaceOrder;
  /** The protective stop after the fill; null for reducing drafts, or to get the default stop. */
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
}

/** By severity: smaller openings in WARN, none from HOLD on; FLATTEN closes everything, HALT waits for the operator. */
export type FloorState = "NORMAL" | "WARN" | "HOLD" | "FLATTEN" | "HALT";

/** The automation session as read. Caps and use are notional, USDT; `active` is false once it has expired. */
export interface SessionView {
  readonly id: string;
  readonly active: boolean;
  readonly expiresAtMs: number;
  readonly symbols: readonly string[];
  readonly allowedActions: readonly string[];
  readonly allowedOrderTypes: readonly string[];
  readonly maxNotionalPerOrder: Decimal;
  readonly maxTotalNotional: Decimal;
  readonly usedNotional: Decimal;
}

/** An opening order that is recorded or sent and not yet seen at the venue: counted as filled. */
export interface InFlight {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly notionalUsdt: Decimal;
}

/** Null means unknown. Prices are exact; ages are ms at the view's instant, Infinity if nothing has arrived. */
export interface SymbolRisk {
  readonly rules: SymbolRules | null;
  readonly mark: Decimal | null;
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  /** The venue's leverage setting as last read back; null if not read. */
  readonly leverage: number | null;
  readonly bookAgeMs: number;
  readonly markAgeMs: number;
}

/** A recently closed position, for the cooldowns. */
export interface RecentClose {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly atMs: number;
}

/** An opening that was promised to the journal, filled or not. */
export interface RecentOpening {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly atMs: number;
}

/** Bounds memory and the time of counting: forty openings an hour, all day. A limit above it would never be reached. */
export const OPENINGS_KEPT = 1_000;

/** Those of the day before `nowMs`, the newest 1,000 of them. `openings` are oldest first. */
export function openingsOfDay(openings: readonly RecentOpening[], nowMs: number): readonly RecentOpening[] {
  const first = openings.findIndex(({ atMs }) => nowMs - atMs < DAY_MS);
  return first < 0 ? [] : openings.slice(Math.max(first, openings.length - OPENINGS_KEPT));
}

/** How many of them are from the last `withinMs`, a day at most. */
export const openingsWithin = ({ recentOpenings, nowMs }: RiskView, withinMs: number): number =>
  recentOpenings.filter(({ atMs }) => nowMs - atMs < withinMs).length;

/** Funds of one exchange account for opening orders. Margin is not shared between exchanges. */
export interface AccountFunds {
  readonly availableUsdt: Decimal;
  /** Null if the account did not report its mode. */
  readonly hedgeMode: boolean | null;
}

/** One instant; immutable, because figures are cached by its identity. Money in USDT, times and ages in ms. */
export interface RiskView {
  readonly nowMs: number;
  readonly phase: Phase;
  readonly equityUsdt: Decimal;
  readonly floorUsdt: Decimal;
  readonly floorState: FloorState;
  readonly accountAgeMs: number;
  readonly newsAgeMs: number;
  readonly streamsUp: { readonly market: boolean; readonly user: boolean };
  readonly clockUncertaintyMs: number;
  readonly universe: readonly string[];
  readonly positions: readonly Position[];
  /** Live opening orders at the venue; their remaining quantity counts. */
  readonly openOrders: readonly Order[];
  readonly inFlight: readonly InFlight[];
  /** Openings in flight, resting or filled that `accounts` may not include: their margin is no longer available. */
  readonly unreadOpenings: readonly InFlight[];
  readonly symbols: ReadonlyMap<string, SymbolRisk>;
  readonly session: SessionView | null;
  /** By exchange, as last read. If the symbol's exchange is missing, nothing may be opened there. */
  readonly accounts: ReadonlyMap<string, AccountFunds>;
  /** False in one-way mode, where `positionSide` is NONE. */
  readonly hedgeMode: boolean;
  readonly equityDayStartUsdt: Decimal;
  readonly feesTodayUsdt: Decimal;
  /** Of the last day, oldest first (`openingsOfDay`). */
  readonly recentOpenings: readonly RecentOpening[];
  /** Closes of the last hours; absent means none. */
  readonly recentCloses?: readonly RecentClose[];
  /** False while the equity sources disagree (see floor.ts): nothing opens on an unconfirmed figure. */
  readonly equityAgreed?: boolean;
  /**
   * True from a close until the account has been read again: the result has left the marks and is not yet in the
   * balance.
   */
  readonly equityBehind?: boolean;
  /** Unsound parts of the agent, which block every opening. Absent means none. */
  readonly holds?: readonly string[];
}
