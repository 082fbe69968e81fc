/**
 * A venue for the agent's world that answers by itself: orders are accepted and filled, stops stand, closes close, and
 * everything takes a few ticks, so that decisions and switches fall between a request and its answer.
 */
import { modelAnswer } from "./model-outcomes.ts";
import { z } from "zod";
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { Sent } from "../../src/agent/contract/events.ts";
import { dec, type Decimal, ZERO } from "../../src/core/decimal.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import type { Order } from "../../src/domain/order.ts";
import { positionKeyOf, type Position } from "../../src/domain/position.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { fillSchema } from "../../src/sim/model/schema-fill.ts";
import { account, position, type World } from "./agent-world.ts";

type Place = Extract<Effect, { kind: "place" }>;

interface Due {
  readonly atMs: number;
  readonly run: () => void;
}

export interface VirtualVenue {
  readonly positions: Map<string, Position>;
  readonly orders: Map<string, Order>;
  readonly algos: Map<string, AlgoOrder>;
  /** Opening orders that the last look before the wire refused. */
  readonly blocked: string[];
  /** Takes up what the agent asked for since the last call, and does what falls due. */
  turn(): void;
}

export function virtualVenue(w: World, guide: () => unknown = () => ({})): VirtualVenue {
  const positions = new Map<string, Position>();
  const orders = new Map<string, Order>();
  const algos = new Map<string, AlgoOrder>();
  const blocked: string[] = [];
  const due: Due[] = [];
  let seen = w.effects.length;
  let ids = 0;
  const nextId = (): string => `219000000${(ids++).toString().padStart(7, "0")}`;
  const later = (ms: number, run: () => void): void => void due.push({ atMs: w.nowMs + ms, run });

  const push = (order: Order, change: Partial<Order>): Order => {
    const next = { ...order, ...change };
    if (next.state === "FILLED" || next.state === "CANCELLED") orders.delete(order.clientOrderId);
    else orders.set(order.clientOrderId, next);
    w.feed({ kind: "order", update: { ...next, updatedAtMs: w.nowMs } });
    return next;
  };
  const move = (order: { symbol: string; leg: "LONG" | "SHORT" }, signed: Decimal, price: Decimal): void => {
    const key = positionKeyOf(order.symbol, order.leg);
    const before = positions.get(key);
    const qty = (before?.qty ?? ZERO).add(signed);
    if (qty.lte(0)) {
      positions.delete(key);
      for (const [id, algo] of algos)
        if (positionKeyOf(algo.symbol, algo.positionSide === "SHORT" ? "SHORT" : "LONG") === key) {
          algos.delete(id);
          w.feed({ kind: "algo", algo: { ...algo, state: "CANCELLED", updatedAtMs: w.nowMs } });
        }
    } else
      positions.set(key, {
        ...(before ?? position(order.symbol, qty.toFixed(), price.toFixed(), order.leg)),
        qty,
        createdAtMs: before?.createdAtMs ?? w.nowMs,
      });
    w.feed({
      kind: "position",
      update: {
        symbol: order.symbol,
        positionSide: order.leg,
        qty: qty.lt(0) ? ZERO : qty,
        avgPrice: price,
        leverage: 2,
      },
    });
  };

  const place = ({ intent }: Place): void => {
    const { order: wanted } = intent.draft;
    const against = w.agent.recheck(intent, w.nowMs);
    const answer = (sent: Sent<{ orderId: string }>): void =>
      void w.feed({ kind: "placed", clientOrderId: wanted.clientOrderId, sent });
    if (against !== null) {
      blocked.push(wanted.clientOrderId);
      return answer({ kind: "blocked", message: against });
    }
    const order: Order = {
      ...wanted,
      orderId: nextId(),
      timeInForce: wanted.timeInForce ?? "IOC",
      state: "OPEN",
      executedQty: ZERO,
      avgPrice: ZERO,
      fee: ZERO,
      reason: "",
      cancelPending: false,
      createdAtMs: w.nowMs,
      updatedAtMs: w.nowMs,
    };
    orders.set(order.clientOrderId, order);
    const fill = (): void => {
      const open = orders.get(order.clientOrderId);
      if (!open) return;
      const price = order.limitPrice ?? dec("1");
      const positionSide = order.positionSide === "SHORT" ? "SHORT" : "LONG";
      const opens = (order.side === "BUY") === (positionSide === "LONG");
      push(open, { state: "FILLED", executedQty: order.qty, avgPrice: price });
      move({ symbol: order.symbol, leg: positionSide }, opens ? order.qty : order.qty.neg(), price);
    };
    later(400, () => answer({ kind: "done", value: { orderId: order.orderId } }));
    // What waits at the best price fills late or is withdrawn first.
    later(order.timeInForce === "IOC" ? 700 : 9_000, fill);
  };

  let protections = 0;
  const protect = ({ order, positionKey }: Extract<Effect, { kind: "protect" }>): void => {
    protections += 1;
    // Every third is refused, so that some position is bare for a while whatever happens around it.
    if (protections % 3 === 0)
      return later(600, () => {
        const { clientOrderId } = order;
        w.feed({ kind: "protect-sent", positionKey, clientOrderId, sent: rejected("50001", "not now") });
      });
    const algo: AlgoOrder = { ...order, algoOrderId: nextId(), state: "NEW", reason: "", updatedAtMs: w.nowMs };
    later(600, () => {
      if (!positions.has(positionKeyOf(order.symbol, order.positionSide === "SHORT" ? "SHORT" : "LONG"))) return;
      algos.set(algo.algoOrderId, algo);
      w.feed({ kind: "algo", algo });
    });
  };

  const take = (effect: Effect): void => {
    switch (effect.kind) {
      case "place":
        return later(250, () => place(effect));
      case "cancel":
        return later(500, () => {
          const open = orders.get(effect.known.clientOrderId);
          if (open) push(open, { state: "CANCELLED" });
        });
      case "close":
        return later(500, () => {
          const { symbol, side } = effect.known;
          const held = positions.get(positionKeyOf(symbol, side));
          if (held) {
            const orderId = nextId();
            const execution = {
              ...{ transactionId: `x${orderId}`, orderId, clientOrderId: orderId, symbol, qty: held.qty },
              ...{ side: side === "LONG" ? ("SELL" as const) : ("BUY" as const), price: held.avgPrice.add(1) },
              ...{ fee: ZERO, realizedPnl: dec("0.1"), liquidity: "TAKER" as const, atMs: w.nowMs },
            };
            w.feed({ kind: "fill", execution });
            move({ symbol, leg: side }, held.qty.neg(), held.avgPrice);
          }
          w.feed({
            kind: "close-sent",
            positionKey: positionKeyOf(symbol, side),
            sent: { kind: "done", value: { orderId: null } },
          });
        });
      case "protect":
        return protect(effect);
      case "amend-protection": {
        const algo = algos.get(effect.algoOrderId);
        if (!algo) return;
        const amended = { ...algo, ...effect.change, updatedAtMs: w.nowMs };
        algos.set(effect.algoOrderId, amended);
        return void w.feed({ kind: "algo", algo: amended });
      }
      case "read-account":
        return later(300, () =>
          w.account({
            account: [account("1000")],
            positions: [...positions.values()],
            openOrders: [...orders.values()],
            openAlgos: effect.withAlgos ? [...algos.values()] : null,
          }),
        );
      case "look-up":
        return later(300, () => {
          const found = orders.get(effect.clientOrderId);
          const outcome = found
            ? ({ kind: "done", value: found } as const)
            : ({ kind: "unknown", message: "ended meanwhile" } as const);
          w.feed({ kind: "looked-up", clientOrderId: effect.clientOrderId, found: outcome as never });
        });
      case "ask-model":
        return later(1_500, () => {
          const { decisionId, part, shadow, question } = effect;
          const value = fillSchema(z.toJSONSchema(question.replySchema, { io: "input" }), guide());
          w.feed({
            kind: "model",
            decisionId,
            part,
            ...(shadow === undefined ? {} : { shadow }),
            outcome: modelAnswer(value, "0.001"),
          });
        });
      default:
        return;
    }
  };
  return {
    positions,
    orders,
    algos,
    blocked,
    turn: () => {
      for (; seen < w.effects.length; seen++) {
        const effect = w.effects[seen];
        if (effect) take(effect);
      }
      for (
        let at = due.findIndex((one) => one.atMs <= w.nowMs);
        at >= 0;
        at = due.findIndex((one) => one.atMs <= w.nowMs)
      )
        due.splice(at, 1)[0]?.run();
    },
  };
}
