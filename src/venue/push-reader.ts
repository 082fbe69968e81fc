/**
 * Reads the frames of one market socket and passes their figures on. A push whose like has been parsed before, and which is
 * of the plainest form, is read straight from its bytes; every other frame is parsed as JSON. Spec: 1 §6.1; records §10.
 */
import { isRecord } from "../core/record.ts";
import type { MarketSink } from "../domain/market.ts";
import { readMarketFrame } from "../protocol/market/read-market-frame.ts";
import { BRACKET, ByteReader } from "../protocol/market-bytes/byte-reader.ts";
import { bookHead } from "../protocol/market-bytes/order-book-bytes.ts";
import { type BookMessage, createBookSequence } from "./book-sequence.ts";
import { bookMessageOf, type PushAddress, pushAddressOf } from "./market-push.ts";
import { createPushAddresses, type KnownAddress } from "./push-addresses.ts";

export type PushFrame = Readonly<Record<string, unknown>>;

/** What the socket decides about a frame. */
export interface PushOwner {
  /** Notes a push of this subscription; false if nobody wants it. */
  wanted(key: string): boolean;
  /** A frame that answers a request of ours. */
  message(frame: PushFrame): void;
  /** An update of an order book was lost. */
  gap(push: PushAddress): void;
  refuse(reason: string): void;
}

/** One for all sockets: a frame is read whole before the next one. */
const reader = new ByteReader();

/** `readBytes` is asked first; where it returns false, `readFrame` gets the same frame parsed. */
export class PushReader {
  readonly #sink: MarketSink;
  readonly #owner: PushOwner;
  readonly #books = createBookSequence();
  readonly #addresses = createPushAddresses();
  /** The frame that is about to be parsed, as it came; null where it came as text. */
  #unread: { readonly bytes: Uint8Array; readonly length: number } | null = null;

  constructor(sink: MarketSink, owner: PushOwner) {
    this.#sink = sink;
    this.#owner = owner;
  }

  readBytes(bytes: Uint8Array, length: number, atMs: number): boolean {
    const address = this.#addresses.find(bytes, length);
    if (!address || !this.#isRead(address, bytes, length)) {
      this.#unread = { bytes, length };
      return false;
    }
    if (!this.#owner.wanted(address.key)) return true;
    if (address.channel === "ORDER_BOOK" && !this.#continues(address, bookHead())) return true;
    this.#sink.received(atMs);
    address.form.report(address.symbol, this.#sink);
    return true;
  }
  #isRead({ prefix, form }: KnownAddress, bytes: Uint8Array, length: number): boolean {
    reader.open(bytes, prefix.length, length);
    return form.read(reader) && reader.takes(BRACKET.objectEnd) && reader.isDone;
  }

  readFrame(frame: unknown, atMs: number): void {
    const unread = this.#unread;
    this.#unread = null;
    const { refuse } = this.#owner;
    if (!isRecord(frame)) return refuse("frame is not an object");
    if (typeof frame.event === "string") return this.#owner.message(frame);
    const push = pushAddressOf(frame);
    if (!push) return refuse("frame has neither event nor arg");
    if (!this.#owner.wanted(push.key)) return;
    if (push.channel === "ORDER_BOOK" && !this.#continues(push, bookMessageOf(frame))) return;
    this.#sink.received(atMs);
    const kind = readMarketFrame(frame, this.#sink);
    if (typeof kind !== "object") {
      if (unread) this.#addresses.learn(unread.bytes, unread.length, frame, push);
      return;
    }
    refuse(kind.refused);
    // The lost change is unknown: the next update finds a gap, and the book restarts.
    if (push.channel === "ORDER_BOOK") this.forgetBook(push.symbol);
  }

  /** The next update of this book counts only after a new snapshot. */
  forgetBook(symbol: string): void {
    this.#books.forget(symbol);
  }
  #continues(push: PushAddress, message: BookMessage): boolean {
    const verdict = this.#books.judge(push.symbol, message);
    if (verdict === "gap") this.#owner.gap(push);
    return verdict === "take";
  }
}
