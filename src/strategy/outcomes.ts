/** Own closed trades as figures to learn from, without any text by a strategy or a model. */
import { toFloat } from "../core/decimal.ts";
import { type Snapshot, symbolView } from "../context/snapshot.ts";
import { factsOf, type ThesisFacts } from "./thesis.ts";

/** One closed trade; `facts` is empty if the thesis of its opening had none. */
export interface TradeOutcome {
  readonly strategy: string | null;
  /** Result after fees and funding, divided by the value at entry. */
  readonly share: number;
  readonly won: boolean;
  readonly facts: ThesisFacts;
}

/** Newest first. A trade with an unknown exit is omitted. */
export function outcomesOf(snapshot: Snapshot): readonly TradeOutcome[] {
  return (snapshot.account?.recentTrades ?? []).flatMap((trade) => {
    const contract = symbolView(snapshot, trade.symbol)?.rules?.contractSize;
    const value = toFloat(trade.qty) * toFloat(trade.entryPrice) * (contract ? toFloat(contract) : 1);
    if (!(value > 0) || trade.netUsdt === null) return [];
    const net = toFloat(trade.netUsdt);
    return [{ strategy: trade.strategy, share: net / value, won: net > 0, facts: factsOf(trade.thesis) }];
  });
}
