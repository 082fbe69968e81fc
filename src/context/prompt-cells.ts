/** Cells of the tables of prompts: figures rounded for reading. */

/** Figures are already rounded text; null and an empty text print as a dash. */
export type Cell = string | number | null;
/** Cells by column, in print order. */
export type Row = Readonly<Record<string, Cell>>;

/** With its sign; null for what is not known. */
export const signed = (value: number | null | undefined, digits: number, scale = 1): string | null => {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const text = (value * scale).toFixed(digits);
  return value > 0 && !text.startsWith("+") ? `+${text}` : text;
};

/** Without one. */
export const plain = (value: number | null, digits: number, scale = 1): string | null =>
  value === null || !Number.isFinite(value) ? null : (value * scale).toFixed(digits);

/** Six significant digits, never an exponent. */
export const price = (value: number | null): string | null => {
  if (value === null || !(value > 0)) return null;
  const decimals = Math.max(0, Math.min(10, 5 - Math.floor(Math.log10(value))));
  return value.toFixed(decimals);
};
