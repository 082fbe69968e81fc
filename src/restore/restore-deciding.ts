/** The deciding half's state from earlier runs: an unfinished handover, paper accounts, lessons. */
import { afterSwitch, type Handover, type HandoverState, noHandover } from "../agent/contract/handover.ts";
import type { RestoredDeciding, SwitchNotice } from "../agent/state/deciding-state.ts";
import type { Lesson, StrategyRecord } from "../context/memory.ts";
import { DAY_MS } from "../core/time.ts";
import type { JournalReader } from "../journal/reader.ts";
import { without } from "../rows/form.ts";
import { lessonOf, readLesson } from "../rows/lesson.ts";
import { readQuestion } from "../rows/question.ts";
import { readShadow, type ShadowRow } from "../rows/shadow.ts";
import { readSwitch, type UseRow } from "../rows/switch.ts";
import { PAPER_CAPITAL } from "../agent/paper/paper-account.ts";
import { paperFromRow } from "../agent/paper/paper-rows.ts";

const SWITCHES_READ = 200;
const BOOKS_READ = 500;
const LESSONS_FOR_MS = 60 * DAY_MS;

/** A switch that was requested and not made yet. */
interface Waiting {
  readonly from: string;
  readonly use: string;
  readonly handover: Handover;
  readonly atMs: number;
  readonly untilMs: number;
}

/** Unfinished handovers, paper accounts and lessons, as the last run left them. */
export function restoreDeciding(reader: JournalReader, nowMs: number): RestoredDeciding {
  let handover: HandoverState = noHandover;
  let lastSwitch: SwitchNotice | null = null;
  let waiting: Waiting | null = null;
  for (const row of reader.rows({ kinds: ["switch"], limit: SWITCHES_READ, newest: true })) {
    const read = readSwitch(row);
    if ("command" in read) {
      waiting = afterWord(waiting, read, row.atMs);
      continue;
    }
    const { untilMs, renamed, ...reported } = without(read, "settings");
    // A start made the switch: the requested strategy has decided since.
    if (waiting && reported.from === waiting.use) handover = afterSwitch(handover, waiting);
    waiting = null;
    if (renamed) handover = afterSwitch(handover, { handover: reported.handover, atMs: reported.atMs, untilMs });
    lastSwitch = reported;
  }
  if (waiting) handover = afterSwitch(handover, waiting);
  return {
    handover: until(handover, nowMs),
    lastSwitch,
    books: booksOf(reader),
    lessons: lessonsOf(reader, nowMs),
    bought: boughtIn(reader, nowMs),
  };
}

/** Of the last day: an older answer is due again in any case. */
function boughtIn(reader: JournalReader, nowMs: number): ReadonlyMap<string, number> {
  const bought = new Map<string, number>();
  for (const row of reader.rows({ kinds: ["question"], sinceMs: nowMs - DAY_MS })) {
    const read = readQuestion(row);
    if ("outcome" in read && read.outcome.kind === "answered") bought.set(read.purpose, Math.min(row.atMs, nowMs));
  }
  return bought;
}

/** Commands add up until a switch is made; one that names the present strategy withdraws the waiting switch. */
function afterWord(waiting: Waiting | null, word: UseRow, atMs: number): Waiting | null {
  const { use, windDownMs } = word;
  const from = waiting?.from ?? word.from;
  if (use === from) return null;
  const handover = word.handover ?? (waiting?.use === use ? waiting.handover : "adopt");
  return { from, use, handover, atMs, untilMs: atMs + windDownMs };
}

/** The faster practice clock of an earlier run may have been ahead of this one: nothing present was opened before then. */
const until = (handover: HandoverState, nowMs: number): HandoverState => ({
  ...handover,
  closeBeforeMs: Math.min(handover.closeBeforeMs, nowMs),
  windDowns: handover.windDowns.map(({ beforeMs, untilMs }) => ({ beforeMs: Math.min(beforeMs, nowMs), untilMs })),
  voidBeforeMs: Math.min(handover.voidBeforeMs, nowMs),
});

/** The newest row of every shadow that ever ran; the agent uses those that still fit. */
export function booksOf(reader: JournalReader): ReadonlyMap<string, ShadowRow> {
  const rows = reader.rows({ kinds: ["shadow"], limit: BOOKS_READ, newest: true }).map(readShadow);
  return new Map(rows.map((row) => [row.book, row]));
}

/** Lessons that count: learnt, and not replaced, crowded out, forgotten or expired. */
export function lessonsOf(reader: JournalReader, nowMs: number): readonly Lesson[] {
  const lessons = new Map<string, Lesson>();
  for (const row of reader.rows({ kinds: ["lesson"], sinceMs: nowMs - LESSONS_FOR_MS })) {
    const read = readLesson(row);
    if (read.event === "learnt") lessons.set(read.id, lessonOf(read));
    else lessons.delete(read.id);
  }
  return [...lessons.values()].filter((lesson) => lesson.expiresAtMs > nowMs);
}

/** Open positions count at their entry price: a journal knows no present marks. Null when the shadow has ended. */
export function bookFromRow({ book, strategy, event, account: row }: ShadowRow): StrategyRecord | null {
  if (event === "ended") return null;
  const account = paperFromRow(row);
  const { decisions, failed, trades, wins, modelUsd } = account.totals;
  return {
    name: book,
    strategy,
    sinceMs: account.sinceMs,
    decisions,
    failed,
    trades,
    wins,
    open: account.positions.size,
    returnAfterCosts: account.balance.div(PAPER_CAPITAL).sub(1).toNumber(),
    maxDrawdown: account.maxDrawdown,
    sharpe: account.sharpe(),
    hourlyDrawdown: account.score.drawdown,
    model: null,
    modelCostUsd: modelUsd.toNumber(),
    costBps: account.costBps(),
  };
}
