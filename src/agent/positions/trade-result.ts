/** A position that is over, whether all of its fills are known, and the closed trade that it comes to. */
import { type Decimal, dec, maxDecimal, ZERO } from "../../core/decimal.ts";
import type { ClosedTrade, ExitCause } from "../../domain/closed-trade.ts";
import type { PositionMeta } from "./positions.ts";
import type { OverPosition, TradeSums } from "./trade-fills.ts";

/** What else belongs to a position than its fills. */
export interface RoundTrip {
  readonly fundingUsdt: Decimal;
  readonly wanted: { readonly why: string; readonly cause: ExitCause } | null;
}

export const NEW_TRIP: RoundTrip = { fundingUsdt: ZERO, wanted: null };

export interface Ending extends RoundTrip, OverPosition {
  readonly meta: PositionMeta;
  readonly avgPrice: Decimal;
  readonly closedAtMs: number;
  /** When it began, by the venue's time; -Infinity where that is not known. */
  readonly begunMs: number;
  readonly missed: boolean;
}

export const lacksExit = ({ qty }: Ending, { entryQty, exitQty }: TradeSums): boolean =>
  exitQty.lt(maxDecimal(entryQty, qty));
/** True also if it was held before its opening fills were known. */
const lacksEntry = ({ qty }: Ending, { entryQty, exitQty }: TradeSums): boolean =>
  entryQty.lt(maxDecimal(exitQty, qty));
export const isWhole = (ending: Ending, sums: TradeSums): boolean =>
  !lacksExit(ending, sums) && !lacksEntry(ending, sums);

export function tradeOf(
  key: string,
  { meta, avgPrice, qty, begunMs, closedAtMs, fundingUsdt, wanted }: Ending,
  sums: TradeSums,
): ClosedTrade {
  const [symbol = "", side] = key.split("|");
  const { entryQty, entryValue, exitQty, exitValue, realizedUsdt, feesUsdt } = sums;
  const exitPrice = exitQty.gt(0) ? exitValue.div(exitQty) : null;
  const guessed = guessedCause(meta, exitPrice, side === "SHORT");
  return {
    // One order that rests may open several positions, one after the other.
    id: `${key}@${begunMs > -Infinity ? begunMs : meta.openedAtMs}`,
    symbol,
    side: side === "SHORT" ? "SHORT" : "LONG",
    qty: maxDecimal(entryQty, qty),
    entryPrice: entryQty.gt(0) ? entryValue.div(entryQty) : avgPrice,
    exitPrice,
    feesUsdt,
    fundingUsdt,
    netUsdt: exitPrice && realizedUsdt && realizedUsdt.sub(feesUsdt).add(fundingUsdt),
    openedAtMs: meta.openedAtMs,
    closedAtMs,
    decisionId: meta.decisionId,
    strategy: meta.strategy,
    thesis: meta.thesis,
    basis: meta.basis ?? "none",
    exit: wanted?.cause ?? guessed,
    exitReason: wanted?.why ?? (guessed === "outside" ? "closed at the venue" : guessed),
  };
}

/** We did not request the close: the stop or target nearest to the exit price shows the cause. */
function guessedCause({ stopPrice, targetPrice }: PositionMeta, exitPrice: Decimal | null, short: boolean): ExitCause {
  if (!exitPrice) return "outside";
  const beyond = (price: Decimal, worse: boolean): boolean =>
    worse === short ? exitPrice.gte(price.mul(SLACK.down)) : exitPrice.lte(price.mul(SLACK.up));
  if (stopPrice && beyond(stopPrice, true)) return "stop";
  if (targetPrice && beyond(targetPrice, false)) return "target";
  return "outside";
}

/** A stop fills at market, slightly above or below its price. */
const SLACK = { up: dec("1.003"), down: dec("0.997") };
