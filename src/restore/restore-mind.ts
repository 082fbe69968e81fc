/** What earlier runs left of the deciding half: a handover that is not finished, paper accounts, lessons. */
import {
  type Handover,
  type HandoverState,
  HANDOVERS,
  SWITCHED_BY,
  afterSwitch,
  noHandover,
} from "../agent/contract/handover.ts";
import type { RestoredMind, SwitchTold } from "../agent/state/mind.ts";
import { LESSON_KINDS, type Lesson } from "../context/memory.ts";
import { DAY_MS } from "../core/time.ts";
import type { JournalReader } from "../journal/reader.ts";
import { z } from "zod";

const SWITCHES_READ = 200;
const BOOKS_READ = 500;
const LESSONS_FOR_MS = 60 * DAY_MS;

const SwitchRow = z.object({
  request: z.string().nullable(),
  atMs: z.number(),
  untilMs: z.number(),
  renamed: z.boolean(),
  from: z.string(),
  to: z.string(),
  by: z.enum(SWITCHED_BY),
  handover: z.enum(HANDOVERS),
  differences: z.array(z.string()),
  positions: z.array(z.string()),
  withdrawn: z.array(z.string()),
});

/** A word about who decides, before the switch is made. */
const UseRow = z.object({
  command: z.literal("use"),
  from: z.string(),
  use: z.string(),
  handover: z.enum(HANDOVERS).nullable(),
  windDownMs: z.number(),
});

/** A switch that was asked for and not made yet. */
interface Waiting {
  readonly from: string;
  readonly use: string;
  readonly handover: Handover;
  readonly atMs: number;
  readonly untilMs: number;
}

const LessonRow = z.object({
  id: z.string(),
  kind: z.enum(LESSON_KINDS),
  symbol: z.string().nullable(),
  leg: z.enum(["LONG", "SHORT"]).nullable(),
  value: z.number().nullable(),
  evidence: z.array(z.string()),
  learntAtMs: z.number(),
  expiresAtMs: z.number(),
});

/** Rows that this build cannot read are passed over. */
export function restoreMind(reader: JournalReader, nowMs: number): RestoredMind {
  let handover: HandoverState = noHandover;
  let lastSwitch: SwitchTold | null = null;
  let waiting: Waiting | null = null;
  for (const row of reader.rows({ kinds: ["switch"], limit: SWITCHES_READ, newest: true })) {
    const word = UseRow.safeParse(row.body);
    if (word.success) waiting = afterWord(waiting, word.data, row.atMs);
    const read = SwitchRow.safeParse(row.body);
    if (!read.success) continue;
    const { untilMs, renamed, ...told } = read.data;
    // A start made it: the strategy that was waited for has decided since.
    if (waiting && told.from === waiting.use) handover = afterSwitch(handover, waiting);
    waiting = null;
    if (renamed) handover = afterSwitch(handover, { handover: told.handover, atMs: told.atMs, untilMs });
    lastSwitch = told;
  }
  if (waiting) handover = afterSwitch(handover, waiting);
  return { handover: until(handover, nowMs), lastSwitch, books: booksOf(reader), lessons: lessonsOf(reader, nowMs) };
}

/** Words add up until a switch is made; one that names who decides anyway takes back what waited. */
function afterWord(waiting: Waiting | null, word: z.output<typeof UseRow>, atMs: number): Waiting | null {
  const { use, windDownMs } = word;
  const from = waiting?.from ?? word.from;
  if (use === from) return null;
  const handover = word.handover ?? (waiting?.use === use ? waiting.handover : "adopt");
  return { from, use, handover, atMs, untilMs: atMs + windDownMs };
}

/** A faster practice clock of an earlier run may have been ahead of this one: nothing of now was opened before then. */
const until = (handover: HandoverState, nowMs: number): HandoverState => ({
  ...handover,
  closeBeforeMs: Math.min(handover.closeBeforeMs, nowMs),
  windDowns: handover.windDowns.map(({ beforeMs, untilMs }) => ({ beforeMs: Math.min(beforeMs, nowMs), untilMs })),
  voidBeforeMs: Math.min(handover.voidBeforeMs, nowMs),
});

/** The newest row of every shadow that was ever seated; the agent takes those that still fit. */
export function booksOf(reader: JournalReader): ReadonlyMap<string, unknown> {
  const books = new Map<string, unknown>();
  for (const { body } of reader.rows({ kinds: ["shadow"], limit: BOOKS_READ, newest: true })) {
    const name = (body as { book?: unknown } | null)?.book;
    if (typeof name === "string") books.set(name, body);
  }
  return books;
}

/** Lessons that stand: learnt, not replaced, crowded out, forgotten or expired. */
export function lessonsOf(reader: JournalReader, nowMs: number): readonly Lesson[] {
  const lessons = new Map<string, Lesson>();
  for (const { body } of reader.rows({ kinds: ["lesson"], sinceMs: nowMs - LESSONS_FOR_MS })) {
    const { event, id } = body as { event?: unknown; id?: unknown };
    const read = event === "learnt" ? LessonRow.safeParse(body) : null;
    if (read?.success) lessons.set(read.data.id, read.data);
    else if (typeof id === "string") lessons.delete(id);
  }
  return [...lessons.values()].filter((lesson) => lesson.expiresAtMs > nowMs);
}
