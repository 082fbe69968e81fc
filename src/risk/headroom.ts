/**
 * What the limits still allow, for the prompt and the status page, computed by the same functions that judge: a figure
 * told to the model cannot differ from the one that decides.
 */
import { type Decimal, maxDecimal, minDecimal, ZERO } from "../core/decimal.ts";
import { OPENING_LEVERAGE_MAX } from "../domain/competition.ts";
import { exposureOf } from "./exposure.ts";
import { cushionRoom } from "./limits/cushion.ts";
import { judgeDrawdown } from "./limits/drawdown.ts";
import { judgeFloor } from "./limits/floor-ladder.ts";
import { judgeFreshness } from "./limits/freshness.ts";
import { judgeHold } from "./limits/hold.ts";
import { leverageRoom } from "./limits/opening-leverage.ts";
import { judgePace } from "./limits/pace.ts";
import { perOrderRoom } from "./limits/per-order-notional.ts";
import { judgeSession } from "./limits/session.ts";
import { totalRoom } from "./limits/total-notional.ts";
import type { RiskSettings } from "./settings.ts";
import type { RiskView } from "./view.ts";

/** Money in USDT. */
export interface Headroom {
  readonly mayOpen: boolean;
  /** Why nothing may be opened now; empty when something may. */
  readonly reason: string;
  readonly perOrderUsdt: Decimal;
  /** The smaller of what session and leverage leave. */
  readonly totalUsdt: Decimal;
  readonly cushionMajorUsdt: Decimal;
  readonly cushionOtherUsdt: Decimal;
  readonly leverageMax: number;
  /** Fees of opening and closing and the spread, fraction of notional. */
  readonly roundTripCost: number;
}

const atLeastZero = (value: Decimal): Decimal => maxDecimal(ZERO, value);

/** The middle one of the relative spreads that are known, as a fraction of price. */
function typicalSpread(view: RiskView): number {
  const spreads = [...view.symbols.values()]
    .flatMap(({ bid, ask }) => (bid?.gt(0) && ask ? [ask.sub(bid).div(bid).toNumber()] : []))
    .sort((a, b) => a - b);
  return Math.max(0, spreads[Math.floor(spreads.length / 2)] ?? 0);
}

/** The first limit that would deny every opening, whatever its symbol and size. */
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
  if (denied) return denied.reason;
  const { unvalued } = exposureOf(view, settings);
  return unvalued.length > 0 ? `What is held cannot be valued: ${unvalued.join(", ")}.` : null;
}

export function headroom(view: RiskView, settings: RiskSettings): Headroom {
  const perOrderUsdt = atLeastZero(perOrderRoom(view, settings));
  const totalUsdt = atLeastZero(minDecimal(totalRoom(view), leverageRoom(view, settings)));
  const cushionMajorUsdt = cushionRoom(view, settings, settings.gapMajors);
  const cushionOtherUsdt = cushionRoom(view, settings, settings.gapOthers);
  const smallest = minDecimal(perOrderUsdt, totalUsdt, maxDecimal(cushionMajorUsdt, cushionOtherUsdt));
  const blocked = obstacle(view, settings) ?? (smallest.lte(0) ? "Nothing is left within the limits." : null);
  return {
    mayOpen: blocked === null,
    reason: blocked ?? "",
    perOrderUsdt,
    totalUsdt,
    cushionMajorUsdt,
    cushionOtherUsdt,
    leverageMax: OPENING_LEVERAGE_MAX[view.phase],
    roundTripCost: settings.takerFee.toNumber() * 2 + typicalSpread(view),
  };
}
