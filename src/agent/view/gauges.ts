/** The agent's own collections that live as long as the process. Invariant I30. */
import { filling, type Gauge } from "../../core/bounded.ts";
import type { AgentState } from "../state/state.ts";
import { OUTAGES_CAP } from "../books/uptime.ts";

/** Nothing enforces these: more than this at once means that something has not ended that should have. */
const LIVE_ORDERS_CAP = 1_000;
const POSITIONS_CAP = 500;
const HOLDS_CAP = 50;
const OPENINGS_CAP = 1_000;

/** Asked through `Agent.gauges`. A cap here is where growth is suspicious; not every collection enforces it. */
export const agentGauges = (state: AgentState): readonly Gauge[] => [
  filling("agent.liveOrders", state.orders.live().length, LIVE_ORDERS_CAP),
  filling("agent.legs", state.positions.all().length, POSITIONS_CAP),
  filling("agent.holds", state.holds.size, HOLDS_CAP),
  filling("agent.openings", state.openingsMs.length, OPENINGS_CAP),
  filling("agent.stopsAsked", state.stopSlots.size(), OPENINGS_CAP),
  filling("agent.theses", state.theses.size, state.theses.cap),
  ...state.costs.gauges(),
  state.markouts.gauge(),
  state.unprotected.gauge(),
  filling("agent.outages", state.uptime.outages.length, OUTAGES_CAP),
];
