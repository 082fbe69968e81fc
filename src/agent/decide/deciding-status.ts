/** The status of the deciding half: who decides and since when, what a handover still has to do, scores, lessons. */
import { lessonText } from "../../context/lesson-text.ts";
import type { StrategyRecord } from "../../context/memory.ts";
import { isLeaving } from "../contract/handover.ts";
import { standingLessons } from "./handle-lessons.ts";
import type { SwitchNotice } from "../state/deciding-state.ts";
import { shadowRecords } from "./shadows.ts";
import type { AgentState } from "../state/state.ts";

/** `leaving` are `positionKeyOf`s; `windDownUntilMs` is the next deadline, null without a wind-down; `lessons` are those not yet expired. */
export interface DecidingStatus {
  readonly lastSwitch: SwitchNotice | null;
  /** The strategy that will take over at the next safe point; null if none waits. */
  readonly switchWaits: string | null;
  /** Positions of earlier strategies that are winding down or being closed. */
  readonly leaving: readonly string[];
  readonly windDownUntilMs: number | null;
  readonly shadows: readonly StrategyRecord[];
  readonly lessons: readonly { readonly id: string; readonly text: string; readonly expiresAtMs: number }[];
}

export function decidingStatus(state: AgentState, nowMs: number): DecidingStatus {
  const { lastSwitch, nextSwitch, handover } = state.deciding;
  const deadlines = handover.windDowns.map(({ untilMs }) => untilMs);
  return {
    lastSwitch,
    switchWaits: nextSwitch?.strategies.chosen.strategy.name ?? null,
    leaving: state.positions
      .all()
      .filter((held) => isLeaving(handover, held))
      .map((held) => held.key),
    windDownUntilMs: deadlines.length > 0 ? Math.min(...deadlines) : null,
    shadows: shadowRecords(state, nowMs),
    lessons: standingLessons(state, nowMs).map((lesson) => ({
      id: lesson.id,
      text: lessonText(lesson),
      expiresAtMs: lesson.expiresAtMs,
    })),
  };
}
