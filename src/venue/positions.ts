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
import type { VenueCall } from "./call.ts";
import { given } from "./params.ts";

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
      if (outcome.kind !== "done") return outcome;
      const failed = Array.isArray(outcome.value) ? outcome.value.filter((row) => !isTrue(row.success ?? "true")) : [];
      if (failed.length === 0) return { kind: "done", value: undefined };
      const names = failed.map((row) => `${row.sym} ${row.positionSide ?? ""}: ${row.errorMsg ?? ""}`);
      return { kind: "unknown", message: `not closed: ${names.join("; ").slice(0, 300)}` };
    },
    leverage: async (symbol) => mapOutcome(await call(leverage, given({ sym: symbol })), readLeverage),
    setLeverage: async (symbol, figure) =>
      mapOutcome(await call(setLeverage, { sym: symbol, leverage: figure }), () => undefined),
  };
}
