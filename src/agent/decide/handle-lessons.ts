/** Lessons come from the review, expire by themselves, and are removed at the operator's command. Each change is a row. */
import { lessonText } from "../../context/lesson-text.ts";
import type { Lesson } from "../../context/memory.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { Outbox } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";
import { lessonRow } from "../../rows/lesson.ts";

/** The most lessons at once; the oldest make room. */
const LESSONS_MAX = 12;

/** Lessons not yet expired, oldest first, as snapshots and the status show them. */
export const standingLessons = (state: AgentState, nowMs: number): readonly Lesson[] =>
  state.deciding.lessons.filter((lesson) => lesson.expiresAtMs > nowMs);

/** A lesson on the same subject replaces the earlier one. */
const sameSubject = (a: Lesson, b: Lesson): boolean => a.kind === b.kind && a.symbol === b.symbol && a.leg === b.leg;

/** Takes over what a review taught: the same kind, symbol and position replaces; beyond 12 the oldest are dropped. */
export function onLearnt(state: AgentState, lessons: readonly Lesson[], out: Outbox): void {
  for (const lesson of lessons) {
    const others = state.deciding.lessons.filter((known) => !sameSubject(known, lesson));
    for (const known of state.deciding.lessons)
      if (sameSubject(known, lesson)) out.record(lessonRow({ event: "replaced", id: known.id }));
    state.deciding.lessons = [...others, lesson];
    out.record(lessonRow({ event: "learnt", ...lesson }));
    out.log("info", "lesson.learnt", lessonText(lesson), { lesson: lesson.id, evidence: lesson.evidence });
  }
  while (state.deciding.lessons.length > LESSONS_MAX) {
    const [oldest, ...rest] = state.deciding.lessons;
    state.deciding.lessons = rest;
    if (oldest) out.record(lessonRow({ event: "crowded-out", id: oldest.id }));
  }
}

/** The operator's command. A waiting `request` is answered with `ok: false` if no lesson has that id. */
export function onForget(state: AgentState, event: Extract<AgentEvent, { kind: "forget-lesson" }>, out: Outbox): void {
  const { id, request } = event;
  const known = state.deciding.lessons.find((lesson) => lesson.id === id);
  state.deciding.lessons = state.deciding.lessons.filter((lesson) => lesson.id !== id);
  if (known) {
    out.record(lessonRow({ event: "forgotten", id }));
    out.log("info", "lesson.forgotten", lessonText(known), { lesson: id });
  }
  if (request) out.ask({ kind: "answer", request, body: { ok: known !== undefined, id } });
}
