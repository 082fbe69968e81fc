/**
 * Fair prices of all bases of a generated market: one shared factor (the leader), each base's own noise, regimes,
 * sudden jumps, and pushes from outside. Knows neither venues nor books.
 */
import type { Entropy } from "../../core/entropy.ts";
import { DAY_MS, MINUTE_MS } from "../../core/time.ts";
import { LEADER, type Reference, referenceFor } from "./reference-prices.ts";
import { drawRegime, type RegimePeriod, regimeDrift } from "./regimes.ts";

/** A move in progress. */
interface Push {
  /** Move of the log price per millisecond. */
  readonly perMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** One base with all its symbols. Changed only by `stepPaths` and `pushPath`. */
export interface BasePath {
  readonly reference: Reference;
  readonly entropy: Entropy;
  /** Logarithm of the fair price. */
  logPrice: number;
  regime: RegimePeriod;
  /** Moves that are forced from outside. */
  pushes: Push[];
  /** The market's own jumps; the leader's jumps also move the others. */
  jumps: Push[];
  /** Smoothed recent return in standard deviations of a minute: the pressure on takers and basis. */
  pressure: number;
}

/** Epoch ms; the end of one span is the beginning of the next. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** All bases of the market, including the leader even if no symbol of it is offered. */
export interface Paths {
  readonly leader: BasePath;
  readonly bases: readonly BasePath[];
  readonly byBase: ReadonlyMap<string, BasePath>;
  /** Multiplies every volatility of the table. */
  readonly volatilityScale: number;
}

/** Mean number of jumps a day, for the leader and for each base's own. */
const JUMPS_PER_DAY = { leader: 1.5, own: 2 };
/** A jump arrives at once or within this span. */
const JUMP_OVER_MS = [0, 2_000, 15_000] as const;
/** Pull towards the reference price, so that weeks of practice keep to plausible levels. */
const PULL_PER_DAY = { coin: 0.03, metal: 0.03, pegged: 24 };

/** Bases may be named twice; each has one path. */
export interface PathSettings {
  readonly bases: readonly string[];
  readonly entropy: Entropy;
  readonly startMs: number;
  readonly volatilityScale: number;
  /** Starting prices of bases that were traded before. */
  readonly prices?: ReadonlyMap<string, number>;
}

/** Each other base begins about a day's move away from its reference price, in a regime drawn from the seed. */
export function createPaths(settings: PathSettings): Paths {
  const make = (base: string): BasePath => {
    const entropy = settings.entropy.fork(`path:${base}`);
    const reference = referenceFor(base);
    const spread = reference.kind === "pegged" ? 0.0001 : reference.dailyVolatility;
    const first = Math.log(reference.price) + spread * entropy.normal("path:first");
    const traded = settings.prices?.get(base);
    return {
      reference,
      entropy,
      logPrice: traded === undefined ? first : Math.log(traded),
      regime: drawRegime(entropy, settings.startMs),
      pushes: [],
      jumps: [],
      pressure: 0,
    };
  };
  const byBase = new Map([LEADER, ...settings.bases].map((base) => [base, make(base)]));
  const leader = byBase.get(LEADER) ?? make(LEADER);
  return { leader, bases: [...byBase.values()], byBase, volatilityScale: settings.volatilityScale };
}

function newPush(fraction: number, fromMs: number, overMs: number): Push {
  const span = Math.max(1, overMs);
  return { perMs: Math.log(Math.max(1e-6, 1 + fraction)) / span, fromMs, untilMs: fromMs + span };
}

/** Adds a forced move of `fraction`, spread over `overMs`; zero means at once. */
export function pushPath(path: BasePath, fraction: number, fromMs: number, overMs: number): void {
  path.pushes.push(newPush(fraction, fromMs, overMs));
}

/** The part of the moves within a span. Finished moves leave the list. */
function advance(moves: Push[], span: Span): number {
  let sum = 0;
  for (let i = moves.length - 1; i >= 0; i--) {
    const move = moves[i];
    if (!move) continue;
    sum += move.perMs * Math.max(0, Math.min(span.toMs, move.untilMs) - Math.max(span.fromMs, move.fromMs));
    if (move.untilMs <= span.toMs) moves.splice(i, 1);
  }
  return sum;
}

function maybeJump(path: BasePath, perDay: number, fromMs: number, toMs: number): void {
  if (!path.entropy.chance("jump", (perDay * (toMs - fromMs)) / DAY_MS)) return;
  const size = path.reference.dailyVolatility * (0.15 + 0.35 * Math.abs(path.entropy.normal("jump:size")));
  const sign = path.entropy.chance("jump:sign", 0.5) ? 1 : -1;
  const over = JUMP_OVER_MS[path.entropy.int("jump:over", 0, JUMP_OVER_MS.length)] ?? 0;
  path.jumps.push(newPush(sign * Math.min(size, 0.3), fromMs, over));
}

/** A base's own move in a span: its regime's noise, drift and jumps, as a move of the log price. */
function ownMove(path: BasePath, dailyVolatility: number, jumpsPerDay: number, span: Span): number {
  if (span.toMs >= path.regime.untilMs) path.regime = drawRegime(path.entropy, span.toMs);
  const minute = dailyVolatility * Math.sqrt(MINUTE_MS / DAY_MS);
  const noise = path.regime.noise * minute * Math.sqrt((span.toMs - span.fromMs) / MINUTE_MS);
  if (path.reference.kind !== "pegged") maybeJump(path, jumpsPerDay, span.fromMs, span.toMs);
  const drift = minute * regimeDrift(path.regime, span.fromMs, span.toMs);
  return noise * path.entropy.normal("path:noise") + drift + advance(path.jumps, span);
}

function settle(path: BasePath, move: number, dailyVolatility: number, span: Span): void {
  const days = (span.toMs - span.fromMs) / DAY_MS;
  const pull =
    Math.min(0.5, PULL_PER_DAY[path.reference.kind] * days) * (Math.log(path.reference.price) - path.logPrice);
  const moved = move + pull + advance(path.pushes, span);
  path.logPrice += moved;
  const minute = Math.max(1e-9, dailyVolatility * Math.sqrt(MINUTE_MS / DAY_MS));
  const keep = Math.exp(-(span.toMs - span.fromMs) / 20_000);
  path.pressure = Math.max(-6, Math.min(6, path.pressure * keep + moved / minute));
}

/**
 * Moves every base from `fromMs` to `toMs`. A base follows the leader's own move by its correlation and adds its own
 * noise, so that its volatility is the table's; forced moves affect only their base.
 */
export function stepPaths(paths: Paths, span: Span): void {
  const leaderVolatility = paths.leader.reference.dailyVolatility * paths.volatilityScale;
  const leaderMove = ownMove(paths.leader, leaderVolatility, JUMPS_PER_DAY.leader, span);
  for (const path of paths.bases) {
    const volatility = path.reference.dailyVolatility * paths.volatilityScale;
    if (path === paths.leader) {
      settle(path, leaderMove, volatility, span);
      continue;
    }
    const share = path.reference.leaderCorrelation;
    const followed = share * (volatility / leaderVolatility) * leaderMove;
    const own = ownMove(path, volatility * Math.sqrt(1 - share * share), JUMPS_PER_DAY.own, span);
    settle(path, followed + own, volatility, span);
  }
}

/** The stress of a base's market: 1 in a normal regime, more in a wild one. It widens spreads and thins books. */
export const nervousness = (path: BasePath): number => Math.max(0.7, path.regime.noise + Math.abs(path.pressure) / 6);
