/**
 * The facts behind an opening order just before it is sent, in plain figures for its wire-out row, from which an
 * independent reader judges freshness, leverage and exposure. Invariants I7, I11, I12, I15, I17, I18.
 */
import type { Intent } from "../books/intents.ts";
import { riskViewOf } from "./risk-view.ts";
import type { AgentState } from "../state/state.ts";
import type { Seen } from "../../rows/seen.ts";

/** Ages in ms (null: never read), money in USDT. `counted` is every opening order that the exposure held, by its id. */
export function seenFor(state: AgentState, { draft }: Pick<Intent, "draft">, nowMs: number): Seen | null {
  const view = riskViewOf(state, nowMs);
  if (!view) return null;
  const { symbol } = draft.order;
  const risk = view.symbols.get(symbol);
  const readMs = state.leverageReadMs.get(symbol);
  return {
    atMs: nowMs,
    phase: view.phase,
    floor: view.floorState,
    hedgeMode: view.hedgeMode,
    equityUsdt: view.equityUsdt,
    bookAgeMs: age(risk?.bookAgeMs),
    markAgeMs: age(risk?.markAgeMs),
    accountAgeMs: age(view.accountAgeMs),
    clockUncertaintyMs: age(view.clockUncertaintyMs),
    leverage: risk?.leverage ?? null,
    leverageAgeMs: readMs === undefined ? null : nowMs - readMs,
    mark: risk?.mark ?? null,
    rules: risk?.rules
      ? {
          tick: risk.rules.tickSize,
          lot: risk.rules.lotSize,
          minNotional: risk.rules.minNotional,
          contractSize: risk.rules.contractSize,
        }
      : null,
    counted: [
      ...view.openOrders.map((order) => order.clientOrderId),
      ...view.inFlight.map((flight) => flight.clientOrderId),
    ],
  };
}

const age = (ms: number | undefined): number | null => (ms !== undefined && Number.isFinite(ms) ? ms : null);
