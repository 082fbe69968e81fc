/** A reader that has gone (`ballast reasons | head`) ends no program: what cannot be reported any more is not reported. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EPIPE") throw cause;
    });
  }
}
