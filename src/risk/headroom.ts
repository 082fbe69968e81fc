/**
 * What the limits still allow, for the prompt and the status page, computed by the functions that judge: the model
 * cannot see a different figure from the one that decides.
 */
import { Decimal, floatRatio, maxDecimal, minDecimal, sumDecimals, toFloat, ZERO } from "../core/decimal.ts";
import { lazyMembers } from "../core/lazy.ts";
import { HOUR_MS } from "../core/time.ts";
import { type Headroom, type LimitRoom, OPENING_LEVERAGE_MAX } from "../domain/competition.ts";
import { exposureOf, type HeldSide } from "./exposure.ts";
import { cushionRoom } from "./limits/cushion.ts";
import { judgeDrawdown } from "./limits/drawdown.ts";
import { allowanceRoom, judgeFloor } from "./limits/floor-ladder.ts";
import { judgeFreshness } from "./limits/freshness.ts";
import { judgeHold } from "./limits/hold.ts";
import { leverageRoom } from "./limits/opening-leverage.ts";
import { judgePace } from "./limits/pace.ts";
import { perOrderRoom } from "./limits/per-order-notional.ts";
import { judgeSession } from "./limits/session.ts";
import { totalRoom } from "./limits/total-notional.ts";
import { assumedFees, type RiskSettings } from "./settings.ts";
import { verdictText } from "./verdict.ts";
import { openingsWithin, type RiskView } from "./view.ts";

const atLeastZero = (value: Decimal): Decimal => maxDecimal(ZERO, value);

/** Median of the known relative spreads, as a fraction of price. */
function typicalSpread(view: RiskView): number {
  const spreads = [...view.symbols.values()]
    .flatMap(({ bid, ask }) => (bid?.gt(0) && ask ? [floatRatio(ask.sub(bid), bid)] : []))
    .sort((a, b) => a - b);
  return Math.max(0, spreads[Math.floor(spreads.length / 2)] ?? 0);
}

/** The first limit that would deny every opening, regardless of symbol and size. */
function obstacle(view: RiskView, settings: RiskSettings): string | null {
  const gates = [
    judgeSession(view),
    judgeHold(view),
    judgeFloor(view, settings),
    judgeFreshness(view, settings),
    judgeDrawdown(view, settings),
    judgePace(view, settings),
  ];
  const denied = gates.find((verdict) => verdict.kind === "deny");
  if (denied) return verdictText(denied);
  const { unvalued } = exposureOf(view, settings);
  return unvalued.length > 0 ? `what is held cannot be valued: ${unvalued.join(", ")}` : null;
}

/** The remainder of each limit that is a sum; yes-or-no limits appear in `reason`. */
function roomsOf(view: RiskView, settings: RiskSettings): readonly LimitRoom[] {
  const { equityUsdt, equityDayStartUsdt: dayStart } = view;
  const positions = [...exposureOf(view, settings).positions.values()].filter(({ notionalUsdt }) => notionalUsdt.gt(0));
  const oneWay = (positionSide: HeldSide): Decimal =>
    equityUsdt
      .mul(settings.perDirectionEquityShare)
      .sub(sumDecimals(positions.filter((each) => each.leg === positionSide).map(({ notionalUsdt }) => notionalUsdt)));
  const allowance = allowanceRoom(view, settings);
  const inUsdt: readonly (readonly [string, Decimal])[] = [
    ...(allowance === null ? [] : [["allowance below HOLD", allowance] as const]),
    ["one order", perOrderRoom(view, settings)],
    ["one symbol", equityUsdt.mul(settings.perSymbolEquityShare)],
    ["session total", totalRoom(view)],
    ["leverage", leverageRoom(view, settings)],
    ["all long", oneWay("LONG")],
    ["all short", oneWay("SHORT")],
    ["cushion, a major", cushionRoom(view, settings, settings.gapMajors)],
    ["cushion, another coin", cushionRoom(view, settings, settings.gapOthers)],
    ["loss today", dayStart.mul(settings.dailyLossStop).sub(dayStart.sub(equityUsdt))],
    ["fees today", dayStart.mul(settings.feesPerDayShare).sub(view.feesTodayUsdt)],
  ];
  return [
    ...inUsdt.map(([limit, left]): LimitRoom => ({ limit, left: atLeastZero(left), unit: "USDT" })),
    { limit: "positions", left: atLeastZero(new Decimal(settings.maxPositions - positions.length)), unit: "positions" },
    {
      limit: "orders this hour",
      left: atLeastZero(new Decimal(settings.ordersPerHour - openingsWithin(view, HOUR_MS))),
      unit: "orders",
    },
  ];
}

/** Costs learned from orders, fractions of value per side. `slippage` is what takers paid beyond the visible book. */
export interface TakerCost {
  readonly fee: number;
  readonly slippage: number;
}

/** Never below the fees: a favourable book is no guarantee. */
function roundTrip(view: RiskView, { fee, slippage }: TakerCost): number {
  return 2 * fee + Math.max(0, typicalSpread(view) + 2 * slippage);
}

/** What the tightest of the sums leaves for one more order, USDT. */
function leftForOne(view: RiskView, settings: RiskSettings) {
  const perOrderUsdt = atLeastZero(perOrderRoom(view, settings));
  const leverage = leverageRoom(view, settings);
  const totalUsdt = atLeastZero(minDecimal(totalRoom(view), leverage, allowanceRoom(view, settings) ?? leverage));
  const cushionMajorUsdt = cushionRoom(view, settings, settings.gapMajors);
  const cushionOtherUsdt = cushionRoom(view, settings, settings.gapOthers);
  const smallest = minDecimal(perOrderUsdt, totalUsdt, maxDecimal(cushionMajorUsdt, cushionOtherUsdt));
  return { smallest, sums: { perOrderUsdt, totalUsdt, cushionMajorUsdt, cushionOtherUsdt } };
}

const nothingLeft = (limits: readonly LimitRoom[]): string =>
  `nothing is left within the limits (${limits.flatMap(({ limit, left }) => (left.isZero() ? [limit] : [])).join("; ")})`;

/** Why nothing could be opened now in any symbol; null while something could. */
export function openingObstacle(view: RiskView, settings: RiskSettings): string | null {
  const blocked = obstacle(view, settings);
  if (blocked !== null) return blocked;
  return leftForOne(view, settings).smallest.gt(0) ? null : nothingLeft(roomsOf(view, settings));
}

/** Without `learnt`, the round trip costs what the settings assume. */
export function headroom(view: RiskView, settings: RiskSettings, learnt?: TakerCost): Headroom {
  const { smallest, sums } = leftForOne(view, settings);
  const blocked = obstacle(view, settings) ?? (smallest.lte(0) ? nothingLeft(roomsOf(view, settings)) : null);
  const found = {
    mayOpen: blocked === null,
    reason: blocked ?? "",
    ...sums,
    leverageMax: OPENING_LEVERAGE_MAX[view.phase],
    perSymbolEquityShare: toFloat(settings.perSymbolEquityShare),
    roundTripCost: roundTrip(view, learnt ?? { fee: toFloat(assumedFees(settings).taker), slippage: 0 }),
  };
  return withLimits(found, { view, settings });
}

/** For a prompt and the status page; rules read none of them. What they are made of has been added up by now. */
const withLimits = lazyMembers<
  { readonly view: RiskView; readonly settings: RiskSettings },
  { limits: readonly LimitRoom[] }
>({ limits: ({ view, settings }) => roomsOf(view, settings) });
