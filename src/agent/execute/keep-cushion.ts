/** Gives up exposure that equity no longer carries, before the floor has to. */
import { positionKeyOf } from "../../domain/position.ts";
import { trimOf } from "../../risk/trim.ts";
import type { RiskView } from "../../risk/view.ts";
import { withdrawOpenings } from "../reconcile/cancel-order.ts";
import type { At } from "../contract/effects.ts";
import { leftAfterReductions } from "./pending-reductions.ts";
import { reducePosition } from "./reduce-position.ts";
import { riskViewOf } from "../view/risk-view.ts";
import type { AgentState } from "../state/state.ts";
import { counted } from "../../core/words.ts";
import { closeHeld } from "../protect/close-held.ts";

/** A reduction needs time to fill and be seen before the next one is judged. */
const TRIM_EVERY_MS = 6_000;

/** What fills have reduced, or orders will, is not reduced again, even if no reading of the position shows it yet. Fault U4. */
function withoutTaken(state: AgentState, view: RiskView): RiskView {
  const left = view.positions.map((held) => {
    const position = state.positions.get(positionKeyOf(held.symbol, held.side));
    return position ? { ...held, qty: leftAfterReductions(state, position) } : held;
  });
  return { ...view, positions: left.filter(({ qty }) => qty.gt(0)) };
}

/** Whether the cushion would be short even without our opening orders: only then are those of others withdrawn as well. */
function othersTooMuch(state: AgentState, view: RiskView): boolean {
  const stays = ({ clientOrderId }: { readonly clientOrderId: string }): boolean =>
    state.orders.get(clientOrderId)?.ours !== true;
  const without = { ...view, openOrders: view.openOrders.filter(stays), inFlight: view.inFlight.filter(stays) };
  return trimOf(withoutTaken(state, without), state.settings.risk).cancelOpenings;
}

/** Exposure that equity no longer carries is given up long before the floor: first orders, then the worst positions. */
export function keepCushion(state: AgentState, at: At): void {
  const atStake = state.positions.all().length > 0 || state.orders.live().some(({ opening }) => opening);
  if (!atStake || at.nowMs - state.trimmedMs < TRIM_EVERY_MS) return;
  const view = riskViewOf(state, at.nowMs);
  const trim = view && state.equityAgreed ? trimOf(withoutTaken(state, view), state.settings.risk) : null;
  if (!view || !trim || trim.reason === "") return;
  // The previous reduction, still recent, was too small: the book offers no more this close to its best price.
  state.trims = at.nowMs - state.trimmedMs < 2 * TRIM_EVERY_MS ? state.trims + 1 : 0;
  state.trimmedMs = at.nowMs;
  at.out.log("warn", "limit.fired", `reducing in ${counted(trim.reductions.length, "symbol")}: ${trim.reason}`, {
    reductions: trim.reductions.length,
  });
  if (trim.cancelOpenings) {
    withdrawOpenings(state, { ...at, why: trim.reason, whose: othersTooMuch(state, view) ? "all" : "own" });
  }
  for (const reduction of trim.reductions) {
    const held = state.positions.get(positionKeyOf(reduction.symbol, reduction.leg));
    if (!held) continue;
    if (reduction.whole) closeHeld(state, held, { ...at, why: trim.reason, cause: "limit" });
    else reducePosition(state, held, { ...at, qty: reduction.qty, why: trim.reason, tries: state.trims });
  }
}
