import { abs, gt, NIL, type Num, neg, show, sign } from "../decimal.ts";
import { finding, type Finding, type History, type Invariant } from "../history.ts";
import type { VenueOrder } from "../venue-facts.ts";
import { reducesByParams } from "../wire-match.ts";
import { addsExposure, lastOrders, ownFacts, plus, signed } from "../venue-view.ts";
import { text } from "../fields.ts";

/** I8: an order meant to reduce neither enlarges nor reverses a position. Needs the venue ledger. */
export const i08: Invariant = {
  id: "I8",
  title: "Reducing reduces",
  rule: "No execution of an order that was meant to close or reduce lets its position grow or change its sign.",
  needs: ["venue ledger"],
  more: ["wire log"],
  unseen: "",
  judge: walk,
};

function walk(history: History): readonly Finding[] {
  const orders = lastOrders(history);
  const meant = meantToReduce(history);
  const positions = new Map<string, Num>();
  const found: Finding[] = [];
  for (const fact of ownFacts(history)) {
    if (fact.fact === "position")
      positions.set(`${fact.symbol}|${fact.side}`, fact.side === "SHORT" ? neg(abs(fact.qty)) : fact.qty);
    if (fact.fact !== "execution") continue;
    const { symbol, side, qty, orderId, transactionId } = fact.execution;
    const order = orders.get(orderId);
    if (!order) continue;
    const key = `${symbol}|${order.positionSide === "" ? "NONE" : order.positionSide}`;
    const before = positions.get(key) ?? NIL;
    const after = plus(positions, key, signed(side, qty));
    if (!isReducing(order, meant)) continue;
    const turned = sign(before) * sign(after) < 0;
    if (turned || gt(abs(after), abs(before)))
      found.push(
        finding(
          null,
          `execution ${transactionId} of the reducing order ${orderId} took ${key} from ${show(before)} to ${show(after)}`,
        ),
      );
  }
  return found;
}

const isReducing = (order: VenueOrder, meant: ReadonlySet<string>): boolean =>
  !addsExposure(order) || meant.has(order.clientOrderId);

/** Client order ids of frames that requested a reduction, regardless of the venue's answer. */
function meantToReduce(history: History): ReadonlySet<string> {
  const placed = (history.wire ?? []).filter(({ params }) => reducesByParams(params));
  return new Set(placed.flatMap(({ params }) => text(params, "clientOrderId") ?? []));
}
