/**
 * The inner interface of a zlib stream. `zlib.gzipSync` and `gunzipSync` make a new state for every call, which takes longer
 * than the work on a small frame; the public interface has no way to keep one.
 */

/** A state that works on one input after the other. */
export interface ZlibHandle {
  onerror: () => void;
  writeSync(
    flush: number,
    from: Buffer,
    fromAt: number,
    fromLength: number,
    to: Buffer,
    toAt: number,
    toLength: number,
  ): void;
  reset(): void;
}

/** `left`: the room left in the output and the bytes left of the input, after each write. */
export interface ZlibInside {
  readonly handle: ZlibHandle;
  readonly left: Uint32Array;
}

/** Null where this Node has not the inner interface that is expected. */
export function insideOf(stream: object): ZlibInside | null {
  const { _handle: handle, _writeState: left } = stream as Readonly<Record<string, unknown>>;
  return isHandle(handle) && left instanceof Uint32Array ? { handle, left } : null;
}

const isHandle = (value: unknown): value is ZlibHandle =>
  typeof value === "object" && value !== null && "writeSync" in value && "reset" in value;
