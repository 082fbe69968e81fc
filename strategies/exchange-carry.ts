/**
 * Carry between two exchanges: long a perpetual where longs receive more, or pay less, and short the same coin where shorts
 * receive more, if the payments inside the horizon pay for all four crossings. The sides are one plan: both are wanted in one
 * decision and of one size, a missing side is completed while it is worth it, and a side that stays alone is closed.
 */
import type { HeldPosition, Snapshot, SymbolView } from "../src/context/snapshot.ts";
import { HOUR_MS, SECOND_MS } from "../src/core/time.ts";
import {
  closingTarget,
  heldMinutes,
  heldPositions,
  isFree,
  percentText,
  takenSymbols,
} from "../src/strategy/openings.ts";
import { defineStrategy, type TargetPosition } from "../src/strategy/strategy.ts";
import { Settings } from "./settings/exchange-carry.ts";

/** A rate is reported with every change; one of an hour ago may have been settled since. */
const RATE_AGE_MS = HOUR_MS;
const EVIDENCE = ["fundingPct", "crossBasisBps"];

/** A coin on two exchanges, long where funding is lower. `difference` is what the pair receives a period. */
interface Pair {
  readonly base: string;
  readonly long: SymbolView;
  readonly short: SymbolView;
  readonly difference: number;
  /** What the payments inside the horizon leave after the difference of the prices, fraction of notional. */
  readonly edge: number;
}

export default defineStrategy<Settings>({
  name: "exchange-carry",
  description:
    "Holds a coin long on the exchange where longs receive more funding and short on the other, if the payments outweigh four crossings.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const coins = coinsOnTwo(snapshot);
    if (coins.length === 0) return { kind: "abstain", note: "no coin is watched on two exchanges" };
    const pairs = coins.flatMap(({ views }) => pairOf(views.filter(isRated), snapshot.atMs, settings) ?? []);
    const kept = coins.flatMap((coin) => keep(coin, snapshot, settings));
    const opened = openings(pairs, snapshot, settings);
    const most = Math.max(0, ...pairs.map(({ difference }) => difference));
    const note = `${coins.length} coins on two exchanges, ${pairs.length} with both rates, ${percentText(most)} a period at most, ${opened.length / 2} opened`;
    return { kind: "targets", targets: [...kept, ...opened], note };
  },
});

/** A coin as several exchanges trade it. */
interface Coin {
  readonly base: string;
  readonly views: readonly SymbolView[];
}

function coinsOnTwo({ symbols }: Snapshot): readonly Coin[] {
  const bases = [...new Set(symbols.map(({ base }) => base))];
  const coins = bases.map((base) => ({ base, views: symbols.filter((view) => view.base === base) }));
  return coins.filter(({ views }) => views.length > 1);
}

const isRated = ({ fundingRate, ageMs }: SymbolView): boolean => fundingRate !== null && ageMs.funding <= RATE_AGE_MS;

const rateOf = (view: SymbolView | undefined): number => view?.fundingRate ?? 0;

/** Long where funding is lowest, short where it is highest; null with fewer than two rates. */
function pairOf(rated: readonly SymbolView[], atMs: number, settings: Settings): Pair | null {
  const sorted = [...rated].sort((a, b) => rateOf(a) - rateOf(b) || (a.symbol < b.symbol ? -1 : 1));
  const [long, short] = [sorted[0], sorted.at(-1)];
  if (!long || !short || long === short) return null;
  const difference = rateOf(short) - rateOf(long);
  // Bought dearer than sold: the prices are expected to meet.
  const dearer = Math.max(0, (long.ask ?? 0) / (short.bid ?? 1) - 1);
  return { base: long.base, long, short, difference, edge: difference * paymentsIn(long, atMs, settings) - dearer };
}

/** Payments inside the horizon: one at the next settlement, if known, and one a period after it. */
function paymentsIn({ nextFundingAtMs }: SymbolView, atMs: number, { horizonHours, periodHours }: Settings): number {
  if (nextFundingAtMs === null || nextFundingAtMs <= atMs) return Math.floor(horizonHours / periodHours);
  const after = horizonHours - (nextFundingAtMs - atMs) / HOUR_MS;
  return after < 0 ? 0 : 1 + Math.floor(after / periodHours);
}

/** A pair is opened and closed on two exchanges: twice the cost of a round trip. */
const pays = ({ difference, edge }: Pair, { headroom }: Snapshot, settings: Settings): boolean =>
  difference >= settings.minDifference && edge >= settings.edgeOverCost * 2 * headroom.roundTripCost;

function openings(pairs: readonly Pair[], snapshot: Snapshot, settings: Settings): readonly TargetPosition[] {
  if (!snapshot.headroom.mayOpen) return [];
  const taken = takenSymbols(snapshot);
  const free = ({ long, short }: Pair): boolean =>
    [long, short].every((view) => isFree(view, taken, limitsOf(settings)));
  const held = pairs.filter(({ long, short }) => taken.has(long.symbol) || taken.has(short.symbol)).length;
  return pairs
    .filter((pair) => free(pair) && pays(pair, snapshot, settings))
    .sort((a, b) => b.edge - a.edge || (a.base < b.base ? -1 : 1))
    .slice(0, Math.max(0, settings.maxPairs - held))
    .flatMap((pair) => {
      const reason = `${pair.base} receives ${percentText(pair.difference)} a period, ${percentText(pair.edge)} in all against ${percentText(2 * snapshot.headroom.roundTripCost)} of costs`;
      const side = (view: SymbolView, leg: "LONG" | "SHORT"): TargetPosition =>
        wanted({ symbol: view.symbol, leg, size: settings.maxSize }, reason, settings);
      return [side(pair.long, "LONG"), side(pair.short, "SHORT")];
    });
}

const limitsOf = ({ maxQuoteAgeSeconds, maxSpreadBps }: Settings) => ({
  maxQuoteAgeMs: maxQuoteAgeSeconds * SECOND_MS,
  maxSpreadBps,
});

const wanted = (
  target: Pick<TargetPosition, "symbol" | "leg" | "size">,
  reason: string,
  { stopDistance }: Settings,
): TargetPosition => ({
  ...target,
  ...{ stopDistance, targetDistance: null, urgency: "take", reason, evidence: EVIDENCE },
});

/** What becomes of what is held of a coin: a pair, a side alone, or nothing. */
function keep({ base, views }: Coin, snapshot: Snapshot, settings: Settings): readonly TargetPosition[] {
  const held = heldPositions(snapshot).filter(({ position }) => views.some(({ symbol }) => symbol === position.symbol));
  const long = held.find(({ position }) => position.side === "LONG");
  const short = held.find(({ position }) => position.side === "SHORT" && position.symbol !== long?.position.symbol);
  if (long && short) return keepPair([long, short], views.filter(isRated), snapshot, settings);
  const [alone] = held;
  return alone ? keepAlone(alone, { base, views }, snapshot, settings) : [];
}

function keepPair(
  sides: readonly [long: HeldPosition, short: HeldPosition],
  rated: readonly SymbolView[],
  snapshot: Snapshot,
  settings: Settings,
): readonly TargetPosition[] {
  const [long, short] = sides;
  const [paid, taken] = sides.map(({ position }) => rated.find(({ symbol }) => symbol === position.symbol));
  const received = rateOf(taken) - rateOf(paid);
  if (paid && taken && received < settings.exitDifference) {
    const reason = `the pair receives ${percentText(received)} a period, which is too little`;
    return sides.map((side) => closingTarget(side, reason, EVIDENCE));
  }
  const [smaller, larger] = long.notionalUsdt.lt(short.notionalUsdt) ? [long, short] : [short, long];
  if (1 - smaller.notionalUsdt.div(larger.notionalUsdt).toNumber() <= settings.mismatch) return [];
  const { symbol, side } = larger.position;
  const reason = `reduced to the ${smaller.position.side} side of the pair`;
  return [wanted({ symbol, leg: side, size: sizeOf(smaller, snapshot) }, reason, settings)];
}

/** The missing side while the plan is young and worth it, otherwise the end of the one that is held. */
function keepAlone(
  alone: HeldPosition,
  { base, views }: Coin,
  snapshot: Snapshot,
  settings: Settings,
): readonly TargetPosition[] {
  const { symbol, side } = alone.position;
  const pair = pairOf(views.filter(isRated), snapshot.atMs, settings);
  const [own, other] = side === "LONG" ? [pair?.long, pair?.short] : [pair?.short, pair?.long];
  const young = heldMinutes(alone, snapshot) < settings.aloneMinutes;
  if (!young || (pair && (own?.symbol !== symbol || pair.difference < settings.exitDifference)))
    return [closingTarget(alone, "its counterpart on the other exchange is missing", EVIDENCE)];
  // An order for it that is still on its way stays what it is.
  const { mayOpen } = snapshot.headroom;
  if (!other || !mayOpen || !isFree(other, takenSymbols(snapshot), limitsOf(settings))) return [];
  const opposite = side === "LONG" ? "SHORT" : "LONG";
  return [
    wanted(
      { symbol: other.symbol, leg: opposite, size: sizeOf(alone, snapshot) },
      `completes the pair in ${base}`,
      settings,
    ),
  ];
}

/** The same value on the other exchange, as a share of the largest position. */
function sizeOf({ notionalUsdt }: HeldPosition, { account, headroom }: Snapshot): number {
  const largest = (account?.equityUsdt.toNumber() ?? 0) * headroom.perSymbolEquityShare;
  return largest > 0 ? Math.min(1, notionalUsdt.toNumber() / largest) : 0;
}
