/** Sizes of the collections that live as long as the process. Invariant I30: each declares a cap and reports its size. */

export interface Gauge {
  /** Stable name, `room.collection`. */
  readonly name: string;
  readonly size: number;
  /** Largest size since the start. */
  readonly highWater: number;
  readonly cap: number;
}

/** The gauge of a collection that never shrinks by itself, such as a ring: its size is its high-water mark. */
export const filling = (name: string, size: number, cap: number): Gauge => ({ name, size, highWater: size, cap });
