/** `ballast lab sweep`: plans the trials, runs the missing ones on all processors, and shows the judgement. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { describeConfigProblem, readConfig } from "../../config/read.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { formatSpan, MINUTE_MS, parseInstant } from "../../core/time.ts";
import { counted } from "../../core/words.ts";
import { resultTable } from "../../faces/cli/result-table.ts";
import type { SweepOptions } from "../../faces/cli/lab-command.ts";
import { leftText, progressLine } from "./progress-line.ts";
import { type Fold, foldsOf } from "../../lab/sweep/folds.ts";
import { type CandidateFigures, type SweepJudgement, judge } from "../../lab/sweep/judgement.ts";
import { createTrialPool } from "../../lab/sweep/pool.ts";
import { openResultStore } from "../../lab/sweep/result-store.ts";
import { armedFor } from "../../lab/sweep/run-trial.ts";
import { runSweep, type SweepPlan, type SweepProgress, type SweepResult, trialsOf } from "../../lab/sweep/sweep.ts";
import type { TrialStretch } from "../../lab/sweep/trial.ts";
import { type Candidate, drawnFrom, gridOf, parseVariation, type Variation } from "../../lab/sweep/variation.ts";
import { judgementText } from "../../lab/sweep/judgement-text.ts";
import { EXIT } from "../../ops/exit-codes.ts";

/** Start of generated markets. */
const MADE_FROM_MS = Date.UTC(2026, 0, 5);
const SHOWN = 15;

const say = (text: string): void => void process.stderr.write(text);

function complain(code: number, text: string): number {
  say(`ballast: ${text}\n`);
  return code;
}

/** Results on standard output, progress on standard error. Exit code 1 if no trial could run. */
export async function sweepProgram(options: SweepOptions): Promise<number> {
  const wanted = planOf(options);
  if (!wanted.ok) return complain(EXIT.usage, wanted.error);
  const plan = await armed(wanted.value);
  if (!plan.ok) return complain(EXIT.config, plan.error);
  const store = openResultStore(options.out);
  if (!store.ok) return complain(EXIT.usage, store.error);
  const workers = options.workers || availableParallelism();
  const pool = createTrialPool(workers);
  const all = trialsOf(plan.value).length;
  say(`${counted(all, "trial")} on ${counted(workers, "thread")}, results in ${options.out}\n`);
  try {
    const result = await runSweep(plan.value, store.value, pool, progressOf());
    return show(result, options);
  } catch (cause) {
    return complain(EXIT.failed, cause instanceof Error ? cause.message : String(cause));
  } finally {
    await pool.close();
    store.value.close();
  }
}

type WantedPlan = Omit<SweepPlan, "codeOf">;

/** With the code of every candidate, or what is wrong with the first invalid one: it is refused before the first trial. */
async function armed(plan: WantedPlan): Promise<Result<SweepPlan, string>> {
  const { text, market, strategies, candidates } = plan;
  const codes = new Map<string, string>();
  const nameOf = (strategy: string, candidate: Candidate): string => JSON.stringify([strategy, candidate]);
  for (const candidate of candidates) {
    for (const strategy of strategies) {
      const found = await armedFor({ text, strategy, candidate, market });
      if (!found.ok) return found;
      codes.set(nameOf(strategy, candidate), found.value.code);
    }
  }
  return ok({ ...plan, codeOf: (strategy, candidate) => codes.get(nameOf(strategy, candidate)) ?? "" });
}

function planOf(options: SweepOptions): Result<WantedPlan, string> {
  const { config, data, window, from, symbols, profile, random } = options;
  let text: string;
  try {
    text = readFileSync(config, "utf8");
  } catch {
    return err(`${config} cannot be read; give another with --config`);
  }
  const variations = allOk((options.vary ?? []).map(parseVariation));
  if (!variations.ok) return variations;
  const candidates = random === undefined ? gridOf(variations.value) : drawnFrom(variations.value, random, 1);
  if (!candidates.ok) return candidates;
  const stretches = stretchesOf(options);
  if (!stretches.ok) return stretches;
  const file = readConfig(text);
  if (!file.ok) return err(file.error.map((problem) => describeConfigProblem(config, problem)).join("\n"));
  const strategies = options.strategies?.split(",").map((name) => name.trim()) ?? [file.value.strategy.use];
  const market = { data, window, from, symbols, profile };
  return ok({ text, market, strategies, candidates: candidates.value, ...stretches.value });
}

function allOk(results: readonly Result<Variation, string>[]): Result<readonly Variation[], string> {
  const found: Variation[] = [];
  for (const result of results) {
    if (!result.ok) return result;
    found.push(result.value);
  }
  return ok(found);
}

interface Stretches {
  readonly stretches: readonly TrialStretch[];
  readonly folds: readonly Fold[];
}

function stretchesOf(options: SweepOptions): Result<Stretches, string> {
  const { data, from, for: forMs, folds, training, purge: purgeMs } = options;
  const seeds = options.seeds.split(",").map(Number);
  if (seeds.some((seed) => !Number.isInteger(seed) || seed < 0)) return err(`--seeds ${options.seeds}: write 1,2,3`);
  if (forMs < 60 * MINUTE_MS) return err(`--for ${formatSpan(forMs)}: the minimum is one hour`);
  if (data === undefined) {
    if (folds > 0) return err("--folds needs recorded data, because one part must follow the other: add --data");
    return ok({
      folds: [],
      stretches: seeds.map((seed) => ({ label: `seed ${seed}`, fromMs: MADE_FROM_MS, forMs, seed })),
    });
  }
  const fromMs = from === undefined ? null : parseInstant(from);
  if (fromMs === null) return err("--data needs --from, such as --from 2025-06-12T00:00:00Z");
  if (folds === 0) return ok({ folds: [], stretches: [{ label: "all", fromMs, forMs, seed: 1 }] });
  const made = foldsOf({ fromMs, forMs, folds, training, purgeMs, seed: 1 });
  return made.ok ? ok({ folds: made.value, stretches: made.value.map(({ train }) => train) }) : made;
}

function progressOf(): SweepProgress {
  const line = progressLine();
  let before: number | null = null;
  return (done, all) => {
    before ??= done;
    const made = done - before;
    const left = made === 0 || done === all ? "" : `, ${leftText(line.elapsed(), made / (all - before))} to go`;
    const text = (): string =>
      `[${"#".repeat(Math.round((done / all) * 30)).padEnd(30, ".")}] ${done} of ${all}${left}`;
    if (done < all) line.show(text);
    else line.end(text());
  };
}

const withoutReturns = ({ returns, ...figures }: CandidateFigures) => ({ ...figures, periods: returns.length });

function show({ trained, tested }: SweepResult, { format }: SweepOptions): number {
  const judgement = judge(trained);
  const tests =
    tested.length > 0
      ? judge(tested.map((trial) => ({ ...trial, candidate: "walk-forward", strategy: "chosen" })))
      : null;
  if (format === "json") {
    const asJson = (one: SweepJudgement) => ({ ...one, candidates: one.candidates.map(withoutReturns) });
    process.stdout.write(`${JSON.stringify({ ...asJson(judgement), walkForward: tests && asJson(tests) }, null, 2)}\n`);
  } else {
    const { headings, rows, words } = judgementText(judgement, tests, SHOWN);
    process.stdout.write(`${resultTable(headings, rows)}\n${words.join("\n")}\n`);
  }
  return judgement.trials > 0 ? EXIT.ok : EXIT.failed;
}
