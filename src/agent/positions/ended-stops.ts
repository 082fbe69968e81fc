/** Which stops have ended: the end is final, and a push or a list that says otherwise later is older. Fault U3; invariant I6. */
import { BoundedMap } from "../../core/bounded.ts";
import { type AlgoOrder, isAlgoLive, isAlgoOver } from "../../domain/algo-order.ts";
import { mustShow } from "./read-lag.ts";

const KEPT = 500;

/** By the venue's algo order id, the last 500. Asking `stands` also notes an end that the record itself reports. */
export interface EndedStops {
  /** Whether an order stands, by what it says itself and by what was said of it before. */
  stands(order: AlgoOrder): boolean;
  /** The venue said of it that it is over, without showing it. */
  end(algoOrderId: string): void;
  /** Its position ended at `atMs`, our time: the venue ends it as well. */
  endWithPosition(algoOrderId: string, atMs: number): void;
  /**
   * Its position has ended, and what was asked for at `askedMs` need not show that yet: word that it stands may be from before,
   * and it protects no later position. Of a push nobody knows when it was sent: -Infinity.
   */
  endedWithPosition(order: Pick<AlgoOrder, "algoOrderId">, askedMs: number): boolean;
}

/** Empty at a start: stops that ended in earlier runs are not known here. */
export function endedStops(): EndedStops {
  const ended = new BoundedMap<string, true>(KEPT);
  const leftMs = new BoundedMap<string, number>(KEPT);
  const end = (algoOrderId: string): void => void ended.set(algoOrderId, true);
  return {
    end,
    endWithPosition: (algoOrderId, atMs) => void leftMs.set(algoOrderId, atMs),
    endedWithPosition: ({ algoOrderId }, askedMs) => {
      const endMs = leftMs.get(algoOrderId);
      return endMs !== undefined && !mustShow(askedMs, endMs);
    },
    stands: ({ algoOrderId, state }) => {
      if (isAlgoLive(state)) return !ended.has(algoOrderId);
      if (isAlgoOver(state)) end(algoOrderId);
      return false;
    },
  };
}
