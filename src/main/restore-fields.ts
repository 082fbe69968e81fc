/** Fields of the bodies of rows: what is no text counts as not told. */
import { dec, type Decimal } from "../core/decimal.ts";

export const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const price = (value: unknown): Decimal | null => (typeof value === "string" ? dec(value) : null);
