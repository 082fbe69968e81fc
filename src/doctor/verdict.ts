/** What a check of a set-up found. Start and `ballast doctor` share the checks and say the same words. */
import { type Stop, systemClock } from "../core/clock.ts";

/** What is wrong has a next step; `SKIP` says why it could not be looked at. */
export type CheckVerdict =
  | { readonly result: "PASS" | "SKIP"; readonly text: string }
  | { readonly result: "WARN" | "FAIL"; readonly text: string; readonly next: string };

export const pass = (text: string): CheckVerdict => ({ result: "PASS", text });
export const skip = (text: string): CheckVerdict => ({ result: "SKIP", text });
export const warn = (text: string, next: string): CheckVerdict => ({ result: "WARN", text, next });
export const fail = (text: string, next: string): CheckVerdict => ({ result: "FAIL", text, next });

/** The whole as one line. */
export const verdictText = (verdict: CheckVerdict): string =>
  "next" in verdict ? `${verdict.text}; ${verdict.next}` : verdict.text;

/** Real milliseconds that one check may take: a start that cannot work ends within ten seconds. */
export const CHECK_MS = 8_000;

/** The work's answer, or `late` when it takes longer. `work` never throws. */
export async function within<T>(work: Promise<T>, late: () => T, ms: number = CHECK_MS): Promise<T> {
  let stop: Stop = () => undefined;
  const end = new Promise<T>((resolve) => (stop = systemClock().after(ms, () => resolve(late()))));
  return Promise.race([work, end]).finally(() => stop());
}
