/**
 * One budget day, computed from the journal: what was spent, by whom, for which decisions, what the caches saved, and what
 * the day's budget buys at the configured prices. It uses the budget's own arithmetic, so that both give the same figures.
 */
import { type Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { JournalRow } from "../../rows/row.ts";
import * as budgeting from "../../llm/budget/budget.ts";
import { forecastUsd } from "../../llm/budget/budget.ts";
import { isUnknown } from "../../llm/budget/entries.ts";
import { readEntry } from "../../llm/budget/entries.ts";
import {
  type PricedQuestion,
  pricedQuestions,
  type Outcomes,
  outcomesOf,
  type QuestionTally,
  tallies,
} from "../models/questions.ts";
import { type Buys, whatItBuys } from "./buying.ts";
import { type ModelConfig, modelConfigAt } from "../models/config.ts";
import { JUDGED_AFTER_MS, useTallies, type UseTally } from "./use-tally.ts";
import { readModelSettle } from "../../rows/model-settle.ts";

/** `fromMs` is included, `toMs` is not. The rest is as of now, or as of the end of a day that is over. */
export interface BudgetDay {
  readonly fromMs: number;
  readonly toMs: number;
  readonly limitUsd: Decimal;
  readonly floorUsd: Decimal | null;
  /** Booked in the day, without reservations. */
  readonly spentUsd: Decimal;
  readonly reservedUsd: Decimal;
  /** Part of the spending that the gateway reported. */
  readonly adoptedUsd: Decimal;
  /** Part of the spending that stands for calls of unknown outcome, at their bounds. */
  readonly unknown: SpendPart;
  /** Part of the spending that our own tokenizer counted, because no usage was reported. */
  readonly estimated: SpendPart;
  /** What was booked at bounds in the day and given back, because the gateway's counter proved less. */
  readonly correctedUsd: Decimal;
  readonly last24hUsd: Decimal;
  readonly leftUsd: Decimal;
  /** The day's total at its present pace; null for a day that is over. */
  readonly forecastUsd: Decimal | null;
  readonly outcomes: Outcomes;
  readonly byStrategy: readonly QuestionTally[];
  readonly byModel: readonly QuestionTally[];
  readonly byDecision: readonly QuestionTally[];
  readonly total: QuestionTally;
  /** Savings on prompt tokens that the provider read from its prefix cache, against the full price. */
  readonly prefixSavedUsd: Decimal;
  readonly byUse: readonly UseTally[];
  readonly buys: readonly Buys[];
}

/** Some of the calls of a day, and what was booked for them. */
export interface SpendPart {
  readonly calls: number;
  readonly usd: Decimal;
}

/** Older rows cannot matter to any window of the day. */
const LOOK_BACK_MS = 3 * DAY_MS;

/** The budget day that contains `instantMs`. Nothing after `nowMs` counts: an unfinished day is shown as it stands. */
export function budgetDay(reader: JournalReader, instantMs: number, nowMs: number): BudgetDay {
  const config = modelConfigAt(reader, Math.min(instantMs, nowMs));
  const spend = spendRows(reader, instantMs);
  const boundaryMs = boundaryOf(config, spend, nowMs);
  const fromMs = Math.floor((instantMs - boundaryMs) / DAY_MS) * DAY_MS + boundaryMs;
  const toMs = fromMs + DAY_MS;
  const atMs = Math.min(nowMs, toMs - 1);
  const inDay = (row: JournalRow): boolean => row.atMs >= fromMs && row.atMs <= atMs;
  const rows = reader
    .rows({ kinds: ["decision", "question"], sinceMs: fromMs - HOUR_MS })
    .filter((r) => r.atMs <= atMs);
  const questions = pricedQuestions(rows, config.models).filter((question) => question.atMs >= fromMs);
  const money = usedAt(
    spend.filter((row) => row.atMs <= atMs),
    { limitUsd: config.limitUsd, boundaryMs },
    atMs,
  );
  const pace = { limitUsd: config.limitUsd, reserveForEvents: 0, dayStartMs: fromMs };
  const byDecision = tallies(questions, (question) => question.decisionId);
  return {
    fromMs,
    toMs,
    limitUsd: config.limitUsd,
    floorUsd: config.floorUsd,
    spentUsd: money.bookedTodayUsd,
    reservedUsd: money.openUsd,
    last24hUsd: money.rollingUsd,
    leftUsd: money.leftUsd,
    adoptedUsd: adoptedIn(spend.filter(inDay)),
    ...uncertainIn(spend.filter(inDay)),
    forecastUsd: nowMs < toMs ? forecastUsd(pace, atMs, money.bookedTodayUsd.add(money.openUsd), money.sinceMs) : null,
    outcomes: outcomesOf(rows.filter(inDay)),
    byStrategy: tallies(questions, (question) => question.strategy),
    byModel: tallies(questions, (question) => question.model ?? `none (${question.kind})`),
    byDecision,
    total: tallies(questions, () => "all")[0] ?? emptyTally(),
    prefixSavedUsd: sumDecimals(questions.map((question: PricedQuestion) => question.prefixSavedUsd)),
    byUse: useTallies(questions, decisionsUntil(reader, fromMs, Math.min(nowMs, toMs + JUDGED_AFTER_MS)), inDay),
    buys: whatItBuys(config, questions),
  };
}

/** Booked and still reserved in the running budget day, USD: what a running agent shows as spent today. */
export function usedToday(reader: JournalReader, nowMs: number): Decimal {
  const spend = spendRows(reader, nowMs);
  if (spend.length === 0) return ZERO;
  const { limitUsd, ...config } = modelConfigAt(reader, nowMs);
  return usedAt(spend, { limitUsd, boundaryMs: boundaryOf(config, spend, nowMs) }, nowMs).dayUsd;
}

const decisionsUntil = (reader: JournalReader, fromMs: number, untilMs: number): readonly JournalRow[] =>
  reader.rows({ kinds: ["decision"], sinceMs: fromMs }).filter(({ atMs }) => atMs <= untilMs);

const spendRows = (reader: JournalReader, instantMs: number): readonly JournalRow[] =>
  reader.rows({ kinds: ["model-reserve", "model-settle"], sinceMs: instantMs - LOOK_BACK_MS - DAY_MS });

const emptyTally = (): QuestionTally => ({
  name: "all",
  decisions: 0,
  calls: 0,
  cached: 0,
  failed: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  costUsd: ZERO,
  savedUsd: ZERO,
});

const boundaryOf = (
  { boundaryUtcHour }: Pick<ModelConfig, "boundaryUtcHour">,
  spend: readonly JournalRow[],
  nowMs: number,
): number => (boundaryUtcHour === "gateway" ? boundaryIn(spend, nowMs) : boundaryUtcHour * HOUR_MS);

/** The last start of a day that the gateway had reported by then; otherwise the midnight before. */
function boundaryIn(rows: readonly JournalRow[], nowMs: number): number {
  const moved = rows.filter((row) => row.atMs <= nowMs && row.kind === "model-settle").map(readModelSettle);
  return moved.findLast(({ how }) => how === "boundary")?.boundaryMs ?? 0;
}

/** The budget as it stood at an instant. */
function usedAt(rows: readonly JournalRow[], rules: budgeting.BudgetRules, atMs: number): budgeting.Used {
  const budget = budgeting.newBudget(rules);
  for (const row of rows) {
    const entry = readEntry(row);
    if (!entry) continue;
    if (entry.kind === "model-reserve") {
      budgeting.restoreReservation(budget, entry.body.attemptId, entry.body.boundUsd, entry.body.atMs);
      continue;
    }
    const at = { wallMs: entry.body.atMs, monotonicMs: null };
    if (budget.charges.get(entry.body.attemptId)?.open) {
      const amountUsd = isUnknown(entry.body.how) ? null : entry.body.costUsd;
      budgeting.settle(budget, entry.body.attemptId, amountUsd, at);
    } else if (entry.body.how === "corrected") {
      budgeting.correct(budget, entry.body.attemptId, entry.body.costUsd);
    } else if (entry.body.how !== "boundary") budgeting.book(budget, entry.body.attemptId, entry.body.costUsd, at);
  }
  return budgeting.used(budget, { wallMs: atMs, monotonicMs: null });
}

/** The uncertain part of a day's entries, each call at its latest booking. */
function uncertainIn(rows: readonly JournalRow[]): Pick<BudgetDay, "unknown" | "estimated" | "correctedUsd"> {
  const unknown = new Map<string, Decimal>();
  const estimated: Decimal[] = [];
  let correctedUsd = ZERO;
  for (const row of rows) {
    const entry = readEntry(row);
    if (entry?.kind !== "model-settle") continue;
    const { attemptId, how } = entry.body;
    const usd = entry.body.costUsd;
    const before = unknown.get(attemptId);
    if (isUnknown(how)) unknown.set(attemptId, usd);
    else if (how === "estimated") estimated.push(usd);
    else if (how === "corrected" && before) {
      correctedUsd = correctedUsd.add(before.sub(usd));
      unknown.set(attemptId, usd);
    }
  }
  return {
    unknown: { calls: unknown.size, usd: sumDecimals([...unknown.values()]) },
    estimated: { calls: estimated.length, usd: sumDecimals(estimated) },
    correctedUsd,
  };
}

function adoptedIn(rows: readonly JournalRow[]): Decimal {
  const settled = rows.filter((row) => row.kind === "model-settle").map(readModelSettle);
  return sumDecimals(settled.filter(({ how }) => how === "adopted").map(({ costUsd }) => costUsd));
}
