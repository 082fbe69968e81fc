/**
 * Watches prices for algo orders and fires them: one MARKET order that closes, regardless of the requested order price.
 * When one side of a pair fires, the other ends. Spec: 1 §2.5; records §6.2, §6.5.
 */
import type { TriggerType } from "../../../domain/algo-order.ts";
import type { Decimal } from "../../../core/decimal.ts";
import type { Side } from "../../../domain/order.ts";
import { closesSign, setAlgoState } from "../matching/algo-life.ts";
import { priceOf } from "../state/figures.ts";
import { arrive } from "../matching/matching.ts";
import { acceptOrder, venueOrder } from "./place.ts";
import type { Trigger } from "../state/algo-terms.ts";
import type { AlgoOrder, Instrument, Order, World } from "../state/state.ts";

const crossed = (trigger: Trigger | null, type: TriggerType, price: Decimal): boolean =>
  trigger !== null && trigger.type === type && (trigger.above ? price.gte(trigger.price) : price.lte(trigger.price));

const fires = (algo: AlgoOrder, type: TriggerType, price: Decimal): boolean =>
  crossed(algo.stopLoss, type, price) ||
  crossed(algo.takeProfit, type, price) ||
  crossed(algo.conditional, type, price);

function watchedPrice(instrument: Instrument, type: TriggerType): Decimal | null {
  if (type === "MARK_PRICE") return instrument.mark;
  return instrument.lastTicks === null ? null : priceOf(instrument, instrument.lastTicks);
}

/** Checks every live algo order of an instrument against the mark price or the last price. */
export function watchAlgos(world: World, instrument: Instrument, type: TriggerType): void {
  if (instrument.liveAlgos.size === 0 || instrument.state !== "live") return;
  const price = watchedPrice(instrument, type);
  if (price === null) return;
  for (const algo of [...instrument.liveAlgos]) {
    const live = algo.state === "NEW" || algo.state === "PENDING_CANCEL";
    if (live && fires(algo, type, price)) fire(world, algo);
  }
}

/** The side and lots with which it would close the position now; null if there is nothing to close. */
function closing(algo: AlgoOrder): { side: Side; lots: number } | null {
  const lots = algo.exposure.positions.get(algo.positionSide)?.lots ?? 0;
  const sign = closesSign(algo);
  if (lots === 0 || (sign !== 0 && sign !== Math.sign(lots))) return null;
  const held = Math.abs(lots);
  const wanted = algo.condition === "ENTIRE_CLOSE_POSITION" ? held : Math.min(algo.lots, held);
  return { side: lots > 0 ? "SELL" : "BUY", lots: wanted };
}

/**
 * Only a CONDITIONAL order on the opening side that is not reduce-only may open a position; it is then checked like any
 * other order.
 */
function mayOpen(algo: AlgoOrder): algo is AlgoOrder & { readonly side: Side } {
  if (algo.condition !== "CONDITIONAL" || algo.reduceOnly || algo.side === null) return false;
  if (algo.positionSide === "NONE") return true;
  return algo.side === (algo.positionSide === "LONG" ? "BUY" : "SELL");
}

function bearChild(world: World, algo: AlgoOrder): Order | string {
  const { exposure, positionSide, algoOrderId } = algo;
  if (mayOpen(algo)) {
    const { wallet, instrument } = exposure;
    const accepted = acceptOrder(
      world,
      wallet.portfolio,
      {
        sym: instrument.symbol,
        side: algo.side,
        orderType: "MARKET",
        orderQty: instrument.rules.lotSize.mul(algo.lots).toFixed(),
        ...(positionSide === "NONE" ? {} : { positionSide }),
      },
      algoOrderId,
    );
    return accepted.ok ? accepted.value : accepted.error.message;
  }
  const close = closing(algo);
  if (close === null) return "there is no position to close";
  return venueOrder(world, exposure, { ...close, positionSide, origin: "ALGO", algoOrderId });
}

function fire(world: World, algo: AlgoOrder): void {
  setAlgoState(world, algo, "PROCESSING");
  const child = bearChild(world, algo);
  if (typeof child === "string") return setAlgoState(world, algo, "FAILED", child);
  algo.child = child;
  arrive(world, child);
  if (child.filledLots > 0) setAlgoState(world, algo, "COMPLETED", child.reason);
  else setAlgoState(world, algo, "FAILED", child.reason);
}
