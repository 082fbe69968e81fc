/** Which stops have ended: the end is final, and a push or a list that says otherwise later is older. Fault U3; invariant I6. */
import { BoundedMap } from "../../core/bounded.ts";
import { type AlgoOrder, isAlgoLive, isAlgoOver } from "../../domain/algo-order.ts";

const KEPT = 500;

/** By the venue's algo order id, the last 500. Asking `stands` also notes an end that the record itself reports. */
export interface EndedStops {
  /** Whether an order stands, by what it says itself and by what was said of it before. */
  stands(order: AlgoOrder): boolean;
  /** The venue said of it that it is over, without showing it. */
  end(algoOrderId: string): void;
}

/** Empty at a start: stops that ended in earlier runs are not known here. */
export function endedStops(): EndedStops {
  const ended = new BoundedMap<string, true>(KEPT);
  const end = (algoOrderId: string): void => void ended.set(algoOrderId, true);
  return {
    end,
    stands: ({ algoOrderId, state }) => {
      if (isAlgoLive(state)) return !ended.has(algoOrderId);
      if (isAlgoOver(state)) end(algoOrderId);
      return false;
    },
  };
}
