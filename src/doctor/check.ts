/** A check as a value: a start and the command run the same ones. */
import { warn, type CheckVerdict, within } from "./verdict.ts";

export interface DoctorCheck {
  readonly id: string;
  readonly title: string;
  run(): CheckVerdict | Promise<CheckVerdict>;
}

export interface Checked {
  readonly id: string;
  readonly title: string;
  readonly verdict: CheckVerdict;
}

/** A check that hangs or throws is a warning: the others go on. */
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
