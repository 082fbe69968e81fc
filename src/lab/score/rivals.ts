/**
 * A pool of generated entrants on the bars of a run: rules with random settings, holders, random traders, over-traders
 * and all-in bets. Each is a series of hourly weights that pays fees and funding, not an agent, because only the spread
 * of the field matters.
 */
import { type Entropy, seededEntropy } from "../../core/entropy.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { Entrant } from "./scoring.ts";

/**
 * Hourly closes of every symbol of a run, oldest first, and the funding of a long position in each hour, fraction of
 * value.
 */
export interface RivalMarket {
  readonly atMs: readonly number[];
  readonly closes: readonly (readonly number[])[];
  readonly funding: readonly (readonly number[])[];
  /** Fee of a taker order, fraction of value. */
  readonly takerFee: number;
}

export interface RivalPoolOptions {
  readonly market: RivalMarket;
  readonly count: number;
  readonly seed: number | string;
  /** The competition's maximum gross exposure over equity. */
  readonly leverageMax: number;
  readonly eliminationUsdt: number;
}

/** Weight of each symbol for the next hour; gross exposure is their absolute sum. */
type Rule = (hour: number, market: RivalMarket) => readonly number[];

const START_USDT = 1_000;
const KINDS = ["trend", "reversion", "hold", "coin", "over-trader", "all-in", "idle"] as const;
/** Entrants of each kind per hundred: a guess at a field of language models and hobbyists. */
const MIX: Readonly<Record<(typeof KINDS)[number], number>> = {
  trend: 26,
  reversion: 18,
  hold: 14,
  coin: 12,
  "over-trader": 12,
  "all-in": 10,
  idle: 8,
};

const pick = <T>(entropy: Entropy, from: readonly T[]): T | undefined =>
  from[entropy.int("rival:pick", 0, from.length)];
const between = (entropy: Entropy, low: number, high: number): number =>
  low + (high - low) * entropy.next("rival:between");

/** Recomputes the weights of a rule only every this many hours. */
function everyHours(hours: number, rule: Rule): Rule {
  let kept: readonly number[] = [];
  return (hour, market) => (kept = hour % hours === 0 || kept.length === 0 ? rule(hour, market) : kept);
}

const spreadOver = (signs: readonly number[], gross: number): readonly number[] => {
  const active = signs.filter((sign) => sign !== 0).length;
  return signs.map((sign) => (active === 0 ? 0 : (sign * gross) / active));
};

/** Side of each symbol by its return over the past hours; 0 if the return is smaller than `least`. */
const byReturn =
  (lookback: number, sign: 1 | -1, least: number): ((hour: number, market: RivalMarket) => readonly number[]) =>
  (hour, { closes }) =>
    closes.map((column) => {
      const [now, before] = [column[hour] ?? NaN, column[hour - lookback] ?? NaN];
      const found = now / before - 1;
      return Math.abs(found) > least ? sign * Math.sign(found) : 0;
    });

function ruleOf(kind: (typeof KINDS)[number], entropy: Entropy, leverageMax: number): Rule {
  const gross = between(entropy, 0.2, 0.9 * leverageMax);
  const hours = pick(entropy, [1, 2, 4, 8, 24]) ?? 4;
  const lookback = pick(entropy, [4, 8, 24, 72, 168]) ?? 24;
  const coin = (): number => (entropy.chance("rival:side", 0.5) ? 1 : -1);
  switch (kind) {
    case "trend":
      return everyHours(hours, (hour, market) => spreadOver(byReturn(lookback, 1, 0.003)(hour, market), gross));
    case "reversion":
      return everyHours(hours, (hour, market) => spreadOver(byReturn(lookback, -1, 0.01)(hour, market), gross));
    case "hold":
      return (_hour, { closes }) =>
        spreadOver(
          closes.map(() => 1),
          gross,
        );
    case "coin":
      return everyHours(hours, (_hour, { closes }) => spreadOver(closes.map(coin), gross));
    case "over-trader":
      return (_hour, { closes }) => spreadOver(closes.map(coin), gross);
    case "all-in": {
      const chosen = entropy.int("rival:symbol", 0, 1_000);
      return everyHours(24, (_hour, { closes }) => {
        const side = coin();
        return closes.map((_column, at) => (at === chosen % closes.length ? side * leverageMax : 0));
      });
    }
    case "idle":
      return (_hour, { closes }) => closes.map(() => 0);
  }
}

function pathOf(rule: Rule, { market, eliminationUsdt }: RivalPoolOptions): readonly EquityPoint[] {
  const { atMs, closes, funding, takerFee } = market;
  const points: EquityPoint[] = [{ atMs: atMs[0] ?? 0, equityUsdt: START_USDT }];
  let equity = START_USDT;
  let held: readonly number[] = closes.map(() => 0);
  for (let hour = 0; hour + 1 < atMs.length; hour++) {
    const wanted = equity < eliminationUsdt ? closes.map(() => 0) : rule(hour, market);
    let change = 0;
    const drifted = wanted.map((weight, at) => {
      const column = closes[at] ?? [];
      const moved = (column[hour + 1] ?? 1) / (column[hour] ?? 1) - 1;
      change += weight * moved - takerFee * Math.abs(weight - (held[at] ?? 0)) - weight * (funding[at]?.[hour] ?? 0);
      return weight * (1 + moved);
    });
    equity *= Math.max(0, 1 + change);
    held = drifted.map((weight) => weight / Math.max(1e-9, 1 + change));
    points.push({ atMs: atMs[hour + 1] ?? 0, equityUsdt: equity });
  }
  return points;
}

/** The same market and seed give the same pool. Every rival draws from its own generator. */
export function rivalPool(options: RivalPoolOptions): readonly Entrant[] {
  const pool = seededEntropy(`rivals:${options.seed}`);
  const total = KINDS.reduce((sum, kind) => sum + MIX[kind], 0);
  return Array.from({ length: options.count }, (_, number) => {
    const own = pool.fork(`rival ${number}`);
    let left = own.next("rival:kind") * total;
    const kind = KINDS.find((each) => (left -= MIX[each]) < 0) ?? "hold";
    return {
      name: `${kind} ${number + 1}`,
      points: pathOf(ruleOf(kind, own, options.leverageMax), options),
      uptime: 1,
    };
  });
}
