/** Walk-forward folds: every test comes after its training, with a gap between them that belongs to neither. */
import { err, ok, type Result } from "../../core/result.ts";
import { formatSpan, MINUTE_MS } from "../../core/time.ts";
import type { TrialStretch } from "./trial.ts";

export interface Fold {
  readonly train: TrialStretch;
  readonly test: TrialStretch;
}

export interface FoldPlan {
  readonly fromMs: number;
  readonly forMs: number;
  readonly folds: number;
  /** Anchored training starts at the beginning; rolling training is as long as a test. */
  readonly training: "anchored" | "rolling";
  /** Gap between training and test. */
  readonly purgeMs: number;
  readonly seed: number;
}

const TEST_MIN_MS = 60 * MINUTE_MS;

/** Divides the stretch into `folds + 1` equal parts. Each part after the first is a test, trained on the time before it. */
export function foldsOf({ fromMs, forMs, folds, training, purgeMs, seed }: FoldPlan): Result<readonly Fold[], string> {
  const partMs = Math.floor(forMs / (folds + 1) / MINUTE_MS) * MINUTE_MS;
  if (partMs - purgeMs < TEST_MIN_MS)
    return err(
      `--folds ${folds} leaves tests of ${formatSpan(Math.max(0, partMs - purgeMs))}: use fewer folds, a shorter --purge, or a longer --for`,
    );
  return ok(
    Array.from({ length: folds }, (_, at): Fold => {
      const beginMs = fromMs + (at + 1) * partMs;
      const trainFromMs = training === "anchored" ? fromMs : beginMs - partMs;
      return {
        train: { label: `train ${at + 1}`, fromMs: trainFromMs, forMs: beginMs - trainFromMs, seed },
        test: { label: `test ${at + 1}`, fromMs: beginMs + purgeMs, forMs: partMs - purgeMs, seed },
      };
    }),
  );
}
