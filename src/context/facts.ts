/**
 * Data of the owner's own beside market and news: the newest points of each configured source, each with the time at which
 * the source says it was true. Points come here checked (`strategy/source-gate.ts`), so nothing is judged again.
 */
import { filling, type Gauge } from "../core/bounded.ts";

/** A figure, or one short line of text. Texts come from outside: a prompt shows them between fence lines only. */
export type FactValue = number | string;

/** `atMs` is the source's own time, epoch ms. */
export interface FactPoint {
  readonly atMs: number;
  readonly values: Readonly<Record<string, FactValue>>;
}

/** What one source says at the instant of the snapshot. */
export interface Fact {
  /** The newest point's values; empty before the first point. */
  readonly values: Readonly<Record<string, FactValue>>;
  /** The newest point's time, epoch ms; null before the first point. */
  readonly atMs: number | null;
  /** Milliseconds since then; Infinity before the first point. */
  readonly ageMs: number;
  /** Older than `sources.NAME.staleAfter` allows, or not known at all: nothing should rest on it. */
  readonly stale: boolean;
  /** Oldest first, the newest `POINTS_KEPT`; the last one is the newest. */
  readonly points: readonly FactPoint[];
}

export type Facts = Readonly<Record<string, Fact>>;

/** Points of each source that are kept and shown. */
export const POINTS_KEPT = 120;

/** A source as the context knows it. */
export interface FactTerms {
  readonly name: string;
  /** A point older than this is stale, ms. */
  readonly staleAfterMs: number;
}

/** Bounded by `POINTS_KEPT` a source; sources that were not announced are ignored. */
export class FactBook {
  readonly #terms: readonly FactTerms[];
  readonly #points: Map<string, readonly FactPoint[]>;

  constructor(terms: readonly FactTerms[]) {
    this.#terms = terms;
    this.#points = new Map(terms.map(({ name }) => [name, []]));
  }

  /** `points` rise in time and are newer than all that were added before. */
  add(source: string, points: readonly FactPoint[]): void {
    const known = this.#points.get(source);
    if (known) this.#points.set(source, Object.freeze([...known, ...points].slice(-POINTS_KEPT)));
  }

  at(nowMs: number): Facts {
    return Object.freeze(Object.fromEntries(this.#terms.map((terms) => [terms.name, this.#fact(terms, nowMs)])));
  }

  /** None where no source is configured. */
  gauges(): readonly Gauge[] {
    if (this.#terms.length === 0) return [];
    let size = 0;
    for (const points of this.#points.values()) size += points.length;
    return [filling("context.facts", size, POINTS_KEPT * this.#terms.length)];
  }

  #fact({ name, staleAfterMs }: FactTerms, nowMs: number): Fact {
    const points = this.#points.get(name) ?? [];
    const newest = points.at(-1);
    // A source's clock may be a little ahead of ours.
    const ageMs = newest ? Math.max(0, nowMs - newest.atMs) : Infinity;
    return Object.freeze({
      values: newest?.values ?? {},
      atMs: newest?.atMs ?? null,
      ageMs,
      stale: ageMs > staleAfterMs,
      points,
    });
  }
}
