/** Placing a plain order: reads the request, checks it in order, and lets it arrive. Spec: 1 §2.3; records §5.1. */
import { toWire } from "../../core/decimal.ts";
import { ok } from "../../core/result.ts";
import { isTerminal, type OrderType, type PositionSide, type Side, type TimeInForce } from "../../domain/order.ts";
import type { Answer } from "./api.ts";
import { exposureIn } from "./exposure.ts";
import { valueOf } from "./figures.ts";
import { byClientId } from "./find-order.ts";
import * as check from "./order-checks.ts";
import { stepsIn } from "./gauge.ts";
import { bearOrder, type OrderDraft } from "./order-life.ts";
import { NO_PROTECTION } from "./order-record.ts";
import { badField, isAbsent, readFlag, readInstrument, readPositive, readWord } from "./read-request.ts";
import { PASSED, refuse } from "./refuse.ts";
import type { Place } from "./requests.ts";
import { readTrigger, type TriggerText } from "./trigger-checks.ts";
import type { AttachedProtection, Exposure, Instrument, Order, Portfolio, Wallet, World } from "./state.ts";

interface Words {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly positionSide: PositionSide;
  readonly reduceOnly: boolean;
}

/** In hedge mode a side is required; in one-way mode whatever is sent is accepted and ignored. Records §5.1. */
export function readPositionSide(wallet: Wallet, instrument: Instrument, value: unknown): Answer<PositionSide> {
  if (instrument.spot) return ok("NONE");
  if (wallet.mode === "NET") {
    return isAbsent(value) ? ok("NONE") : thenNone(readWord("positionSide", value, ["LONG", "SHORT", "NONE"]));
  }
  return readWord("positionSide", value, ["LONG", "SHORT"]);
}

const SIDES = ["BUY", "SELL"] as const;
const TYPES = ["LIMIT", "MARKET"] as const;
const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTX"] as const;

const thenNone = (read: Answer<PositionSide>): Answer<PositionSide> => (read.ok ? ok("NONE") : read);

function readWords(wallet: Wallet, instrument: Instrument, request: Place): Answer<Words> {
  const side = readWord("side", request.side, SIDES);
  if (!side.ok) return side;
  const type = readWord("orderType", request.orderType, TYPES);
  if (!type.ok) return type;
  const given = isAbsent(request.timeInForce) ? "GTC" : request.timeInForce;
  const tif = readWord("timeInForce", given, TIMES_IN_FORCE);
  if (!tif.ok) return tif;
  const positionSide = readPositionSide(wallet, instrument, request.positionSide);
  if (!positionSide.ok) return positionSide;
  const id = request.clientOrderId;
  if (!isAbsent(id) && !check.isClientOrderId(id)) {
    return badField("clientOrderId", id, "at most 40 letters, digits, dashes and underscores");
  }
  return ok({
    side: side.value,
    type: type.value,
    timeInForce: type.value === "MARKET" ? "IOC" : tif.value,
    positionSide: positionSide.value,
    reduceOnly: !instrument.spot && readFlag(request.reduceOnly),
  });
}

const UNPROTECTED: Answer<null> = ok(null);

/** Attached take-profit and stop-loss; null when neither trigger was sent. Spot orders carry none. */
function readProtection(world: World, instrument: Instrument, request: Place): Answer<AttachedProtection | null> {
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

interface Numbers {
  readonly lots: number;
  readonly ticks: number | null;
  readonly countedTicks: number;
  readonly quoteOrderQty: string;
}

/** Price before quantity before notional. A market buy of a quote amount on spot gets its lots at the book. */
function readNumbersWithCare(instrument: Instrument, words: Words, request: Place): Answer<Numbers> {
  const limit = words.type === "LIMIT" ? readPositive("limitPrice", request.limitPrice) : ok(null);
  if (!limit.ok) return limit;
  const byQuote = instrument.spot && words.type === "MARKET" && words.side === "BUY" && isAbsent(request.orderQty);
  const qty = byQuote
    ? readPositive("quoteOrderQty", request.quoteOrderQty)
    : readPositive("orderQty", request.orderQty);
  if (!qty.ok) return qty;
  const price = limit.value === null ? ok(null) : check.checkPrice(instrument, limit.value);
  if (!price.ok) return price;
  const countedTicks = price.value ?? check.referenceTicks(instrument);
  if (countedTicks === null) return refuse(50001, `${instrument.symbol} has no price yet`);
  if (byQuote) {
    const lots = Math.max(1, qty.value.div(valueOf(instrument, countedTicks)).floor().toNumber());
    return ok({ lots, ticks: null, countedTicks, quoteOrderQty: request.quoteOrderQty ?? "" });
  }
  const lots = check.checkQty(instrument, qty.value);
  if (!lots.ok) return lots;
  return ok({ lots: lots.value, ticks: price.value, countedTicks, quoteOrderQty: "" });
}

/** Price and quantity of a LIMIT order whose texts are beyond doubt; null leaves the decision to decimals. */
function readPlainNumbers(instrument: Instrument, words: Words, request: Place): Numbers | null {
  const { limitPrice, orderQty } = request;
  if (words.type !== "LIMIT" || typeof limitPrice !== "string" || typeof orderQty !== "string") return null;
  const ticks = stepsIn(limitPrice, instrument.measures.tick);
  const lots = stepsIn(orderQty, instrument.measures.lot);
  if (ticks === null || lots === null || lots < instrument.measures.minLots) return null;
  return { lots, ticks, countedTicks: ticks, quoteOrderQty: "" };
}

function readNumbers(instrument: Instrument, words: Words, request: Place): Answer<Numbers> {
  const plain = readPlainNumbers(instrument, words, request);
  return plain === null ? readNumbersWithCare(instrument, words, request) : ok(plain);
}

/** Everything that is asked of an order whose words and numbers have been read. */
function checkAgainstAccount(world: World, exposure: Exposure, wanted: check.Wanted): Answer<null> {
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

function checkShape(world: World, exposure: Exposure, wanted: check.Wanted): Answer<null> {
  const { instrument } = exposure;
  const units = wanted.lots * wanted.countedTicks;
  const notional = wanted.reduceOnly ? PASSED : check.checkNotional(instrument, units);
  if (!notional.ok) return notional;
  const bounds = check.checkBounds(world, instrument, wanted);
  return bounds.ok ? check.checkOrderCount(exposure) : bounds;
}

function checkId(world: World, portfolio: Portfolio, clientOrderId: string | null): Answer<null> {
  if (clientOrderId === null) return PASSED;
  const found = byClientId(world, portfolio, clientOrderId);
  const earlier = found ? { createdAtMs: found.createdAtMs, isOpen: !isTerminal(found.state) } : null;
  return check.checkDuplicate(world, world.settings.duplicatePolicy, earlier);
}

/** Written out field by field: copying by key is several times as slow, and this is the busiest path of the venue. */
function draftOf(
  words: Words,
  numbers: Numbers,
  rest: Pick<OrderDraft, "exposure" | "clientOrderId" | "algoOrderId" | "origin" | "protection">,
): OrderDraft {
  return {
    exposure: rest.exposure,
    side: words.side,
    positionSide: words.positionSide,
    type: words.type,
    timeInForce: words.timeInForce,
    reduceOnly: words.reduceOnly,
    algoOrderId: rest.algoOrderId,
    origin: rest.origin,
    protection: rest.protection,
    quoteOrderQty: numbers.quoteOrderQty,
    lots: numbers.lots,
    ticks: numbers.ticks,
    countedTicks: numbers.countedTicks,
    clientOrderId: rest.clientOrderId,
  };
}

/**
 * Checks a request and, when it passes, bears the order in state NEW. Nothing is changed when it is refused.
 * `algoOrderId` names the algo order that fired it, "" for a participant's own.
 */
export function acceptOrder(world: World, portfolio: Portfolio, request: Place, algoOrderId = ""): Answer<Order> {
  const instrument = readInstrument(world, request.sym);
  if (!instrument.ok) return instrument;
  const wallet = check.checkTradable(world, instrument.value, portfolio);
  if (!wallet.ok) return wallet;
  const words = readWords(wallet.value, instrument.value, request);
  if (!words.ok) return words;
  const protection = readProtection(world, instrument.value, request);
  if (!protection.ok) return protection;
  const numbers = readNumbers(instrument.value, words.value, request);
  if (!numbers.ok) return numbers;
  const exposure = exposureIn(wallet.value, instrument.value);
  const clientOrderId = isAbsent(request.clientOrderId) ? null : request.clientOrderId;
  const draft = draftOf(words.value, numbers.value, {
    exposure,
    clientOrderId,
    algoOrderId,
    origin: algoOrderId === "" ? "DMA" : "ALGO",
    protection: protection.value,
  });
  const shape = checkShape(world, exposure, draft);
  if (!shape.ok) return shape;
  const id = checkId(world, portfolio, clientOrderId);
  if (!id.ok) return id;
  const account = checkAgainstAccount(world, exposure, draft);
  return account.ok ? ok(bearOrder(world, draft)) : account;
}

/** A MARKET order that the venue itself sends to make a position smaller. It is checked by nobody and never delayed. */
export function venueOrder(
  world: World,
  exposure: Exposure,
  given: Pick<Order, "side" | "positionSide" | "lots" | "origin" | "algoOrderId">,
): Order {
  return bearOrder(world, {
    ...given,
    exposure,
    clientOrderId: null,
    type: "MARKET",
    timeInForce: "IOC",
    reduceOnly: true,
    protection: null,
    quoteOrderQty: "",
    ticks: null,
    countedTicks: check.referenceTicks(exposure.instrument) ?? 0,
  });
}
