/**
 * Unpacks gzip piece by piece, synchronously and in bounded memory. The market moves within one call and cannot wait,
 * and the runtime's own streams are asynchronous; minizlib unpacks within the call.
 */
import { Gunzip } from "minizlib";

/** Returns the next piece at each call, null at the end. */
export type Pieces = () => Uint8Array | null;

/** Describes the damage. */
export class DamagedGzip extends Error {}

/** Bytes given to the unpacker at once. At the largest gzip ratio, about a thousand, they unpack to some megabytes. */
const PIECE_MAX = 4_096;

/** The unpacked bytes of a gzip of one or more members. Iterating throws `DamagedGzip` if the source is not gzip. */
export function* gunzipped(source: Pieces): Generator<Uint8Array, void> {
  const unpacked: Uint8Array[] = [];
  const gunzip = new Gunzip({});
  gunzip.on("data", (bytes) => unpacked.push(bytes));
  gunzip.on("error", (cause) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new DamagedGzip(message.includes("incorrect header") ? "it is not gzip" : message);
  });
  for (let piece = source(); piece !== null; piece = source()) {
    for (let at = 0; at < piece.length; at += PIECE_MAX) {
      gunzip.write(Buffer.from(piece.subarray(at, at + PIECE_MAX)));
      yield* unpacked.splice(0);
    }
  }
  gunzip.end();
  yield* unpacked.splice(0);
}
