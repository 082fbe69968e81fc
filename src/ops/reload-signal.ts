/** SIGHUP, which asks a run to read its configuration again. Without a listener it would end the process. */

export interface ReloadSignal {
  /** Calls `reload` at each signal, and at once where one came before. Returns a function that ends this. */
  follow(reload: () => void): () => void;
}

/** Hears the signal from now to the end of the process, so that none ends a start or a shutdown. */
export function reloadSignal(): ReloadSignal {
  let reload: (() => void) | null = null;
  let waits = false;
  process.on("SIGHUP", () => {
    waits = reload === null;
    reload?.();
  });
  return {
    follow: (next) => {
      reload = next;
      if (waits) next();
      waits = false;
      return () => {
        reload = null;
      };
    },
  };
}
