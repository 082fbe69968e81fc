/**
 * The one wording of lessons, for prompts and for people. Made of typed members alone, with the count of the trades and how
 * far their share of wins can be trusted: two trades are hardly evidence, and the reader sees it.
 */
import { shareInterval } from "../domain/share-interval.ts";
import { baseOf } from "../domain/symbol.ts";
import type { Lesson, LessonKind } from "./memory.ts";
import { counted } from "../core/words.ts";

const WORDS: Readonly<Record<LessonKind, string>> = {
  "avoid-symbol": "lost after costs; stay out or ask for more",
  "avoid-leg": "this side lost after costs",
  "costs-too-high": "costs ate the gains; only moves of at least VALUE percent are worth it",
  "hold-longer": "was given up too early; hold at least VALUE minutes",
  "hold-shorter": "was held too long; give it up after VALUE minutes",
  "stop-wider": "stops were hit by noise; at least VALUE percent away",
  "stop-tighter": "losses ran too far; stop at most VALUE percent away",
  "news-misled": "openings on news alone lost",
  "trade-less": "traded too often; at most VALUE round trips a day",
  "keep-doing": "earned after costs; go on like that",
};

/** For example `BTC LONG: was given up too early; hold at least 45 minutes (1 of 3 trades won, 95 %: 6 to 79 %)`. */
export function lessonText({ kind, symbol, leg: positionSide, value, evidence, won }: Lesson): string {
  const about = `${symbol === null ? "all symbols" : baseOf(symbol)}${positionSide === null ? "" : ` ${positionSide}`}`;
  const said = WORDS[kind].replace("VALUE", value === null ? "?" : String(value));
  const trades = counted(evidence.length, "trade");
  if (won === undefined) return `${about}: ${said} (${trades})`;
  const { low, high } = shareInterval(won, evidence.length);
  return `${about}: ${said} (${won} of ${trades} won, 95 %: ${Math.round(low * 100)} to ${Math.round(high * 100)} %)`;
}
