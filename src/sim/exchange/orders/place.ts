/**
 * Places a plain order: reads the request, runs the checks in order, and lets it arrive. Spec: 1 §2.3; records §5.1.
 */
import { ok } from "../../../core/result.ts";
import { isTerminal } from "../../../domain/order.ts";
import type { VenueResult } from "../contract/api.ts";
import { exposureIn } from "../positions/exposure.ts";
import { byClientId } from "./find-order.ts";
import * as check from "./order-checks.ts";
import { bearOrder, draftOrder } from "../matching/order-life.ts";
import { readInstrument } from "./read-request.ts";
import { PASSED } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Exposure, Order, Portfolio, World } from "../state/state.ts";
import { dueAfter, isDueNow, planStep } from "../state/steps.ts";
import { arrive } from "../matching/matching.ts";
import { readNumbersWithCare, readPlainNumbers, readProtection, readWords } from "./read-order.ts";

/** All checks of an order after parsing. */
function checkAgainstAccount(world: World, exposure: Exposure, wanted: check.ParsedOrder): VenueResult<null> {
  const { instrument } = exposure;
  const reducing = check.checkReducing(exposure, wanted);
  if (!reducing.ok) return reducing;
  if (instrument.spot) return check.checkSpotFunds(world, exposure, wanted);
  const lots = check.opensLots(exposure, wanted);
  if (lots === 0) return PASSED;
  const units = lots * wanted.countedTicks;
  const leverage = check.checkLeverage(world, exposure, units);
  return leverage.ok ? check.checkMargin(world, exposure, units) : leverage;
}

function checkShape(world: World, exposure: Exposure, wanted: check.ParsedOrder): VenueResult<null> {
  const { instrument } = exposure;
  const units = wanted.lots * wanted.countedTicks;
  const notional = wanted.reduceOnly ? PASSED : check.checkNotional(instrument, units);
  if (!notional.ok) return notional;
  const bounds = check.checkBounds(world, instrument, wanted);
  return bounds.ok ? check.checkOrderCount(exposure) : bounds;
}

function checkId(world: World, portfolio: Portfolio, clientOrderId: string): VenueResult<null> {
  if (clientOrderId === "") return PASSED;
  const found = byClientId(world, portfolio, clientOrderId);
  const earlier = found ? { createdAtMs: found.createdAtMs, isOpen: !isTerminal(found.state) } : null;
  return check.checkDuplicate(world, world.settings.duplicatePolicy, earlier);
}

/**
 * Checks a request and, if it passes, creates the order in state NEW. A refusal changes nothing. `algoOrderId` names
 * the algo order that fired it, "" for a participant's own.
 */
export function acceptOrder(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"placeOrder">,
  algoOrderId = "",
): VenueResult<Order> {
  const instrument = readInstrument(world, request.sym);
  if (!instrument.ok) return instrument;
  const wallet = check.checkTradable(world, instrument.value, portfolio);
  if (!wallet.ok) return wallet;
  const exposure = exposureIn(world, wallet.value, instrument.value);
  const draft = draftOrder(world, exposure);
  const words = readWords(draft, request);
  if (!words.ok) return words;
  const protection = readProtection(world, instrument.value, request);
  if (!protection.ok) return protection;
  draft.protection = protection.value;
  const numbers = readPlainNumbers(draft, request) ? PASSED : readNumbersWithCare(draft, request);
  if (!numbers.ok) return numbers;
  const shape = checkShape(world, exposure, draft);
  if (!shape.ok) return shape;
  const id = checkId(world, portfolio, draft.clientOrderId);
  if (!id.ok) return id;
  const account = checkAgainstAccount(world, exposure, draft);
  if (!account.ok) return account;
  if (algoOrderId !== "") {
    draft.algoOrderId = algoOrderId;
    draft.origin = "ALGO";
  }
  return ok(bearOrder(world, draft));
}

/** A reducing MARKET order of the venue itself, which is neither checked nor delayed. */
export function venueOrder(
  world: World,
  exposure: Exposure,
  given: Pick<Order, "side" | "positionSide" | "lots" | "origin" | "algoOrderId"> & { readonly reason?: string },
): Order {
  const draft = draftOrder(world, exposure);
  Object.assign(draft, given);
  draft.type = "MARKET";
  draft.timeInForce = "IOC";
  draft.reduceOnly = true;
  draft.countedTicks = check.referenceTicks(exposure.instrument) ?? 0;
  return bearOrder(world, draft);
}

/** The reply to a new order. */
export interface PlacedIds {
  readonly orderId: string;
  readonly clientOrderId: string;
}

/** Replies on acceptance; without a place delay the order has been matched by then. A refusal changes nothing. */
export function placeOrder(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"placeOrder">,
): VenueResult<PlacedIds> {
  const accepted = acceptOrder(world, portfolio, request);
  if (!accepted.ok) return accepted;
  const order = accepted.value;
  const dueMs = dueAfter(world, world.settings.placeDelayMs);
  if (isDueNow(world, dueMs)) arrive(world, order);
  else planStep(world.steps, dueMs, { kind: "arrive", ref: order.ref });
  return ok({ orderId: order.orderId, clientOrderId: order.clientOrderId });
}
