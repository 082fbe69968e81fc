/** How a program meets an output that refuses its text, and how it ends without delay. */

/**
 * Ignores EPIPE, so that a reader that closes early (`ballast reasons | head`) does not fail the program. A standard error
 * that cannot be written fails nothing: no place is left to say so.
 */
export function outliveReaders(): void {
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") throw cause;
  });
  process.stderr.on("error", () => undefined);
}

/** What is done when lines begin to be lost, and when one was written again. */
export interface Losses {
  readonly begin: (reason: string) => void;
  readonly end: (lost: number) => void;
}

/** Writes of which any may be refused without an end of the program: a full disk loses lines, and each next one is tried. */
export function lossyOutput(
  stream: NodeJS.WritableStream,
  { begin, end }: Losses,
): { write(text: string): void; lost(): number } {
  // Every program has its own copy of this module, so a mark for `outliveReaders` would not reach it.
  stream.removeAllListeners("error");
  stream.on("error", () => undefined);
  let lost = 0;
  const settled = (cause: Error | null | undefined): void => {
    if (cause) {
      lost += 1;
      if (lost === 1) begin(cause.message);
    } else if (lost > 0) {
      const before = lost;
      lost = 0;
      end(before);
    }
  };
  return { write: (text) => void stream.write(text, settled), lost: () => lost };
}

/** Ends the process when nothing is left to do: Node would first take its memory apart. */
export const leaveAtOnce = (): void => void process.once("beforeExit", () => process.exit());
