/** Reads and checks the trigger prices of algo orders and of attached protection. Spec: records §5.1, §6.1, §6.2. */
import { type Decimal, isMultipleOf, toWire } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import type { TriggerType } from "../../../domain/algo-order.ts";
import type { VenueResult } from "../contract/api.ts";
import { priceOf, referencePrice } from "../state/figures.ts";
import { isAbsent, readPositive, readWord } from "./read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { Trigger } from "../state/algo-terms.ts";
import type { Instrument, World } from "../state/state.ts";

/** On the tick (401015) and not too far from the mark price (400001). */
function checkTriggerPrice(world: World, instrument: Instrument, field: string, price: Decimal): VenueResult<Decimal> {
  const { tickSize } = instrument.rules;
  if (!isMultipleOf(price, tickSize)) {
    return refuse(401015, `${field} ${toWire(price)} must be a multiple of ${toWire(tickSize)}`);
  }
  const mark = referencePrice(instrument);
  const band = world.settings.algoTriggerBand;
  if (mark === null || price.sub(mark).abs().lte(mark.mul(band))) return ok(price);
  return refuse(400001, `${field} ${toWire(price)} must be within ${toWire(band)} of the mark ${toWire(mark)}`);
}

/** One trigger of a request: price, type and the order price, which is kept but never used. */
export interface TriggerText {
  readonly field: string;
  readonly price: unknown;
  readonly typeField: string;
  readonly type: unknown;
  readonly orderPrice: unknown;
}

/**
 * Reads a trigger; null if the request has none. `above` says on which side of the price it fires; with null it fires
 * when the watched price crosses from its present side.
 */
export function readTrigger(
  world: World,
  instrument: Instrument,
  text: TriggerText,
  above: boolean | null,
): VenueResult<Trigger | null> {
  if (isAbsent(text.price)) return ok(null);
  const price = readPositive(text.field, text.price);
  if (!price.ok) return price;
  const type: VenueResult<TriggerType> = isAbsent(text.type)
    ? ok("LAST_PRICE")
    : readWord(text.typeField, text.type, ["LAST_PRICE", "MARK_PRICE"]);
  if (!type.ok) return type;
  const checked = checkTriggerPrice(world, instrument, text.field, price.value);
  if (!checked.ok) return checked;
  const orderPrice = typeof text.orderPrice === "string" && text.orderPrice !== "" ? text.orderPrice : "0";
  const rising = above ?? price.value.gte(watchedNow(instrument, type.value) ?? price.value);
  return ok({ price: price.value, type: type.value, orderPrice, above: rising });
}

function watchedNow(instrument: Instrument, type: TriggerType): Decimal | null {
  if (type === "MARK_PRICE" || instrument.lastTicks === null) return referencePrice(instrument);
  return priceOf(instrument, instrument.lastTicks);
}
