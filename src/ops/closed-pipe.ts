/** How a program ends: also when its reader has left, and without delay. */

/** Ignores EPIPE, so that a reader that closes early (`ballast reasons | head`) does not fail the program. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EPIPE") throw cause;
    });
  }
}

/** Ends the process when nothing is left to do: Node would first take its memory apart. */
export const leaveAtOnce = (): void => void process.once("beforeExit", () => process.exit());
