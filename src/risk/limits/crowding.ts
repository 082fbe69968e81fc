/**
 * Diversification: exposure per symbol, exposure in one direction (coins fall together), and the number of positions.
 */
import { type Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { exposureOf, isReducing, heldSideOf, valueOf, type Valued } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { loaded, SYMBOL } from "../scene.ts";
import { deny, fitInto, type Limit, reducing, type Verdict } from "../verdict.ts";
import type { Draft, RiskView } from "../view.ts";

const limit = "crowding";

interface Crowd {
  readonly symbolUsdt: Decimal;
  readonly directionUsdt: Decimal;
  readonly others: number;
}

/** Existing exposure next to the draft, before it fills. */
function crowdAround(draft: Draft, view: RiskView, settings: RiskSettings): Crowd {
  const { symbol } = draft.order;
  const positionSide = heldSideOf(draft.order);
  const positions = [...exposureOf(view, settings).positions].filter(([, { notionalUsdt }]) => notionalUsdt.gt(0));
  const sumWhere = (wanted: (of: { symbol: string; leg: string }) => boolean): Decimal =>
    sumDecimals(positions.filter(([, exposure]) => wanted(exposure)).map(([, { notionalUsdt }]) => notionalUsdt));
  return {
    symbolUsdt: sumWhere((of) => of.symbol === symbol),
    directionUsdt: sumWhere((of) => of.leg === positionSide),
    others: positions.filter(([key]) => key !== positionKeyOf(symbol, positionSide)).length,
  };
}

function judgeCrowd(draft: Draft, view: RiskView, settings: RiskSettings, valued: Valued): Verdict {
  const { symbolUsdt, directionUsdt, others } = crowdAround(draft, view, settings);
  if (others >= settings.maxPositions) {
    return deny({
      limit,
      found: others + 1,
      allowed: settings.maxPositions,
      reason: `This would be position ${others + 1} of at most ${settings.maxPositions}, counting those that are being opened.`,
    });
  }
  const inSymbol = view.equityUsdt.mul(settings.perSymbolEquityShare);
  const oneWay = view.equityUsdt.mul(settings.perDirectionEquityShare);
  const symbolRoom = inSymbol.sub(symbolUsdt);
  const directionRoom = oneWay.sub(directionUsdt);
  const bySymbol = symbolRoom.lt(directionRoom);
  return fitInto({
    limit,
    draft,
    ...valued,
    roomUsdt: bySymbol ? symbolRoom : directionRoom,
    found: (bySymbol ? symbolUsdt : directionUsdt).add(valued.notionalUsdt),
    allowed: bySymbol ? inSymbol : oneWay,
    reason: bySymbol ? "Exposure in one symbol." : "Exposure in one direction, all symbols together.",
  });
}

/** Shrinks to the tighter of both shares, denies a position too many. Resting and in-flight openings count. */
export const crowding = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => loaded(scene, SYMBOL, scene.view.equityUsdt.mul(settings.perSymbolEquityShare)),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    const valued = valueOf(draft, view, settings);
    if (!valued) return deny({ limit, found: "no price", allowed: ZERO, reason: "The order cannot be valued." });
    return judgeCrowd(draft, view, settings, valued);
  },
});
