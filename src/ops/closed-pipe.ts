/** Ignores EPIPE, so that a reader that closes early (`ballast reasons | head`) does not fail the program. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EPIPE") throw cause;
    });
  }
}
