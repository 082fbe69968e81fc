/**
 * Takes whole binary frames from what a socket has received, before the WebSocket library reads it: the library makes ten
 * objects for every frame, and a market stream brings thousands of frames a second. All other bytes go on to the library as
 * they came: text, control frames, parts of messages, frames that are not complete yet, and bytes that break the protocol.
 * RFC 6455 §5.2.
 */

/** Called in the order of arrival. */
export interface FrameListener {
  /** The contents of a binary frame are the bytes `from` to `to` of the chunk. */
  frame(chunk: Buffer, from: number, to: number): void;
  /** Bytes for the library, at any point between frames or within one. */
  others(bytes: Buffer): void;
}

const FINAL = 0x80;
const MASKED = 0x80;
/** The first byte of a frame: whether it is the last of its message, and its kind. */
const WHOLE_BINARY = 0x82;
const PING = 0x89;
const PONG = 0x8a;
const CONTINUATION = 0x00;
const TEXT = 0x01;
const BINARY = 0x02;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const NOTHING = Buffer.alloc(0);

export class WholeFrames {
  readonly #on: FrameListener;
  readonly #maxBytes: number;
  /** The beginning of a header whose rest has not arrived. */
  #begun: Buffer = NOTHING;
  /** How much of a frame that the library reads has not arrived. */
  #left = 0;
  /** Parts of a message have come, but not the last one. */
  #inParts = false;
  /** The library reads all that follows: the connection ends, or the library may refuse it. */
  #isOver = false;

  /** Longer frames than `maxBytes` are the library's. */
  constructor(maxBytes: number, on: FrameListener) {
    this.#maxBytes = maxBytes;
    this.#on = on;
  }

  take(arrived: Buffer): void {
    const chunk = this.#begun.length === 0 ? arrived : Buffer.concat([this.#begun, arrived]);
    this.#begun = NOTHING;
    /** Where the bytes begin that the library has not been given. */
    let others = 0;
    let at = Math.min(this.#left, chunk.length);
    this.#left -= at;
    while (at < chunk.length && !this.#isOver) {
      const from = at + headerBytes(chunk, at);
      if (from > chunk.length) break;
      const to = from + contentBytes(chunk, at);
      if (to <= chunk.length && to - from <= this.#maxBytes && this.#isWholeBinary(chunk, at)) {
        if (at > others) this.#on.others(chunk.subarray(others, at));
        this.#on.frame(chunk, from, to);
        others = to;
      } else this.#note(chunk[at] ?? 0, chunk[at + 1] ?? 0);
      at = Math.min(to, chunk.length);
      this.#left = to - at;
    }
    if (this.#isOver) at = chunk.length;
    if (at > others) this.#on.others(chunk.subarray(others, at));
    if (at < chunk.length) this.#begun = chunk.subarray(at);
  }

  #isWholeBinary(chunk: Buffer, at: number): boolean {
    return chunk[at] === WHOLE_BINARY && ((chunk[at + 1] ?? 0) & MASKED) === 0 && !this.#inParts;
  }
  #note(first: number, second: number): void {
    const kind = first & ~FINAL;
    const isPart = this.#inParts ? kind === CONTINUATION : kind === TEXT || kind === BINARY;
    if (isPart) this.#inParts = (first & FINAL) === 0;
    this.#isOver = (second & MASKED) !== 0 || !(isPart || first === PING || first === PONG);
  }
}

/** More than there are where the header is not complete. */
function headerBytes(chunk: Buffer, at: number): number {
  const length = (chunk[at + 1] ?? 0) & ~MASKED;
  if (length === LENGTH_IN_8_BYTES) return 10;
  return length === LENGTH_IN_2_BYTES ? 4 : 2;
}

function contentBytes(chunk: Buffer, at: number): number {
  const length = (chunk[at + 1] ?? 0) & ~MASKED;
  if (length === LENGTH_IN_8_BYTES) return chunk.readUInt32BE(at + 2) * 2 ** 32 + chunk.readUInt32BE(at + 6);
  return length === LENGTH_IN_2_BYTES ? chunk.readUInt16BE(at + 2) : length;
}
