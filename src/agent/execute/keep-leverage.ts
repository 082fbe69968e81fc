/** Keeps the leverage settings of the universe below the phase's cap. Spec: 3 §8; invariant I12. */
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";
import { leverageOf } from "../view/risk-view.ts";

const LEVERAGE_RETRY_MS = 15_000;

/**
 * Lowers every symbol's leverage to the phase's cap before anything may be opened in it. Where the venue gives the settings of other
 * symbols and none of this one, it is set again: what was set is then read back by itself.
 */
export function keepLeverage(state: AgentState, { nowMs, out }: At): void {
  const cap = state.settings.leverage;
  const newestMs = Math.max(...state.leverageReadMs.values());
  for (const symbol of state.settings.universe) {
    const found = leverageOf(state, symbol, newestMs);
    if (!state.rules.has(symbol) || (found !== null && found <= cap)) continue;
    if (nowMs - (state.leverageAsked.get(symbol) ?? -Infinity) < LEVERAGE_RETRY_MS) continue;
    state.leverageAsked.set(symbol, nowMs);
    out.ask({ kind: "set-leverage", symbol, leverage: cap });
  }
}
