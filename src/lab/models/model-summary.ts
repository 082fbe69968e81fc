/** The outcome of the questions of a backtest's run. */
import { isoTime } from "../../core/time.ts";
import { counted } from "../../core/words.ts";

/** The questions of one run. Money in USD, times in epoch ms of the run. */
export type ModelSummary =
  | {
      readonly how: "live";
      readonly asked: number;
      /** Answered from the folder of replies, at no cost. */
      readonly kept: number;
      readonly spentUsd: string;
    }
  | {
      readonly how: "replay";
      readonly asked: number;
      /** The same question was asked in the recorded run. */
      readonly same: number;
      /** A different text at the same decision point: the recorded reply may not fit. */
      readonly near: number;
      /** No recorded reply: the strategy continued as without a model. */
      readonly without: number;
      /** The first question that the recorded run did not ask; null if there was none. */
      readonly divergedAtMs: number | null;
    };

const of = (count: number, asked: number): string => `${count} (${Math.round((100 * count) / Math.max(1, asked))} %)`;

/** One sentence or two, for a person. */
export function summaryText(found: ModelSummary): string {
  const { asked } = found;
  if (asked === 0) return "no question was asked";
  if (found.how === "live")
    return `${counted(asked, "question")} to the gateway, ${of(found.kept, asked)} answered from stored replies; ${Number(found.spentUsd).toFixed(4)} USD spent now`;
  const { same, near, without, divergedAtMs } = found;
  const parted = divergedAtMs === null ? "" : `; the runs diverge at ${isoTime(divergedAtMs)}`;
  return `${counted(asked, "question")}: ${of(same, asked)} as recorded, ${of(near, asked)} with another text at the same decision point, ${of(without, asked)} without a recorded reply${parted}`;
}
