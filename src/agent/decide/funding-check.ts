/** Before a funding settlement that costs a held position more than a set share of its value, requests an extra decision. */
import type { AgentState } from "../state/state.ts";

const MARKS_KEPT = 200;

/** On every tick when ready; at most once for each position and settlement. A `checkBefore` of 0 switches it off. */
export function watchFunding(state: AgentState, nowMs: number): void {
  const { checkBefore, costShare } = state.settings.funding;
  if (checkBefore === 0) return;
  const { fundingReported } = state.deciding;
  for (const held of state.positions.all()) {
    const funding = state.context.funding(held.symbol);
    if (!funding || nowMs < funding.nextAtMs - checkBefore || nowMs >= funding.nextAtMs) continue;
    const cost = held.side === "LONG" ? funding.rate : -funding.rate;
    if (!(cost >= costShare) || fundingReported.get(held.key) === funding.nextAtMs) continue;
    fundingReported.set(held.key, funding.nextAtMs);
    const minutes = Math.max(1, Math.round((funding.nextAtMs - nowMs) / 60_000));
    const text = `${held.symbol} ${held.side} pays ${(cost * 100).toFixed(3)} % in ${minutes} minutes`;
    state.cadence.happen("funding", text, nowMs);
  }
  if (fundingReported.size > MARKS_KEPT) fundingReported.clear();
}
