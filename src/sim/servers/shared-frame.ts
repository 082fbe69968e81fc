/** One frame for many readers: serialised once, compressed at most once. */
import { gzipSync } from "node:zlib";

/** What sockets send; who reads compressed and who reads plain may share one. */
export interface SharedFrame {
  readonly text: string;
  /** The GZIP form, made at the first asking. */
  gzipped(): Buffer;
}

/** `bytes` replaces the compressed form, for faults that damage it. */
export function sharedFrame(text: string, bytes?: Buffer): SharedFrame {
  let made = bytes;
  return { text, gzipped: () => (made ??= gzipSync(text, { level: 1 })) };
}
