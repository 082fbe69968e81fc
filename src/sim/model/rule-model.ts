/**
 * The practice model: reads the prompt text that a language model would get and answers by simple rules on trend, flow
 * and the words of the news. It sees only the prompt. It is meant to be plausible, not profitable.
 */
import { column, figure, type PromptReading, type TableRow, readPrompt } from "./prompt-reader.ts";
import { type Decision, type Opinion, STOP_VOLATILITIES, TARGET_VOLATILITIES, type View } from "./opinions.ts";
import { newsMood } from "./news-words.ts";

/** Most new positions per answer, and the minimum score of a symbol. */
const OPENINGS_MAX = 3;
const OPEN_ABOVE = 0.6;
/** Known parts replace unknown ones, with at most this many times their weight. */
const EXTRAPOLATION_MAX = 2;
/** A held position is closed once the score has moved against it by this much. */
const CLOSE_BELOW = -0.45;
/** The score from which an analyst mentions a symbol, and the weight of all analysts together in a decision. */
const VIEW_ABOVE = 0.4;
const VIEWS_MAX = 6;
const ANALYSTS_WEIGHT = 0.25;

interface Judged {
  readonly symbol: string;
  readonly score: number;
  readonly volatilityPct: number;
  readonly held: "LONG" | "SHORT" | null;
  readonly evidence: readonly string[];
}

/** A part of the score, and the column it is based on if that is known and has weight. */
interface Part {
  readonly value: number;
  readonly weight: number;
  readonly known: boolean;
  readonly name: string;
}

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

/** `name` is the column's name in our own prompts; `further` are other names for the same figure. */
function part(row: TableRow, ours: string, scale: number, weight: number, further?: RegExp): Part {
  const name = ours in row || !further ? ours : (Object.keys(row).find((each) => further.test(each)) ?? ours);
  const found = figure(column(row, name));
  const known = found !== null && scale > 0;
  return { value: known ? weight * clamp(found / scale, 2) : 0, weight: Math.abs(weight), known, name };
}

function heldIn(row: TableRow, reading: PromptReading): "LONG" | "SHORT" | null {
  const symbol = row["symbol"] ?? "";
  const position = reading.positions.find((candidate) => candidate["symbol"] === symbol);
  const word = `${row["held"] ?? ""} ${position?.["leg"] ?? ""} ${position?.["side"] ?? ""}`.toUpperCase();
  return word.includes("LONG") ? "LONG" : word.includes("SHORT") ? "SHORT" : null;
}

const returnOver = (span: string): RegExp =>
  new RegExp(`^(?:ret|return|change|chg|move|momentum)[ _]?(?:${span})(?:pct|_pct)?$`);

function judge(row: TableRow, reading: PromptReading): Judged {
  const symbol = row["symbol"] ?? "";
  const hourly = figure(column(row, "vol1h", "volatility1h", "vol", "volatility", "vol1hpct"));
  const volatilityPct = hourly !== null && hourly > 0 ? hourly : 0.8;
  const mood = newsMood(symbol, reading.news);
  const parts =
    "trend7d" in row
      ? weekParts(row, volatilityPct)
      : [
          part(row, "ret5m", volatilityPct * 0.29, 0.35, returnOver("5m")),
          part(row, "ret1h", volatilityPct, 0.3, returnOver("1h|60m|hour")),
          part(row, "ret4h", volatilityPct * 2, 0.15, returnOver("4h")),
          part(row, "flow", 1, 0.5),
          part(row, "imbalance", 1, 0.2),
          part(row, "fundingpct", 0.1, -0.15),
        ];
  const score = weighed(parts) + 0.5 * mood.value + ANALYSTS_WEIGHT * heard(symbol, reading);
  const named = parts.filter((each) => Math.abs(each.value) >= 0.1).map((each) => each.name);
  return { symbol, score, volatilityPct, held: heldIn(row, reading), evidence: [...named, ...mood.ids] };
}

/** For a table of days: the trend has the largest weight, then the day, then the book. */
const weekParts = (row: TableRow, volatilityPct: number): readonly Part[] => [
  part(row, "trend7d", 1.5, 0.45),
  part(row, "trend21d", 1.5, 0.3),
  part(row, "ret1d", volatilityPct * 5, 0.25),
  part(row, "ret4h", volatilityPct * 2, 0.2),
  part(row, "flow", 1, 0.25),
  part(row, "imbalance", 1, 0.1),
  part(row, "fundday", 0.1, -0.2),
];

/** Mean of the analysts' views of a symbol, -1 to 1; zero without any. */
function heard(symbol: string, { views }: PromptReading): number {
  const said = views.filter((row) => row["symbol"] === symbol);
  const sum = said.reduce((so, row) => {
    const sign = row["view"] === "LONG" ? 1 : row["view"] === "SHORT" ? -1 : 0;
    return so + sign * (figure(row["conviction"]) ?? 0);
  }, 0);
  return said.length === 0 ? 0 : sum / said.length;
}

/** Early in a session the longer returns are unknown, so the known parts get more weight, within bounds. */
function weighed(parts: readonly Part[]): number {
  const total = parts.reduce((sum, each) => sum + each.weight, 0);
  const known = parts.reduce((sum, each) => sum + (each.known ? each.weight : 0), 0);
  const sum = parts.reduce((so, each) => so + each.value, 0);
  return known === 0 ? 0 : sum * Math.min(EXTRAPOLATION_MAX, total / known);
}

function opinion(judged: Judged, stance: Opinion["stance"], reading: PromptReading): Opinion {
  const strength = Math.abs(judged.score);
  const stopLeast = reading.stopMinPct ?? 0.3;
  const stopMost = reading.stopMaxPct ?? 10;
  const flat = stance === "FLAT";
  return {
    symbol: judged.symbol,
    stance,
    size: flat ? 0 : round(Math.min(1, 0.2 + 0.25 * strength), 2),
    conviction: round(Math.min(0.8, 0.4 + 0.12 * strength), 2),
    stopPct: round(Math.min(stopMost, Math.max(stopLeast, STOP_VOLATILITIES * judged.volatilityPct)), 3),
    targetPct: flat ? null : round(TARGET_VOLATILITIES * judged.volatilityPct, 3),
    stopVolatilities: STOP_VOLATILITIES,
    targetVolatilities: flat ? null : TARGET_VOLATILITIES,
    horizonMinutes: 120,
    horizon: "hours",
    urgency: "take",
    invalidation: flat ? "" : `The score falls below ${-CLOSE_BELOW} against it.`,
    reason: reasonFor(judged, stance),
    evidence: judged.evidence.slice(0, 6),
  };
}

function reasonFor(judged: Judged, stance: Opinion["stance"]): string {
  const basis = judged.evidence.length > 0 ? judged.evidence.slice(0, 3).join(", ") : "little";
  if (stance === "FLAT")
    return `The score has turned against the ${judged.held ?? "open"} position; it is based on ${basis}.`;
  const way = stance === "LONG" ? "up" : "down";
  return `The signs point ${way} with a score of ${judged.score.toFixed(2)}, based on ${basis}.`;
}

/** Whether to open: the score is high enough and the usual move of half an hour covers the round trip. */
function worthOpening(judged: Judged, reading: PromptReading): boolean {
  return (
    Math.abs(judged.score) >= OPEN_ABOVE && judged.volatilityPct * 0.7 * Math.abs(judged.score) > reading.roundTripPct
  );
}

const against = (judged: Judged): boolean => (judged.held === "LONG" ? judged.score : -judged.score) < CLOSE_BELOW;

/** The model's answer to a prompt, before it is converted into the requested form. */
export function decide(promptText: string): Decision {
  const reading = readPrompt(promptText);
  const judged = reading.market.filter((row) => (row["symbol"] ?? "") !== "").map((row) => judge(row, reading));
  const closings = judged.filter((each) => each.held !== null && against(each));
  const openings = judged
    .filter((each) => each.held === null && reading.mayOpen && worthOpening(each, reading))
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score))
    .slice(0, reading.missing.length > 3 ? 1 : OPENINGS_MAX);
  const stances = [
    ...closings.map((each) => opinion(each, "FLAT", reading)),
    ...openings.map((each) => opinion(each, each.score > 0 ? "LONG" : "SHORT", reading)),
  ];
  const summary = summarise(judged, stances);
  return {
    echo: reading.echo,
    summary,
    stances,
    matters: stances.length > 0,
    symbols: stances.map((each) => each.symbol),
    shownSymbols: reading.symbols,
    views: viewsOn(judged),
    warning: reading.missing.length > 3 ? "Much is missing; smaller is wiser." : "",
  };
}

/** Held symbols first, then those with the highest score. */
function viewsOn(judged: readonly Judged[]): readonly View[] {
  const worth = judged.filter((each) => each.held !== null || Math.abs(each.score) >= VIEW_ABOVE);
  const rank = (each: Judged): number => (each.held === null ? Math.abs(each.score) : Infinity);
  const sorted = [...worth].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
  return sorted.slice(0, VIEWS_MAX).map((each) => {
    const clear = Math.abs(each.score) >= VIEW_ABOVE;
    const side = !clear ? "NONE" : each.score > 0 ? "LONG" : "SHORT";
    const view = each.held !== null && against(each) ? "FLAT" : side;
    return {
      symbol: each.symbol,
      view,
      conviction: round(Math.min(0.8, 0.3 + 0.2 * Math.abs(each.score)), 2),
      note: `The signs add up to ${each.score.toFixed(2)}.`,
      evidence: each.evidence.slice(0, 6),
    };
  });
}

function summarise(judged: readonly Judged[], stances: readonly Opinion[]): string {
  if (judged.length === 0) return "The question holds no market table that could be read, so nothing changes.";
  const rising = judged.filter((each) => each.score > 0.3).length;
  const falling = judged.filter((each) => each.score < -0.3).length;
  const tail = stances.length === 0 ? "nothing is worth its cost" : `${stances.length} stance(s) follow`;
  return `Of ${judged.length} symbols ${rising} lean up and ${falling} lean down; ${tail}.`;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
