/**
 * Which algo orders the agent placed, in this run or an earlier one. Their client order ids have a form of their own,
 * so that a stop is recognised as ours after a restart and after a loss of the journal. If the venue leaves the client
 * order id out, the reply to the placement identifies the stop.
 */
import { BoundedMap } from "../../core/bounded.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";

/** `nextId` creates them, with the kind `p`. */
const OUR_ID = /^p-[0-9a-z]+-[0-9a-z]+$/;
const KEPT = 500;

/** By the venue's algo order id, the last 500. */
export interface OwnStops {
  has(order: Pick<AlgoOrder, "algoOrderId" | "clientOrderId">): boolean;
  /** The venue's reply to a stop of ours gave this id. */
  note(algoOrderId: string): void;
}

/** Recognises only the form of the id at first. */
export function createOwnStops(): OwnStops {
  const named = new BoundedMap<string, true>(KEPT);
  return {
    has: ({ algoOrderId, clientOrderId }) => named.has(algoOrderId) || OUR_ID.test(clientOrderId),
    note: (algoOrderId) => named.set(algoOrderId, true),
  };
}
