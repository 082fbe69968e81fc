/**
 * A long table of numbers that grows at its end and is trimmed at its beginning, in blocks outside the object heap:
 * history costs a hundred bytes a row, and the garbage collector ignores it.
 */

const BLOCK_ROWS = 256;

/** Stores numbers only: `executions.ts` and `ledger.ts` know the meaning of a column. */
export class Rows {
  private readonly width: number;
  private readonly blocks: Float64Array[] = [];
  /** Numbers of the oldest row kept and of the next one. */
  first = 0;
  end = 0;
  /** The block of the newest row. */
  cells = new Float64Array(0);
  at = 0;

  constructor(width: number) {
    this.width = width;
  }

  get length(): number {
    return this.end - this.first;
  }

  /** Adds a row of zeros, to be filled at `cells[at]` and after; returns its number. */
  add(): number {
    const inBlock = this.end % BLOCK_ROWS;
    if (inBlock === 0) this.blocks.push((this.cells = new Float64Array(BLOCK_ROWS * this.width)));
    this.at = inBlock * this.width;
    return this.end++;
  }

  /** One row that is kept. */
  read(row: number): Float64Array {
    const block = this.blocks[Math.floor((row - this.first) / BLOCK_ROWS)] ?? this.cells;
    const at = (row % BLOCK_ROWS) * this.width;
    return block.subarray(at, at + this.width);
  }

  /** The newest row of the oldest block. */
  get lastOfFirstBlock(): number {
    return Math.min(this.end, this.first + BLOCK_ROWS) - 1;
  }

  /** Whether there is a whole block before the newest `keep` rows. */
  hasMoreThan(keep: number): boolean {
    return this.length >= keep + BLOCK_ROWS;
  }

  /** Drops the oldest block; returns the numbers of its rows, from inclusive, to exclusive. */
  dropBlock(): readonly [from: number, to: number] {
    const from = this.first;
    this.blocks.shift();
    this.first = Math.min(this.end, from + BLOCK_ROWS);
    return [from, this.first];
  }
}
