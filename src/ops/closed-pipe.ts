/** Standard output, also where its reader has left: `ballast reasons | head` is no failure. */
import { writeSync } from "node:fs";

const STDOUT = 1;

/** Keeps EPIPE from failing the program. A stream is made when it is first used: many commands need none. */
export function outliveReaders(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const make = Object.getOwnPropertyDescriptor(process, name)?.get;
    if (!make) continue;
    const unusedStream = (): NodeJS.WriteStream => {
      const value = make.call(process) as NodeJS.WriteStream;
      value.on("error", (cause: NodeJS.ErrnoException) => {
        if (cause.code !== "EPIPE") throw cause;
      });
      Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
      return value;
    };
    Object.defineProperty(process, name, { get: unusedStream, configurable: true, enumerable: true });
  }
}

/** By the name of its getter: each program has its own copy of this file. */
const isUnused = (): boolean => Object.getOwnPropertyDescriptor(process, "stdout")?.get?.name === "unusedStream";

/** Writes without a stream where none has been used: loading Node's takes longer than printing what most commands say. */
export function writeOut(text: string): void {
  let left = Buffer.from(text);
  try {
    while (isUnused() && left.length > 0) left = left.subarray(writeSync(STDOUT, left));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EPIPE") return;
    // A pipe that takes no more at once: the stream waits for its reader.
    if (code !== "EAGAIN") throw cause;
  }
  if (left.length > 0) process.stdout.write(left);
}

/** Ends the process when nothing is left to do: Node would first take its memory apart. */
export const leaveAtOnce = (): void => void process.once("beforeExit", () => process.exit());
