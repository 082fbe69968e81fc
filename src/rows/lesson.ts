/** `lesson` rows: what the daily review concluded, and which lessons no longer count. */
import { z } from "zod";
import { always, instant, number, oneOf, positionSide, text, texts } from "./fields.ts";
import { rowForm, without } from "./form.ts";
import { counted } from "../core/words.ts";

const LESSON_KINDS = [
  "avoid-symbol",
  "avoid-leg",
  "costs-too-high",
  "hold-longer",
  "hold-shorter",
  "stop-wider",
  "stop-tighter",
  "news-misled",
  "trade-less",
  "keep-doing",
] as const;

const learnt = z
  .object({
    event: always("learnt", "A conclusion from closed trades."),
    id: text("Id of the lesson."),
    kind: oneOf(LESSON_KINDS, "What it says."),
    symbol: text("The symbol; null for all.").nullable(),
    leg: positionSide("Side of the position; null for both.").nullable(),
    value: number("In the unit of its kind; null where that has none.").nullable(),
    evidence: texts("Ids of the trades that support it."),
    won: number("How many of them gained after costs.").optional(),
    learntAtMs: instant("When."),
    expiresAtMs: instant("Until when it counts."),
  })
  .readonly();

const over = z
  .object({
    event: oneOf(["replaced", "crowded-out", "forgotten"], "Why the lesson no longer counts."),
    id: text("Id of the lesson."),
  })
  .readonly();

export const LESSON = rowForm(
  "lesson",
  {
    written: "When the daily review learns something, and when a lesson is replaced, crowded out or forgotten.",
    readBy: "A start, and `ballast lessons` without an agent.",
  },
  z.discriminatedUnion("event", [learnt, over]),
);

/** A conclusion from closed trades. */
export type LearntRow = z.output<typeof learnt>;
export type LessonRow = z.output<typeof LESSON.body>;
export const lessonRow = LESSON.write;
export const readLesson = LESSON.read;

/** The lesson that a row is about. */
export const lessonOf = (row: LearntRow): Omit<LearntRow, "event"> => without(row, "event");

export const lessonRowText = (row: LessonRow): string =>
  row.event === "learnt"
    ? `${row.id} ${row.kind} ${row.symbol ?? "all symbols"} ${row.leg ?? ""}, from ${counted(row.evidence.length, "trade")}`
    : `${row.id} ${row.event}`;
