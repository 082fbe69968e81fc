/** Reads the words and figures of an order request into a draft; a refusal names the field. Records §5.1. */
import { toWire } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import type { PositionSide } from "../../../domain/order.ts";
import type { VenueResult } from "../contract/api.ts";
import { valueOf } from "../state/figures.ts";
import { stepsIn } from "../positions/gauge.ts";
import * as check from "./order-checks.ts";
import type { OrderDraft } from "../matching/order-life.ts";
import { NO_PROTECTION } from "../records/order-record.ts";
import type { AttachedProtection } from "../state/order-terms.ts";
import { badField, isAbsent, isOneOf, readFlag, readPositive, readWord } from "./read-request.ts";
import { PASSED, refuse } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Instrument, Wallet, World } from "../state/state.ts";
import { readTrigger, type TriggerText } from "./trigger-checks.ts";

/** In hedge mode a side is required; in one-way mode any value is accepted and ignored. Records §5.1. */
export function readPositionSide(wallet: Wallet, instrument: Instrument, value: unknown): VenueResult<PositionSide> {
  if (instrument.spot) return ok("NONE");
  if (wallet.mode === "NET") {
    return isAbsent(value) ? ok("NONE") : thenNone(readWord("positionSide", value, ["LONG", "SHORT", "NONE"]));
  }
  return readWord("positionSide", value, ["LONG", "SHORT"]);
}

const SIDES = ["BUY", "SELL"] as const;

const TYPES = ["LIMIT", "MARKET"] as const;

const POSITIONS = ["LONG", "SHORT"] as const;

const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTX"] as const;

const thenNone = (read: VenueResult<PositionSide>): VenueResult<PositionSide> => (read.ok ? ok("NONE") : read);

/** Fast path for the usual spellings; if false, the slow path reads them. */
function readPlainWords(
  draft: OrderDraft,
  { side, orderType, timeInForce, positionSide }: RequestOf<"placeOrder">,
): boolean {
  const { instrument, wallet } = draft.exposure;
  const none = instrument.spot || (wallet.mode === "NET" && isAbsent(positionSide));
  if (!isOneOf(side, SIDES) || !isOneOf(orderType, TYPES)) return false;
  if (!isAbsent(timeInForce) && !isOneOf(timeInForce, TIMES_IN_FORCE)) return false;
  if (!none && (wallet.mode === "NET" || !isOneOf(positionSide, POSITIONS))) return false;
  draft.side = side;
  draft.type = orderType;
  draft.timeInForce = orderType === "MARKET" ? "IOC" : isAbsent(timeInForce) ? "GTC" : timeInForce;
  draft.positionSide = none || !isOneOf(positionSide, POSITIONS) ? "NONE" : positionSide;
  return true;
}

function readWordsWithCare(draft: OrderDraft, request: RequestOf<"placeOrder">): VenueResult<null> {
  const { instrument, wallet } = draft.exposure;
  const side = readWord("side", request.side, SIDES);
  if (!side.ok) return side;
  const type = readWord("orderType", request.orderType, TYPES);
  if (!type.ok) return type;
  const given = isAbsent(request.timeInForce) ? "GTC" : request.timeInForce;
  const tif = readWord("timeInForce", given, TIMES_IN_FORCE);
  if (!tif.ok) return tif;
  const positionSide = readPositionSide(wallet, instrument, request.positionSide);
  if (!positionSide.ok) return positionSide;
  draft.side = side.value;
  draft.type = type.value;
  draft.timeInForce = type.value === "MARKET" ? "IOC" : tif.value;
  draft.positionSide = positionSide.value;
  return PASSED;
}

/** All fields that are not figures. */
export function readWords(draft: OrderDraft, request: RequestOf<"placeOrder">): VenueResult<null> {
  const words = readPlainWords(draft, request) ? PASSED : readWordsWithCare(draft, request);
  if (!words.ok) return words;
  const id = request.clientOrderId;
  if (!isAbsent(id)) {
    if (!check.isClientOrderId(id)) {
      return badField("clientOrderId", id, "at most 40 letters, digits, dashes and underscores");
    }
    draft.clientOrderId = id;
  }
  draft.reduceOnly = !draft.exposure.instrument.spot && readFlag(request.reduceOnly);
  return PASSED;
}

const UNPROTECTED: VenueResult<null> = ok(null);

/** Attached take-profit and stop-loss; null when neither trigger was sent. Spot orders carry none. */
export function readProtection(
  world: World,
  instrument: Instrument,
  request: RequestOf<"placeOrder">,
): VenueResult<AttachedProtection | null> {
  if (isAbsent(request.tpTriggerPrice) && isAbsent(request.slTriggerPrice)) return UNPROTECTED;
  if (instrument.spot) return UNPROTECTED;
  const sent = (["tp", "sl"] as const).filter((prefix) => !isAbsent(request[`${prefix}TriggerPrice`]));
  const texts = { ...NO_PROTECTION };
  for (const prefix of sent) {
    const text: TriggerText = {
      field: `${prefix}TriggerPrice`,
      price: request[`${prefix}TriggerPrice`],
      typeField: `${prefix}TriggerType`,
      type: request[`${prefix}TriggerType`],
      orderPrice: request[`${prefix}Price`],
    };
    const trigger = readTrigger(world, instrument, text, true);
    if (!trigger.ok) return trigger;
    if (trigger.value === null) continue;
    texts[`${prefix}TriggerPrice`] = toWire(trigger.value.price);
    texts[`${prefix}TriggerType`] = trigger.value.type;
    texts[`${prefix}Price`] = trigger.value.orderPrice;
  }
  return ok(texts);
}

/** Fast path for a LIMIT order in whole steps; if false, decimals decide and produce the refusals. */
export function readPlainNumbers(draft: OrderDraft, { limitPrice, orderQty }: RequestOf<"placeOrder">): boolean {
  const { measures } = draft.exposure.instrument;
  if (draft.type !== "LIMIT" || typeof limitPrice !== "string" || typeof orderQty !== "string") return false;
  const ticks = stepsIn(limitPrice, measures.tick);
  const lots = stepsIn(orderQty, measures.lot);
  if (ticks === null || lots === null || lots < measures.minLots) return false;
  draft.lots = lots;
  draft.ticks = draft.countedTicks = ticks;
  return true;
}

/** Price before quantity before notional. A spot market buy of a quote amount gets its lots from the book. */
export function readNumbersWithCare(draft: OrderDraft, request: RequestOf<"placeOrder">): VenueResult<null> {
  const { instrument } = draft.exposure;
  const limit = draft.type === "LIMIT" ? readPositive("limitPrice", request.limitPrice) : ok(null);
  if (!limit.ok) return limit;
  const byQuote = instrument.spot && draft.type === "MARKET" && draft.side === "BUY" && isAbsent(request.orderQty);
  const qty = byQuote
    ? readPositive("quoteOrderQty", request.quoteOrderQty)
    : readPositive("orderQty", request.orderQty);
  if (!qty.ok) return qty;
  const price = limit.value === null ? ok(null) : check.checkPrice(instrument, limit.value);
  if (!price.ok) return price;
  const countedTicks = price.value ?? check.referenceTicks(instrument);
  if (countedTicks === null) return refuse(50001, `${instrument.symbol} has no price yet`);
  draft.ticks = price.value;
  draft.countedTicks = countedTicks;
  if (byQuote) {
    draft.lots = Math.max(1, qty.value.div(valueOf(instrument, countedTicks)).floor().toNumber());
    draft.quoteOrderQty = request.quoteOrderQty ?? "";
    return PASSED;
  }
  const lots = check.checkQty(instrument, qty.value);
  if (!lots.ok) return lots;
  draft.lots = lots.value;
  return PASSED;
}
