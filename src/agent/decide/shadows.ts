/**
 * Shadows: strategies that see what the trading strategy sees and are scored on paper, without the right to trade. They have
 * the lowest priority: their questions wait until no real decision is in progress, one shadow at a time, within a daily sum
 * of their own inside the model budget. Spec: lessons §3.30.
 */
import type { Snapshot } from "../../context/snapshot.ts";
import type { StrategyRecord } from "../../context/memory.ts";
import { type Decimal, dec, sumDecimals } from "../../core/decimal.ts";
import type { ModelOutcome } from "../../core/model-outcome.ts";
import { utcDay } from "../../core/time.ts";
import { askStrategy, interpretReplies, replyOf, type StrategyFault } from "../../strategy/guarded.ts";
import type { StrategyAnswer } from "../../strategy/strategy.ts";
import type { At } from "../contract/effects.ts";
import { type PaperBook, bookFor, bookRow, fits, recordOf } from "../paper/paper-book.ts";
import type { PaperAccount } from "../paper/paper-account.ts";
import { marksAt, paperSnapshot, paperTargets, watchPaper } from "./paper-desk.ts";
import { type AgentState, nextId } from "../state/state.ts";
import { shadowRow, type ShadowRow } from "../../rows/shadow.ts";

const WATCH_EVERY_MS = 1_000;
const WRITE_EVERY_MS = 10 * 60_000;

/** Aligns the paper accounts with the configuration: known ones continue, changed ones restart, removed ones are journalled. */
export function seatShadows(state: AgentState, { nowMs, out }: At): void {
  const { books, leftBooks } = state.deciding;
  const wanted = new Map((state.strategies.shadows ?? []).map((shadow) => [shadow.name, shadow]));
  for (const [name, book] of books) {
    const shadow = wanted.get(name);
    if (shadow && fits(book, shadow)) {
      book.quarantine.clear();
      wanted.delete(name);
      continue;
    }
    write(book, "ended", { nowMs, out });
    books.delete(name);
    leftBooks.set(name, bookRow(book, "ended"));
  }
  for (const [name, shadow] of wanted) {
    const book = bookFor(shadow, leftBooks.get(name) ?? state.restored.deciding?.books.get(name), nowMs);
    leftBooks.delete(name);
    books.set(name, book);
    write(book, "seated", { nowMs, out });
  }
}

/** Asks every shadow with the snapshot that the trading strategy saw, each with its own account in it. */
export function shadowsDecide(state: AgentState, seen: Snapshot, at: At): void {
  for (const book of state.deciding.books.values()) harmless(state, book, at, () => decideOne(state, book, seen, at));
}

function decideOne(state: AgentState, book: PaperBook, seen: Snapshot, at: At): void {
  if (book.quarantine.suspension(at.nowMs) || book.waiting?.askedMs) return;
  const snapshot = paperSnapshot(state, seen, { name: book.shadow.name, account: book.account });
  if (!snapshot) return;
  book.waiting = null;
  const asked = askStrategy(book.shadow.armed, snapshot);
  if (!asked.ok) fault(book, asked.error, at);
  else proceed(state, book, { answer: asked.value, decisionId: nextId(state, "s"), round: 1, firstPart: 0 }, at);
}

/** An error in a paper account ends only that account: the agent continues to trade. */
function harmless(state: AgentState, book: PaperBook, { out }: At, work: () => void): void {
  try {
    work();
  } catch (cause) {
    const { name } = book.shadow;
    state.deciding.books.delete(name);
    const reason = cause instanceof Error ? cause.message : String(cause);
    out.log("error", "shadow.failed", `${name} is disabled until the configuration is saved: ${reason}`, {
      shadow: name,
    });
  }
}

interface Step {
  readonly answer: StrategyAnswer;
  readonly decisionId: string;
  readonly round: number;
  readonly firstPart: number;
}

function proceed(state: AgentState, book: PaperBook, { answer, decisionId, round, firstPart }: Step, at: At): void {
  if (answer.kind === "ask") {
    const { questions, carry } = answer;
    const replies = questions.map(() => null);
    book.waiting = { decisionId, round, firstPart, questions, carry: carry ?? null, askedMs: null, replies };
    return;
  }
  book.account.totals.decisions += 1;
  book.quarantine.recordAnswer();
  const targets = answer.kind === "targets" ? answer.targets : [];
  const fills = targets.length === 0 ? 0 : paperTargets(state, book.account, targets, at.nowMs);
  if (fills > 0) write(book, "traded", at);
}

function fault(book: PaperBook, found: StrategyFault, at: At): void {
  book.account.totals.failed += 1;
  const verdict = book.quarantine.suspend(at.nowMs, found) === null ? "gave no decision" : "is suspended";
  at.out.log("warn", "shadow.failed", `${book.shadow.name} ${verdict}: ${found.reason}`, { shadow: book.shadow.name });
}

/** Once a second: stops, targets and drawdown; then the next question, if one is due. */
export function keepShadows(state: AgentState, at: At): void {
  const { deciding } = state;
  if (deciding.books.size === 0 || at.nowMs - deciding.watchedMs < WATCH_EVERY_MS) return;
  deciding.watchedMs = at.nowMs;
  const marks = marksAt(state, at.nowMs);
  settlePaper(state, at.nowMs);
  for (const book of deciding.books.values()) {
    harmless(state, book, at, () => {
      const fills = watchPaper(state, book.account, at.nowMs);
      book.account.mark(at.nowMs, marks);
      if (fills > 0 || at.nowMs - book.writtenMs >= WRITE_EVERY_MS) write(book, fills > 0 ? "traded" : "marked", at);
    });
  }
  askNext(state, at);
}

/** The trading strategy's questions go first: a shadow asks only while none is open and no switch waits. */
function askNext(state: AgentState, { nowMs, out }: At): void {
  if (state.pending || state.deciding.nextSwitch || state.stage !== "ready") return;
  const books = [...state.deciding.books.values()];
  for (const book of books) if (isOverdue(state, book, nowMs)) lose(book);
  if (books.some((book) => book.waiting?.askedMs)) return;
  const book = books.find((candidate) => candidate.waiting && candidate.waiting.askedMs === null);
  if (!book?.waiting) return;
  const { shadowModelUsd } = state.settings;
  const spentUsd = spentToday(state, nowMs);
  const roundUsd = book.lastCostUsd.mul(book.waiting.questions.length);
  if (spentUsd.gte(shadowModelUsd) || spentUsd.add(roundUsd).gt(shadowModelUsd)) {
    lose(book);
    return;
  }
  const { decisionId, firstPart, questions } = book.waiting;
  book.waiting = { ...book.waiting, askedMs: nowMs };
  questions.forEach((question, index) =>
    out.ask({
      kind: "ask-model",
      decisionId,
      part: firstPart + index,
      question,
      urgent: false,
      shadow: book.shadow.name,
    }),
  );
}

/** An unanswered question holds up the other shadows no longer than a decision may take. */
const isOverdue = ({ settings }: AgentState, { waiting }: PaperBook, nowMs: number): boolean =>
  waiting !== null && waiting.askedMs !== null && nowMs - waiting.askedMs > settings.answersWithinMs;

/** No answer, or no budget for one: counted as a decision that was not made. */
function lose(book: PaperBook): void {
  book.waiting = null;
  book.account.totals.failed += 1;
}

/** Of all shadows, those that no longer run included. */
function spentToday({ deciding, restored }: AgentState, nowMs: number): Decimal {
  const accounts = new Map<string, Pick<PaperAccount, "day">>();
  for (const [name, { account }] of [...(restored.deciding?.books ?? []), ...deciding.leftBooks, ...deciding.books])
    accounts.set(name, account);
  const today = [...accounts.values()].filter(({ day }) => day.name === utcDay(nowMs));
  return sumDecimals(today.map(({ day }) => day.modelUsd));
}

/** The model answered a shadow. Its account and the market have moved meanwhile, so it judges the present snapshot. */
export function onShadowModel(state: AgentState, event: ShadowAnswer, seen: (nowMs: number) => Snapshot, at: At): void {
  const book = state.deciding.books.get(event.shadow);
  if (book) harmless(state, book, at, () => answered(state, book, { event, seen }, at));
}

interface ShadowAnswer {
  readonly shadow: string;
  readonly decisionId: string;
  readonly part?: number;
  readonly outcome: ModelOutcome;
}

function answered(
  state: AgentState,
  book: PaperBook,
  { event, seen }: { readonly event: ShadowAnswer; readonly seen: (nowMs: number) => Snapshot },
  at: At,
): void {
  book.lastCostUsd = event.outcome.costUsd;
  book.account.paidModel(book.lastCostUsd);
  // What was paid counts towards the daily sum after a crash too.
  if (book.lastCostUsd.gt(0)) write(book, "marked", at);
  if (event.outcome.kind === "answered") book.model = event.outcome.model;
  const { waiting } = book;
  const index = (event.part ?? 0) - (waiting?.firstPart ?? 0);
  if (waiting?.decisionId !== event.decisionId || waiting.askedMs === null || waiting.replies[index] !== null) return;
  const replies = waiting.replies.map((reply, place) => (place === index ? replyOf(event.outcome) : reply));
  const known = replies.filter((reply) => reply !== null);
  if (known.length < replies.length) {
    book.waiting = { ...waiting, replies };
    return;
  }
  book.waiting = null;
  const snapshot = paperSnapshot(state, seen(at.nowMs), { name: book.shadow.name, account: book.account });
  const plain = known.filter((_reply, at) => waiting.questions[at]?.use === undefined);
  if (!snapshot || (plain.length > 0 && plain.every((reply) => reply.kind === "failed"))) return lose(book);
  const { round, carry, decisionId } = waiting;
  const read = interpretReplies(book.shadow.armed, { round, replies: known, carry }, snapshot);
  if (!read.ok) return fault(book, read.error, at);
  const firstPart = waiting.firstPart + known.length;
  proceed(state, book, { answer: read.value, decisionId, round: round + 1, firstPart }, at);
}

/** Books the funding settlements that paper positions have passed, at the rate last reported before each. */
function settlePaper(state: AgentState, nowMs: number): void {
  const { books, paperFunding } = state.deciding;
  const held = new Set(
    [...books.values()].flatMap(({ account }) => [...account.positions.values()].map((position) => position.symbol)),
  );
  for (const [symbol, due] of paperFunding) {
    if (nowMs < due.atMs) continue;
    paperFunding.delete(symbol);
    const mark = marksAt(state, nowMs)(symbol);
    if (!mark || !Number.isFinite(due.rate)) continue;
    for (const { account } of books.values()) account.settleFunding(symbol, dec(due.rate.toFixed(10)), mark);
  }
  for (const symbol of held) {
    const next = state.context.funding(symbol);
    if (next && next.nextAtMs > nowMs) paperFunding.set(symbol, { atMs: next.nextAtMs, rate: next.rate });
  }
  for (const symbol of paperFunding.keys()) if (!held.has(symbol)) paperFunding.delete(symbol);
}

/** Scores of all shadows at present marks, in the order of the configuration. */
export const shadowRecords = (state: AgentState, nowMs: number): readonly StrategyRecord[] =>
  [...state.deciding.books.values()].map((book) => recordOf(book, marksAt(state, nowMs)));

/** Writes the present state of every shadow, before a stop. */
export function writeShadows(state: AgentState, at: At): void {
  for (const book of state.deciding.books.values()) write(book, "marked", at);
}

function write(book: PaperBook, event: ShadowRow["event"], { nowMs, out }: At): void {
  book.writtenMs = nowMs;
  out.record(shadowRow(bookRow(book, event)));
}
