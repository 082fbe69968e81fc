/** The closed trades of a journal, oldest first, with their sums. */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import { isoTime } from "../../core/time.ts";
import type { JournalReader } from "../../journal/reader.ts";
import { type ClosedTradeRow, readTrade } from "../../rows/trade.ts";

/** An omitted condition does not restrict. `symbol` is a part of the name in any case; `toMs` is exclusive. */
export interface TradeFilter {
  readonly symbol?: string;
  readonly strategy?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** What `--json` prints of one trade: instants ISO 8601, money in USDT as decimal text; null where not known. */
export interface TradeFacts {
  readonly closedAt: string;
  readonly symbol: string;
  readonly side: string;
  readonly qty: string;
  readonly entryPrice: string;
  readonly exitPrice: string | null;
  readonly heldMs: number;
  /** After fees and funding. */
  readonly netUsdt: string | null;
  readonly feesUsdt: string;
  readonly fundingUsdt: string;
  readonly exit: string;
  readonly exitReason: string;
  readonly strategy: string | null;
  /** What answered the decision that opened it. */
  readonly model: string | null;
}

/** `unknown` trades have no known result and are missing from `netUsdt`. */
export interface TradesTotal {
  readonly trades: number;
  readonly unknown: number;
  readonly netUsdt: string;
  readonly feesUsdt: string;
  readonly fundingUsdt: string;
}

/** The trades that meet the filter, by the time they were closed. */
export function closedTrades(reader: JournalReader, filter: TradeFilter): readonly ClosedTradeRow[] {
  const { symbol, strategy, fromMs = 0, toMs = Infinity } = filter;
  const part = symbol?.toUpperCase();
  const trades: ClosedTradeRow[] = [];
  for (const row of reader.rows({ kinds: ["trade"] })) {
    const trade = readTrade(row);
    if (trade.event !== "closed") continue;
    if (trade.closedAtMs < fromMs || trade.closedAtMs >= toMs) continue;
    if (part !== undefined && !trade.symbol.toUpperCase().includes(part)) continue;
    if (strategy !== undefined && trade.strategy !== strategy) continue;
    trades.push(trade);
  }
  return trades.sort((a, b) => a.closedAtMs - b.closedAtMs);
}

/** One trade as it is shown; `modelOf` names what answered its decision. */
export const tradeFacts = (trade: ClosedTradeRow, modelOf: (trade: ClosedTradeRow) => string | null): TradeFacts => ({
  closedAt: isoTime(trade.closedAtMs),
  symbol: trade.symbol,
  side: trade.side,
  qty: toWire(trade.qty),
  entryPrice: toWire(trade.entryPrice),
  exitPrice: trade.exitPrice && toWire(trade.exitPrice),
  heldMs: Math.round(trade.closedAtMs - trade.openedAtMs),
  netUsdt: trade.netUsdt && toWire(trade.netUsdt),
  feesUsdt: toWire(trade.feesUsdt),
  fundingUsdt: toWire(trade.fundingUsdt),
  exit: trade.exit,
  exitReason: trade.exitReason,
  strategy: trade.strategy,
  model: modelOf(trade),
});

/** The sums over all given trades. */
export function tradesTotal(trades: readonly ClosedTradeRow[]): TradesTotal {
  const sum = (of: (trade: ClosedTradeRow) => Decimal | null): string =>
    toWire(trades.reduce((total, trade) => total.plus(of(trade) ?? ZERO), ZERO));
  return {
    trades: trades.length,
    unknown: trades.filter(({ netUsdt }) => netUsdt === null).length,
    netUsdt: sum(({ netUsdt }) => netUsdt),
    feesUsdt: sum(({ feesUsdt }) => feesUsdt),
    fundingUsdt: sum(({ fundingUsdt }) => fundingUsdt),
  };
}
