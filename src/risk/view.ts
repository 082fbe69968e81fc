/** What the limits look at: drafts, and everything known about the account at this instant. */
import type { Decimal } from "../core/decimal.ts";
import type { Phase } from "../domain/competition.ts";
import type { Order, PlaceOrder } from "../domain/order.ts";
import type { Position } from "../domain/position.ts";
import type { SymbolRules } from "../domain/symbol.ts";

/** An exact order that nothing has checked yet. The stop is part of it: an opening without one is incomplete. */
export interface Draft {
  readonly order: PlaceOrder;
  /** Protective stop to stand once it fills; null for reducing drafts, or to get the default one. */
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
}

/** By severity: smaller openings in WARN, none from HOLD on; FLATTEN closes all, HALT waits for the operator. */
export type FloorState = "NORMAL" | "WARN" | "HOLD" | "FLATTEN" | "HALT";

/** The automation session as it was read. Caps and use are notional, USDT; `active` is false once it has expired. */
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

/** An opening order that is promised or sent and not yet known at the venue: counted as filled. */
export interface InFlight {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly notionalUsdt: Decimal;
}

/** Null is not known. Prices are exact; ages are ms at the view's instant, Infinity where nothing has come. */
export interface SymbolRisk {
  readonly rules: SymbolRules | null;
  readonly mark: Decimal | null;
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  /** The venue's leverage setting as last read back; null when not read. */
  readonly leverage: number | null;
  readonly bookAgeMs: number;
  readonly markAgeMs: number;
  /** Fraction: the sudden move we insure against for this symbol's class. */
  readonly gap: Decimal;
}

/** A position that went flat a while ago, for the limits against flip-flops. */
export interface RecentClose {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly atMs: number;
}

/** What one exchange's account of the portfolio has left for opening orders. Margin is not shared between exchanges. */
export interface AccountFunds {
  readonly availableUsdt: Decimal;
  /** Null where the account did not tell its mode. */
  readonly hedgeMode: boolean | null;
}

/** One instant, never changed in place: figures are cached by its identity. Money in USDT, times and ages in ms. */
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
  /** Live opening orders at the venue, remaining quantity counts. */
  readonly openOrders: readonly Order[];
  readonly inFlight: readonly InFlight[];
  readonly symbols: ReadonlyMap<string, SymbolRisk>;
  readonly session: SessionView | null;
  /** By exchange, as last read. Absent or without the symbol's exchange: nothing may be opened there. */
  readonly accounts: ReadonlyMap<string, AccountFunds>;
  /** False in one-way mode, where `positionSide` is NONE. */
  readonly hedgeMode: boolean;
  readonly equityDayStartUsdt: Decimal;
  readonly feesTodayUsdt: Decimal;
  readonly ordersLastHour: number;
  /** Closes of the last hours; absent counts as none. */
  readonly recentCloses?: readonly RecentClose[];
  /** False while the witnesses of equity disagree (see floor.ts): nothing is opened on a doubtful figure. */
  readonly equityAgreed?: boolean;
  /** True after something was closed until the account has been read again: its result has left the marks and is booked nowhere. */
  readonly equityBehind?: boolean;
  /** Why nothing may be opened whatever the market: parts of the house that are not sound. Absent counts as none. */
  readonly holds?: readonly string[];
}
