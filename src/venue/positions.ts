/** Positions and leverage over REST. Spec: 1 §4.4; records §7. */
import { mapOutcome } from "../core/outcome.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { listOf } from "../protocol/page.ts";
import { idOrNull, isTrue } from "../protocol/reply-fields.ts";
import { readPositions } from "../protocol/records/position-record.ts";
import { closeAllPositions } from "../protocol/trading/close-all-positions.ts";
import { closePosition } from "../protocol/trading/close-position.ts";
import { leverage, readLeverage } from "../protocol/trading/leverage.ts";
import { positions } from "../protocol/trading/positions.ts";
import { setLeverage } from "../protocol/trading/set-leverage.ts";
import { type VenueCall, given } from "./call.ts";

type PositionCalls = Pick<VenuePort, "positions" | "closePosition" | "closeAllPositions" | "leverage" | "setLeverage">;

export function positionCalls(call: VenueCall): PositionCalls {
  return {
    positions: async (symbol) =>
      mapOutcome(await call(positions, given({ sym: symbol })), (rows) => readPositions(listOf(rows))),
    closePosition: async (symbol, positionSide, hedgeMode) => {
      const params = { sym: symbol, ...(hedgeMode ? { positionSide: positionSide } : {}) };
      const outcome = await call(closePosition, params, { priority: "close" });
      return mapOutcome(outcome, ({ orderId }) => ({ orderId: idOrNull(orderId) }));
    },
    closeAllPositions: async (exchange, only = {}) => {
      const { symbols, positionSide } = only;
      const which = symbols ? { symList: symbols.join(",") } : { closeAllPos: "true" as const };
      const params = { exchangeType: exchange, ...which, ...given({ positionSide }) };
      const outcome = await call(closeAllPositions, params, { priority: "close" });
      return mapOutcome(outcome, (rows) => {
        const failed = Array.isArray(rows) ? rows.filter((row) => !isTrue(row.success ?? "true")) : [];
        return { notClosed: failed.map((row) => `${row.sym} ${row.positionSide ?? ""}: ${row.errorMsg ?? ""}`) };
      });
    },
    leverage: async (symbol) => mapOutcome(await call(leverage, given({ sym: symbol })), readLeverage),
    setLeverage: async (symbol, figure) =>
      mapOutcome(await call(setLeverage, { sym: symbol, leverage: figure }), () => undefined),
  };
}
