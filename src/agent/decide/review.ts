/**
 * The review of closed trades: a table of figures goes out, typed lessons come back. The model sees no text that news, a
 * model or a strategy wrote (no thesis, no title, no id of a source), answers in closed lists and numbers, and only lessons
 * that the named trades support are kept: even a manipulated model can only say what the figures say.
 */
import { z } from "zod";
import { LESSON_KINDS, type Lesson, type LessonKind } from "../../context/memory.ts";
import { type Decimal, sumDecimals, toFloat } from "../../core/decimal.ts";
import { hashOf } from "../../core/hash.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { ClosedTrade } from "../../domain/closed-trade.ts";
import { baseOf } from "../../domain/symbol.ts";
import type { ModelQuestion } from "../../strategy/strategy.ts";

const TRADES_MAX = 60;
const LESSONS_PER_REVIEW = 5;
const EVIDENCE_MIN = 2;
const REVIEW_TOKENS = 900;

/** Range and step of the value for each kind of lesson. Kinds that are absent carry no number. */
const VALUES: Partial<Record<LessonKind, { readonly min: number; readonly max: number; readonly step: number }>> = {
  "costs-too-high": { min: 0.1, max: 5, step: 0.1 },
  "hold-longer": { min: 5, max: 2_880, step: 5 },
  "hold-shorter": { min: 5, max: 2_880, step: 5 },
  "stop-wider": { min: 0.2, max: 12, step: 0.1 },
  "stop-tighter": { min: 0.2, max: 12, step: 0.1 },
  "trade-less": { min: 1, max: 100, step: 1 },
};

interface Row {
  readonly [column: string]: string | number;
}

/** A trade under the short name that the model may cite. */
export interface NamedTrade {
  readonly name: string;
  readonly trade: ClosedTrade;
}

/** Newest first; only those whose result is known. */
export const namedTrades = (trades: readonly ClosedTrade[]): readonly NamedTrade[] =>
  [...trades]
    .filter((trade) => trade.netUsdt !== null)
    .sort((a, b) => b.closedAtMs - a.closedAtMs)
    .slice(0, TRADES_MAX)
    .map((trade, place) => ({ name: `t${place + 1}`, trade }));

const share = (part: Decimal, whole: Decimal): string => (whole.gt(0) ? part.div(whole).mul(100).toFixed(2) : "0.00");

function rowOf({ name, trade }: NamedTrade, contractSize: (symbol: string) => number): Row {
  const value = trade.qty.mul(contractSize(trade.symbol)).mul(trade.entryPrice);
  const net = trade.netUsdt ?? value.mul(0);
  const gross = net.add(trade.feesUsdt).sub(trade.fundingUsdt);
  return {
    trade: name,
    symbol: baseOf(trade.symbol),
    leg: trade.side,
    strategy: trade.strategy ?? "none",
    basis: trade.basis,
    heldMinutes: Math.round((trade.closedAtMs - trade.openedAtMs) / MINUTE_MS),
    hourUtc: new Date(trade.openedAtMs).getUTCHours(),
    grossPct: share(gross, value),
    costPct: share(gross.sub(net), value),
    netPct: share(net, value),
    netUsdt: net.toFixed(2),
    exit: trade.exit,
  };
}

const ReviewReply = z.strictObject({
  lessons: z
    .array(
      z.strictObject({
        kind: z.enum(LESSON_KINDS),
        symbol: z.string(),
        leg: z.enum(["LONG", "SHORT", "ANY"]),
        value: z.number(),
        evidence: z.array(z.string()).min(1).max(20),
      }),
    )
    .max(LESSONS_PER_REVIEW),
  echo: z.string(),
});

/** The question, with a reply schema that names only symbols and trades that are in the table. A contract is so many base units. */
export function reviewQuestion(
  trades: readonly NamedTrade[],
  day: string,
  contractSize: (symbol: string) => number,
): ModelQuestion {
  const names = trades.map(({ name }) => name);
  const symbols = ["ANY", ...new Set(trades.map(({ trade }) => baseOf(trade.symbol)))];
  const rows = trades.map((trade) => rowOf(trade, contractSize));
  const lesson = ReviewReply.shape.lessons.element.extend({
    symbol: z.enum(symbols),
    evidence: z.array(z.enum(names)).min(1).max(20),
  });
  return {
    prompt: "daily-review",
    variables: {
      day,
      trades: rows,
      bounds: LESSON_KINDS.map((kind) => ({ kind, from: VALUES[kind]?.min ?? 0, to: VALUES[kind]?.max ?? 0 })),
      evidenceMin: EVIDENCE_MIN,
      lessonsMax: LESSONS_PER_REVIEW,
    },
    replySchema: z.strictObject({ lessons: z.array(lesson).max(LESSONS_PER_REVIEW), echo: z.string() }),
    replySchemaName: "lessons",
    maxOutputTokens: REVIEW_TOKENS,
    fingerprint: hashOf(rows),
  };
}

interface ReadAt {
  readonly nowMs: number;
  readonly lessonsForMs: number;
  readonly nextId: () => string;
}

/** What a model's reply contained; `lessons` are typed and name the ids of the trades behind them. */
export interface Reviewed {
  readonly lessons: readonly Lesson[];
  /** Lessons that the figures did not support, by kind. */
  readonly dropped: readonly string[];
}

/** The lessons of a reply, each compared with the trades that it names. A reply of another shape has none. */
export function readLessons(reply: unknown, trades: readonly NamedTrade[], at: ReadAt): Reviewed {
  const read = ReviewReply.safeParse(reply);
  if (!read.success) return { lessons: [], dropped: ["the reply is not of the agreed form"] };
  const lessons: Lesson[] = [];
  const dropped: string[] = [];
  for (const said of read.data.lessons) {
    const cited = trades.filter(({ name }) => said.evidence.includes(name)).map(({ trade }) => trade);
    const symbol = said.symbol === "ANY" ? null : (cited.find((t) => baseOf(t.symbol) === said.symbol)?.symbol ?? "");
    const positionSide = said.leg === "ANY" ? null : said.leg;
    const about = cited.filter(
      (trade) => (symbol === null || trade.symbol === symbol) && (positionSide === null || trade.side === positionSide),
    );
    const fault =
      about.length < EVIDENCE_MIN ? "too few trades of its own" : against(said.kind, symbol, positionSide, about);
    if (fault !== null || symbol === "") {
      dropped.push(`${said.kind}: ${fault ?? "no such symbol among its trades"}`);
      continue;
    }
    lessons.push({
      id: at.nextId(),
      kind: said.kind,
      symbol,
      leg: positionSide,
      value: bounded(said.kind, said.value),
      evidence: about.map((trade) => trade.id),
      won: about.filter(({ netUsdt }) => netUsdt?.gt(0)).length,
      learntAtMs: at.nowMs,
      expiresAtMs: at.nowMs + at.lessonsForMs,
    });
  }
  return { lessons, dropped };
}

function bounded(kind: LessonKind, value: number): number | null {
  const bounds = VALUES[kind];
  if (!bounds) return null;
  const stepped = Math.round(value / bounds.step) * bounds.step;
  return Number(Math.min(bounds.max, Math.max(bounds.min, stepped)).toFixed(2));
}

/** Why the trades do not support a lesson; null if they do. */
function against(
  kind: LessonKind,
  symbol: string | null,
  positionSide: "LONG" | "SHORT" | null,
  about: readonly ClosedTrade[],
): string | null {
  const net = toFloat(sumDecimals(about.flatMap(({ netUsdt }) => netUsdt ?? [])));
  const costs = toFloat(sumDecimals(about.map(({ feesUsdt, fundingUsdt }) => feesUsdt.sub(fundingUsdt))));
  const every = (fits: (trade: ClosedTrade) => boolean): boolean => about.every(fits);
  switch (kind) {
    case "avoid-symbol":
      return symbol === null ? "it names no symbol" : net < 0 ? null : "its trades did not lose";
    case "avoid-leg":
      return positionSide === null ? "it names no side" : net < 0 ? null : "its trades did not lose";
    case "costs-too-high":
      return net < 0 && net + costs > 0 ? null : "costs did not make the difference";
    case "news-misled":
      return net < 0 && every(({ basis }) => basis === "news") ? null : "its trades did not lose on news alone";
    case "stop-wider":
      return every(({ exit }) => exit === "stop") ? null : "not all of its trades ended at their stop";
    case "stop-tighter":
      return net < 0 ? null : "its trades did not lose";
    case "hold-longer":
    case "hold-shorter":
      return every(({ exit }) => exit === "decision" || exit === "stop")
        ? null
        : "its trades were not given up by choice";
    case "trade-less":
      return net < 0 ? null : "its trades did not lose";
    case "keep-doing":
      return net > 0 ? null : "its trades did not earn";
  }
}
