/** The lines of a text file, plain or gzip, one after the other: only a piece of the file is in memory. */
import { closeSync, openSync, readSync } from "node:fs";
import { gunzipped, type Pieces } from "./inflate.ts";

const PIECE_BYTES = 65_536;
/** No file that we read has longer lines. */
const LINE_MAX = 4_096;

/** The bytes of a file. It is not kept open, so that a reader may be abandoned. */
function bytesOf(path: string): Pieces {
  let position = 0;
  return () => {
    const file = openSync(path, "r");
    try {
      const piece = new Uint8Array(PIECE_BYTES);
      const read = readSync(file, piece, 0, PIECE_BYTES, position);
      position += read;
      return read === 0 ? null : piece.subarray(0, read);
    } finally {
      closeSync(file);
    }
  };
}

function* plain(source: Pieces): Generator<Uint8Array, void> {
  for (let piece = source(); piece !== null; piece = source()) yield piece;
}

/** Lines of ASCII without their ends; a missing last line end is accepted. Throws if the file cannot be read. */
export function* linesOf(path: string): Generator<string, void> {
  const source = bytesOf(path);
  let rest = "";
  for (const piece of path.endsWith(".gz") ? gunzipped(source) : plain(source)) {
    const lines = (rest + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_MAX) throw new RangeError(`a line is longer than ${LINE_MAX} characters`);
    yield* lines;
  }
  if (rest !== "") yield rest;
}
