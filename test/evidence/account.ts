/** An account as it truly is, in either position mode: what happens in it, what the venue says of that, and how it stood at any time. */
import { type Decimal, dec, ZERO } from "../../src/core/decimal.ts";
import type { Entropy } from "../../src/core/entropy.ts";
import { type Execution, isTerminal, type Order, type OrderState, type OrderUpdate } from "../../src/domain/order.ts";
import {
  otherSide,
  positionKeyOf,
  type Position,
  type PositionMode,
  type PositionUpdate,
} from "../../src/domain/position.ts";
import { heldSideOf } from "../../src/agent/books/tracked.ts";
import { BTC } from "../support/agent-fixtures.ts";

export type Side = "LONG" | "SHORT";
export const SIDES = ["LONG", "SHORT"] as const;

/** What the venue may push of one event. */
export type Push =
  | { readonly kind: "order"; readonly update: OrderUpdate }
  | { readonly kind: "fill"; readonly execution: Execution }
  | { readonly kind: "position"; readonly update: PositionUpdate };

const LOT = dec("0.001");
const ENTRY = dec("60000");
const EXIT = dec("60010");

interface Moment {
  readonly atMs: number;
  readonly positions: readonly Position[];
  readonly orders: ReadonlyMap<string, Order>;
  readonly executions: number;
}

/** `dated`: position pushes and order pushes bear the venue's time. */
export interface Ways {
  readonly mode: PositionMode;
  readonly dated: boolean;
}

/** Half of all histories are in either mode. */
export const modeOf = (seed: number): PositionMode => (seed % 2 === 0 ? "BOTH" : "NET");

/** Quantities are counted in lots of 0.001. In one-way mode at most one side is held. */
export class TrueAccount {
  readonly #draw: Entropy;
  readonly #ways: Ways;
  readonly #lots = new Map<Side, number>();
  readonly #positions = new Map<Side, Position>();
  readonly #orders = new Map<string, Order>();
  readonly #executions: Execution[] = [];
  readonly #moments: Moment[] = [];
  #made = 0;

  constructor(draw: Entropy, ways: Ways, atMs: number) {
    this.#draw = draw;
    this.#ways = ways;
    this.#note(atMs);
  }

  lots(side: Side): number {
    return this.#lots.get(side) ?? 0;
  }
  qty(side: Side): Decimal {
    return LOT.mul(this.lots(side));
  }
  open(): readonly Order[] {
    return [...this.#orders.values()].filter(({ state }) => !isTerminal(state));
  }
  executions(): readonly Execution[] {
    return this.#executions;
  }
  byClientId(clientOrderId: string): Order | undefined {
    return [...this.#orders.values()].find((order) => order.clientOrderId === clientOrderId);
  }

  /** The venue takes an opening order. */
  place(clientOrderId: string, side: Side, lots: number, atMs: number): readonly Push[] {
    const order = this.#newOrder(clientOrderId, side, { opening: true, lots, atMs, resting: true });
    return this.#said(order, [], atMs);
  }
  /** A part of a resting order is filled, or all that is left. */
  fill({ orderId }: Order, atMs: number): readonly Push[] {
    const order = this.#orders.get(orderId);
    if (!order) return [];
    const left = this.#lotsOf(order.qty.sub(order.executedQty));
    const lots = this.#draw.chance("whole", 0.5) ? left : this.#draw.int("part", 1, left + 1);
    return this.#executed(order, lots, atMs);
  }
  cancel({ orderId }: Pick<Order, "orderId">, atMs: number): readonly Push[] {
    const order = this.#orders.get(orderId);
    if (!order || isTerminal(order.state)) return [];
    const ended = this.#keep({ ...order, state: "CANCELLED", updatedAtMs: atMs });
    return this.#said(ended, [], atMs);
  }
  /** A market order that the venue names itself reduces a position by so many lots: a close, or a stop that fires. */
  reduce(side: Side, lots: number, atMs: number): { readonly orderId: string; readonly pushes: readonly Push[] } {
    const order = this.#newOrder(null, side, { opening: false, lots, atMs, resting: false });
    const first = lots > 1 && this.#draw.chance("two fills", 0.4) ? this.#draw.int("first", 1, lots) : lots;
    const pushes = [...this.#executed(order, first, atMs)];
    if (first < lots) pushes.push(...this.#executed(this.#orders.get(order.orderId) ?? order, lots - first, atMs));
    return { orderId: order.orderId, pushes };
  }

  /** How a list shows it that is as old as `atMs`. */
  at(atMs: number): { readonly positions: readonly Position[]; readonly orders: readonly Order[] } {
    const moment = this.#momentAt(atMs);
    return {
      positions: moment.positions,
      orders: [...moment.orders.values()].filter(({ state }) => !isTerminal(state)),
    };
  }
  executionsAt(atMs: number): readonly Execution[] {
    return this.#executions.slice(0, this.#momentAt(atMs).executions);
  }
  /** By either of its ids. */
  orderAt(id: string, atMs: number): Order | undefined {
    const { orders } = this.#momentAt(atMs);
    return orders.get(id) ?? [...orders.values()].find((order) => order.clientOrderId === id);
  }

  #momentAt(atMs: number): Moment {
    const moment = this.#moments.findLast((each) => each.atMs <= atMs) ?? this.#moments[0];
    if (!moment) throw new Error("an account has a beginning");
    return moment;
  }
  #lotsOf(qty: Decimal): number {
    return Math.round(qty.div(LOT).toNumber());
  }
  #keep(order: Order): Order {
    this.#orders.set(order.orderId, order);
    this.#note(order.updatedAtMs);
    return order;
  }
  #note(atMs: number): void {
    const positions = [...this.#positions.values()];
    this.#moments.push({ atMs, positions, orders: new Map(this.#orders), executions: this.#executions.length });
  }
  #newOrder(
    clientOrderId: string | null,
    side: Side,
    { opening, lots, atMs, resting }: { opening: boolean; lots: number; atMs: number; resting: boolean },
  ): Order {
    this.#made += 1;
    const orderId = `21900000000${String(30_000 + this.#made)}`;
    return this.#keep({
      ...{ orderId, clientOrderId: clientOrderId ?? orderId, symbol: BTC },
      positionSide: this.#ways.mode === "NET" ? "NONE" : side,
      side: opening === (side === "LONG") ? "BUY" : "SELL",
      ...{ orderType: resting ? "LIMIT" : "MARKET", timeInForce: resting ? "GTC" : "IOC" },
      ...{ qty: LOT.mul(lots), limitPrice: resting ? ENTRY : null, state: "OPEN", executedQty: ZERO, avgPrice: ZERO },
      ...{ fee: ZERO, reduceOnly: !opening, reason: "", cancelPending: false, createdAtMs: atMs, updatedAtMs: atMs },
    });
  }
  #executed(order: Order, lots: number, atMs: number): readonly Push[] {
    const side = heldSideOf(order);
    const opening = (order.side === "BUY") === (side === "LONG");
    const closed = opening ? this.#turn(side, lots) : lots;
    const price = closed === 0 || this.#draw.chance("at entry", 0.2) ? ENTRY : EXIT;
    const qty = LOT.mul(lots);
    const execution: Execution = {
      ...{
        transactionId: `t${this.#executions.length + 1}`,
        orderId: order.orderId,
        clientOrderId: order.clientOrderId,
      },
      ...{ symbol: BTC, side: order.side, qty, price, fee: dec("0.01"), liquidity: "TAKER", atMs },
      realizedPnl: LOT.mul(order.side === "SELL" ? closed : -closed).mul(price.sub(ENTRY)),
    };
    this.#executions.push(execution);
    this.#move(side, opening ? lots - closed : -lots);
    for (const each of SIDES) this.#date(each, atMs);
    const executedQty = order.executedQty.add(qty);
    const state: OrderState = executedQty.eq(order.qty) ? "FILLED" : "PARTIALLY_FILLED";
    const after = this.#keep({ ...order, executedQty, avgPrice: price, state, updatedAtMs: atMs });
    return this.#said(after, [execution], atMs);
  }
  /** In one-way mode an opening closes what the other side holds first. Returns how many lots that took. */
  #turn(side: Side, lots: number): number {
    const closed = this.#ways.mode === "NET" ? Math.min(lots, this.lots(otherSide(side))) : 0;
    this.#move(otherSide(side), -closed);
    return closed;
  }
  #move(side: Side, lots: number): void {
    this.#lots.set(side, this.lots(side) + lots);
  }
  /** The record of a position that has changed bears the time of the change. */
  #date(side: Side, atMs: number): void {
    const before = this.#positions.get(side);
    const qty = this.qty(side);
    if (qty.isZero()) return void this.#positions.delete(side);
    if (before?.qty.eq(qty)) return;
    this.#positions.set(side, {
      ...{ symbol: BTC, side, qty, avgPrice: ENTRY, markPrice: ENTRY, unrealizedPnl: ZERO, leverage: 2 },
      ...{ liquidationPrice: null, createdAtMs: before?.createdAtMs ?? atMs, updatedAtMs: atMs },
    });
  }
  #said(order: Order, executions: readonly Execution[], atMs: number): readonly Push[] {
    const { mode, dated } = this.#ways;
    const side = heldSideOf(order);
    const update: OrderUpdate = { ...order, updatedAtMs: dated ? atMs : null };
    const reported =
      mode === "NET"
        ? { positionSide: "NONE" as const, qty: this.qty("LONG").sub(this.qty("SHORT")) }
        : { positionSide: side, qty: this.qty(side) };
    const position: PositionUpdate = {
      ...{ symbol: BTC, ...reported, leverage: null },
      avgPrice: reported.qty.isZero() ? ZERO : ENTRY,
      ...(dated ? { atMs } : {}),
    };
    return [
      { kind: "order", update },
      ...executions.map((execution): Push => ({ kind: "fill", execution })),
      ...(executions.length === 0 ? [] : [{ kind: "position" as const, update: position }]),
    ];
  }
}

export const keyOf = (side: Side): string => positionKeyOf(BTC, side);
export const lotsAsQty = (lots: number): Decimal => LOT.mul(lots);
