/** Bounded collections and their sizes. Every collection that lives as long as the process is one of these. Invariant I30. */

/** A map that drops its oldest entry when full. Setting a known key makes it the newest. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly cap: number;
  constructor(cap: number) {
    this.cap = cap;
  }
  get size(): number {
    return this.#entries.size;
  }
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }
  has(key: K): boolean {
    return this.#entries.has(key);
  }
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.cap) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
  }
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }
  clear(): void {
    this.#entries.clear();
  }
  values(): IterableIterator<V> {
    return this.#entries.values();
  }
  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }
}

/** Keeps the last `cap` items pushed. */
export class BoundedList<T> {
  #items: T[] = [];
  readonly cap: number;
  constructor(cap: number) {
    this.cap = cap;
  }
  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length > this.cap * 2) this.#items = this.#items.slice(-this.cap);
  }
  /** Oldest first. */
  items(): readonly T[] {
    return this.#items.slice(-this.cap);
  }
  get size(): number {
    return Math.min(this.#items.length, this.cap);
  }
}

/** The size of a collection. Each declares a cap. */
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
