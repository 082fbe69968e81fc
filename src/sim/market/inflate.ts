/**
 * Unpacks gzip piece by piece, at once and in bounded memory. The market moves within one call and cannot wait, and the
 * runtime's own streams unpack later; minizlib drives the same unpacking within the call.
 */
import { Gunzip } from "minizlib";

/** Gives the next piece at each call, null at the end. */
export type Pieces = () => Uint8Array | null;

/** What is damaged, in a few words. */
export class DamagedGzip extends Error {}

/** Handed to the unpacker at once. Packed a thousandfold, the most that gzip can, it is some megabytes unpacked. */
const PIECE_MAX = 4_096;

/** The unpacked bytes of a gzip of one or more members. Iterating throws `DamagedGzip` where the source is none. */
export function* gunzipped(source: Pieces): Generator<Uint8Array, void> {
  const unpacked: Uint8Array[] = [];
  const gunzip = new Gunzip({});
  gunzip.on("data", (bytes) => unpacked.push(bytes));
  gunzip.on("error", (cause) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new DamagedGzip(message.includes("incorrect header") ? "it is no gzip" : message);
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
