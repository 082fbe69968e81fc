/**
 * The verifier's own decimals: an integer and its number of digits after the point. Sums, products and comparisons
 * are exact; there is no division. Shares no code with the arithmetic it checks.
 */

export interface Num {
  readonly digits: bigint;
  /** Digits after the point. */
  readonly scale: number;
}

const PLAIN = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/;

/** Zero; also the value of a figure missing from an export. */
export const NIL: Num = { digits: 0n, scale: 0 };

/** Reads a plain decimal text or a finite number; null for anything else, exponents included. */
export function num(value: unknown): Num | null {
  const text = typeof value === "number" && Number.isFinite(value) ? plainText(value) : value;
  const match = typeof text === "string" ? PLAIN.exec(text) : null;
  if (!match) return null;
  const [, sign = "", whole = "", part = ""] = match;
  const digits = BigInt(whole + part);
  return { digits: sign === "-" ? -digits : digits, scale: part.length };
}

/** JavaScript writes small and large numbers with an exponent; this expands them. */
function plainText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20) : text;
}

const raised = ({ digits, scale }: Num, to: number): bigint =>
  to === scale ? digits : digits * 10n ** BigInt(to - scale);

function joined(a: Num, b: Num, make: (a: bigint, b: bigint) => bigint): Num {
  const scale = Math.max(a.scale, b.scale);
  return { digits: make(raised(a, scale), raised(b, scale)), scale };
}

/** The result has the finer scale of the two. */
export const add = (a: Num, b: Num): Num => joined(a, b, (x, y) => x + y);
/** The result has the finer scale of the two. */
export const sub = (a: Num, b: Num): Num => joined(a, b, (x, y) => x - y);
/** The scales add up; nothing is rounded. */
export const mul = (a: Num, b: Num): Num => ({ digits: a.digits * b.digits, scale: a.scale + b.scale });
export const neg = (a: Num): Num => ({ digits: -a.digits, scale: a.scale });
export const abs = (a: Num): Num => (a.digits < 0n ? neg(a) : a);
/** Zero for an empty list. */
export const sum = (all: Iterable<Num>): Num => [...all].reduce(add, NIL);

/** Negative, zero or positive, as `a` is below, equal to or above `b`. */
export function cmp(a: Num, b: Num): number {
  const { digits } = sub(a, b);
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}
/** By value, strictly. */
export const lt = (a: Num, b: Num): boolean => cmp(a, b) < 0;
/** By value, strictly. */
export const gt = (a: Num, b: Num): boolean => cmp(a, b) > 0;
/** By value: 1.0 equals 1.00. */
export const eq = (a: Num, b: Num): boolean => cmp(a, b) === 0;
/** Zero of any scale. */
export const isNil = (a: Num): boolean => a.digits === 0n;
/** -1, 0 or 1. */
export const sign = (a: Num): number => cmp(a, NIL);
/** `a` if both are equal. */
export const max = (a: Num, b: Num): Num => (lt(a, b) ? b : a);
/** `a` if both are equal. */
export const min = (a: Num, b: Num): Num => (lt(b, a) ? b : a);

/** Whether `a` is a multiple of `step`; everything is a multiple of zero. */
export function isWholeIn(a: Num, step: Num): boolean {
  const scale = Math.max(a.scale, step.scale);
  const size = raised(step, scale);
  return size === 0n || raised(a, scale) % size === 0n;
}

/** One in the last digit that is not zero: 10 of 59040, 0.01 of 0.63. */
export function lastDigit({ digits, scale }: Num): Num {
  let unit = 1n;
  while (digits !== 0n && digits % (unit * 10n) === 0n) unit *= 10n;
  return { digits: unit, scale };
}

/** Plain text without trailing zeros. */
export function show(a: Num): string {
  const minus = a.digits < 0n ? "-" : "";
  const text = (a.digits < 0n ? -a.digits : a.digits).toString().padStart(a.scale + 1, "0");
  const whole = text.slice(0, text.length - a.scale);
  const part = a.scale === 0 ? "" : text.slice(-a.scale).replace(/0+$/, "");
  return `${minus}${whole}${part === "" ? "" : `.${part}`}`;
}
