/** Placing, amending and cancelling algo orders (take-profit and stop-loss). Spec: 1 §2.5, §4.3; records §6. */
import { toWire } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import { bearAlgo, isAlgoEnded, setAlgoState } from "../matching/algo-life.ts";
import { checkId, checkTriggers, readHead, readLots, readTriggers } from "./algo-request.ts";
import type { Trigger } from "../state/algo-terms.ts";
import type { VenueResult } from "../contract/api.ts";
import { dueAfter, planStep } from "../state/steps.ts";
import { pushAlgo } from "../records/push.ts";
import { badField, isAbsent, readFlag } from "./read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf, Triggers } from "../contract/requests.ts";
import type { AlgoOrder, Portfolio, World } from "../state/state.ts";

/** Replies on acceptance, as PENDING_NEW; it goes live after `placeDelayMs`. A refusal changes nothing. */
export function placeAlgo(world: World, portfolio: Portfolio, request: RequestOf<"placeAlgo">): VenueResult<AlgoOrder> {
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
    // The close types only reduce, with or without the reduce-only flag.
    reduceOnly: condition.endsWith("CLOSE_POSITION") || readFlag(request.reduceOnly),
    attachedOrderId: "",
    lots: lots.value,
    clientOrderId: clientOrderId.value,
  });
  const step = { kind: "algo-live", algoOrderId: algo.algoOrderId } as const;
  planStep(world.steps, dueAfter(world, world.settings.placeDelayMs), step);
  return ok(algo);
}

/** The step after an accepted placement. */
export function goLive(world: World, algo: AlgoOrder): void {
  if (algo.state === "PENDING_NEW") setAlgoState(world, algo, "NEW");
}

/** The algo order that a request names. 400001 without an id, 401018 when unknown. */
export function findAlgo(world: World, portfolio: Portfolio, key: RequestOf<"queryAlgo">): VenueResult<AlgoOrder> {
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

/** Changes the given fields and keeps the rest. 401058 once it has fired or ended. */
export function amendAlgo(world: World, portfolio: Portfolio, request: RequestOf<"amendAlgo">): VenueResult<AlgoOrder> {
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
    conditional: withOrderPrice(read.value.conditional ?? algo.conditional, request.conditionalPrice),
    takeProfit: withOrderPrice(read.value.takeProfit ?? algo.takeProfit, request.tpPrice),
    stopLoss: withOrderPrice(read.value.stopLoss ?? algo.stopLoss, request.slPrice),
  };
  const complete = checkTriggers(algo.condition, triggers, sells);
  if (!complete.ok) return complete;
  Object.assign(algo, triggers, { updatedAtMs: world.nowMs });
  if (algo.condition !== "ENTIRE_CLOSE_POSITION") algo.lots = lots.value;
  pushAlgo(world, algo);
  return found;
}

/** The order price may be given alone: the trigger then stays unchanged, even if the market has moved beyond it. */
const withOrderPrice = (trigger: Trigger | null, orderPrice: string | undefined): Trigger | null =>
  trigger && !isAbsent(orderPrice) ? { ...trigger, orderPrice } : trigger;

/** A changed price keeps the current type, and a changed type the current price. */
function withPresent(algo: AlgoOrder, request: RequestOf<"amendAlgo">): Triggers {
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

/** Takes effect after `cancelDelayMs`. 401018 for an unknown order, 401117 for one that has ended. */
export function cancelAlgo(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"queryAlgo">,
): VenueResult<AlgoOrder> {
  const found = findAlgo(world, portfolio, { algoOrderId: request.algoOrderId, clientOrderId: request.clientOrderId });
  if (!found.ok) return found;
  if (isAlgoEnded(found.value)) return refuse(401117);
  acceptCancel(world, found.value);
  return found;
}

const fits = (wanted: string | undefined, found: string): boolean => isAbsent(wanted) || wanted === found;

/** All filters together; returns those whose cancel was requested. */
export function cancelAllAlgos(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"cancelAllAlgos">,
): VenueResult<readonly AlgoOrder[]> {
  const chosen = [...portfolio.liveAlgos].filter((algo) => {
    const { symbol, parts } = algo.exposure.instrument;
    return (
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
