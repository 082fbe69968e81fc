/** Signals that ask a program to end. */
import { systemClock } from "../core/clock.ts";

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * A second signal so soon after the first is the same Ctrl-C. npm passes on what its program has from the terminal as
 * well, wherever `sh` is Bash, which starts a lone command in its own place: on macOS, for example.
 */
const SAME_WITHIN_MS = 500;

export interface StopListener {
  readonly signals?: readonly StopSignal[];
  /** Called once. */
  readonly first: (signal: StopSignal) => void;
  /** For whoever does not want to wait for the end that the first signal began; by default the signal ends the process. */
  readonly again?: () => void;
  readonly monotonicMs?: () => number;
}

/** Returns a function that stops listening. */
export function onStopSignal({
  signals = ["SIGINT", "SIGTERM"],
  first,
  again,
  monotonicMs = systemClock().monotonicMs,
}: StopListener): () => void {
  let firstMs: number | null = null;
  const hear = (signal: StopSignal): void => {
    const nowMs = monotonicMs();
    if (firstMs === null) {
      firstMs = nowMs;
      first(signal);
    } else if (nowMs - firstMs > SAME_WITHIN_MS) {
      if (again) return again();
      stop();
      process.kill(process.pid, signal);
    }
  };
  const stop = (): void => {
    for (const signal of signals) process.off(signal, hear);
  };
  for (const signal of signals) process.on(signal, hear);
  return stop;
}
