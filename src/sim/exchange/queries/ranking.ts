/** A portfolio's own place in the two tracks. Spec: records §8. */
import { toWire } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import type { VenueResult, WireRecord } from "../contract/api.ts";
import { isAbsent } from "../orders/read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import { type Score, scores } from "../accounts/scoreboard.ts";
import type { Portfolio, World } from "../state/state.ts";

const DAY_MS = 86_400_000;
const text = (value: number, places = 4): string => String(Number(value.toFixed(places)));
const phaseName = (world: World): string => (world.phase === 1 ? "PHASE_I" : "PHASE_II");

/** The day of the shown figures: the last complete one of the account, or its first day before that is over. */
function figuresDay(world: World, { navs }: Portfolio): string {
  const lastComplete = Math.floor(world.nowMs / DAY_MS) * DAY_MS - 1;
  return new Date(Math.max(lastComplete, navs[0]?.atMs ?? 0)).toISOString().slice(0, 10);
}

/** The figures are current; the real service refreshes them once a day. */
const ownScore = (world: World, portfolio: Portfolio): Score | undefined =>
  scores(world).find((row) => row.portfolio === portfolio);

function sharedFields(world: World, score: Score) {
  return {
    rankNo: score.rank,
    teamName: score.portfolio.teamName,
    compositeScore: text(score.composite),
    sharpeRatio: text(score.sharpe ?? 0),
    sSharpe: text(score.scores.sharpe),
    ssharpe: text(score.scores.sharpe),
    roi: text(score.roi, 8),
    sRoi: text(score.scores.roi),
    sroi: text(score.scores.roi),
    mdd: text(score.maxDrawdown, 8),
    mddTierScore: text(score.scores.drawdown),
    calcTime: world.nowMs,
    phase: phaseName(world),
    dt: figuresDay(world, score.portfolio),
    status: score.portfolio.eliminatedAtMs === null ? "ACTIVE" : "DISQUALIFIED",
    isEliminated: score.portfolio.eliminatedAtMs !== null,
  };
}

/** 30015 for an unknown phase, 30016 for one that is not running. Costs of the model are null. Records §8.1. */
export function trackA(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"trackARanking">,
): VenueResult<WireRecord> {
  if (request.phase !== "PHASE_I" && request.phase !== "PHASE_II") return refuse(30015, "PHASE_I or PHASE_II");
  const score = ownScore(world, portfolio);
  if (request.phase !== phaseName(world) || score === undefined) return refuse(30016);
  const initial = score.equity - score.pnl;
  return ok({
    ...sharedFields(world, score),
    portfolioId: Number(portfolio.accountId),
    pnlUsdt: text(score.pnl, 8),
    sPnl: text(score.scores.pnl),
    spnl: text(score.scores.pnl),
    turnoverRate: text(initial === 0 ? 0 : Number(score.quoteVolume) / initial),
    totalTrades: score.trades,
    quoteVolume: score.quoteVolume,
    equity: score.equityText,
    nav: text(1 + score.roi, 8),
    aiCost: null,
    aiTokens: null,
  });
}

/** Participants of track B are identified by their portfolio id here. */
export function trackB(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"trackBRanking">,
): VenueResult<WireRecord> {
  if (!isAbsent(request.participantId) && request.participantId !== portfolio.accountId) return refuse(1100005);
  const score = ownScore(world, portfolio);
  if (score === undefined) return refuse(1100005);
  const average = portfolio.navs.reduce((sum, { equity }) => sum + Number(toWire(equity)), 0) / portfolio.navs.length;
  return ok({
    ...sharedFields(world, score),
    fundName: portfolio.teamName,
    avgNetAssets: text(average, 8),
    scalingScore: text(score.scores.pnl),
    accumNav: text(1 + score.roi, 8),
    netAssets: score.equityText,
  });
}
