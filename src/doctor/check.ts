/** A check as a value: start and command run the same ones. */
import { warn, type Verdict, within } from "./verdict.ts";

export interface Check {
  readonly id: string;
  readonly title: string;
  run(): Verdict | Promise<Verdict>;
}

export interface Checked {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
}

/** A check that hangs is a warning, and so is one that breaks: the others go on. */
const ENDS_MS = 15_000;

async function one({ id, title, run }: Check): Promise<Checked> {
  const late = (): Verdict => warn("not finished in time", "try again");
  try {
    return { id, title, verdict: await within(Promise.resolve(run()), late, ENDS_MS) };
  } catch (cause) {
    return { id, title, verdict: warn(cause instanceof Error ? cause.message : String(cause), "try again") };
  }
}

/** All at once, answered in their order; `done` hears of each as it ends. */
export const runChecks = (checks: readonly Check[], done: (checked: Checked) => void): Promise<readonly Checked[]> =>
  Promise.all(
    checks.map(async (check) => {
      const checked = await one(check);
      done(checked);
      return checked;
    }),
  );
