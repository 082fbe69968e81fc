/**
 * What is known of each stop: its newest record by the venue's time, whether the agent placed it, and whether it has ended.
 * Lists and pushes may be old or late: an older record than the known one says nothing, and an end is final, whatever its
 * time. Fault U3; invariant I6.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { type AlgoOrder, isAlgoLive, isAlgoOver, saysSize, stopOf } from "../../domain/algo-order.ts";
import { mustShow } from "../books/read-lag.ts";

const KEPT = 500;

/** What a stop of ours closes and where, as it was asked for. */
export type AskedStop = Pick<AlgoOrder, "condition" | "qty" | "triggerPrice" | "stopLossPrice">;

/** What a record of a stop of ours leaves out is as it was: no quantity would mean all of its position, no price none. Records §0.2. */
function completed(order: AlgoOrder, before: AskedStop): AlgoOrder {
  const { condition, qty, triggerPrice, stopLossPrice } = before;
  return {
    ...order,
    ...(saysSize(order) ? {} : { condition, qty }),
    ...(stopOf(order) === null ? { triggerPrice, stopLossPrice } : {}),
  };
}

/** By the venue's algo order id, the last 500. `stands` also records an end that the order itself reports. */
export interface KnownStops {
  /** We asked for that stop under that client order id. */
  asked(clientOrderId: string, stop: AskedStop): void;
  /** The venue's reply to that request gave this id. */
  named(clientOrderId: string, algoOrderId: string): void;
  /** The newest of all records of this stop, the given one included. A record of a stop that we asked for lacks nothing. */
  newest(order: AlgoOrder): AlgoOrder;
  /** Whether an order stands, by its own state and by the ends recorded before. */
  stands(order: AlgoOrder): boolean;
  /** The venue reported that it is over, without sending its record. */
  end(algoOrderId: string): void;
  /** Its position ended at `atMs`, our time, so that the venue cancels it as well, or we asked for its end then. */
  expectEnd(algoOrderId: string, atMs: number): void;
  /**
   * Its end is expected, and a read asked for at `askedMs` may be too old to show that. A report that the stop stands is
   * then stale, and the stop protects no position. For a push, whose age is unknown, `askedMs` is -Infinity.
   */
  mayBeOver(order: Pick<AlgoOrder, "algoOrderId">, askedMs: number): boolean;
}

export function knownStops(): KnownStops {
  const records = new BoundedMap<string, AlgoOrder>(KEPT);
  /** By client order id, and by the venue's. */
  const requests = new BoundedMap<string, AskedStop>(KEPT);
  const ended = new BoundedMap<string, true>(KEPT);
  const expectedMs = new BoundedMap<string, number>(KEPT);
  const end = (algoOrderId: string): void => void ended.set(algoOrderId, true);
  return {
    asked: (clientOrderId, stop) => void requests.set(clientOrderId, stop),
    named: (clientOrderId, algoOrderId) => {
      const request = requests.get(clientOrderId);
      if (request) requests.set(algoOrderId, request);
    },
    newest: (record) => {
      const known = records.get(record.algoOrderId);
      const asked = requests.get(record.clientOrderId) ?? requests.get(record.algoOrderId);
      const order = asked ? completed(completed(record, known ?? asked), asked) : record;
      // Nothing follows an end, so that none is old; one without a time would be older than all that have one.
      const isOlder = known !== undefined && known.updatedAtMs > order.updatedAtMs;
      if (known && isOlder && !isAlgoOver(order.state)) return known;
      records.set(order.algoOrderId, order);
      return order;
    },
    end,
    expectEnd: (algoOrderId, atMs) => void expectedMs.set(algoOrderId, atMs),
    mayBeOver: ({ algoOrderId }, askedMs) => {
      const endMs = expectedMs.get(algoOrderId);
      return endMs !== undefined && !mustShow(askedMs, endMs);
    },
    stands: ({ algoOrderId, state }) => {
      if (isAlgoLive(state)) return !ended.has(algoOrderId);
      if (isAlgoOver(state)) end(algoOrderId);
      return false;
    },
  };
}

/**
 * `nextId` creates the ids of our stops, with the kind `p`. Their form identifies a stop as ours after a restart and after a
 * loss of the journal.
 */
const OUR_ID = /^p-[0-9a-z]+-[0-9a-z]+$/;

/** Which algo orders are ours, the last 500 by the venue's id: some venues leave the client order id out. */
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
