/**
 * Where the account stands in the competition now: the organiser's own figures so far, what is left of the phase, and the
 * place in the field as the venue last published it. Records §8.
 */
import { DAY_MS, MINUTE_MS, utcDay } from "../core/time.ts";
import { figuresOfHours, type EquityPoint } from "./competition-figures.ts";
import { FLOOR_USDT, INITIAL_CAPITAL_USDT, type Phase } from "./competition.ts";
import { momentsOf, sharpeError } from "./return-moments.ts";
import { drawdownScore, type Scoring, uptimeFactor } from "./scoring.ts";

/** The organiser resets the balance around the change of phase; what is read meanwhile is of neither. */
const RESET_MS = 30 * MINUTE_MS;

/** `days` is how long a phase lasts where nothing else ends it. */
export interface PhaseDates {
  readonly startMs: number | null;
  readonly days: number;
  readonly phaseTwoMs: number | null;
}

/** A null start is not known yet; a null end is the same. */
export interface PhaseSpan {
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Whether the account started this phase again with the initial capital. */
  readonly reset: boolean;
}

/** Phase I ends where Phase II begins; Phase II ends with the whole span, or lasts `days` where that is over before. */
export function phaseSpan(phase: Phase, { startMs, days, phaseTwoMs }: PhaseDates, firstMs: number | null): PhaseSpan {
  const begun = startMs ?? firstMs;
  const wholeEnd = begun === null ? null : begun + days * DAY_MS;
  if (phase === 1 || phaseTwoMs === null) {
    const endMs = phase === 1 && phaseTwoMs !== null ? phaseTwoMs : wholeEnd;
    return { startMs: begun, endMs, reset: false };
  }
  const endMs = wholeEnd !== null && wholeEnd > phaseTwoMs ? wholeEnd : phaseTwoMs + days * DAY_MS;
  return { startMs: phaseTwoMs, endMs, reset: begun !== null && begun < phaseTwoMs };
}

export interface ScoreFacts {
  readonly nowMs: number;
  readonly phase: Phase;
  readonly span: PhaseSpan;
  /** Full hours, oldest first. */
  readonly hours: readonly EquityPoint[];
  /** At present marks; null while the account is not known. */
  readonly equityUsdt: number | null;
  /** Shares of time so far and expected by the end, 0 to 1. */
  readonly uptime: { readonly ratio: number; readonly forecast: number };
  readonly scoring: Scoring;
  readonly ranking: Ranking | null;
}

/** A completed day: its reading of 23:00 UTC over that of 00:00, less 1. */
export interface ScoreDay {
  readonly day: string;
  readonly fraction: number;
}

/** Fractions are of 1, ratios yearly, money USDT as floats: all of it is for judging, none for orders. */
export interface LiveScore {
  readonly phase: Phase;
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Until the phase ends; null while its end is not known, 0 after it. */
  readonly daysLeft: number | null;
  readonly startUsdt: number | null;
  readonly equityUsdt: number | null;
  readonly pnlUsdt: number | null;
  readonly roi: number | null;
  /** Completed days alone, oldest first. */
  readonly days: readonly ScoreDay[];
  /** Null with fewer than two days. */
  readonly sharpe: number | null;
  /** Standard error of that ratio (Mertens 2002); null with fewer than three days. */
  readonly sharpeError: number | null;
  readonly drawdown: {
    /** Fall of the present equity from the hourly peak, and the largest over full hours, which never shrinks. */
    readonly now: number;
    readonly largest: number;
    /** Of the largest, 0 to 100. */
    readonly tierScore: number;
    /** The equity below which a full hour costs this tier, and the score of the next; null in the last one. */
    readonly nextTier: { readonly belowUsdt: number; readonly score: number } | null;
  };
  readonly uptime: {
    readonly ratio: number;
    readonly forecast: number;
    /** Share of the composite that is left at the present ratio; 0 where it disqualifies. */
    readonly factor: number;
  };
  /** Down to the elimination, USDT and fraction of the present equity; null while the account is not known. */
  readonly elimination: { readonly belowUsdt: number; readonly leftUsdt: number; readonly leftFraction: number } | null;
  readonly ranking: Ranking | null;
}

export function liveScore(facts: ScoreFacts): LiveScore {
  const { nowMs, phase, span, equityUsdt, uptime, scoring, ranking } = facts;
  const hours = hoursOf(facts);
  const { dailyReturns, days, sharpe, maxDrawdown } = figuresOfHours(hours);
  const startUsdt = hours[0]?.equityUsdt ?? null;
  const moments = momentsOf(dailyReturns);
  // Before the first full hour nothing is higher than what the account has now.
  const peak = hours.reduce(
    (most, point) => Math.max(most, point.equityUsdt),
    hours.length === 0 ? (equityUsdt ?? 0) : 0,
  );
  const eliminated = Number(FLOOR_USDT);
  const known = startUsdt !== null && equityUsdt !== null;
  return {
    phase,
    startMs: span.startMs,
    endMs: span.endMs,
    daysLeft: span.endMs === null ? null : Math.max(0, (span.endMs - nowMs) / DAY_MS),
    startUsdt,
    equityUsdt,
    pnlUsdt: known ? equityUsdt - startUsdt : null,
    roi: known && startUsdt > 0 ? equityUsdt / startUsdt - 1 : null,
    days: dailyReturns.map((fraction, at) => ({ day: utcDay(days[at] ?? 0), fraction })),
    sharpe,
    sharpeError: moments && sharpeError(moments) * Math.sqrt(365),
    drawdown: {
      now: peak > 0 && equityUsdt !== null ? Math.max(0, 1 - equityUsdt / peak) : 0,
      largest: maxDrawdown,
      tierScore: drawdownScore(scoring, maxDrawdown),
      nextTier: nextTier(scoring, maxDrawdown, peak),
    },
    uptime: {
      ...uptime,
      factor: uptime.ratio < scoring.uptime.disqualifiedBelow ? 0 : uptimeFactor(scoring, uptime.ratio),
    },
    elimination:
      equityUsdt === null
        ? null
        : {
            belowUsdt: eliminated,
            leftUsdt: equityUsdt - eliminated,
            leftFraction: equityUsdt > 0 ? 1 - eliminated / equityUsdt : 0,
          },
    ranking,
  };
}

/** Only of this phase. If the account was reset, readings around the reset count as the initial capital. */
function hoursOf({ hours, span: { startMs, endMs, reset } }: ScoreFacts): readonly EquityPoint[] {
  const within = hours.filter(({ atMs }) => atMs >= (startMs ?? -Infinity) && atMs <= (endMs ?? Infinity));
  if (!reset || startMs === null) return within;
  return within.map((point) =>
    point.atMs < startMs + RESET_MS ? { ...point, equityUsdt: Number(INITIAL_CAPITAL_USDT) } : point,
  );
}

function nextTier(
  { drawdownTiers }: Scoring,
  drawdown: number,
  peak: number,
): { readonly belowUsdt: number; readonly score: number } | null {
  const at = drawdownTiers.findIndex(([upTo]) => drawdown <= upTo);
  const tier = drawdownTiers[at];
  if (!tier || peak === 0) return null;
  return { belowUsdt: peak * (1 - tier[0]), score: drawdownTiers[at + 1]?.[1] ?? 0 };
}

/** Our rank as the organiser publishes it, once a day. Statistics, so floats; fractions are of 1, scores 0 to 100, and null where not given. */
export interface Ranking {
  /** When the organiser computed it, epoch ms, and the UTC day it is for. */
  readonly computedAtMs: number | null;
  readonly day: string | null;
  readonly rank: number | null;
  readonly composite: number | null;
  readonly sharpe: number | null;
  readonly roi: number | null;
  readonly pnlUsdt: number | null;
  readonly maxDrawdown: number | null;
  /** Places in the field: 50 is its mean, 84 one standard deviation above; of the drawdown the score of its tier. */
  readonly scores: {
    readonly sharpe: number | null;
    readonly pnl: number | null;
    readonly roi: number | null;
    readonly drawdown: number | null;
  };
  /** ACTIVE, PENDING or DISQUALIFIED. */
  readonly status: string | null;
  readonly eliminated: boolean;
}
