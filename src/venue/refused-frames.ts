/** Logs unusable frames: the first few of a stream one by one, then every thousandth. */
import type { Log } from "../core/log.ts";

const LOGGED_MAX = 5;

/** Counts and logs the refused frames of the named stream. */
export function refusedFrames(log: Log, stream: string): (reason: string) => void {
  let refused = 0;
  return (reason) => {
    if (++refused > LOGGED_MAX && refused % 1_000 !== 0) return;
    log.event("warn", "frame.refused", `${stream}: ${reason.slice(0, 160)} (${refused} so far)`, { stream, refused });
  };
}
