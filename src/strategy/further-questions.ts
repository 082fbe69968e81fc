/**
 * The questions that a decision may ask beyond the deciding one, each for a use of the spend plan. They are built here and
 * bought by the budget; `further-answers.ts` reads what came back.
 */
import { z } from "zod";
import type { Snapshot, SymbolView } from "../context/snapshot.ts";
import { symbolView } from "../context/snapshot.ts";
import { shortNames } from "../context/prompt-cells.ts";
import { weekInterest, weekRow } from "../context/week-rows.ts";
import { hashOf } from "../core/hash.ts";
import { HOUR_MS, isoTime, MINUTE_MS } from "../core/time.ts";
import type { ClosedTrade } from "../domain/closed-trade.ts";
import { isOffered } from "./stance-targets.ts";
import type { ExtraUse, ModelQuestion, TargetPosition } from "./strategy.ts";
import { deciding } from "./trader-question.ts";
import { fingerprintOf } from "./trader-fingerprint.ts";
import { asksWeeks, type PlanSettings, type TraderSettings } from "./trader-settings.ts";

/** What a question was about, to read its answer by. */
export type About =
  | { readonly use: null }
  | { readonly use: "second-opinion" }
  | { readonly use: "deep-answer" | "symbol-analyst"; readonly symbols: readonly string[] }
  | { readonly use: "debate"; readonly symbol: string; readonly leg: "LONG" | "SHORT" }
  | { readonly use: "post-mortem" };

export interface FurtherQuestion {
  readonly question: ModelQuestion;
  readonly about: About;
}

type Settings = TraderSettings & PlanSettings;
const CASE_TOKENS = 1_200;
const POST_MORTEM_TOKENS = 600;
/** A close is examined within this time, so that its market is still in the tables. */
const EXAMINED_WITHIN_MS = 6 * HOUR_MS;
const NEWS_OF_CASE = 6;

const forUse = (use: ExtraUse, question: ModelQuestion): ModelQuestion => ({ ...question, use });

/** Held symbols first, then the offered ones by trend and carry. */
function candidates(snapshot: Snapshot, settings: Settings): readonly SymbolView[] {
  const held = new Set(snapshot.account?.positions.map(({ position }) => position.symbol));
  const rank = (view: SymbolView): number => (held.has(view.symbol) ? Infinity : weekInterest(view));
  return snapshot.symbols
    .filter((view) => held.has(view.symbol) || isOffered(view, settings))
    .map((view) => ({ view, at: rank(view) }))
    .sort((a, b) => (a.at === b.at ? 0 : b.at - a.at))
    .map(({ view }) => view);
}

/** The questions that do not wait for the deciding answer: they are asked beside it. */
export function questionsBeside(snapshot: Snapshot, settings: Settings): readonly FurtherQuestion[] {
  if (!asksWeeks(settings)) return [];
  return [...deepAnswer(snapshot, settings), ...postMortems(snapshot, settings), ...analystsOf(snapshot, settings)];
}

/** Once in each hour of the clock. */
function deepAnswer(snapshot: Snapshot, settings: Settings): readonly FurtherQuestion[] {
  const hourMs = Math.floor(snapshot.atMs / HOUR_MS) * HOUR_MS;
  if (settings.deepCandidates === 0 || (snapshot.bought?.["deep-answer"] ?? -Infinity) >= hourMs) return [];
  const symbols = candidates(snapshot, settings)
    .slice(0, settings.deepCandidates)
    .map(({ symbol }) => symbol);
  return aboutSymbols(snapshot, settings, symbols, "deep-answer");
}

/** One question for each symbol. */
function analystsOf(snapshot: Snapshot, settings: Settings): readonly FurtherQuestion[] {
  if (settings.analysts === 0) return [];
  const all = candidates(snapshot, settings).map(({ symbol }) => symbol);
  const held = new Set(snapshot.account?.positions.map(({ position }) => position.symbol));
  const others = all.filter((symbol) => !held.has(symbol));
  // The others take turns, so that each of the best is looked at again and again.
  const pool = others.slice(0, settings.analysts * TURNS);
  const turn = pool.length === 0 ? 0 : (Math.floor(snapshot.atMs / TURN_MS) * settings.analysts) % pool.length;
  const turned = [...pool.slice(turn), ...pool.slice(0, turn)];
  const symbols = [...all.filter((symbol) => held.has(symbol)), ...turned].slice(0, settings.analysts);
  return symbols.flatMap((symbol) => aboutSymbols(snapshot, settings, [symbol], "symbol-analyst"));
}
const TURNS = 3;
const TURN_MS = 5 * MINUTE_MS;

function aboutSymbols(
  snapshot: Snapshot,
  settings: Settings,
  symbols: readonly string[],
  use: "deep-answer" | "symbol-analyst",
): readonly FurtherQuestion[] {
  const task = use === "deep-answer" ? "deep" : "symbol";
  const asked = deciding(snapshot, { ...settings, samples: 1 }, { only: new Set(symbols), task });
  return (asked ?? []).map((question) => ({ question: forUse(use, question), about: { use, symbols } }));
}

/** Further samples of the deciding question, numbered on from those that were asked. */
export function secondOpinions(snapshot: Snapshot, settings: Settings, asked: number): readonly FurtherQuestion[] {
  const all = deciding(snapshot, { ...settings, samples: asked + settings.secondOpinions }) ?? [];
  return all.slice(asked).map((question) => ({
    question: forUse("second-opinion", question),
    about: { use: "second-opinion" },
  }));
}

export const CaseReply = z.strictObject({
  argument: z.string().max(4_000),
  fatal: z.string().max(2_000),
  chance: z.number().min(0).max(1),
  echo: z.string().max(100),
});

/** A bull and a bear for each of the largest openings. */
export function debates(
  openings: readonly TargetPosition[],
  snapshot: Snapshot,
  settings: Settings,
): readonly FurtherQuestion[] {
  const largest = [...openings].sort((a, b) => b.size - a.size).slice(0, settings.debates);
  return largest.flatMap((opening) =>
    (["bull: for the opening", "bear: against the opening"] as const).flatMap((side) =>
      caseQuestion(opening, side, snapshot, settings),
    ),
  );
}

const percent = (share: number | null): string | null => (share === null ? null : (share * 100).toFixed(2));

function caseQuestion(
  opening: TargetPosition,
  side: string,
  snapshot: Snapshot,
  settings: Settings,
): readonly FurtherQuestion[] {
  const view = symbolView(snapshot, opening.symbol);
  if (!view) return [];
  const { symbol, leg, size, stopDistance, targetDistance, urgency, reason } = opening;
  const name = nameOf(snapshot)(symbol);
  const news = snapshot.news
    .filter(({ currencies }) => currencies.includes(view.base))
    .slice(0, NEWS_OF_CASE)
    .map((item) => ({
      id: item.key,
      age: `${Math.max(0, Math.round((snapshot.atMs - item.firstSeenMs) / MINUTE_MS))}m`,
      kind: item.kind,
      currencies: item.currencies.join(","),
      title: item.title,
      text: item.text.slice(0, settings.newsTextChars),
    }));
  const question: ModelQuestion = {
    prompt: "llm-debate",
    variables: {
      time: isoTime(snapshot.atMs),
      side,
      opening: [
        {
          ...{ symbol: name, leg, size: size.toFixed(2), urgency },
          ...{ stopPct: percent(stopDistance), targetPct: percent(targetDistance) },
        },
      ],
      headroom: { roundTripPct: percent(snapshot.headroom.roundTripCost) },
      market: [weekRow(view, name, null, snapshot.atMs)],
      reason,
      news,
    },
    replySchema: CaseReply,
    replySchemaName: "case",
    maxOutputTokens: CASE_TOKENS,
    fingerprint: hashOf(["debate", side, symbol, leg, size, fingerprintOf(snapshot, settings)]),
    use: "debate",
  };
  return [{ question, about: { use: "debate", symbol, leg } }];
}

const nameOf = ({ symbols }: Snapshot): ((symbol: string) => string) =>
  shortNames(symbols.map((one) => one.symbol)).short;

/** What a result came from, as a closed list: counted in `ballast lessons`. */
export const POST_MORTEM_CAUSES = [
  "good-call",
  "luck",
  "wrong-side",
  "stop-too-near",
  "stop-too-far",
  "held-too-long",
  "left-too-early",
  "costs",
  "noise",
] as const;

export const PostMortemReply = z.strictObject({
  why: z.string().max(2_000),
  cause: z.enum(POST_MORTEM_CAUSES),
  again: z.boolean(),
  echo: z.string().max(100),
});

/** Closes since the last examination, newest first. */
function postMortems(snapshot: Snapshot, settings: Settings): readonly FurtherQuestion[] {
  const sinceMs = Math.max(snapshot.bought?.["post-mortem"] ?? 0, snapshot.atMs - EXAMINED_WITHIN_MS);
  return (snapshot.account?.recentTrades ?? [])
    .filter(({ closedAtMs, netUsdt }) => closedAtMs > sinceMs && netUsdt !== null)
    .slice(0, settings.postMortems)
    .map((trade) => ({ question: postMortem(trade, snapshot), about: { use: "post-mortem" } }));
}

/** Figures and closed lists only: no thesis, which a model wrote. */
function postMortem(trade: ClosedTrade, snapshot: Snapshot): ModelQuestion {
  const { symbol, side, qty, entryPrice, exitPrice, feesUsdt, fundingUsdt, openedAtMs, closedAtMs } = trade;
  const view = symbolView(snapshot, symbol);
  const name = nameOf(snapshot)(symbol);
  const way = side === "LONG" ? 1 : -1;
  const value = qty
    .mul(view?.rules?.contractSize ?? 1)
    .mul(entryPrice)
    .toNumber();
  const gross = exitPrice === null || entryPrice.isZero() ? null : way * exitPrice.div(entryPrice).sub(1).toNumber();
  const now = view?.mark ?? view?.last ?? null;
  return {
    prompt: "llm-post-mortem",
    variables: {
      time: isoTime(snapshot.atMs),
      trade: [
        {
          ...{ symbol: name, leg: side, exit: trade.exit, basis: trade.basis },
          heldHours: ((closedAtMs - openedAtMs) / HOUR_MS).toFixed(1),
          grossPct: percent(gross),
          costPct: value > 0 ? percent(feesUsdt.sub(fundingUsdt).toNumber() / value) : null,
          netPct: value > 0 ? percent((trade.netUsdt?.toNumber() ?? 0) / value) : null,
          sinceClosePct: exitPrice === null || now === null ? null : percent(way * (now / exitPrice.toNumber() - 1)),
        },
      ],
      market: view ? [weekRow(view, name, null, snapshot.atMs)] : [],
    },
    replySchema: PostMortemReply,
    replySchemaName: "post-mortem",
    maxOutputTokens: POST_MORTEM_TOKENS,
    fingerprint: hashOf(["post-mortem", trade.id]),
    use: "post-mortem",
  };
}
