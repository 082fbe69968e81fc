/** Runs the missing trials of a sweep on the pool, and stores every result as it comes. */
import type { ResultStore, StoredTrial } from "./result-store.ts";
import type { TrialPool } from "./pool.ts";
import type { Fold } from "./folds.ts";
import { judge } from "./judgement.ts";
import { type Trial, trialKey, type TrialStretch } from "./trial.ts";
import type { Candidate } from "./variation.ts";

/** Every candidate of every strategy runs over every stretch. */
export interface SweepPlan {
  readonly text: string;
  readonly market: Trial["market"];
  readonly strategies: readonly string[];
  readonly candidates: readonly Candidate[];
  readonly stretches: readonly TrialStretch[];
  /** With folds the stretches are the training parts, and the best candidate of each is tested. */
  readonly folds: readonly Fold[];
  /** What decides in the trials of a candidate. */
  readonly codeOf: (strategy: string, candidate: Candidate) => string;
}

/** Called after every trial, including those already stored. */
export type SweepProgress = (done: number, all: number) => void;

/** Every trial of the plan except the tests, which depend on its results. */
export const trialsOf = (plan: SweepPlan): readonly Trial[] =>
  plan.stretches.flatMap((stretch) =>
    plan.strategies.flatMap((strategy) =>
      plan.candidates.map((candidate) => trialOf(plan, { strategy, candidate, stretch })),
    ),
  );

const trialOf = (
  { text, market, codeOf }: SweepPlan,
  { strategy, candidate, stretch }: Pick<Trial, "strategy" | "candidate" | "stretch">,
): Trial => ({ text, strategy, candidate, market, stretch, code: codeOf(strategy, candidate) });

const named = (trial: Trial) => ({
  key: trialKey(trial),
  strategy: trial.strategy,
  candidate: JSON.stringify(trial.candidate),
  stretch: trial.stretch.label,
});

async function runMissing(trials: readonly Trial[], store: ResultStore, pool: TrialPool, progress: SweepProgress) {
  const missing = trials.filter((trial) => !store.has(trialKey(trial)));
  let done = trials.length - missing.length;
  let isStopped = false;
  progress(done, trials.length);
  await Promise.all(
    missing.map(async (trial) => {
      const ran = await pool.run(trial);
      if (isStopped) return;
      const outcome = ran.ok ? { result: ran.value, problem: null } : { result: null, problem: ran.error };
      // Stop if results cannot be stored: further trials would be wasted.
      isStopped = true;
      store.add({ ...named(trial), ...outcome });
      isStopped = false;
      progress(++done, trials.length);
    }),
  );
}

/** The results of a sweep: the trials to judge, and the tests of a walk-forward. */
export interface SweepResult {
  /** Each time once: anchored training repeats its beginning in every fold, so only the longest counts. */
  readonly trained: readonly StoredTrial[];
  readonly tested: readonly StoredTrial[];
}

/** Rejects if a thread dies or a result cannot be stored; stored results stay, and the next run continues from them. */
export async function runSweep(
  plan: SweepPlan,
  store: ResultStore,
  pool: TrialPool,
  progress: SweepProgress,
): Promise<SweepResult> {
  const trials = trialsOf(plan);
  await runMissing(trials, store, pool, progress);
  const kept = new Map(store.all().map((trial) => [trial.key, trial]));
  const trained = trials.flatMap((trial) => kept.get(trialKey(trial)) ?? []);
  const tests = plan.folds.flatMap((fold) => testOf(plan, fold, trained));
  await runMissing(tests, store, pool, () => undefined);
  const after = new Map(store.all().map((trial) => [trial.key, trial]));
  const counted = plan.stretches.filter((stretch) => !plan.stretches.some((other) => isPartOf(stretch, other)));
  return {
    trained: trained.filter(({ stretch }) => counted.some(({ label }) => label === stretch)),
    tested: tests.flatMap((trial) => after.get(trialKey(trial)) ?? []),
  };
}

const isPartOf = (part: TrialStretch, whole: TrialStretch): boolean =>
  part.seed === whole.seed &&
  part.forMs < whole.forMs &&
  part.fromMs >= whole.fromMs &&
  part.fromMs + part.forMs <= whole.fromMs + whole.forMs;

/** The test of the best candidate in a fold's training. */
function testOf(plan: SweepPlan, { train, test }: Fold, trained: readonly StoredTrial[]): readonly Trial[] {
  const [best] = judge(trained.filter(({ stretch }) => stretch === train.label)).candidates;
  const candidate = plan.candidates.find((each) => JSON.stringify(each) === best?.candidate);
  if (!best || !candidate) return [];
  return [trialOf(plan, { strategy: best.strategy, candidate, stretch: test })];
}
