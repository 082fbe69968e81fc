/** What a trial leaves the author to wonder about: a strategy that only abstained or was only refused, a source that gave nothing. */
import type { PlannedSource } from "../control/sources.ts";
import { oneLine } from "../core/safe-text.ts";
import { isoTime } from "../core/time.ts";
import { counted } from "../core/words.ts";
import { type StrategyTrial, TRIAL_START_MS } from "./trial.ts";

const NOTE_CHARS = 200;

type TrialFacts = Pick<StrategyTrial, "snapshots" | "onlyAbstained" | "reviewed" | "onlyRefused" | "sources">;

/** `planned` are the sources without an error of their own. */
export const trialWarnings = (trial: TrialFacts, planned: readonly PlannedSource[]): readonly string[] => [
  ...abstained(trial),
  ...refused(trial),
  ...planned.flatMap((plan) => {
    const { atMs, failing } = trial.sources.find(({ name }) => name === plan.name) ?? { atMs: null, failing: null };
    if (atMs !== null) return [];
    if (plan.kind === "polled" && plan.origin.kind === "url")
      return [
        `source ${plan.name} gave no data: a check has no network and does not ask ${plan.origin.url}; set file or recording instead to try it`,
      ];
    return failing === null
      ? [
          `source ${plan.name} gave no data: it has no point of the time of the trial, which begins at ${isoTime(TRIAL_START_MS)}; add points from before then`,
        ]
      : [];
  }),
];

function abstained({ onlyAbstained, snapshots }: TrialFacts): readonly string[] {
  const [first, ...others] = onlyAbstained;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : `, and ${counted(others.length, "other reason")}`;
  return [
    `all ${snapshots} decisions abstained, so nothing of what it would trade was tried: ${oneLine(first.reason).slice(0, NOTE_CHARS)} (${counted(first.count, "time")})${more}`,
  ];
}

function refused({ onlyRefused: [first], reviewed }: TrialFacts): readonly string[] {
  if (first === undefined) return [];
  return [
    `the limits refused all that it would trade (${counted(reviewed, "order")}), most often ${oneLine(first.reason).slice(0, NOTE_CHARS)} (${counted(first.count, "time")})`,
  ];
}
