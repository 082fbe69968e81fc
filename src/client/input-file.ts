/** The file that `svc --input @FILE` names: a plain file of moderate size, read at once. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Far more than any request has. */
const BYTES_MAX = 1_048_576;

/** Throws a sentence for people where it is no plain file, or too large. A pipe or device is not waited for. */
export function readInputFile(file: string): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error("is no plain file");
    if (stat.size > BYTES_MAX) throw new Error(`has ${stat.size} bytes, and at most ${BYTES_MAX} are read`);
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(handle);
  }
}
