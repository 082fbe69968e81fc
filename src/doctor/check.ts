/** A check of a set-up and its verdict. A start and `ballast doctor` share the checks and their wording. */
import { type Stop, systemClock } from "../core/clock.ts";

/** A problem comes with a next step; `SKIP` says why the check could not run. */
export type CheckVerdict =
  | { readonly result: "PASS" | "SKIP"; readonly text: string }
  | { readonly result: "WARN" | "FAIL"; readonly text: string; readonly next: string };

/** The four verdicts; `next` is one sentence about what to do. */
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

/** `id` is stable for scripts, `title` is for people. */
export interface DoctorCheck {
  readonly id: string;
  readonly title: string;
  run(): CheckVerdict | Promise<CheckVerdict>;
}

/** A check that has run. */
export interface Checked {
  readonly id: string;
  readonly title: string;
  readonly verdict: CheckVerdict;
}

/** A check that hangs or throws is a warning: the others continue. */
const ENDS_MS = 15_000;

async function one({ id, title, run }: DoctorCheck): Promise<Checked> {
  const late = (): CheckVerdict => warn("not finished in time", "try again");
  try {
    return { id, title, verdict: await within(Promise.resolve(run()), late, ENDS_MS) };
  } catch (cause) {
    return { id, title, verdict: warn(cause instanceof Error ? cause.message : String(cause), "try again") };
  }
}

/** Runs all checks at once and returns their verdicts in order; `done` is called as each one ends. */
export const runChecks = (
  checks: readonly DoctorCheck[],
  done: (checked: Checked) => void,
): Promise<readonly Checked[]> =>
  Promise.all(
    checks.map(async (check) => {
      const checked = await one(check);
      done(checked);
      return checked;
    }),
  );
