/** The review of closed trades: journal to question, through the gateway inside the budget, lessons to the agent. */
import { namedTrades, readLessons, reviewQuestion } from "../agent/decide/review.ts";
import type { Lesson } from "../context/memory.ts";
import type { Config } from "../config/config.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { toWire } from "../core/decimal.ts";
import { utcDay } from "../core/time.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { ModelGateway } from "../llm/contract/port.ts";
import { closedTradesOf } from "../restore/restore-trades.ts";
import { counted } from "../core/words.ts";

/** `learning` is asked at every review, so a saved file counts at once; `learnt` hands lessons to the agent. */
export interface ReviewParts {
  readonly env: Env;
  readonly log: Log;
  readonly journal: JournalReader;
  readonly gateway: ModelGateway;
  readonly learning: () => Config["learning"];
  readonly learnt: (lessons: readonly Lesson[]) => void;
  /** Base units per contract. */
  readonly contractSize: (symbol: string) => number;
}

/** Runs one review and returns its outcome in words. A failing model is logged and asked again at the next review. */
export async function dailyReview(parts: ReviewParts): Promise<string> {
  const { env, log, journal, gateway, learning, learnt, contractSize } = parts;
  const nowMs = env.clock.nowMs();
  const { lookBack, lessonsFor, tradesMin } = learning();
  const sinceMs = nowMs - lookBack;
  const closed = closedTradesOf(journal).filter((trade) => trade.closedAtMs >= sinceMs);
  const trades = namedTrades(closed);
  const report = (text: string, fields: Record<string, unknown> = {}): string => {
    log.event("info", "review.done", text, { trades: trades.length, ...fields });
    return text;
  };
  if (trades.length < tradesMin)
    return report(`${counted(trades.length, "closed trade")}, fewer than ${tradesMin}: nothing is asked`);
  const decisionId = env.ids.next("review");
  const question = reviewQuestion(trades, utcDay(nowMs), contractSize);
  const outcome = await gateway.ask({ ...question, decisionId, purpose: "review" });
  if (outcome.kind !== "answered")
    return report(`no lessons: ${outcome.kind}, ${outcome.reason}`, { decision: decisionId });
  const { lessons, dropped } = readLessons(outcome.value, trades, {
    nowMs: env.clock.nowMs(),
    lessonsForMs: lessonsFor,
    nextId: () => env.ids.next("l"),
  });
  learnt(lessons);
  const text = `${counted(trades.length, "closed trade")} read, ${counted(lessons.length, "lesson")} written, ${dropped.length} not borne out, ${toWire(outcome.costUsd)} USD`;
  return report(text, { decision: decisionId, costUsd: toWire(outcome.costUsd), dropped });
}
