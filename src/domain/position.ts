/** Positions and account figures. Spec: 1 §2.6, §4.1, §4.4; records §4, §7. */
import type { Decimal } from "../core/decimal.ts";
import type { PositionSide } from "./order.ts";

/** One open position as the venue gives it: money in quote currency, times the venue's. */
export interface Position {
  readonly symbol: string;
  /** LONG or SHORT; in one-way mode too, read from the sign of the quantity. */
  readonly side: "LONG" | "SHORT";
  /** Positive, in the venue's order unit. */
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  readonly markPrice: Decimal;
  readonly unrealizedPnl: Decimal;
  readonly leverage: number;
  /** Estimated liquidation price; null when the venue states none. */
  readonly liquidationPrice: Decimal | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What a position push reports. Records §11.3. */
export interface PositionUpdate {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  /** Signed in one-way mode. */
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  readonly leverage: number | null;
  /** When the position became so, by the venue's clock; absent where its pushes bear no time. */
  readonly atMs?: number;
}

/** A forced reduction of one position; figures that the venue left out are zero, `atMs` is its time. */
export interface Liquidation {
  readonly exchange: string;
  readonly symbol: string;
  readonly positionSide: PositionSide;
  readonly reducedQty: Decimal;
  readonly closedPnl: Decimal;
  readonly fee: Decimal;
  readonly atMs: number;
}

/** BOTH: hedge mode, a long and a short of one symbol side by side. NET: one-way mode. Spec: 1 §2.6. */
export type PositionMode = "BOTH" | "NET";

/** One exchange account of the portfolio. All money in USDT. */
export interface ExchangeAccount {
  /** The venue's own name of the portfolio; absent where it gives none. */
  readonly portfolioId?: string;
  readonly exchange: string;
  readonly equity: Decimal;
  readonly availableMargin: Decimal;
  readonly maintenanceMargin: Decimal;
  /** What of `equity` is not realised, at the venue's marks; null where it does not say. */
  readonly unrealizedPnl: Decimal | null;
  /** Null where it does not say: no mode may be assumed. Records §4.3. */
  readonly positionMode: PositionMode | null;
  /** NORMAL, MARGIN_CALL, CANCEL_OPEN, CANCEL_ALL, LIQUIDATING, TAKEOVER. Records §4.2. */
  readonly status: string;
}

/** One coin of one exchange account. */
export interface Asset {
  readonly exchange: string;
  readonly coin: string;
  readonly balance: Decimal;
  readonly available: Decimal;
  readonly frozen: Decimal;
}

/** What is reported before a settlement; the rate may change until then. */
export interface Funding {
  readonly symbol: string;
  /** Fraction per settlement; positive means longs pay shorts. */
  readonly rate: Decimal;
  readonly nextFundingAtMs: number;
}

/** One key for a position: hedge mode holds a long and a short of one symbol side by side. */
export const positionKeyOf = (symbol: string, side: "LONG" | "SHORT"): string => `${symbol}|${side}`;

export const otherSide = (side: "LONG" | "SHORT"): "LONG" | "SHORT" => (side === "LONG" ? "SHORT" : "LONG");

/** What a key stands for. */
export function positionOf(key: string): { readonly symbol: string; readonly side: "LONG" | "SHORT" } {
  const at = key.lastIndexOf("|");
  return { symbol: key.slice(0, at), side: key.endsWith("|SHORT") ? "SHORT" : "LONG" };
}

/** The positions that a push speaks of: in one-way mode of both. */
export const sidesReported = (positionSide: PositionSide): readonly ("LONG" | "SHORT")[] =>
  positionSide === "NONE" ? ["LONG", "SHORT"] : [positionSide];
