/**
 * Trend and carry over days, for a portfolio of a few coins: follow moves over one to ten days, absolute and relative to the
 * other coins, and prefer the side that receives funding. Volatility determines the sizes, towards a target for the portfolio;
 * they change every few hours, and only if they differ enough. `src/strategy/forecasts.ts` names the
 * sources of every forecast, `src/strategy/portfolio.ts` those of the weights. Sizing and band follow R. Carver,
 * Systematic Trading (2015), as does the diversification multiplier of 1.31, which is published there for these three
 * trends with carry.
 */
import type { HeldPosition, Snapshot, SymbolView } from "../src/context/snapshot.ts";
import { logReturns } from "../src/context/volatility.ts";
import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from "../src/core/time.ts";
import { boundedStop, isTradable, volatilityOver } from "../src/strategy/distances.ts";
import { carryForecast, recentVolatility, relative, trendForecast } from "../src/strategy/forecasts.ts";
import { closingTarget, heldPositions } from "../src/strategy/openings.ts";
import { buffered, shrunkCorrelations, targetWeights } from "../src/strategy/portfolio.ts";
import { defineStrategy, type TargetPosition } from "../src/strategy/strategy.ts";
import { Settings } from "./settings/trend-carry.ts";

const DIVERSIFICATION = 1.31;
/** Volatility covers a week, correlations up to three weeks. */
const VOLATILITY_HOURS = 168;
const CORRELATION_HOURS = 504;
const EVIDENCE = ["trend", "relativeTrend", "fundingPerDay"];

/** One coin that can be judged; figures of the forecast are -1 to 1. */
interface Judged {
  readonly view: SymbolView;
  readonly volatility: number;
  readonly trend: number;
  /** Trend less the mean trend of all coins. */
  readonly lead: number;
  readonly carry: number;
  readonly forecast: number;
}

export default defineStrategy<Settings>({
  name: "trend-carry",
  description:
    "Follows absolute and relative trends of one to ten days, prefers the side that receives funding, sizes by volatility, and rebalances every few hours.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const wait = waits(snapshot, settings);
    if (wait !== null) return { kind: "targets", targets: [], note: wait };
    const judged = judge(snapshot, settings);
    if (judged.length === 0) return { kind: "abstain", note: "no symbol has the last three days of hourly bars" };
    const chosen = choose(judged, snapshot, settings);
    const targets = [...exits(chosen, judged, snapshot), ...rebalanced(chosen, snapshot, settings)];
    const names = chosen.map(({ view, forecast }) => `${view.base} ${forecast.toFixed(2)}`).join(", ");
    return {
      kind: "targets",
      targets,
      note: `${judged.length} symbols judged; ${names === "" ? "none is strong enough" : names}`,
    };
  },
});

/** The newest hour that the coins share; of a coin on two exchanges the first one counts. */
function judge(snapshot: Snapshot, settings: Settings): readonly Judged[] {
  const newestMs = Math.max(...snapshot.symbols.map(({ history }) => history.endedAtMs ?? 0));
  const bases = new Set<string>();
  const found = snapshot.symbols.flatMap((view) => {
    const { hourlyCloses, endedAtMs, fundingPerDay } = view.history;
    const volatility = recentVolatility(hourlyCloses, Math.min(VOLATILITY_HOURS, hourlyCloses.length - 1));
    const trend = volatility === null ? null : trendForecast(hourlyCloses, volatility);
    if (trend === null || volatility === null || endedAtMs !== newestMs || snapshot.atMs - newestMs > 2 * HOUR_MS)
      return [];
    if (bases.has(view.base) || volatility < settings.minVolatility) return [];
    bases.add(view.base);
    const perDay = fundingPerDay["3d"] ?? fundingPerDay["1d"] ?? null;
    return [{ view, volatility, trend, carry: perDay === null ? 0 : carryForecast(perDay, volatility) }];
  });
  const leads = relative(found.map(({ trend }) => trend));
  const { timeSeries, crossSection, carry } = settings;
  return found.map((one, at) => {
    const lead = leads[at] ?? 0;
    const sum = timeSeries * one.trend + crossSection * lead + carry * one.carry;
    const forecast = (DIVERSIFICATION * sum) / (timeSeries + crossSection + carry);
    return { ...one, lead, forecast: Math.max(-1, Math.min(1, forecast)) };
  });
}

/** Why the rule waits; null during a rebalance, and while nothing is held and nothing was closed since the last one. */
function waits(snapshot: Snapshot, { rebalanceHours, rebalanceMinutes }: Settings): string | null {
  const everyMs = rebalanceHours * HOUR_MS;
  // An hour after the funding settlements, because their minutes are busy.
  const beganMs = Math.floor((snapshot.atMs - HOUR_MS) / everyMs) * everyMs + HOUR_MS;
  if (snapshot.atMs - beganMs < rebalanceMinutes * MINUTE_MS) return null;
  const { account } = snapshot;
  const closedMs = Math.max(...(account?.recentTrades ?? []).map(({ closedAtMs }) => closedAtMs));
  const idle = account?.positions.length === 0 && closedMs < beganMs;
  return idle ? null : `waits for the rebalance at ${isoTime(beganMs + everyMs).slice(11, 16)} UTC`;
}

/** Held coins while their forecast lasts, then the strongest others, up to the number of positions. */
function choose(judged: readonly Judged[], snapshot: Snapshot, settings: Settings): readonly Judged[] {
  const held = new Map(heldPositions(snapshot).map(({ position }) => [position.symbol, position.side]));
  const lasts = ({ view, forecast }: Judged): boolean =>
    held.get(view.symbol) === sideOf(forecast) && Math.abs(forecast) >= settings.leaveForecast;
  const opens = (one: Judged): boolean => {
    const { view, forecast } = one;
    const quote = isTradable(view, settings.maxQuoteAgeSeconds * SECOND_MS);
    const narrow = view.spreadBps !== null && view.spreadBps <= settings.maxSpreadBps;
    return quote && narrow && Math.abs(forecast) >= settings.enterForecast && (forecast > 0 || settings.allowShort);
  };
  const stronger = (a: Judged, b: Judged): number =>
    Math.abs(b.forecast) - Math.abs(a.forecast) || (a.view.symbol < b.view.symbol ? -1 : 1);
  const kept = judged.filter(lasts).sort(stronger);
  const added = judged.filter((one) => !lasts(one) && opens(one)).sort(stronger);
  return [...kept, ...added].slice(0, settings.maxPositions);
}

const sideOf = (forecast: number): "LONG" | "SHORT" => (forecast > 0 ? "LONG" : "SHORT");

/** Closes held coins that can be judged and were not chosen. */
function exits(chosen: readonly Judged[], judged: readonly Judged[], snapshot: Snapshot): readonly TargetPosition[] {
  return heldPositions(snapshot).flatMap((held) => {
    const { symbol } = held.position;
    const one = judged.find(({ view }) => view.symbol === symbol);
    if (one === undefined || chosen.includes(one)) return [];
    return [closingTarget(held, `the forecast is ${one.forecast.toFixed(2)}`, EVIDENCE)];
  });
}

/** A target for each chosen coin outside its band. */
function rebalanced(chosen: readonly Judged[], snapshot: Snapshot, settings: Settings): readonly TargetPosition[] {
  const { account, headroom } = snapshot;
  if (account === null || !(headroom.perSymbolEquityShare > 0)) return [];
  const equity = account.equityUsdt.toNumber();
  const length = Math.min(CORRELATION_HOURS, ...chosen.map(({ view }) => view.history.hourlyCloses.length - 1));
  const returns = chosen.map(({ view }) => logReturns(view.history.hourlyCloses.slice(-1 - length)));
  const bets = {
    forecasts: chosen.map(({ forecast }) => forecast),
    volatilities: chosen.map(({ volatility }) => volatility),
    correlations: shrunkCorrelations(returns),
  };
  const weights = targetWeights(bets, settings.volatilityTarget);
  const most = headroom.perSymbolEquityShare;
  return chosen.flatMap((one, at): TargetPosition[] => {
    const wanted = Math.max(-most, Math.min(most, weights[at] ?? 0));
    const average = Math.min(most, Math.abs((0.5 * (weights[at] ?? 0)) / one.forecast));
    const held = heldPositions(snapshot).find(({ position }) => position.symbol === one.view.symbol);
    const weight = held ? weightOf(held, equity) : 0;
    const goal = buffered(wanted, weight, settings.band * average);
    if (goal === weight || Math.sign(goal) !== Math.sign(one.forecast)) return [];
    return [targetFor(one, Math.abs(goal) / most, snapshot, settings)];
  });
}

const weightOf = ({ position, notionalUsdt }: HeldPosition, equity: number): number =>
  ((position.side === "LONG" ? 1 : -1) * notionalUsdt.toNumber()) / equity;

function targetFor(one: Judged, size: number, { headroom }: Snapshot, settings: Settings): TargetPosition {
  const { view, volatility, forecast, trend, lead, carry } = one;
  return {
    symbol: view.symbol,
    leg: sideOf(forecast),
    size: Math.min(1, size),
    stopDistance: boundedStop(settings.stopVolatilities * volatilityOver(volatility, 24), {
      min: settings.minStop,
      max: settings.maxStop,
      roundTripCost: headroom.roundTripCost,
    }),
    targetDistance: null,
    urgency: "rest",
    reason: `forecast ${forecast.toFixed(2)}: trend ${trend.toFixed(2)}, ahead of the others by ${lead.toFixed(2)}, carry ${carry.toFixed(2)}; ${(volatility * 100).toFixed(2)} % an hour`,
    evidence: EVIDENCE,
  };
}
