/**
 * Which algo orders the agent placed, in this run or an earlier one. Their client order ids have a form of their own, so that a
 * stop is known as ours after a restart and where the journal is lost; a venue that leaves the id out is known by its reply.
 */
import { BoundedMap } from "../../core/bounded.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";

/** `nextId` makes them, with the kind `p`. */
const OUR_ID = /^p-[0-9a-z]+-[0-9a-z]+$/;
const KEPT = 500;

/** By the venue's algo order id, the last 500. */
export interface OwnStops {
  has(order: Pick<AlgoOrder, "algoOrderId" | "clientOrderId">): boolean;
  /** The venue's reply to a stop of ours named it. */
  note(algoOrderId: string): void;
}

/** Knows the form alone to begin with. */
export function createOwnStops(): OwnStops {
  const named = new BoundedMap<string, true>(KEPT);
  return {
    has: ({ algoOrderId, clientOrderId }) => named.has(algoOrderId) || OUR_ID.test(clientOrderId),
    note: (algoOrderId) => named.set(algoOrderId, true),
  };
}
