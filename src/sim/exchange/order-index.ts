/** Orders by their number, in blocks, so that finding one is two steps into arrays and old blocks can go as a whole. */
import type { Order } from "./state.ts";

const BITS = 10;
const MASK = (1 << BITS) - 1;

interface Block {
  readonly orders: (Order | undefined)[];
  held: number;
}

export class OrderIndex {
  private readonly blocks = new Map<number, Block>();
  private newest: Block = { orders: [], held: 0 };
  private newestNo = -1;

  add(order: Order): void {
    const no = order.ref >>> BITS;
    if (no !== this.newestNo) {
      this.newest = { orders: new Array<Order | undefined>(MASK + 1).fill(undefined), held: 0 };
      this.newestNo = no;
      this.blocks.set(no, this.newest);
    }
    this.newest.orders[order.ref & MASK] = order;
    this.newest.held++;
  }

  get(ref: number): Order | undefined {
    const no = ref >>> BITS;
    const block = no === this.newestNo ? this.newest : this.blocks.get(no);
    return block?.orders[ref & MASK];
  }

  /** Forgets an order. */
  drop({ ref }: Order): void {
    const no = ref >>> BITS;
    const block = this.blocks.get(no);
    if (block?.orders[ref & MASK] === undefined) return;
    block.orders[ref & MASK] = undefined;
    // The newest block stays: more orders are to come.
    if (--block.held === 0 && no !== this.newestNo) this.blocks.delete(no);
  }

  /** How many orders are kept. */
  get size(): number {
    let size = 0;
    for (const { held } of this.blocks.values()) size += held;
    return size;
  }
}
