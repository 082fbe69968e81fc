/**
 * Inflates small gzip frames into one buffer that is used again, with one state (`zlib-handle.ts`). Where this Node has not
 * the inner interface that is used here, or it does not do what is expected, nothing is inflated here and the public way
 * remains.
 */
import { constants, createGunzip, gzipSync } from "node:zlib";
import { insideOf } from "./zlib-handle.ts";

/** What `inflate` inflated stays in `bytes` until the next call. */
export interface Inflater {
  readonly bytes: Buffer;
  /** The number of bytes; -1 for a frame that is damaged, cut, followed by others, or too large for `bytes`. Default: all of `data`. */
  inflate(data: Buffer, from?: number, to?: number): number;
}

/** Null if this Node cannot do it. */
export function createInflater(capacity: number): Inflater | null {
  try {
    const inflater = over(createGunzip(), capacity);
    return inflater && works(inflater) ? inflater : null;
  } catch {
    return null;
  }
}

function over(stream: object, size: number): Inflater | null {
  const inside = insideOf(stream);
  if (!inside) return null;
  const { handle, left } = inside;
  const bytes = Buffer.alloc(size);
  let failed = false;
  handle.onerror = () => {
    failed = true;
  };
  return {
    bytes,
    inflate: (data, from = 0, to = data.length) => {
      failed = false;
      handle.writeSync(constants.Z_FINISH, data, from, to - from, bytes, 0, size);
      const outLeft = left[0] ?? 0;
      const inLeft = left[1] ?? 0;
      handle.reset();
      // A full buffer may not be all of it.
      return failed || inLeft > 0 || outLeft === 0 ? -1 : size - outLeft;
    },
  };
}

/** A whole frame, one with a wrong checksum and one that is cut, twice over. */
function works({ bytes, inflate }: Inflater): boolean {
  const text = '{"arg":{"channel":"BBO"},"data":[1,2,3,1,2,3,1,2,3]}';
  const whole = gzipSync(text);
  const wrong = Buffer.from(whole);
  wrong[wrong.length - 8] = (wrong[wrong.length - 8] ?? 0) ^ 1;
  const cut = whole.subarray(0, whole.length - 3);
  const once = (): boolean =>
    inflate(whole) === text.length &&
    bytes.toString("latin1", 0, text.length) === text &&
    inflate(wrong) === -1 &&
    inflate(cut) === -1;
  return once() && once();
}

/** Larger frames are inflated in the public way. */
const INFLATED_BYTES = 64 * 1024;

let inflaterOfAll: Inflater | null | undefined;

/** One for all sockets: a frame is dealt with before the next one is inflated. */
export const sharedInflater = (): Inflater | null => (inflaterOfAll ??= createInflater(INFLATED_BYTES));
