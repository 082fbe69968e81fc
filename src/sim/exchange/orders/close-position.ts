/** Closing positions by market, one position or many. Spec: 1 §4.4; records §7.3, §7.4. */
import { ok } from "../../../core/result.ts";
import type { PositionSide } from "../../../domain/order.ts";
import type { VenueResult, WireRecord } from "../contract/api.ts";
import { dueAfter, planStep } from "../state/steps.ts";
import { onlyReduces } from "../positions/opening.ts";
import { listOpen } from "../state/open-orders.ts";
import { cancelNow } from "../matching/order-life.ts";
import { venueOrder } from "./place.ts";
import { badField, isAbsent, readFlag, readInstrument, readWord } from "./read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Position } from "../state/position.ts";
import type { Exposure, Order, Portfolio, World } from "../state/state.ts";

/** Cancels the orders that would reduce the position, then sends a MARKET order for all of it. */
function closeHeld(world: World, exposure: Exposure, position: Position): Order {
  for (const order of listOpen(exposure.open)) {
    if (order.positionSide === position.side && onlyReduces(order)) {
      cancelNow(world, order, "SYSTEM", "the position is being closed");
    }
  }
  const order = venueOrder(world, exposure, {
    side: position.lots > 0 ? "SELL" : "BUY",
    positionSide: position.side,
    lots: Math.abs(position.lots),
    origin: "CLOSE",
    algoOrderId: "",
  });
  planStep(world.steps, dueAfter(world, world.settings.placeDelayMs), { kind: "arrive", ref: order.ref });
  return order;
}

/** In one-way mode any positionSide is refused (records §7.3, seen live). */
function readPosition(mode: "BOTH" | "NET", value: unknown): VenueResult<PositionSide> {
  if (mode === "BOTH") return readWord("positionSide", value, ["LONG", "SHORT"]);
  return isAbsent(value) ? ok("NONE") : badField("positionSide", value, "absent in one-way mode");
}

/** Returns the MARKET order that was sent. 401011 unless the symbol is a live perpetual, 401097 without a position. */
export function closePosition(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"closePosition">,
): VenueResult<Order> {
  const instrument = readInstrument(world, request.sym);
  if (!instrument.ok) return instrument;
  const wallet = portfolio.wallets.get(instrument.value.parts.exchange);
  if (wallet === undefined || instrument.value.spot || instrument.value.state !== "live")
    return refuse(401011, request.sym);
  const side = readPosition(wallet.mode, request.positionSide);
  if (!side.ok) return side;
  const exposure = wallet.exposures.get(request.sym);
  const position = exposure?.positions.get(side.value);
  return exposure && position ? ok(closeHeld(world, exposure, position)) : refuse(401097);
}

function wantedPositions(
  portfolio: Portfolio,
  request: RequestOf<"closeAllPositions">,
): { exposure: Exposure; position: Position }[] {
  const symbols = isAbsent(request.symList) ? null : request.symList.split(",").map((sym) => sym.trim());
  const { exchangeType, positionSide } = request;
  const positions = [];
  for (const wallet of portfolio.wallets.values()) {
    if (!isAbsent(exchangeType) && exchangeType !== wallet.exchange) continue;
    for (const exposure of wallet.exposures.values()) {
      if (symbols !== null && !symbols.includes(exposure.instrument.symbol)) continue;
      for (const position of exposure.positions.values()) {
        if (isAbsent(positionSide) || positionSide === position.side) positions.push({ exposure, position });
      }
    }
  }
  return positions;
}

/** One row per position; a position on a halted symbol is reported as failed. */
export function closeAllPositions(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"closeAllPositions">,
): VenueResult<readonly WireRecord[]> {
  if (!readFlag(request.closeAllPos) && isAbsent(request.symList)) {
    return badField("closeAllPos", request.closeAllPos, "the text true, or symList given");
  }
  for (const sym of isAbsent(request.symList) ? [] : request.symList.split(",")) {
    const instrument = readInstrument(world, sym.trim());
    if (!instrument.ok) return instrument;
  }
  return ok(
    wantedPositions(portfolio, request).map(({ exposure, position }) => {
      const { symbol, state } = exposure.instrument;
      const base = { sym: symbol, positionSide: position.side };
      if (state !== "live") return { ...base, orderId: "", success: "false", errorMsg: `${symbol} is ${state}` };
      return { ...base, orderId: closeHeld(world, exposure, position).orderId, success: "true", errorMsg: "" };
    }),
  );
}
