/** The progress of a run that is made again and again: its equity so far, beside that of the run before at the same time. */
import { formatSpan } from "../../src/core/time.ts";
import { stopwatch } from "../../src/harness/harness.ts";
import { type Repeats, say } from "../../src/main/lab/backtest-runs.ts";

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 2_000;

/** Lines on standard error. The run before is the last one that was played to its end. */
export function comparingProgress(): Repeats["progress"] {
  const curves = new Map<string, readonly number[]>();
  return (name, forMs) => {
    const elapsed = stopwatch();
    const before = curves.get(name) ?? [];
    const curve: number[] = [];
    let nextMs = FIRST_AFTER_MS;
    const beside = (): string => {
      const equityUsdt = before[curve.length - 1];
      return equityUsdt === undefined ? "" : `, ${equityUsdt.toFixed(2)} before the save`;
    };
    return {
      minute: (done, equityUsdt) => {
        curve.push(equityUsdt);
        const spentMs = elapsed();
        if (spentMs < nextMs) return;
        nextMs = spentMs + EVERY_MS;
        const left = formatSpan(Math.round((spentMs * (1 - done)) / done / 1_000) * 1_000);
        const played = `${formatSpan(Math.round((forMs * done) / 3_600_000) * 3_600_000)} of ${formatSpan(forMs)}`;
        say(`${name}: ${played}, equity ${equityUsdt.toFixed(2)} USDT${beside()}; ${left} to go\n`);
      },
      end: () => {
        curves.set(name, curve);
        const seconds = (elapsed() / 1_000).toFixed(1);
        say(
          `${name}: ${formatSpan(forMs)} in ${seconds} s, equity ${(curve.at(-1) ?? 0).toFixed(2)} USDT${beside()}\n`,
        );
      },
    };
  };
}
