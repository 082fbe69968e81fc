/** A saved configuration arrives as an event: limits change at once, the strategy at this safe point between decisions. */
import { hashOf } from "../core/hash.ts";
import type { AgentEvent, Outbox } from "./events.ts";
import { closeLeg } from "./handle-protection.ts";
import type { AgentState } from "./state.ts";

export function onSettings(state: AgentState, event: Extract<AgentEvent, { kind: "settings" }>, out: Outbox): void {
  const before = state.strategies.chosen;
  state.settings = event.settings;
  state.strategies = event.strategies;
  state.bench.clear();
  const { chosen } = event.strategies;
  const renamed = before.strategy.name !== chosen.strategy.name;
  if (!renamed && hashOf(before.settings) === hashOf(chosen.settings)) return;
  // A question of the old strategy may still be on its way; its answer would be read by the wrong one.
  state.pending = null;
  out.record("config", {
    from: before.strategy.name,
    to: chosen.strategy.name,
    settings: chosen.settings,
    handover: event.settings.handover,
  });
  if (!renamed) return;
  out.log(
    "info",
    "strategy.switched",
    `${before.strategy.name} to ${chosen.strategy.name}; open positions: ${event.settings.handover}`,
    { positions: state.legs.all().length },
  );
  if (event.settings.handover === "close") {
    for (const leg of state.legs.all())
      closeLeg(state, leg, { nowMs: event.atMs, out, why: "handover to another strategy" });
  }
  state.cadence.happen("switched", chosen.strategy.name, event.atMs);
}
