/**
 * A venue with one long position in BTC that carries out each request at once and completely. What it says of that is not
 * sent but kept as messages, so that whoever explores chooses which of them arrive, in which sequence, and how often.
 */
import type { AgentEvent, Sent } from "../../src/agent/contract/events.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import { type Decimal, dec, ZERO } from "../../src/core/decimal.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import type { Execution, Order, OrderUpdate } from "../../src/domain/order.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { account, BTC, position, standingStop } from "../support/agent-world.ts";
import { type Wire, wireOf } from "../support/wire-of.ts";

type Untimed<T> = T extends unknown ? Omit<T, "atMs"> : never;
export type Event = Untimed<AgentEvent>;

export interface Message {
  /** Such as `order FILLED` or `reply to protect`, with a number where it is not the first of its name. */
  readonly name: string;
  readonly event: Event;
  /** A reply reaches only the process that sent the request. */
  readonly isReply: boolean;
}

export interface SmallVenue {
  /** Carries out a write. Returns its wire-out row, and what the venue says of it; null for what is no write. */
  carryOut(effect: Effect, nowMs: number): { readonly wire: Wire; readonly messages: readonly Message[] } | null;
  /** The answer to a read, as things stand; null for what is no read of the account. */
  answer(effect: Effect, nowMs: number): Event | null;
  /** The account as it stands now, as a list of that time shows it whenever it arrives. */
  list(): Extract<Event, { kind: "account-read" }>["account"];
  /** The stop of the position fires. */
  fire(nowMs: number): readonly Message[];
  /** What is held. */
  qty(): Decimal;
  /** The stops that stand. */
  stops(): readonly AlgoOrder[];
  /** Openings that were taken. */
  openings(): number;
}

const KEY = positionKeyOf(BTC, "LONG");
const ENTRY = dec("60000");

const done = <T>(value: T): Outcome<T> => ({ kind: "done", value });

export function smallVenue(): SmallVenue {
  const orders: Order[] = [];
  const executions: Execution[] = [];
  const stops = new Map<string, AlgoOrder>();
  let qty = ZERO;
  let sinceMs = 0;
  let changedMs = 0;
  let openings = 0;
  let made = 0;
  const nextId = (): string => `21900000000${String(30_000 + ++made)}`;

  const execute = (order: Order, part: Decimal, price: Decimal, atMs: number): Execution => {
    const { orderId, clientOrderId, symbol, side } = order;
    const execution: Execution = {
      ...{ transactionId: `t${executions.length + 1}`, orderId, clientOrderId, symbol, side, qty: part, price },
      ...{ fee: dec("0.01"), liquidity: "TAKER", atMs },
      realizedPnl: side === "SELL" ? price.sub(ENTRY).mul(part) : ZERO,
    };
    executions.push(execution);
    if (qty.isZero()) sinceMs = atMs;
    changedMs = atMs;
    qty = side === "BUY" ? qty.add(part) : qty.sub(part);
    return execution;
  };
  const positionPush = (): Message => ({
    name: "position",
    event: { kind: "position", update: { symbol: BTC, positionSide: "LONG", qty, avgPrice: ENTRY, leverage: null } },
    isReply: false,
  });
  const push = (name: string, event: Event): Message => ({ name, event, isReply: false });
  const reply = (name: string, event: Event): Message => ({ name: `reply to ${name}`, event, isReply: true });
  const orderPush = (order: Order): Message =>
    push(`order ${order.state}`, { kind: "order", update: { ...order, updatedAtMs: null } satisfies OrderUpdate });
  const fillPush = (execution: Execution): Message => push("fill", { kind: "fill", execution });
  const stopPush = (algo: AlgoOrder): Message => push(`stop ${algo.state}`, { kind: "algo", algo });

  const filled = (
    base: Pick<Order, "clientOrderId" | "side" | "qty" | "limitPrice" | "timeInForce" | "orderType" | "reduceOnly">,
    price: Decimal,
    nowMs: number,
  ): Order => {
    const order: Order = {
      ...base,
      ...{ orderId: nextId(), symbol: BTC, positionSide: "LONG", state: "FILLED", executedQty: base.qty },
      ...{
        avgPrice: price,
        fee: dec("0.02"),
        reason: "",
        cancelPending: false,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      },
    };
    const own = base.clientOrderId === "" ? { ...order, clientOrderId: order.orderId } : order;
    orders.push(own);
    return own;
  };

  const place = (effect: Extract<Effect, { kind: "place" }>, nowMs: number): readonly Message[] => {
    const { order } = effect.intent.draft;
    const { clientOrderId } = order;
    const answer = (sent: Sent<{ orderId: string }>): Message =>
      reply("place", { kind: "placed", clientOrderId, sent });
    if (orders.some((known) => known.clientOrderId === clientOrderId)) return [answer(rejected("406010", "duplicate"))];
    if (effect.intent.opening) openings += 1;
    const whole = filled({ ...order, timeInForce: order.timeInForce ?? "IOC" }, ENTRY, nowMs);
    const half = order.qty.div(2);
    const fills = [half, order.qty.sub(half)].map((part) => fillPush(execute(whole, part, ENTRY, nowMs)));
    return [answer(done({ orderId: whole.orderId })), orderPush(whole), ...fills, positionPush()];
  };

  const sellAll = (
    price: Decimal,
    nowMs: number,
  ): { readonly orderId: string; readonly messages: readonly Message[] } => {
    const base = { clientOrderId: "", side: "SELL" as const, qty, limitPrice: null, timeInForce: "IOC" as const };
    const order = filled({ ...base, orderType: "MARKET", reduceOnly: true }, price, nowMs);
    const fill = fillPush(execute(order, qty, price, nowMs));
    return { orderId: order.orderId, messages: [orderPush(order), fill, positionPush()] };
  };

  const close = (nowMs: number): readonly Message[] => {
    const answer = (sent: Sent<{ orderId: string | null }>): Message =>
      reply("close", { kind: "close-sent", positionKey: KEY, sent });
    if (qty.isZero()) return [answer(rejected("401097", "position quantity is 0"))];
    const { orderId, messages } = sellAll(ENTRY, nowMs);
    return [answer(done({ orderId })), ...messages];
  };

  const protect = ({ order }: Extract<Effect, { kind: "protect" }>, nowMs: number): readonly Message[] => {
    const answer = (sent: Sent<{ algoOrderId: string }>): Message =>
      reply("protect", { kind: "protect-sent", positionKey: KEY, clientOrderId: order.clientOrderId, sent });
    const { clientOrderId, qty: covered, triggerPrice, takeProfitPrice, stopLossPrice, reduceOnly } = order;
    if ([...stops.values()].some((stop) => stop.clientOrderId === clientOrderId))
      return [answer(rejected("406010", "duplicate"))];
    const stop = standingStop({
      ...{ algoOrderId: nextId(), clientOrderId, qty: covered, condition: order.condition, triggerPrice },
      ...{ takeProfitPrice, stopLossPrice, reduceOnly, updatedAtMs: nowMs },
    });
    stops.set(stop.algoOrderId, stop);
    return [answer(done({ algoOrderId: stop.algoOrderId })), stopPush(stop)];
  };

  const endStop = (algoOrderId: string, state: AlgoOrder["state"], nowMs: number): Message | null => {
    const stop = stops.get(algoOrderId);
    if (stop?.state !== "NEW") return null;
    const ended = { ...stop, state, updatedAtMs: nowMs };
    stops.set(algoOrderId, ended);
    return stopPush(ended);
  };

  const cancelStop = (algoOrderId: string, nowMs: number): readonly Message[] => {
    const ended = endStop(algoOrderId, "CANCELLED", nowMs);
    const sent: Sent<void> = ended ? done(undefined) : rejected("401058", "already ended");
    return [reply("cancel of the stop", { kind: "algo-cancel-sent", algoOrderId, sent }), ...(ended ? [ended] : [])];
  };

  const moveStop = (
    { positionKey, algoOrderId, change }: Extract<Effect, { kind: "amend-protection" }>,
    nowMs: number,
  ): readonly Message[] => {
    const answer = (sent: Sent<{ algoOrderId: string }>): Message =>
      reply("change of the stop", { kind: "protection-amended", positionKey, algoOrderId, sent });
    const stop = stops.get(algoOrderId);
    if (stop?.state !== "NEW") return [answer(rejected("401058", "already ended"))];
    const moved = { ...stop, ...change, updatedAtMs: nowMs };
    stops.set(algoOrderId, moved);
    return [answer(done({ algoOrderId })), stopPush(moved)];
  };

  const standing = (): readonly AlgoOrder[] => [...stops.values()].filter(({ state }) => state === "NEW");
  const list: SmallVenue["list"] = () => ({
    startedAtMs: 0,
    account: [account("1000")],
    positions: qty.isZero()
      ? []
      : [{ ...position(BTC, qty.toFixed(), "60000"), createdAtMs: sinceMs, updatedAtMs: changedMs }],
    openOrders: [],
    openAlgos: standing(),
  });
  const messagesOf = (effect: Effect, nowMs: number): readonly Message[] | null => {
    switch (effect.kind) {
      case "place":
        return place(effect, nowMs);
      case "close":
        return close(nowMs);
      case "protect":
        return protect(effect, nowMs);
      case "amend-protection":
        return moveStop(effect, nowMs);
      case "cancel-algo":
        return cancelStop(effect.algoOrderId, nowMs);
      case "cancel":
        return [
          reply("cancel", {
            ...{ kind: "cancel-sent", clientOrderId: effect.known.clientOrderId },
            sent: rejected("401058", "already ended"),
          }),
        ];
      default:
        return null;
    }
  };

  return {
    carryOut: (effect, nowMs) => {
      const wire = wireOf(effect);
      const messages = wire && messagesOf(effect, nowMs);
      return wire && messages ? { wire, messages } : null;
    },
    answer: (effect, nowMs) => {
      switch (effect.kind) {
        case "read-account":
          return {
            kind: "account-read",
            account: { ...list(), startedAtMs: nowMs, ...(effect.withAlgos ? {} : { openAlgos: null }) },
          };
        case "read-fills":
          return { kind: "fills-read", startedAtMs: nowMs, fills: executions };
        case "look-up": {
          const { clientOrderId, orderId } = effect;
          const found = orders.find((one) =>
            orderId === undefined ? one.clientOrderId === clientOrderId : one.orderId === orderId,
          );
          return { kind: "looked-up", clientOrderId, found: found ? done(found) : rejected("401018", "not found") };
        }
        case "read-algo": {
          const found = [...stops.values()].find((stop) =>
            "algoOrderId" in effect
              ? stop.algoOrderId === effect.algoOrderId
              : stop.clientOrderId === effect.clientOrderId,
          );
          return {
            kind: "algo-found",
            positionKey: effect.positionKey,
            found: found ? done(found) : rejected("401018", "not found"),
          };
        }
        default:
          return null;
      }
    },
    list,
    fire: (nowMs) => {
      const [stop] = standing();
      if (!stop) throw new Error("no stop stands");
      const ended = endStop(stop.algoOrderId, "COMPLETED", nowMs);
      return [...(ended ? [ended] : []), ...sellAll(dec("58200"), nowMs).messages];
    },
    qty: () => qty,
    stops: standing,
    openings: () => openings,
  };
}
