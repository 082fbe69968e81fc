/** The executions of a portfolio: rows of numbers, turned into records when read. Spec: records §5.8. */
import type { Money } from "./amount.ts";
import { Rows } from "./rows.ts";
import type { Execution, ExecutionKeeper, Exposure } from "./state.ts";

const WIDTH = 9;

/** Amounts too large for whole floats are kept beside the rows. Reading needs `World.exposures` by number. */
export class Executions implements ExecutionKeeper {
  private readonly rows = new Rows(WIDTH);
  /** Fee and profit of the rows whose amounts are too large for whole numbers. */
  private readonly large = new Map<number, { readonly fee: Money; readonly realisedPnl: Money }>();

  get length(): number {
    return this.rows.length;
  }

  add(execution: Execution): void {
    const { rows } = this;
    const row = rows.add();
    const { cells, at } = rows;
    const { fee, realisedPnl } = execution;
    cells[at] = execution.no;
    cells[at + 1] = execution.orderRef;
    cells[at + 2] = execution.exposure.no;
    cells[at + 3] = execution.ticks;
    cells[at + 4] = execution.lots;
    cells[at + 5] = execution.atMs;
    cells[at + 6] = (execution.buy ? 1 : 0) + (execution.maker ? 2 : 0);
    cells[at + 7] = typeof fee === "number" ? fee : NaN;
    cells[at + 8] = typeof realisedPnl === "number" ? realisedPnl : NaN;
    if (typeof fee !== "number" || typeof realisedPnl !== "number") this.large.set(row, { fee, realisedPnl });
  }

  private read(row: number, exposures: readonly Exposure[]): Execution | null {
    const [no = 0, orderRef = 0, exposureNo = 0, ticks = 0, lots = 0, atMs = 0] = this.rows.read(row);
    const [flags = 0, fee = 0, realisedPnl = 0] = this.rows.read(row).subarray(6);
    const exposure = exposures[exposureNo];
    if (exposure === undefined) return null;
    const money = this.large.get(row) ?? { fee, realisedPnl };
    return { no, orderRef, exposure, ticks, lots, atMs, buy: (flags & 1) !== 0, maker: (flags & 2) !== 0, ...money };
  }

  /** The newest first, back to `fromMs`. */
  since(fromMs: number, exposures: readonly Exposure[]): Execution[] {
    const found: Execution[] = [];
    for (let row = this.rows.end - 1; row >= this.rows.first; row--) {
      const execution = this.read(row, exposures);
      if (execution === null || execution.atMs < fromMs) break;
      found.push(execution);
    }
    return found;
  }

  /**
   * Drops the oldest, a block at a time, while more than `keep` remain or a whole block is older than `olderThanMs`.
   */
  forget(keep: number, olderThanMs: number): void {
    while (this.rows.hasMoreThan(keep) || this.isOld(olderThanMs)) {
      const [from, to] = this.rows.dropBlock();
      for (let row = from; row < to && this.large.size > 0; row++) this.large.delete(row);
    }
  }

  private isOld(olderThanMs: number): boolean {
    const { rows } = this;
    if (!rows.hasMoreThan(1)) return false;
    const [, , , , , atMs = 0] = rows.read(rows.lastOfFirstBlock);
    return atMs < olderThanMs;
  }
}
