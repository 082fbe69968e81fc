/** Which stops have ended: the end is final, and a push or a list that says otherwise later is older. Fault U3; invariant I6. */
import { BoundedMap } from "../core/bounded.ts";
import { type AlgoOrder, isAlgoLive } from "../domain/algo-order.ts";

const KEPT = 500;

/** Tells whether an order stands, by what it says itself and by what was said of it before. */
export function standingStops(): (order: AlgoOrder) => boolean {
  const ended = new BoundedMap<string, true>(KEPT);
  return ({ algoOrderId, state }) => {
    if (isAlgoLive(state)) return !ended.has(algoOrderId);
    // A cancel that is asked for may yet be refused.
    if (state !== "PENDING_CANCEL") ended.set(algoOrderId, true);
    return false;
  };
}
