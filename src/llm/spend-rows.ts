/** Reads the budget's rows, and formats USD for booking and display. */
import { type Decimal, toWire } from "../core/decimal.ts";
import { type ModelReserveRow, readModelReserve } from "../rows/model-reserve.ts";
import { type ModelSettleRow, readModelSettle } from "../rows/model-settle.ts";
import type { WrittenRow } from "../rows/row.ts";

/** A row of the budget: a reservation or a booking. */
export type SpendEntry =
  | { readonly kind: "model-reserve"; readonly body: ModelReserveRow }
  | { readonly kind: "model-settle"; readonly body: ModelSettleRow };

/** Null for a row of another kind. Throws RowError for an invalid row of the budget: money is never guessed. */
export function readSpendRow(row: WrittenRow): SpendEntry | null {
  if (row.kind === "model-reserve") return { kind: row.kind, body: readModelReserve(row) };
  return row.kind === "model-settle" ? { kind: row.kind, body: readModelSettle(row) } : null;
}

/** For booking: twelve decimals, rounded up, on the safe side. */
export const bookedUsd = (amount: Decimal): Decimal => amount.toDecimalPlaces(12, 0);
/** The same as text. */
export const usdText = (amount: Decimal): string => toWire(bookedUsd(amount));
/** For display: four places, and two significant digits below a cent. */
export const shownUsd = (amount: Decimal): string =>
  toWire(amount.abs().lt("0.01") ? amount.toSignificantDigits(2) : amount.toDecimalPlaces(4));
