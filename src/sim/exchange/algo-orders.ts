/** Placing, amending and cancelling algo orders (take-profit and stop-loss). Spec: 1 §2.5, §4.3; records §6. */
import { toWire } from "../../core/decimal.ts";
import { ok } from "../../core/result.ts";
import type { AlgoCondition } from "../../domain/algo-order.ts";
import type { PositionSide, Side } from "../../domain/order.ts";
import { bearAlgo, isAlgoEnded, setAlgoState } from "./algo-life.ts";
import type { AlgoTriggers } from "./algo-terms.ts";
import type { Answer } from "./api.ts";
import { dueAfter } from "./delays.ts";
import { exposureIn } from "./exposure.ts";
import { pushAlgo } from "./push.ts";
import * as check from "./order-checks.ts";
import { readPositionSide } from "./place.ts";
import { badField, isAbsent, readFlag, readInstrument, readPositive, readWord } from "./read-request.ts";
import { refuse } from "./refuse.ts";
import type { AlgoKey, AmendAlgo, CancelAllAlgos, PlaceAlgo, Triggers } from "./requests.ts";
import type { AlgoOrder, Exposure, Instrument, Portfolio, World } from "./state.ts";
import { planStep } from "./steps.ts";
import { readTrigger } from "./trigger-checks.ts";

const CONDITIONS = ["CONDITIONAL", "OCO", "ENTIRE_CLOSE_POSITION", "PARTIAL_CLOSE_POSITION"] as const;

/** Closing by SELL takes profit above and stops loss below; closing by BUY the other way round. Records §6.2. */
function readTriggers(world: World, instrument: Instrument, request: Triggers, sells: boolean): Answer<AlgoTriggers> {
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

/** Which triggers each condition needs. Records §6.1, §6.2. */
function checkTriggers(condition: AlgoCondition, triggers: AlgoTriggers, sells: boolean): Answer<null> {
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

function readLots(instrument: Instrument, value: unknown): Answer<number> {
  const qty = readPositive("orderQty", value);
  if (!qty.ok) return qty;
  const lots = check.checkQty(instrument, qty.value);
  if (!lots.ok) return lots;
  const max = instrument.rules.maxMarketSize;
  return qty.value.lte(max) ? lots : badField("orderQty", value, `at most ${toWire(max)}`);
}

interface Head {
  readonly condition: AlgoCondition;
  readonly exposure: Exposure;
  readonly positionSide: PositionSide;
  readonly side: Side | null;
  /** Whether firing sells: from the side, or from what the position is. */
  readonly sells: boolean;
}

/** A close type closes: its side is the one against its position, which must be there (401097). */
function readClosingSide(exposure: Exposure, positionSide: PositionSide, side: Side | null): Answer<boolean> {
  const lots = exposure.positions.get(positionSide)?.lots ?? 0;
  if (lots === 0) return refuse(401097);
  const sells = lots > 0;
  if (side !== null && (side === "SELL") !== sells)
    return badField("side", side, `${sells ? "SELL" : "BUY"} to close it`);
  return ok(sells);
}

function readHead(world: World, portfolio: Portfolio, request: PlaceAlgo): Answer<Head> {
  const type = readWord("algoOrderType", request.algoOrderType, ["TPSL"]);
  if (!type.ok) return type;
  const condition = readWord("conditionType", request.conditionType, CONDITIONS);
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

function checkId(world: World, portfolio: Portfolio, id: unknown): Answer<string | null> {
  if (isAbsent(id)) return ok(null);
  if (typeof id !== "string" || !check.isClientOrderId(id)) {
    return badField("clientOrderId", id, "at most 40 letters, digits, dashes and underscores");
  }
  const found = portfolio.algosByClientId.get(id);
  const earlier = found ? { createdAtMs: found.createdAtMs, isOpen: !isAlgoEnded(found) } : null;
  const passed = check.checkDuplicate(world, world.settings.algoDuplicatePolicy, earlier);
  return passed.ok ? ok(id) : passed;
}

export function placeAlgo(world: World, portfolio: Portfolio, request: PlaceAlgo): Answer<AlgoOrder> {
  const head = readHead(world, portfolio, request);
  if (!head.ok) return head;
  const { condition, exposure, positionSide, side, sells } = head.value;
  const { instrument } = exposure;
  const lots = condition === "ENTIRE_CLOSE_POSITION" ? ok(0) : readLots(instrument, request.orderQty);
  if (!lots.ok) return lots;
  const triggers = readTriggers(world, instrument, request, sells);
  if (!triggers.ok) return triggers;
  const complete = checkTriggers(condition, triggers.value, sells);
  if (!complete.ok) return complete;
  const clientOrderId = checkId(world, portfolio, request.clientOrderId);
  if (!clientOrderId.ok) return clientOrderId;
  const algo = bearAlgo(world, {
    ...triggers.value,
    exposure,
    side,
    positionSide,
    condition,
    // The close types can only reduce, whatever the flag says.
    reduceOnly: condition.endsWith("CLOSE_POSITION") || readFlag(request.reduceOnly),
    attachedOrderId: "",
    lots: lots.value,
    clientOrderId: clientOrderId.value,
  });
  const step = { kind: "algo-live", algoOrderId: algo.algoOrderId } as const;
  planStep(world.steps, dueAfter(world, world.settings.placeDelayMs), step);
  return ok(algo);
}

/** The step behind an accepted placement. */
export function goLive(world: World, algo: AlgoOrder): void {
  if (algo.state === "PENDING_NEW") setAlgoState(world, algo, "NEW");
}

/** The algo order that a request names. 400001 without an id, 401018 when unknown. */
export function findAlgo(world: World, portfolio: Portfolio, key: AlgoKey): Answer<AlgoOrder> {
  const { algoOrderId, clientOrderId, attachedOrderId } = key;
  if ([algoOrderId, clientOrderId, attachedOrderId].every(isAbsent)) {
    return badField("algoOrderId", algoOrderId, "given, or else clientOrderId");
  }
  const algo = !isAbsent(algoOrderId)
    ? world.algosById.get(algoOrderId)
    : !isAbsent(clientOrderId)
      ? portfolio.algosByClientId.get(clientOrderId)
      : portfolio.algos.find((candidate) => candidate.attachedOrderId === attachedOrderId);
  return algo?.exposure.wallet.portfolio === portfolio ? ok(algo) : refuse(401018);
}

/** Changes what is named and keeps the rest. 401058 once it has fired or ended. */
export function amendAlgo(world: World, portfolio: Portfolio, request: AmendAlgo): Answer<AlgoOrder> {
  const found = findAlgo(world, portfolio, { algoOrderId: request.algoOrderId, clientOrderId: request.clientOrderId });
  if (!found.ok) return found;
  const algo = found.value;
  if (algo.state !== "NEW" && algo.state !== "PENDING_NEW") return refuse(401058);
  const { instrument } = algo.exposure;
  const sells =
    algo.side === null ? (algo.takeProfit?.above ?? !(algo.stopLoss?.above ?? false)) : algo.side === "SELL";
  const lots = isAbsent(request.orderQty) ? ok(algo.lots) : readLots(instrument, request.orderQty);
  if (!lots.ok) return lots;
  const read = readTriggers(world, instrument, withPresent(algo, request), sells);
  if (!read.ok) return read;
  const triggers = {
    conditional: read.value.conditional ?? algo.conditional,
    takeProfit: read.value.takeProfit ?? algo.takeProfit,
    stopLoss: read.value.stopLoss ?? algo.stopLoss,
  };
  const complete = checkTriggers(algo.condition, triggers, sells);
  if (!complete.ok) return complete;
  Object.assign(algo, triggers, { updatedAtMs: world.nowMs });
  if (algo.condition !== "ENTIRE_CLOSE_POSITION") algo.lots = lots.value;
  pushAlgo(world, algo);
  return found;
}

/** A changed price keeps its present type and a changed type its present price. */
function withPresent(algo: AlgoOrder, request: AmendAlgo): Triggers {
  const { conditional, takeProfit, stopLoss } = algo;
  const price = (given: string | undefined, type: string | undefined, now: AlgoOrder["stopLoss"]) =>
    isAbsent(given) && !isAbsent(type) && now !== null ? toWire(now.price) : given;
  return {
    conditionalTriggerPrice: price(request.conditionalTriggerPrice, request.conditionalTriggerType, conditional),
    conditionalTriggerType: request.conditionalTriggerType || conditional?.type,
    conditionalPrice: request.conditionalPrice || conditional?.orderPrice,
    tpTriggerPrice: price(request.tpTriggerPrice, request.tpTriggerType, takeProfit),
    tpTriggerType: request.tpTriggerType || takeProfit?.type,
    tpPrice: request.tpPrice || takeProfit?.orderPrice,
    slTriggerPrice: price(request.slTriggerPrice, request.slTriggerType, stopLoss),
    slTriggerType: request.slTriggerType || stopLoss?.type,
    slPrice: request.slPrice || stopLoss?.orderPrice,
  };
}

function acceptCancel(world: World, algo: AlgoOrder): void {
  if (algo.state === "PENDING_CANCEL") return;
  setAlgoState(world, algo, "PENDING_CANCEL");
  const step = { kind: "algo-cancel", algoOrderId: algo.algoOrderId } as const;
  planStep(world.steps, dueAfter(world, world.settings.cancelDelayMs), step);
}

export function cancelAlgo(world: World, portfolio: Portfolio, request: AlgoKey): Answer<AlgoOrder> {
  const found = findAlgo(world, portfolio, { algoOrderId: request.algoOrderId, clientOrderId: request.clientOrderId });
  if (!found.ok) return found;
  if (isAlgoEnded(found.value)) return refuse(401117);
  acceptCancel(world, found.value);
  return found;
}

const fits = (wanted: string | undefined, found: string): boolean => isAbsent(wanted) || wanted === found;

/** All filters together; answers those that were asked to cancel. */
export function cancelAllAlgos(
  world: World,
  portfolio: Portfolio,
  request: CancelAllAlgos,
): Answer<readonly AlgoOrder[]> {
  const chosen = portfolio.algos.filter((algo) => {
    const { symbol, parts } = algo.exposure.instrument;
    return (
      !isAlgoEnded(algo) &&
      fits(request.sym, symbol) &&
      fits(request.exchangeType, parts.exchange) &&
      fits(request.businessType, parts.type) &&
      fits(request.algoOrderType, "TPSL") &&
      fits(request.conditionType, algo.condition)
    );
  });
  for (const algo of chosen) acceptCancel(world, algo);
  return ok(chosen);
}
