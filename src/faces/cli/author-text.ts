/** Formats the result of `ballast strategy check` for a terminal. */
import { counted } from "../../core/words.ts";

interface Counted {
  readonly reason: string;
  readonly count: number;
}

/** Facts of the trial on the practice market; times are per call. */
export interface TrialFacts {
  readonly snapshots: number;
  readonly answers: {
    readonly targets: number;
    readonly ask: number;
    readonly abstain: number;
    /** It threw, took too long, or gave an invalid answer. */
    readonly failed: number;
  };
  readonly targets: number;
  readonly repliesRead: number;
  readonly modelFailures: readonly Counted[];
  readonly msMedian: number;
  readonly msMax: number;
  readonly reviewed: number;
  readonly approved: number;
  readonly positionsOpened: number;
  readonly modelUsd: string;
}

/** Facts of the strategy's first question. */
export interface QuestionFacts {
  readonly prompt: string;
  readonly promptTokens: number;
  readonly tokenBudget: number;
  readonly maxOutputTokens: number;
  readonly costs: readonly { readonly model: string; readonly questionUsd: string; readonly dayUsd: string }[];
  readonly dayLimitUsd: string;
  readonly system: string;
  readonly user: string;
}

/** `trial` is null if the strategy could not be loaded. */
export interface CheckFacts {
  /** Null if they were not checked. */
  readonly types: boolean | null;
  /** Why they were not checked; null if they were. */
  readonly typesUnchecked: string | null;
  readonly problems: readonly string[];
  /** What the author should know and is no fault of the strategy. */
  readonly warnings: readonly string[];
  readonly prompt: QuestionFacts | null;
  readonly trial: TrialFacts | null;
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** `showPrompt` adds the complete rendered question. */
export function checkText(name: string, config: string, facts: CheckFacts, showPrompt: boolean): string {
  const { types, typesUnchecked, problems, warnings, prompt, trial } = facts;
  const verdict = problems.length === 0 ? "passed" : `has ${counted(problems.length, "problem")}`;
  const warned = warnings.length === 0 ? "" : `, with ${counted(warnings.length, "warning")}`;
  const lines = [
    `${name} ${verdict}${warned} (with ${config})${problems.length + warnings.length === 0 ? "." : ":"}`,
    ...problems.map((problem) => `  - ${problem}`),
    ...warnings.map((warning) => `  - warning: ${warning}`),
    `types      ${types === null ? `not checked: ${typesUnchecked}` : types ? "correct" : "see above"}`,
    ...(trial ? trialLines(trial) : []),
    ...(prompt ? promptLines(prompt) : []),
    ...(prompt && showPrompt ? ["", "----- system", prompt.system, "----- user", prompt.user] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function trialLines(trial: TrialFacts): readonly string[] {
  const { answers } = trial;
  // Whoever failed in every snapshot did not choose to set none.
  const idle =
    trial.targets === 0 && answers.failed < trial.snapshots
      ? ["note       the strategy set no target in any snapshot"]
      : [];
  return [
    `snapshots  ${trial.snapshots} of the practice market: ${answers.targets} decided at once, ${answers.ask} asked the model, ${answers.abstain} abstained${answers.failed > 0 ? `, ${answers.failed} failed` : ""}`,
    `time       ${ms(trial.msMedian)} a call, ${ms(trial.msMax)} at most`,
    ...(answers.ask > 0
      ? [`model      ${counted(trial.repliesRead, "reply", "replies")} read, ${trial.modelUsd} USD at practice prices`]
      : []),
    ...trial.modelFailures.map(({ reason, count }) => `           ${counted(count, "time")}: ${reason}`),
    `targets    ${trial.targets}; ${counted(trial.reviewed, "order")} went to review, ${trial.approved} passed, ${counted(trial.positionsOpened, "position")} opened`,
    ...idle,
  ];
}

function promptLines(prompt: QuestionFacts): readonly string[] {
  return [
    `prompt     ${prompt.prompt}: ${prompt.promptTokens} tokens of ${prompt.tokenBudget}, answer at most ${prompt.maxOutputTokens}`,
    ...prompt.costs.map(
      ({ model, questionUsd, dayUsd }) =>
        `price      ${model}: at most ${questionUsd} USD a question, ${dayUsd} USD a day at this cadence (limit ${prompt.dayLimitUsd})`,
    ),
  ];
}
