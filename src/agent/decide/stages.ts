/** How a run becomes ready to decide, and how it ends. */
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { othersStay, withdrawOpenings } from "../reconcile/cancel-order.ts";
import { seatShadows, writeShadows } from "./shadows.ts";
import { type AgentState, tradesHedged } from "../state/state.ts";
import { bootRow } from "../../rows/boot.ts";
import { counted } from "../../core/words.ts";

/** Ready means: account, rules and leverage are read, the equity is confirmed, the streams are up, and earlier orders are accounted for. */
export function becomeReady(state: AgentState, { nowMs, out }: At): void {
  if (state.equity.readAtMs() === null || state.equity.isUnsure() || state.reconcileDueMs !== null) return;
  if (state.rules.size === 0 || state.leverage.size === 0) return;
  if (!state.streams.market || !state.streams.user || !state.context.warm(nowMs)) return;
  state.stage = "ready";
  state.cadence.start(nowMs);
  seatShadows(state, { nowMs, out });
  const { universe } = state.settings;
  out.record(bootRow({ boot: state.runId, ready: true, strategy: state.strategies.chosen.strategy.name }));
  out.log(
    "info",
    "agent.ready",
    `${counted(universe.length, "symbol")}, strategy ${state.strategies.chosen.strategy.name}, position mode ${tradesHedged(state) ? "BOTH" : "NET"}, ${counted(state.positions.all().length, "position")} adopted, ready after ${((nowMs - state.startedAtMs) / 1_000).toFixed(1)} s`,
    {
      afterMs: Math.round(nowMs - state.startedAtMs),
      strategy: state.strategies.chosen.strategy.name,
      mode: tradesHedged(state) ? "BOTH" : "NET",
    },
  );
}

/** No new decision from here on; resting opening orders are withdrawn unless the settings keep them. */
export function onStop(state: AgentState, event: Extract<AgentEvent, { kind: "stop" }>, { out }: At): void {
  if (state.stage === "stopping") return;
  state.stage = "stopping";
  state.stopReason = event.reason;
  state.pending = null;
  const positions = state.positions.all().length;
  const said = `${event.reason}, ${counted(positions, "position")} held${othersStay(state)}`;
  out.log("info", "agent.stopping", said, { positions });
  writeShadows(state, { nowMs: event.atMs, out });
  if (state.settings.execution.onStopOpenOrders === "keep") return;
  withdrawOpenings(state, { nowMs: event.atMs, out, why: "the agent stops" });
}
