/** Keeps the leverage settings of the universe below the phase's cap. Spec: 3 §8; invariant I12. */
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";

const LEVERAGE_RETRY_MS = 15_000;

/** Lowers every symbol's leverage to the phase's cap before anything may be opened in it. */
export function keepLeverage(state: AgentState, { nowMs, out }: At): void {
  const cap = state.settings.leverage;
  for (const symbol of state.settings.universe) {
    const found = state.leverage.get(symbol);
    if (!state.rules.has(symbol) || (found !== undefined && found <= cap)) continue;
    if (nowMs - (state.leverageAsked.get(symbol) ?? -Infinity) < LEVERAGE_RETRY_MS) continue;
    state.leverageAsked.set(symbol, nowMs);
    out.ask({ kind: "set-leverage", symbol, leverage: cap });
  }
}
