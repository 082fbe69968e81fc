/**
 * Where each known order is found: by either of its ids, among the live ones, or among those with fills that no position
 * reading shows yet. The last orders that ended stay findable, for late evidence and for the status view.
 */
import type { Tracked } from "./tracked.ts";

/** Ended orders kept, those of earlier runs included. */
export const ENDED_CAP = 500;

const isUnsettled = ({ opening, order, settledQty }: Tracked): boolean => opening && order.executedQty.gt(settledQty);

/** A reading that was requested after a record showed the order includes its margin, and an order that ended unfilled has none. */
const isRead = ({ firstShownMs, fate, order }: Tracked, readFromMs: number): boolean =>
  firstShownMs < readFromMs || (fate === "ended" && order.executedQty.isZero());

/** An order is `refresh`ed after its record changed. */
export class OrderIndex {
  readonly #byClientOrderId = new Map<string, Tracked>();
  readonly #byOrderId = new Map<string, Tracked>();
  /** Client order ids, the earliest end first. */
  readonly #ended: string[] = [];
  /** Looked through at every tick, so kept apart from the hundreds that have ended. */
  readonly #live = new Set<Tracked>();
  readonly #filling = new Set<Tracked>();
  /** Openings that the last reading of the account may not include. */
  readonly #unread = new Set<Tracked>();

  add(tracked: Tracked): Tracked {
    this.#byClientOrderId.set(tracked.clientOrderId, tracked);
    this.refresh(tracked);
    if (tracked.fate === "ended") this.#retire(tracked);
    else this.#live.add(tracked);
    if (tracked.opening && tracked.fate !== "ended") this.#unread.add(tracked);
    return tracked;
  }
  refresh(tracked: Tracked): void {
    const { orderId } = tracked.order;
    if (orderId) this.#byOrderId.set(orderId, tracked);
    if (!isUnsettled(tracked)) return;
    this.#filling.add(tracked);
    this.#unread.add(tracked);
  }
  end(tracked: Tracked, ending: string): void {
    if (tracked.fate === "ended") return;
    tracked.fate = "ended";
    tracked.ending = ending;
    this.#live.delete(tracked);
    this.#retire(tracked);
  }
  /** Another one has its order id. */
  remove(tracked: Tracked): void {
    this.#byClientOrderId.delete(tracked.clientOrderId);
    this.#byOrderId.delete(tracked.order.orderId);
    this.#live.delete(tracked);
    this.#filling.delete(tracked);
    this.#unread.delete(tracked);
    if (tracked.fate === "ended") this.#ended.splice(this.#ended.indexOf(tracked.clientOrderId), 1);
  }
  /** The venue shows an ended order as live. The journal already has its end, and accepts no second one. */
  comeBack(tracked: Tracked): void {
    this.#ended.splice(this.#ended.indexOf(tracked.clientOrderId), 1);
    tracked.ending = "";
    tracked.unsent = false;
    tracked.promised = false;
    this.#live.add(tracked);
  }

  byClientOrderId(clientOrderId: string): Tracked | undefined {
    return this.#byClientOrderId.get(clientOrderId);
  }
  byOrderId(orderId: string): Tracked | undefined {
    return this.#byOrderId.get(orderId);
  }
  get live(): ReadonlySet<Tracked> {
    return this.#live;
  }
  all(): readonly Tracked[] {
    return [...this.#byClientOrderId.values()];
  }
  unsettled(): readonly Tracked[] {
    for (const tracked of this.#filling) if (!isUnsettled(tracked)) this.#filling.delete(tracked);
    return [...this.#filling];
  }
  /** It may come to be larger than a record has shown it. */
  outgrow(tracked: Tracked): void {
    tracked.firstShownMs = Infinity;
    this.#unread.add(tracked);
  }
  unread(readFromMs: number): readonly Tracked[] {
    for (const tracked of this.#unread) if (isRead(tracked, readFromMs)) this.#unread.delete(tracked);
    return [...this.#unread];
  }

  /** Forgets the order that ended first where there are too many. */
  #retire({ clientOrderId }: Tracked): void {
    this.#ended.push(clientOrderId);
    if (this.#ended.length <= ENDED_CAP) return;
    const oldest = this.#ended.shift();
    const gone = oldest === undefined ? undefined : this.#byClientOrderId.get(oldest);
    if (!gone) return;
    this.#byClientOrderId.delete(gone.clientOrderId);
    this.#byOrderId.delete(gone.order.orderId);
    this.#filling.delete(gone);
    this.#unread.delete(gone);
  }
}
