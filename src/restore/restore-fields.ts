/** Fields of the bodies of rows: what is no text counts as not told. */
import { dec, type Decimal } from "../core/decimal.ts";

export const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
/** Throws on text that is no plain decimal. */
export const price = (value: unknown): Decimal | null => (typeof value === "string" ? dec(value) : null);

/** The bodies of `wire-out` and `wire-in` rows, as far as a start reads them. */
export interface WriteBody {
  readonly action?: unknown;
  readonly previewId?: unknown;
  readonly outcome?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly reply?: { readonly orderId?: unknown } | null;
}
