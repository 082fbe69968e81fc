/** Rows of numbers in one preallocated block: the market path writes here and allocates nothing. */

/** Keeps the last `capacity` rows of `columns` numbers. Age 0 is the newest row. */
export class Ring {
  readonly columns: number;
  readonly capacity: number;
  readonly #data: Float64Array;
  #next = 0;
  #size = 0;

  constructor(columns: number, capacity: number) {
    this.columns = columns;
    this.capacity = capacity;
    this.#data = new Float64Array(columns * capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** Opens a new row of zeros as the newest; when full, the oldest is dropped. */
  advance(): void {
    const start = this.#next * this.columns;
    this.#data.fill(0, start, start + this.columns);
    this.#next = (this.#next + 1) % this.capacity;
    if (this.#size < this.capacity) this.#size++;
  }

  /** NaN if there is no such row. */
  at(age: number, column: number): number {
    if (age < 0 || age >= this.#size) return NaN;
    return this.#data[this.#offset(age) + column] ?? NaN;
  }

  set(age: number, column: number, value: number): void {
    if (age >= 0 && age < this.#size) this.#data[this.#offset(age) + column] = value;
  }

  /** Replaces a whole row. */
  put(age: number, row: Float64Array): void {
    if (age < 0 || age >= this.#size) return;
    const start = this.#offset(age);
    for (let column = 0; column < this.columns; column++) this.#data[start + column] = row[column] ?? NaN;
  }

  /** Where a row lies in the block: the same for as long as the row is kept. */
  slot(age: number): number {
    const slot = this.#next - 1 - age;
    return slot < 0 ? slot + this.capacity : slot;
  }

  clear(): void {
    this.#next = 0;
    this.#size = 0;
  }

  #offset(age: number): number {
    return this.slot(age) * this.columns;
  }
}
