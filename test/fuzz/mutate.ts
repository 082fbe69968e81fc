/** Changes to texts and JSON values as a broken sender makes them, drawn from a seed. */
import type { Entropy } from "../../src/core/entropy.ts";

const ODD: readonly unknown[] = [
  ...[null, true, false, "", "0", "-0", "-1", "NaN", "Infinity", "1e309", "1e-400", "0x10", " 1 ", "１２"],
  ...[0, -1, 1e308, 1e-308, 0.1, 9_007_199_254_740_993, -9e15, 4_102_444_800_000],
  ...["LONG", "SHORT", "BUY", "SELL", "BOTH", "FILLED", "CANCELLED", "REJECTED", "TRUE", "__proto__", "constructor"],
  ...["EXCHANGE_A_PERP_BTC_USDT", "EXCHANGE_B_PERP_BTC_USDT", "EXCHANGE_A_SPOT_BTC_USDT", "\u0000", "\ud800", "🜁"],
  ...[[], {}, [[]], [null], { a: { b: {} } }, "x".repeat(2_000), [1, 2, 3]],
];
const BYTES = ["{", "}", "[", "]", '"', ",", ":", "\\", "\n", "\t", "\u0000", "0", "-", ".", "e", "é", "#", "'"];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const oneOf = <T>(entropy: Entropy, all: readonly T[]): T => all[entropy.int("which", 0, all.length)] as T;

/** Numbers keep their form as text, so that some changes pass every schema and reach what reads the figures. */
function otherValue(entropy: Entropy, value: unknown): unknown {
  const figure = Number(value);
  const isFigure = (typeof value === "number" || typeof value === "string") && value !== "" && Number.isFinite(figure);
  if (!isFigure || entropy.chance("odd", 0.4)) return oneOf(entropy, ODD);
  const changed = figure * oneOf(entropy, [-1, 0, 0.5, 0.99, 1.01, 2, 10, 1_000, 1e6]);
  return typeof value === "number" ? changed : String(changed);
}

/** One change somewhere below: a value, a missing, doubled, added or renamed member. */
export function otherJson(entropy: Entropy, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.length === 0 || entropy.chance("list", 0.2))
      return oneOf(entropy, [[], [...items, ...items], [...items].reverse(), items.slice(1), { ...items }]);
    const at = entropy.int("item", 0, items.length);
    return items.map((item, index) => (index === at ? otherJson(entropy, item) : item));
  }
  if (!isObject(value)) return otherValue(entropy, value);
  const names = Object.keys(value);
  if (names.length === 0) return oneOf(entropy, ODD);
  const name = oneOf(entropy, names);
  const { [name]: inner, ...rest } = value;
  switch (entropy.int("change", 0, 12)) {
    case 0:
      return rest;
    case 1:
      return { ...rest, [oneOf(entropy, names)]: inner };
    case 2:
      return { ...value, [oneOf(entropy, ["extra", "__proto__x", "data", "qty", "leverage"])]: oneOf(entropy, ODD) };
    case 3:
      return { ...value, [name]: oneOf(entropy, ODD) };
    default:
      return { ...value, [name]: otherJson(entropy, inner) };
  }
}

/** One change of the text itself. */
export function otherText(entropy: Entropy, text: string): string {
  const at = entropy.int("at", 0, text.length + 1);
  const length = entropy.int("length", 1, 20);
  switch (entropy.int("kind", 0, 5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + oneOf(entropy, BYTES) + text.slice(at);
    case 2:
      return text.slice(0, at) + oneOf(entropy, BYTES) + text.slice(at + 1);
    case 3:
      return text.slice(0, at) + text.slice(at + length);
    default:
      return text.slice(0, at) + text.slice(Math.max(0, at - length));
  }
}

/** Mostly changes that are JSON still, sometimes several; a fifth are changes of the text. */
export function mutated(entropy: Entropy, text: string): string {
  if (entropy.chance("text", 0.2)) return otherText(entropy, text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return otherText(entropy, text);
  }
  const changes = entropy.int("changes", 1, 4);
  for (let change = 0; change < changes; change++) value = otherJson(entropy, value);
  return JSON.stringify(value) ?? "";
}
