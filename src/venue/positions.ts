/** Positions and leverage over REST. Spec: 1 §4.4; records §7. */
import { mapOutcome, type Outcome } from "../core/outcome.ts";
import type { Position } from "../domain/position.ts";
import { listOf } from "../protocol/page.ts";
import { idOrNull, isTrue } from "../protocol/reply-fields.ts";
import { readPositions } from "../protocol/records/position-record.ts";
import { closeAllPositions } from "../protocol/trading/close-all-positions.ts";
import { closePosition } from "../protocol/trading/close-position.ts";
import { leverage, readLeverage } from "../protocol/trading/leverage.ts";
import { positions } from "../protocol/trading/positions.ts";
import { setLeverage } from "../protocol/trading/set-leverage.ts";
import type { Call } from "./call.ts";
import { given } from "./params.ts";

/** Which positions are closed; without a member, all of the exchange. */
export interface CloseFilter {
  readonly symbols?: readonly string[];
  readonly positionSide?: "LONG" | "SHORT" | "NONE";
}

/** A `symbol` that is left out asks for all of them. */
export interface PositionCalls {
  /** Open ones only. */
  positions(symbol?: string): Promise<Outcome<readonly Position[]>>;
  /**
   * Closes the whole leg by a market order; 401097 when it is flat. In one-way mode the venue refuses a leg, so pass
   * `hedgeMode` as read from the account.
   */
  closePosition(
    symbol: string,
    leg: "LONG" | "SHORT",
    hedgeMode: boolean,
  ): Promise<Outcome<{ orderId: string | null }>>;
  /** "unknown" also when some legs were not closed; the message names them. */
  closeAllPositions(exchange: string, only?: CloseFilter): Promise<Outcome<void>>;
  leverage(symbol?: string): Promise<Outcome<readonly { symbol: string; leverage: number }[]>>;
  /** Asynchronous at the venue: read it again to confirm. */
  setLeverage(symbol: string, leverage: number): Promise<Outcome<void>>;
}

export function positionCalls(call: Call): PositionCalls {
  return {
    positions: async (symbol) =>
      mapOutcome(await call(positions, given({ sym: symbol })), (rows) => readPositions(listOf(rows))),
    closePosition: async (symbol, leg, hedgeMode) => {
      const params = { sym: symbol, ...(hedgeMode ? { positionSide: leg } : {}) };
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
