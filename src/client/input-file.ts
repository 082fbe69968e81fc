/** The file that `svc --input @FILE` names: a regular file of moderate size, read synchronously. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Far larger than any request. */
const BYTES_MAX = 1_048_576;

/** Throws a sentence for people if it is not a regular file or too large. It does not wait for a pipe or device. */
export function readInputFile(file: string): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error("is not a regular file");
    if (stat.size > BYTES_MAX) throw new Error(`has ${stat.size} bytes, and at most ${BYTES_MAX} are read`);
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(handle);
  }
}
