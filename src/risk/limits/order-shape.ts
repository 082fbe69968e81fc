/**
 * The form of an order as the venue accepts it: tick, lot, sizes, client order id, position side by mode; for
 * openings also a price near the mark. Applies to reducing orders too, because the venue would refuse a malformed
 * one. Spec: 1 §2.3, §8.4; 3 §4.4; records §5.1.
 */
import { dec, type Decimal, toWire } from "../../core/decimal.ts";
import { CLIENT_ORDER_ID_PATTERN, type PlaceOrder } from "../../domain/order.ts";
import { checkOrderShape, type SymbolRules } from "../../domain/symbol.ts";
import { isReducing } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withQty } from "../scene.ts";
import { allow, type Denial, deny, type Limit } from "../verdict.ts";
import type { Draft, RiskView, SymbolRisk } from "../view.ts";
import { isHedged } from "./exchange-account.ts";

const limit = "order-shape";

function idProblem({ clientOrderId }: PlaceOrder): Denial | null {
  if (CLIENT_ORDER_ID_PATTERN.test(clientOrderId)) return null;
  const allowed = "1 to 40 of A-Z a-z 0-9 - _";
  return deny({ limit, found: clientOrderId, allowed, reason: "The client order id is malformed." });
}

/** LONG or SHORT in hedge mode, NONE in one-way mode. */
function sideProblem({ positionSide }: PlaceOrder, hedgeMode: boolean): Denial | null {
  if ((positionSide !== "NONE") === hedgeMode) return null;
  const allowed = hedgeMode ? "LONG or SHORT" : "NONE";
  return deny({ limit, found: positionSide, allowed, reason: "The position side does not fit the position mode." });
}

function typeProblem({ orderType, limitPrice }: PlaceOrder): Denial | null {
  if ((orderType === "LIMIT") === (limitPrice !== null)) return null;
  const found = limitPrice ? toWire(limitPrice) : "no price";
  return deny({ limit, found, allowed: orderType, reason: "A LIMIT order has a price and a MARKET order has none." });
}

function rulesProblem(order: PlaceOrder, rules: SymbolRules, mark: Decimal | null): Denial | null {
  const { qty, limitPrice: price, reduceOnly } = order;
  const referencePrice = price ?? mark;
  if (!referencePrice)
    return deny({ limit, found: "no mark", allowed: "a mark", reason: "No price is known to value the order." });
  const breach = checkOrderShape(rules, { qty, price, referencePrice, reduceOnly });
  if (!breach) return null;
  const reason = `The ${breach.field} does not fit the symbol's rules.`;
  return deny({ limit, found: breach.found, allowed: breach.rule, reason });
}

function bandProblem(price: Decimal, mark: Decimal, band: Decimal): Denial | null {
  const distance = price.sub(mark).abs().div(mark);
  if (distance.lte(band)) return null;
  return deny({ limit, found: distance, allowed: band, reason: "The limit price is too far from the mark." });
}

/** The venue refuses a post-only order that would take, which would waste a write. */
function postOnlyProblem({ side, limitPrice, timeInForce }: PlaceOrder, known: SymbolRisk): Denial | null {
  if (timeInForce !== "GTX" || !limitPrice) return null;
  const facing = side === "BUY" ? known.ask : known.bid;
  if (!facing || (side === "BUY" ? limitPrice.lt(facing) : limitPrice.gt(facing))) return null;
  const allowed = `${side === "BUY" ? "below" : "above"} ${toWire(facing)}`;
  return deny({ limit, found: limitPrice, allowed, reason: "A post-only order at this price would take." });
}

function openingProblem(draft: Draft, known: SymbolRisk, settings: RiskSettings): Denial | null {
  const { limitPrice } = draft.order;
  if (!limitPrice) return null;
  if (!known.mark?.gt(0))
    return deny({ limit, found: "no mark", allowed: "a mark", reason: "There is no mark to compare the price with." });
  return bandProblem(limitPrice, known.mark, settings.priceBand) ?? postOnlyProblem(draft.order, known);
}

function problem(draft: Draft, view: RiskView, settings: RiskSettings): Denial | null {
  const { order } = draft;
  const known = view.symbols.get(order.symbol);
  if (!known?.rules)
    return deny({
      limit,
      found: "unknown",
      allowed: "known rules",
      reason: "The symbol's trading rules are not known.",
    });
  const basic = idProblem(order) ?? sideProblem(order, isHedged(view, order.symbol)) ?? typeProblem(order);
  const reference = known.mark ?? view.positions.find(({ symbol }) => symbol === order.symbol)?.markPrice ?? null;
  return (
    basic ??
    rulesProblem({ ...order, reduceOnly: isReducing(draft) }, known.rules, reference) ??
    (isReducing(draft) ? null : openingProblem(draft, known, settings))
  );
}

/** Applies to reducing drafts too. Rounds and shrinks nothing: a price off the tick is denied. */
export const orderShape = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withQty(scene, dec("0.00045")),
  judge: (draft, view) =>
    problem(draft, view, settings) ??
    allow({ limit, found: draft.order.qty, allowed: "the symbol's rules", reason: "The order is well formed." }),
});
