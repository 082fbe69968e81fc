/**
 * Review: every limit judges a draft, and only a draft that all limits allow becomes `Approved`. Only this file can
 * create an `Approved`, and the desk accepts nothing else. It places nothing and keeps no state.
 */
import { dec, type Decimal, toWire } from "../core/decimal.ts";
import { invariant } from "../core/invariant.ts";
import { checkOrderShape, notionalOf, type SymbolRules } from "../domain/symbol.ts";
import { CLIENT_ORDER_ID_PATTERN } from "../domain/order.ts";
import { allow, deny, type Rule, type Verdict } from "./verdict.ts";
import type { Draft, RiskView } from "./view.ts";

declare const approved: unique symbol;
/** Passed by every limit: enforced by the type, and by `isApproved` for the object itself. */
export type Approved<T> = T & { readonly [approved]: true };

/** Contains the verdicts of all limits in either case. Only an approved draft can go to the desk. */
export type Review =
  | {
      readonly kind: "approved";
      /** Possibly smaller than requested, and with a stop if an opening had none. */
      readonly draft: Approved<Draft>;
      /** One per limit; "shrink" if the limit made the draft smaller. */
      readonly verdicts: readonly Verdict[];
    }
  | { readonly kind: "denied"; readonly verdicts: readonly Verdict[] };

/** Each round shrinks the draft by at least one lot; limits that never settle contradict each other. */
const SHRINK_ROUNDS_MAX = 8;

const made = new WeakSet<object>();

function approve(draft: Draft): Approved<Draft> {
  const frozen = Object.freeze({ ...draft, order: Object.freeze({ ...draft.order }) });
  made.add(frozen);
  return frozen as Approved<Draft>;
}

/** True only for an object that a review returned. A copy, changed or not, has not been reviewed. */
export const isApproved = (draft: Draft): draft is Approved<Draft> => made.has(draft);

const withQty = (draft: Draft, qty: Decimal): Draft => ({ ...draft, order: { ...draft.order, qty } });

/** The smallest quantity that any limit shrank to; null if none did. */
function smallestShrink(verdicts: readonly Verdict[]): Decimal | null {
  let smallest: Decimal | null = null;
  for (const verdict of verdicts) {
    if (verdict.kind !== "shrink") continue;
    const qty = dec(verdict.qty);
    if (!smallest || qty.lt(smallest)) smallest = qty;
  }
  return smallest;
}

/** Keeps the verdict of the round in which a limit shrank, because it explains the size. */
const remember = (before: readonly Verdict[], now: readonly Verdict[]): readonly Verdict[] =>
  now.map((verdict, index) => {
    const earlier = before[index];
    return verdict.kind === "allow" && earlier?.kind === "shrink" ? earlier : verdict;
  });

/**
 * Judges a draft by every limit. If limits allow only a smaller size, the draft is shrunk and judged again by all of
 * them. Returns all verdicts, also those that agreed. Spec: architecture, sections 2 and 5.
 */
export function review(draft: Draft, view: RiskView, limits: readonly Rule[]): Review {
  invariant(limits.length > 0, "a review needs at least one limit");
  let current = limits.reduce((whole, limit) => limit.complete?.(whole, view) ?? whole, draft);
  let verdicts: readonly Verdict[] = [];
  for (let round = 0; round < SHRINK_ROUNDS_MAX; round++) {
    const now = limits.map((limit) => limit.judge(current, view));
    verdicts = remember(verdicts, now);
    if (now.some((verdict) => verdict.kind === "deny")) return { kind: "denied", verdicts };
    const qty = smallestShrink(now);
    if (!qty) return { kind: "approved", draft: approve(current), verdicts };
    if (qty.gte(current.order.qty) || qty.lte(0)) break;
    current = withQty(current, qty);
  }
  const reason = "The limits did not settle on a size.";
  const unsettled = deny({ limit: "review", found: toWire(current.order.qty), allowed: "a size all agree on", reason });
  return { kind: "denied", verdicts: [...verdicts, unsettled] };
}

/** The bounds for a person's own order, in place of the agent's limits. */
export interface OperatorOrder {
  readonly rules: SymbolRules;
  /** For MARKET orders: the price that values them, slippage included. */
  readonly referencePrice: Decimal;
  /** The ceiling that the operator stated with the order, USDT. */
  readonly maxNotionalUsdt: Decimal;
}

/**
 * The review of an order that a person previews and confirms at the command line or tool server: the venue's form and
 * the person's own ceiling. The agent's limits do not apply, since they guard against the agent. Spec: 3 §4.4 rule 3.
 */
export function reviewOperatorOrder(draft: Draft, { rules, referencePrice, maxNotionalUsdt }: OperatorOrder): Review {
  const { order } = draft;
  const price = order.limitPrice ?? referencePrice;
  const breach = checkOrderShape(rules, { ...order, price: order.limitPrice, referencePrice: price });
  const named = CLIENT_ORDER_ID_PATTERN.test(order.clientOrderId);
  const notional = notionalOf(order.qty, price, rules);
  const shape = breach
    ? deny({
        limit: "order-shape",
        found: breach.found,
        allowed: breach.rule,
        reason: `The ${breach.field} does not fit the symbol's rules.`,
      })
    : allow({
        limit: "order-shape",
        found: toWire(order.qty),
        allowed: `lots of ${toWire(rules.lotSize)}`,
        reason: "The order fits the symbol's rules.",
      });
  const id = (named ? allow : deny)({
    limit: "client-order-id",
    found: order.clientOrderId,
    allowed: "1 to 40 of A-Z a-z 0-9 - _",
    reason: named ? "The client order id is well formed." : "The client order id is malformed.",
  });
  const within = notional.lte(maxNotionalUsdt);
  const ceiling = (within ? allow : deny)({
    limit: "max-notional",
    found: notional,
    allowed: maxNotionalUsdt,
    reason: within ? "The value is within the stated ceiling." : "The value is above the stated ceiling.",
  });
  const verdicts = [shape, id, ceiling];
  const passes = verdicts.every((verdict) => verdict.kind === "allow");
  return passes ? { kind: "approved", draft: approve(draft), verdicts } : { kind: "denied", verdicts };
}
