/** Before a funding settlement that costs a held leg more than the set share of its value, one extra decision is asked for. */
import type { AgentState } from "../state/state.ts";

const MARKS_KEPT = 200;

/** On every tick when ready; once a leg and settlement. A `beforeMs` of 0 switches it off. */
export function watchFunding(state: AgentState, nowMs: number): void {
  const { beforeMs, costShare } = state.settings.fundingCheck;
  if (beforeMs === 0) return;
  const { fundingTold } = state.mind;
  for (const leg of state.legs.all()) {
    const funding = state.context.funding(leg.symbol);
    if (!funding || nowMs < funding.nextAtMs - beforeMs || nowMs >= funding.nextAtMs) continue;
    const cost = leg.side === "LONG" ? funding.rate : -funding.rate;
    if (!(cost >= costShare) || fundingTold.get(leg.key) === funding.nextAtMs) continue;
    fundingTold.set(leg.key, funding.nextAtMs);
    const minutes = Math.max(1, Math.round((funding.nextAtMs - nowMs) / 60_000));
    const text = `${leg.symbol} ${leg.side} pays ${(cost * 100).toFixed(3)} % in ${minutes} minutes`;
    state.cadence.happen("funding", text, nowMs);
  }
  if (fundingTold.size > MARKS_KEPT) fundingTold.clear();
}
