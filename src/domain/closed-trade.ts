/** One round trip of our own: a position from its first fill until it was flat. All money in USDT. */
import type { Decimal } from "../core/decimal.ts";

/** What the opening rested on: figures of the market, news, both, or nothing that is known. */
export const TRADE_BASES = ["market", "news", "both", "none"] as const;
/** Made of an opening's evidence by `basisOf`. */
export type TradeBasis = (typeof TRADE_BASES)[number];

/** Why a position was given up, as a closed list: safe in a prompt. `outside`: nothing of ours asked for it. */
export const EXIT_CAUSES = ["stop", "target", "decision", "handover", "limit", "floor", "operator", "outside"] as const;
/** `stop`, `target` and `outside` come about at the venue without a write of ours. */
export type ExitCause = (typeof EXIT_CAUSES)[number];

/** `side` is the position that was held; prices are means by quantity, in quote currency. */
export interface ClosedTrade {
  readonly id: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  readonly entryPrice: Decimal;
  /** Null when no fill of the way out was ever seen. */
  readonly exitPrice: Decimal | null;
  readonly feesUsdt: Decimal;
  /** Received less paid, estimated from the rates we knew. */
  readonly fundingUsdt: Decimal;
  /** After fees and funding; null when the way out is not known. */
  readonly netUsdt: Decimal | null;
  readonly openedAtMs: number;
  readonly closedAtMs: number;
  readonly decisionId: string | null;
  readonly strategy: string | null;
  /** Why it was opened, in the words of the strategy or of a model: for a person, never for a prompt. */
  readonly thesis: string | null;
  readonly basis: TradeBasis;
  readonly exit: ExitCause;
  /** Why it ended, for a person: what asked for the close, or `stop`, `target`, `closed at the venue`. */
  readonly exitReason: string;
}

/** News items carry keys of the form `kind:id`; every other evidence names a figure. */
export function basisOf(evidence: readonly string[]): TradeBasis {
  const isNews = (name: string): boolean => /^(news|hot|featured):/.test(name);
  const news = evidence.some(isNews);
  const market = evidence.some((name) => !isNews(name));
  return news && market ? "both" : news ? "news" : market ? "market" : "none";
}

/** For rows read back at a start. */
export const isTradeBasis = (word: unknown): word is TradeBasis => TRADE_BASES.some((basis) => basis === word);
/** For rows read back at a start. */
export const isExitCause = (word: unknown): word is ExitCause => EXIT_CAUSES.some((cause) => cause === word);
