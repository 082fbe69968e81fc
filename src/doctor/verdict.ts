/** What a check of a set-up found. A start and `ballast doctor` share the checks and their wording. */
import { type Stop, systemClock } from "../core/clock.ts";

/** A problem comes with a next step; `SKIP` says why the check could not run. */
export type CheckVerdict =
  | { readonly result: "PASS" | "SKIP"; readonly text: string }
  | { readonly result: "WARN" | "FAIL"; readonly text: string; readonly next: string };

export const pass = (text: string): CheckVerdict => ({ result: "PASS", text });
export const skip = (text: string): CheckVerdict => ({ result: "SKIP", text });
export const warn = (text: string, next: string): CheckVerdict => ({ result: "WARN", text, next });
export const fail = (text: string, next: string): CheckVerdict => ({ result: "FAIL", text, next });

/** All the verdicts as one line. */
export const verdictText = (verdict: CheckVerdict): string =>
  "next" in verdict ? `${verdict.text}; ${verdict.next}` : verdict.text;

/** Real milliseconds that one check may take: a start that cannot work ends within ten seconds. */
export const CHECK_MS = 8_000;

/** The result of `work`, or `late` when it takes longer. `work` never throws. */
export async function within<T>(work: Promise<T>, late: () => T, ms: number = CHECK_MS): Promise<T> {
  let stop: Stop = () => undefined;
  const end = new Promise<T>((resolve) => (stop = systemClock().after(ms, () => resolve(late()))));
  return Promise.race([work, end]).finally(() => stop());
}
