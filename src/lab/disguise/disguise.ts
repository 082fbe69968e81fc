/**
 * A disguise of a market: other names, another time, other prices. Returns, values in USDT, weekdays and hours of the
 * day stay the same. All parts are drawn from one seed, so that a run can be repeated.
 */
import type { Entropy } from "../../core/entropy.ts";
import { DAY_MS } from "../../core/time.ts";
import { parseSymbol } from "../../domain/symbol.ts";

export interface Disguise {
  /** Disguised base by true base. */
  readonly names: ReadonlyMap<string, string>;
  /** Shown time less true time: whole weeks, so that weekdays and hours of funding stay. */
  readonly shiftMs: number;
  /** By true base: shown prices over true ones, a power of two other than 1. */
  readonly factors: ReadonlyMap<string, number>;
}

const WEEK_MS = 7 * DAY_MS;
/** One to five years ahead: no model remembers those years, so no memory can mislead it. */
const [WEEKS_MIN, WEEKS_MAX] = [53, 261];
/**
 * Prices are shown at a quarter to a 64th of the truth, or at 4 to 64 times: close enough that figures keep about their
 * usual length.
 */
const [POWER_MIN, POWER_MAX] = [2, 6];
/** Three or four letters with a rare one in second place: it looks like a ticker, and no known ticker has this form. */
const [EDGES, RARE, VOWELS] = ["BCDFGHKLMNPRSTVW", "QXZJV", "AEIOUY"] as const;
const LETTERS = [EDGES, RARE, VOWELS, EDGES] as const;

/** For these bases. Equal for equal bases and draws; no made-up name is one of the bases. */
export function drawDisguise(bases: Iterable<string>, entropy: Entropy): Disguise {
  const all = [...new Set(bases)].sort(byName);
  const drawn = new Set<string>();
  while (drawn.size < all.length) {
    const name = drawName(entropy);
    if (!all.includes(name)) drawn.add(name);
  }
  // Disguised names sort like the bases, so that alphabetical ties, such as the order of two equal targets, come out
  // the same.
  const names = [...drawn].sort(byName);
  const factor = (): number =>
    2 ** (entropy.int("disguise:power", POWER_MIN, POWER_MAX + 1) * (entropy.chance("disguise:sign", 0.5) ? 1 : -1));
  return {
    names: new Map(all.map((base, at) => [base, names[at] ?? base])),
    shiftMs: entropy.int("disguise:weeks", WEEKS_MIN, WEEKS_MAX) * WEEK_MS,
    factors: new Map(all.map((base) => [base, factor()])),
  };
}

/** In a symbol an underscore follows the base. */
const byName = (a: string, b: string): number => (`${a}_` < `${b}_` ? -1 : 1);

function drawName(entropy: Entropy): string {
  const letters = LETTERS.map((from) => from[entropy.int("disguise:letter", 0, from.length)] ?? "");
  return letters.slice(0, entropy.chance("disguise:length", 0.5) ? 3 : 4).join("");
}

/** Returns the base unchanged if it is not part of the disguise. */
export const shownBase = ({ names }: Disguise, base: string): string => names.get(base) ?? base;

/** A base or a whole symbol as it is shown. */
export function shownSymbol(disguise: Disguise, symbol: string): string {
  const parts = parseSymbol(symbol);
  if (!parts.ok) return shownBase(disguise, symbol);
  const { exchange, type, base, quote } = parts.value;
  return `${exchange}_${type}_${shownBase(disguise, base)}_${quote}`;
}

/** The true bases by their made-up names. */
export const trueBases = ({ names }: Disguise): ReadonlyMap<string, string> =>
  new Map([...names].map(([base, shown]) => [shown, base]));

/** The true symbol of a shown one. */
export const trueSymbol = (disguise: Disguise, symbol: string): string =>
  shownSymbol({ ...disguise, names: trueBases(disguise) }, symbol);
