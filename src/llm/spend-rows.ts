/** The rows of the model budget as the purse reads them, and USD as it is booked and shown. */
import { type Decimal, toWire } from "../core/decimal.ts";
import { type ModelReserveRow, readModelReserve } from "../rows/model-reserve.ts";
import { type ModelSettleRow, readModelSettle } from "../rows/model-settle.ts";
import type { WrittenRow } from "../rows/row.ts";

/** A row of the purse: a reservation, or a booking. */
export type SpendEntry =
  | { readonly kind: "model-reserve"; readonly body: ModelReserveRow }
  | { readonly kind: "model-settle"; readonly body: ModelSettleRow };

/** Null for a row of another kind. Throws RowError for one of the purse that does not fit: money is not guessed. */
export function readSpendRow(row: WrittenRow): SpendEntry | null {
  if (row.kind === "model-reserve") return { kind: row.kind, body: readModelReserve(row) };
  return row.kind === "model-settle" ? { kind: row.kind, body: readModelSettle(row) } : null;
}

/** As it is booked: twelve decimals, what is finer is rounded up, against us. */
export const bookedUsd = (amount: Decimal): Decimal => amount.toDecimalPlaces(12, 0);
/** The same as text. */
export const usdText = (amount: Decimal): string => toWire(bookedUsd(amount));
/** For a person: four places, and two digits of what is smaller than a cent. */
export const shownUsd = (amount: Decimal): string =>
  toWire(amount.abs().lt("0.01") ? amount.toSignificantDigits(2) : amount.toDecimalPlaces(4));
