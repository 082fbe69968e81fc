/** What the agent decided last, and what became of it: for strategies that judge their own past. */
import type { AccountView, OwnDecision } from "../../context/snapshot.ts";
import { type Decimal, toFloat } from "../../core/decimal.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { markOf } from "../state/worth.ts";
import type { AgentState, Decided } from "../state/state.ts";

const KEPT = 12;
/** A target that only repeats what stands says nothing new. */
const SAME_SIZE = 0.1;

/** Called for each decision. Targets that repeat the last one on their position are left out. */
export function noteDecided(
  state: AgentState,
  decisionId: string,
  targets: readonly TargetPosition[],
  nowMs: number,
): void {
  for (const { symbol, leg, size } of targets) {
    const last = state.decided.findLast((one) => one.symbol === symbol && one.leg === leg);
    if (last && Math.abs(last.size - size) < SAME_SIZE && (last.size === 0) === (size === 0)) continue;
    const price = markOf(state, symbol, nowMs)?.toNumber() ?? null;
    state.decided.push({ decisionId, atMs: nowMs, symbol, leg, size, price });
  }
  state.decided.splice(0, Math.max(0, state.decided.length - KEPT));
}

/** What the results of own decisions are computed from, newest first, with the mark of each symbol at that instant. */
export interface DecidedThen {
  readonly decided: readonly { readonly one: Decided; readonly mark: Decimal | null }[];
  readonly account: AccountView | null;
}

export const decidedThen = (state: AgentState, account: AccountView | null, nowMs: number): DecidedThen => ({
  decided: state.decided.toReversed().map((one) => ({ one, mark: markOf(state, one.symbol, nowMs) })),
  account,
});

/** Newest first. */
export function ownDecisions({ decided, account }: DecidedThen): readonly OwnDecision[] {
  return decided.map(({ one, mark }) => {
    const now = mark && toFloat(mark);
    const direction = (one.leg === "LONG" ? 1 : -1) * (one.size === 0 ? -1 : 1);
    return {
      decisionId: one.decisionId,
      atMs: one.atMs,
      symbol: one.symbol,
      stance: one.size === 0 ? "FLAT" : one.leg,
      size: one.size,
      price: one.price,
      moved: one.price !== null && one.price > 0 && now !== null ? direction * (now / one.price - 1) : null,
      result: resultOf(one, account),
    };
  });
}

function resultOf(
  { decisionId, symbol, leg, size, atMs }: Decided,
  account: AccountView | null,
): OwnDecision["result"] {
  const ours = ({ position }: AccountView["positions"][number]): boolean =>
    position.symbol === symbol && position.side === leg;
  const trades = account?.recentTrades.filter((trade) => trade.symbol === symbol && trade.side === leg) ?? [];
  if (size === 0) {
    const closed = trades.find(({ closedAtMs }) => closedAtMs >= atMs);
    return closed ? { kind: "closed", usdt: closed.netUsdt?.toNumber() ?? null } : { kind: "none", usdt: null };
  }
  const held = account?.positions.find((each) => ours(each) && each.decisionId === decisionId);
  if (held) {
    const usdt = held.position.unrealizedPnl.sub(held.feesUsdt).add(held.fundingUsdt);
    return { kind: "open", usdt: usdt.toNumber() };
  }
  const closed = trades.find((trade) => trade.decisionId === decisionId);
  return closed ? { kind: "closed", usdt: closed.netUsdt?.toNumber() ?? null } : { kind: "none", usdt: null };
}
