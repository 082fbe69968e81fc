/** The progress of long work on standard error: a line that is rewritten on a terminal, a line now and then elsewhere. */
import { stopwatch } from "../../harness/harness.ts";
import { formatSpan } from "../../core/time.ts";

const TERMINAL_EVERY_MS = 250;
const ELSEWHERE_EVERY_MS = 15_000;

export interface ProgressLine {
  /** `text` is called where a line is due: most calls cost nothing. */
  readonly show: (text: () => string) => void;
  /** The last line, shown in any case. */
  readonly end: (text: string) => void;
  /** Since it was made, ms. */
  readonly elapsed: () => number;
}

export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function progressLine(output: ProgressOutput = process.stderr, elapsed = stopwatch()): ProgressLine {
  const onTerminal = output.isTTY === true;
  const everyMs = onTerminal ? TERMINAL_EVERY_MS : ELSEWHERE_EVERY_MS;
  const [before, after] = onTerminal ? ["\r\u001b[K", ""] : ["", "\n"];
  let shownMs = 0;
  return {
    elapsed,
    show: (text) => {
      if (elapsed() - shownMs < everyMs) return;
      shownMs = elapsed();
      output.write(`${before}${text()}${after}`);
    },
    end: (text) => void output.write(`${before}${text}\n`),
  };
}

/** How long the rest takes at the pace so far; `done` is the share that has been done, above 0. */
export const leftText = (elapsedMs: number, done: number): string =>
  formatSpan(Math.round((elapsedMs * (1 - done)) / done / 1_000) * 1_000);
