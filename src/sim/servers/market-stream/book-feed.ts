/**
 * The ORDER_BOOK channel of one symbol: a snapshot for new followers, and between two ticks one delta with absolute
 * quantities, numbered without gaps. Knows no sockets. Spec: 1 §6.1; records §10.5.
 */
import { MARKET_STREAM_LIMITS } from "../../../protocol/limits.ts";
import type { BookView, Level } from "../../exchange/contract/market-api.ts";

const { bookDepth } = MARKET_STREAM_LIMITS;

/** `data` of an ORDER_BOOK push. A delta applies if its `pre_seq` is the last `seq`; quantity "0" removes a level. */
export interface BookData {
  readonly updatetype: "snapshot" | "update";
  readonly seq: number;
  readonly pre_seq: number;
  readonly Bids: readonly (readonly [string, string])[];
  readonly Asks: readonly (readonly [string, string])[];
  readonly ts: number;
}

/** The text form of prices and quantities: with the decimals of the symbol's steps. */
export interface LevelTexts {
  price(ticks: number): string;
  qty(lots: number): string;
}

/** Holds the book that the followers have, not the current one: the next `tick` reports the difference. */
export class BookFeed {
  readonly #view: () => BookView;
  readonly #texts: LevelTexts;
  #bids: readonly Level[] = [];
  #asks: readonly Level[] = [];
  #seq: number;
  /** Set when the book may differ from what was last published. */
  dirty = true;

  constructor(view: () => BookView, texts: LevelTexts, firstSeq = 1) {
    this.#view = view;
    this.#texts = texts;
    this.#seq = firstSeq;
  }

  /** The last published book, as a snapshot: the next delta applies to it. */
  snapshot(nowMs: number): BookData {
    if (this.#bids.length === 0 && this.#asks.length === 0) this.refresh();
    return {
      updatetype: "snapshot",
      seq: this.#seq,
      pre_seq: this.#seq - 1,
      Bids: this.#bids.map((level) => this.#row(level)),
      Asks: this.#asks.map((level) => this.#row(level)),
      ts: nowMs,
    };
  }

  /** Publishes the current book without a delta; only while nobody follows the symbol. */
  refresh(): void {
    const { bids, asks } = this.#view();
    this.#bids = bids.slice(0, bookDepth);
    this.#asks = asks.slice(0, bookDepth);
    this.#seq++;
    this.dirty = false;
  }

  /** The changes since the last tick; null without any. */
  tick(nowMs: number): BookData | null {
    if (!this.dirty) return null;
    const oldBids = this.#bids;
    const oldAsks = this.#asks;
    const { bids, asks } = this.#view();
    const nextBids = bids.slice(0, bookDepth);
    const nextAsks = asks.slice(0, bookDepth);
    this.dirty = false;
    const changedBids = this.#changes(oldBids, nextBids);
    const changedAsks = this.#changes(oldAsks, nextAsks);
    if (changedBids.length === 0 && changedAsks.length === 0) return null;
    this.#bids = nextBids;
    this.#asks = nextAsks;
    const preSeq = this.#seq++;
    return { updatetype: "update", seq: this.#seq, pre_seq: preSeq, Bids: changedBids, Asks: changedAsks, ts: nowMs };
  }

  #changes(before: readonly Level[], after: readonly Level[]): [string, string][] {
    const old = new Map(before);
    const changes: [string, string][] = [];
    for (const [ticks, lots] of after) {
      if (old.get(ticks) !== lots) changes.push([this.#texts.price(ticks), this.#texts.qty(lots)]);
      old.delete(ticks);
    }
    for (const ticks of old.keys()) changes.push([this.#texts.price(ticks), "0"]);
    return changes;
  }

  #row([ticks, lots]: Level): readonly [string, string] {
    return [this.#texts.price(ticks), this.#texts.qty(lots)];
  }
}
