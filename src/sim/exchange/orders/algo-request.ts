/** Reads and checks the fields of an algo order request. Spec: 1 §2.5, §4.3; records §6.1, §6.2. */
import { toWire } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import type { AlgoCondition } from "../../../domain/algo-order.ts";
import type { PositionSide, Side } from "../../../domain/order.ts";
import { isAlgoEnded } from "../matching/algo-life.ts";
import type { AlgoTriggers } from "../state/algo-terms.ts";
import type { VenueResult } from "../contract/api.ts";
import { exposureIn } from "../positions/exposure.ts";
import * as check from "./order-checks.ts";
import { readPositionSide } from "./read-order.ts";
import { badField, isAbsent, readInstrument, readPositive, readWord } from "./read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf, Triggers } from "../contract/requests.ts";
import type { Exposure, Instrument, Portfolio, World } from "../state/state.ts";
import { readTrigger } from "./trigger-checks.ts";

const SIZED = ["CONDITIONAL", "OCO"] as const;
const CONDITIONS = [...SIZED, "ENTIRE_CLOSE_POSITION", "PARTIAL_CLOSE_POSITION"] as const;

/** Closing by SELL takes profit above and stops loss below; closing by BUY the reverse. Records §6.2. */
export function readTriggers(
  world: World,
  instrument: Instrument,
  request: Triggers,
  sells: boolean,
): VenueResult<AlgoTriggers> {
  const read = (prefix: "tp" | "sl", above: boolean) =>
    readTrigger(
      world,
      instrument,
      {
        field: `${prefix}TriggerPrice`,
        price: request[`${prefix}TriggerPrice`],
        typeField: `${prefix}TriggerType`,
        type: request[`${prefix}TriggerType`],
        orderPrice: request[`${prefix}Price`],
      },
      above,
    );
  const conditional = readTrigger(
    world,
    instrument,
    {
      field: "conditionalTriggerPrice",
      price: request.conditionalTriggerPrice,
      typeField: "conditionalTriggerType",
      type: request.conditionalTriggerType,
      orderPrice: request.conditionalPrice,
    },
    null,
  );
  if (!conditional.ok) return conditional;
  const takeProfit = read("tp", sells);
  if (!takeProfit.ok) return takeProfit;
  const stopLoss = read("sl", !sells);
  if (!stopLoss.ok) return stopLoss;
  return ok({ conditional: conditional.value, takeProfit: takeProfit.value, stopLoss: stopLoss.value });
}

/** The triggers that each condition needs. Records §6.1, §6.2. */
export function checkTriggers(condition: AlgoCondition, triggers: AlgoTriggers, sells: boolean): VenueResult<null> {
  const { conditional, takeProfit, stopLoss } = triggers;
  const one = takeProfit !== null || stopLoss !== null;
  if (condition === "OCO" && (takeProfit === null || stopLoss === null)) {
    return badField(takeProfit === null ? "tpTriggerPrice" : "slTriggerPrice", undefined, "given for OCO");
  }
  if (condition === "CONDITIONAL" && conditional === null && !one) {
    return badField("conditionalTriggerPrice", undefined, "given for CONDITIONAL");
  }
  if (condition.endsWith("CLOSE_POSITION") && !one)
    return badField("slTriggerPrice", undefined, "given, or tpTriggerPrice");
  if (takeProfit === null || stopLoss === null) return ok(null);
  const apart = sells ? takeProfit.price.gt(stopLoss.price) : takeProfit.price.lt(stopLoss.price);
  if (apart) return ok(null);
  const found = `${toWire(takeProfit.price)} and ${toWire(stopLoss.price)}`;
  return refuse(400001, `take-profit and stop-loss are ${found}, must be on either side of the price`);
}

/** The quantity in lots. */
export function readLots(instrument: Instrument, value: unknown): VenueResult<number> {
  const qty = readPositive("orderQty", value);
  if (!qty.ok) return qty;
  const lots = check.checkQty(instrument, qty.value);
  if (!lots.ok) return lots;
  const max = instrument.rules.maxMarketSize;
  return qty.value.lte(max) ? lots : badField("orderQty", value, `at most ${toWire(max)}`);
}

/** The parts of a placement that identify it, before quantity and triggers. */
export interface Head {
  readonly condition: AlgoCondition;
  readonly exposure: Exposure;
  readonly positionSide: PositionSide;
  readonly side: Side | null;
  /** Whether firing sells: from the side, or from the position. */
  readonly sells: boolean;
}

/** A close type closes: its side is opposite to its position, which must exist (401097). */
function readClosingSide(exposure: Exposure, positionSide: PositionSide, side: Side | null): VenueResult<boolean> {
  const lots = exposure.positions.get(positionSide)?.lots ?? 0;
  if (lots === 0) return refuse(401097);
  const sells = lots > 0;
  if (side !== null && (side === "SELL") !== sells)
    return badField("side", side, `${sells ? "SELL" : "BUY"} to close it`);
  return ok(sells);
}

/** Kind, instrument and side, in the order of their refusals. */
export function readHead(world: World, portfolio: Portfolio, request: RequestOf<"placeAlgo">): VenueResult<Head> {
  const type = readWord("algoOrderType", request.algoOrderType, ["TPSL"]);
  if (!type.ok) return type;
  const condition = readWord("conditionType", request.conditionType, world.settings.closeTypes ? CONDITIONS : SIZED);
  if (!condition.ok) return condition;
  const instrument = readInstrument(world, request.sym);
  if (!instrument.ok) return instrument;
  if (instrument.value.spot) return badField("sym", request.sym, "a perpetual");
  const wallet = check.checkTradable(world, instrument.value, portfolio);
  if (!wallet.ok) return wallet;
  const positionSide = readPositionSide(wallet.value, instrument.value, request.positionSide);
  if (!positionSide.ok) return positionSide;
  const entire = condition.value === "ENTIRE_CLOSE_POSITION";
  const side = entire ? ok(null) : readWord("side", request.side, ["BUY", "SELL"]);
  if (!side.ok) return side;
  const exposure = exposureIn(world, wallet.value, instrument.value);
  const closes = condition.value.endsWith("CLOSE_POSITION");
  const sells = closes ? readClosingSide(exposure, positionSide.value, side.value) : ok(side.value === "SELL");
  if (!sells.ok) return sells;
  const head = { condition: condition.value, exposure, positionSide: positionSide.value };
  return ok({ ...head, side: side.value, sells: sells.value });
}

/** The clientOrderId, or null if none was sent. */
export function checkId(world: World, portfolio: Portfolio, id: unknown): VenueResult<string | null> {
  if (isAbsent(id)) return ok(null);
  if (typeof id !== "string" || !check.isClientOrderId(id)) {
    return badField("clientOrderId", id, "at most 40 letters, digits, dashes and underscores");
  }
  const found = portfolio.algosByClientId.get(id);
  const earlier = found ? { createdAtMs: found.createdAtMs, isOpen: !isAlgoEnded(found) } : null;
  const passed = check.checkDuplicate(world, world.settings.algoDuplicatePolicy, earlier);
  return passed.ok ? ok(id) : passed;
}
