/**
 * Compresses small frames with one state that is used again: a market stream compresses every frame, and a new state for
 * each takes longer than compressing it. Where this Node cannot do it, every frame is compressed in the public way.
 */
import { constants, createGzip, gunzipSync, gzipSync } from "node:zlib";
import { insideOf } from "../../../net/zlib-handle.ts";

/** Frames are worth little compression: they live for milliseconds. */
const OPTIONS = { level: 1 } as const;
/** Larger frames are compressed in the public way. */
const TEXT_BYTES_MAX = 64 * 1024;
/** More than gzip can make of so many bytes. */
const OUTPUT_BYTES = 2 * TEXT_BYTES_MAX;

type Gzip = (text: string) => Buffer;

const inPublic: Gzip = (text) => gzipSync(text, OPTIONS);

/** Null if this Node cannot do it. */
function kept(): Gzip | null {
  try {
    const gzip = overOneState();
    return gzip && works(gzip) ? gzip : null;
  } catch {
    return null;
  }
}

function overOneState(): Gzip | null {
  const inside = insideOf(createGzip(OPTIONS));
  if (!inside) return null;
  const { handle, left } = inside;
  const output = Buffer.alloc(OUTPUT_BYTES);
  let failed = false;
  handle.onerror = () => {
    failed = true;
  };
  return (text) => {
    const bytes = Buffer.from(text);
    if (bytes.length > TEXT_BYTES_MAX) return inPublic(text);
    failed = false;
    handle.writeSync(constants.Z_FINISH, bytes, 0, bytes.length, output, 0, OUTPUT_BYTES);
    const [outLeft = 0, inLeft = 0] = left;
    handle.reset();
    return failed || inLeft > 0 || outLeft === 0
      ? inPublic(text)
      : Buffer.from(output.subarray(0, OUTPUT_BYTES - outLeft));
  };
}

/** Twice over, since the second frame shows whether the state was reset. */
function works(gzip: Gzip): boolean {
  const texts = ['{"arg":{"channel":"BBO"},"data":[1,2,3,1,2,3]}', "pong"];
  return [...texts, ...texts].every((text) => gunzipSync(gzip(text)).toString() === text);
}

let chosen: Gzip | undefined;

/** The GZIP form of a text. */
export const gzipped: Gzip = (text) => (chosen ??= kept() ?? inPublic)(text);
