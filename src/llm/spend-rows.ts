/** The ledger rows of the model budget as they stand in the journal: money as decimal strings, read back with care. */
import { z } from "zod";
import { DECIMAL_PATTERN, type Decimal, dec, toWire } from "../core/decimal.ts";

const usd = z.string().regex(DECIMAL_PATTERN);

/** Written before a call: the most it can cost, its repair included. */
const ReserveBody = z.looseObject({
  attemptId: z.string(),
  decisionId: z.string(),
  purpose: z.string(),
  model: z.string(),
  atMs: z.number(),
  boundUsd: usd,
});

/** Ends a reservation, or adopts what the gateway has booked beyond our own ledger. */
const SettleBody = z.looseObject({
  attemptId: z.string(),
  atMs: z.number(),
  costUsd: usd,
  /**
   * "actual", "estimated" (counted by us, where no usage was stated), "bound" (outcome unknown), "nothing" (provably not
   * billed) or "crash"; "corrected" lowers an earlier booking at a bound; "adopted", "reported" and "boundary" are the
   * gateway's own figures.
   */
  how: z.string(),
  /** The gateway's figure at this instant, where the row comes from it. */
  reportedUsd: usd.nullish(),
  /** From this row on budget days begin so many milliseconds after midnight UTC. */
  boundaryMs: z.number().min(0).max(86_400_000).nullish(),
});

/** Money as decimal text in USD; `atMs` is wall time. */
export type ReserveRow = z.infer<typeof ReserveBody>;
/** Money as decimal text in USD; `atMs` is wall time. `how` tells a booking from an adoption. */
export type SettleRow = z.infer<typeof SettleBody>;
/** A row of the purse after its body has been checked. */
export type SpendEntry =
  | { readonly kind: "model-reserve"; readonly body: ReserveRow }
  | { readonly kind: "model-settle"; readonly body: SettleRow };

/** Null for a row that is none of ours. */
export function readSpendRow(row: { readonly kind: string; readonly body: unknown }): SpendEntry | null {
  if (row.kind === "model-reserve") {
    const body = ReserveBody.safeParse(row.body);
    return body.success ? { kind: row.kind, body: body.data } : null;
  }
  if (row.kind === "model-settle") {
    const body = SettleBody.safeParse(row.body);
    return body.success ? { kind: row.kind, body: body.data } : null;
  }
  return null;
}

/** Thirty decimals are kept by the pattern; what is finer is rounded up, against us. */
export const usdText = (amount: Decimal): string => toWire(amount.toDecimalPlaces(12, 0));
/** For a person: four places, and two digits of what is smaller than a cent. */
export const shownUsd = (amount: Decimal): string =>
  toWire(amount.abs().lt("0.01") ? amount.toSignificantDigits(2) : amount.toDecimalPlaces(4));
/** For texts of a row that `readSpendRow` has checked; anything else may throw. */
export const usdOf = (text: string): Decimal => dec(text);
