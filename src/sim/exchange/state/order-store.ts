/**
 * All orders by their number. Open ones are records; an ended one is packed into numbers, outside the garbage
 * collector's heap, and unpacked into a record when requested.
 */
import type { OrderState, PositionSide } from "../../../domain/order.ts";
import { type Money, Sum } from "./amount.ts";
import { idOf } from "./ids.ts";
import type { AttachedProtection } from "./order-terms.ts";
import type { Exposure, Order, OrderKeeper } from "./state.ts";

const BITS = 8;
const SIZE = 1 << BITS;
const MASK = SIZE - 1;
const WIDTH = 12;

/** The texts of a packed order that differ from the usual ones. */
interface Texts {
  readonly clientOrderId: string;
  readonly algoOrderId: string;
  readonly quoteOrderQty: string;
  readonly protection: AttachedProtection | null;
  readonly reason: string;
  readonly amendType: Order["amendType"];
  readonly origin: Order["origin"];
  /** A fee that is too large for a whole number. */
  readonly fee: Money;
}

interface Block {
  readonly live: (Order | undefined)[];
  /** Null until one of its orders has ended. */
  packed: Float64Array | null;
  texts: Map<number, Texts> | null;
  held: number;
}

const SIDES: readonly PositionSide[] = ["NONE", "LONG", "SHORT"];
const TIMES: readonly Order["timeInForce"][] = ["GTC", "IOC", "FOK", "GTX"];
const STATES: readonly OrderState[] = ["FILLED", "CANCELLED", "REJECTED"];
const CANCELS: readonly Order["cancelType"][] = ["", "SYSTEM", "USER"];

/** Written out, because searching a list for each word would dominate the cost. */
function codeOf(order: Order): number {
  const { positionSide, timeInForce, state, cancelType } = order;
  return (
    1 +
    (order.side === "BUY" ? 2 : 0) +
    (order.type === "MARKET" ? 4 : 0) +
    (order.reduceOnly ? 8 : 0) +
    (positionSide === "NONE" ? 0 : positionSide === "LONG" ? 16 : 32) +
    (timeInForce === "GTC" ? 0 : 64 * TIMES.indexOf(timeInForce)) +
    (state === "FILLED" ? 0 : state === "CANCELLED" ? 256 : 512) +
    (cancelType === "" ? 0 : cancelType === "SYSTEM" ? 1024 : 2048)
  );
}

function textsOf(order: Order, fee: Money): Texts | null {
  const { clientOrderId, algoOrderId, quoteOrderQty, protection, reason, amendType, origin } = order;
  const plain =
    clientOrderId === order.orderId &&
    reason === "" &&
    protection === null &&
    algoOrderId === "" &&
    quoteOrderQty === "" &&
    amendType === "" &&
    origin === "DMA" &&
    typeof fee === "number";
  return plain ? null : { clientOrderId, algoOrderId, quoteOrderQty, protection, reason, amendType, origin, fee };
}

function pack(order: Order, cells: Float64Array, at: number, fee: Money): void {
  cells[at] = codeOf(order);
  cells[at + 1] = order.exposure.no;
  cells[at + 2] = order.leverage;
  cells[at + 3] = order.lots;
  cells[at + 4] = order.ticks ?? NaN;
  cells[at + 5] = order.filledLots;
  cells[at + 6] = order.filledUnits;
  cells[at + 7] = order.lastLots;
  cells[at + 8] = order.lastTicks;
  cells[at + 9] = typeof fee === "number" ? fee : 0;
  cells[at + 10] = order.createdAtMs;
  cells[at + 11] = order.updatedAtMs;
}

function feeSum(units: number, texts: Texts | undefined): Sum {
  const sum = new Sum();
  sum.add(texts === undefined || typeof texts.fee === "number" ? units : texts.fee);
  return sum;
}

const emptyBlock = (): Block => ({
  live: new Array<Order | undefined>(SIZE).fill(undefined),
  packed: null,
  texts: null,
  held: 0,
});

/** In blocks of 256 by number; a block is removed when all its orders were dropped. */
export class OrderStore implements OrderKeeper {
  private readonly exposures: readonly Exposure[];
  private readonly blocks = new Map<number, Block>();
  private newest: Block = emptyBlock();
  private newestNo = -1;

  constructor(exposures: readonly Exposure[]) {
    this.exposures = exposures;
  }

  add(order: Order): void {
    const no = order.ref >>> BITS;
    if (no !== this.newestNo) {
      this.newest = this.blocks.get(no) ?? emptyBlock();
      this.newestNo = no;
      this.blocks.set(no, this.newest);
    }
    this.newest.live[order.ref & MASK] = order;
    this.newest.held++;
  }

  private block(ref: number): Block | undefined {
    const no = ref >>> BITS;
    return no === this.newestNo ? this.newest : this.blocks.get(no);
  }

  /** An order that has not ended. */
  open(ref: number): Order | undefined {
    return this.block(ref)?.live[ref & MASK];
  }

  /** Any stored order. For an ended one every call returns a new record. */
  get(ref: number): Order | undefined {
    const block = this.block(ref);
    return block?.live[ref & MASK] ?? (block === undefined ? undefined : this.unpack(ref, block));
  }

  /** Whether an order is kept. */
  has(ref: number): boolean {
    const block = this.block(ref);
    return (
      block !== undefined && (block.live[ref & MASK] !== undefined || (block.packed?.[(ref & MASK) * WIDTH] ?? 0) > 0)
    );
  }

  /** Call when an order has ended and no longer changes. */
  close(order: Order): void {
    const { ref } = order;
    const block = this.block(ref);
    if (block?.live[ref & MASK] === undefined) return;
    block.live[ref & MASK] = undefined;
    const fee = order.fee === null ? 0 : order.fee.money;
    pack(order, (block.packed ??= new Float64Array(SIZE * WIDTH)), (ref & MASK) * WIDTH, fee);
    const texts = textsOf(order, fee);
    if (texts !== null) (block.texts ??= new Map()).set(ref, texts);
  }

  private unpack(ref: number, block: Block): Order | undefined {
    const at = (ref & MASK) * WIDTH;
    const row = block.packed?.subarray(at, at + WIDTH);
    const [code = 0, exposureNo = 0, leverage = 0, lots = 0, ticks = NaN, filledLots = 0] = row ?? [];
    const exposure = this.exposures[exposureNo];
    if (row === undefined || code === 0 || exposure === undefined) return undefined;
    const [filledUnits = 0, lastLots = 0, lastTicks = 0, fee = 0, createdAtMs = 0, updatedAtMs = 0] = row.subarray(6);
    const texts = block.texts?.get(ref);
    const orderId = idOf(ref);
    return {
      ref,
      orderId,
      clientOrderId: texts?.clientOrderId ?? orderId,
      exposure,
      side: (code & 2) !== 0 ? "BUY" : "SELL",
      positionSide: SIDES[(code >> 4) & 3] ?? "NONE",
      type: (code & 4) !== 0 ? "MARKET" : "LIMIT",
      timeInForce: TIMES[(code >> 6) & 3] ?? "GTC",
      reduceOnly: (code & 8) !== 0,
      leverage,
      algoOrderId: texts?.algoOrderId ?? "",
      origin: texts?.origin ?? "DMA",
      protection: texts?.protection ?? null,
      quoteOrderQty: texts?.quoteOrderQty ?? "",
      lots,
      ticks: Number.isNaN(ticks) ? null : ticks,
      countedTicks: 0,
      talliedLots: 0,
      state: STATES[(code >> 8) & 3] ?? "CANCELLED",
      filledLots,
      filledUnits,
      lastLots,
      lastTicks,
      fee: feeSum(fee, texts),
      reason: texts?.reason ?? "",
      action: "",
      cancelType: CANCELS[(code >> 10) & 3] ?? "",
      amendType: texts?.amendType ?? "",
      resting: null,
      openBefore: null,
      openNext: null,
      createdAtMs,
      updatedAtMs,
    };
  }

  /** Drops an order that has ended; false for one that has not. */
  drop(ref: number): boolean {
    const no = ref >>> BITS;
    const block = this.blocks.get(no);
    if (block === undefined) return true;
    if (block.live[ref & MASK] !== undefined) return false;
    const at = (ref & MASK) * WIDTH;
    if (block.packed === null || block.packed[at] === 0) return true;
    block.packed[at] = 0;
    block.texts?.delete(ref);
    // The newest block stays, because further orders go into it.
    if (--block.held === 0 && no !== this.newestNo) this.blocks.delete(no);
    return true;
  }

  /** How many orders are stored, open and ended. */
  get size(): number {
    let size = 0;
    for (const { held } of this.blocks.values()) size += held;
    return size;
  }
}
