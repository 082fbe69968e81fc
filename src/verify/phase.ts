/** The competition's fixed figures as this verifier reads document 3 §8. */
import { type Num, num, NIL } from "./decimal.ts";
import { type Rec, rec, text } from "./fields.ts";
import type { History } from "./history.ts";
import type { Write } from "./journal-view.ts";
import { matchedFrames } from "./wire-match.ts";

const exactly = (text: string): Num => num(text) ?? NIL;

/** Equity below this eliminates an account. */
export const FLOOR_USDT = exactly("800");
/** Model spend per day; a configured limit counts only if it is lower (I19). */
export const MODEL_LIMIT_USD = exactly("10");
/** Share of the cap that gross exposure may use. */
export const LEVERAGE_SHARE = exactly("0.95");

/**
 * Whether Phase II holds. A configuration alone does not begin it: it has to be the time that whoever judges gives, or else the
 * one that the configuration itself gives.
 */
export function isPhaseTwo({ phaseTwoMs, skewMs }: History, config: Rec, atMs: number): boolean {
  if (config["phase"] !== 2) return false;
  const own = Date.parse(text(rec(config, "competition") ?? {}, "phaseTwo") ?? "");
  const beginsMs = phaseTwoMs ?? (Number.isNaN(own) ? -Infinity : own);
  return atMs + skewMs >= beginsMs;
}

/** Opening leverage: 2x in Phase I, 5x in Phase II. */
export const phaseCap = (history: History, config: Rec, atMs: number): Num =>
  exactly(isPhaseTwo(history, config, atMs) ? "5" : "2");

/** Base assets of Phase I. */
export const PHASE_ONE: ReadonlySet<string> = new Set(
  (
    "BTC ETH BNB USDC XRP SOL TRX HYPE DOGE ZEC XLM ADA XMR LINK CC BCH LTC HBAR SUI LAB AVAX XAUT NEAR 1000SHIB M TAO " +
    "UNI PAXG WLFI ASTER ONDO WLD DOT SKY AAVE MORPHO ICP ETC DEXE 1000PEPE QNT BEAT KAS STABLE RENDER ATOM JUP POL ALGO JST"
  ).split(" "),
);

const kept = new WeakMap<History, ReadonlyMap<number, number>>();

/** By the wire log; without it, or if the write did not arrive, the time of its row. */
export function arrivalOf(history: History, { row }: Write): number {
  const known = kept.get(history);
  const arrivals =
    known ??
    new Map(
      matchedFrames(history).flatMap(({ write, frame, again }) =>
        write && !again ? [[write.row.seq, frame.atMs]] : [],
      ),
    );
  if (!known) kept.set(history, arrivals);
  return arrivals.get(row.seq) ?? row.atMs;
}
