/**
 * Which stops have ended. An end is final: a later push or list that shows the stop alive is stale. Fault U3; invariant
 * I6.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { type AlgoOrder, isAlgoLive, isAlgoOver } from "../../domain/algo-order.ts";
import { mustShow } from "./read-lag.ts";

const KEPT = 500;

/** By the venue's algo order id, the last 500. `stands` also records an end that the order itself reports. */
export interface EndedStops {
  /** Whether an order stands, by its own state and by the ends recorded before. */
  stands(order: AlgoOrder): boolean;
  /** The venue reported that it is over, without sending its record. */
  end(algoOrderId: string): void;
  /** Its position ended at `atMs`, our time: the venue cancels the stop as well. */
  endWithPosition(algoOrderId: string, atMs: number): void;
  /**
   * Its position has ended, and a read asked for at `askedMs` may be too old to show that. A report that the stop
   * stands is then stale, and the stop protects no later position. For a push, whose age is unknown, `askedMs` is
   * -Infinity.
   */
  endedWithPosition(order: Pick<AlgoOrder, "algoOrderId">, askedMs: number): boolean;
}

/** Starts empty: stops that ended in earlier runs are unknown. */
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
