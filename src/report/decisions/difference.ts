/** The first difference between two plain values, in words; null if they are identical, bit for bit. */
import { Decimal } from "../../core/decimal.ts";
import { encodePage } from "../../journal/page-codec.ts";

type Fields = Readonly<Record<string, unknown>>;

const isBranch = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Decimal.isDecimal(value);

const SHOWN_CHARS = 120;
const show = (value: unknown): string => (value === undefined ? "nothing" : encodePage(value).slice(0, SHOWN_CHARS));

/** Members that are undefined count as absent. */
export function firstDifference(then: unknown, now: unknown, path = ""): string | null {
  if (isBranch(then) && isBranch(now) && Array.isArray(then) === Array.isArray(now)) {
    for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
      const found = firstDifference(then[name], now[name], path === "" ? name : `${path}.${name}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (typeof then === "string" && typeof now === "string") return textDifference(then, now, path);
  return encodePage(then) === encodePage(now) ? null : `${path || "the value"} was ${show(then)}, is ${show(now)}`;
}

/** A long text is shown from the point where it differs. */
function textDifference(then: string, now: string, path: string): string | null {
  if (then === now) return null;
  let at = 0;
  while (at < then.length && then[at] === now[at]) at++;
  const from = Math.max(0, at - 20);
  const where = at > 40 ? ` at character ${at}` : "";
  return `${path || "the text"}${where} was ${show(then.slice(from))}, is ${show(now.slice(from))}`;
}
