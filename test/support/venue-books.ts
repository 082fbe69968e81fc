/** What the venue holds, read straight from it, and how that differs from what a journal reports. */
import { Decimal } from "../../src/core/decimal.ts";
import { listOf } from "../../src/protocol/page.ts";
import type { Exchange, WireRecord } from "../../src/sim/exchange/contract/api.ts";

const ALGO_LIVE = new Set(["PENDING_NEW", "NEW", "PROCESSING"]);

/** Quantity by `symbol|side`. */
export type PositionQuantities = ReadonlyMap<string, string>;

/** The venue of one account at one instant. */
export interface AtVenue {
  readonly exchange: Exchange;
  readonly nowMs: number;
}

const text = (record: WireRecord, name: string): string => String(record[name] ?? "");
const accountOf = ({ exchange }: AtVenue): string => exchange.accountIds()[0] ?? "";

function sideOf(record: WireRecord, otherwise: () => string): string {
  const reported = text(record, "positionSide");
  return reported === "LONG" || reported === "SHORT" ? reported : otherwise();
}

export function venuePositions(at: AtVenue): PositionQuantities {
  const heldPositions = new Map<string, string>();
  const positions = at.exchange.positions(accountOf(at), {}, at.nowMs);
  for (const record of positions.ok ? positions.value : []) {
    const qty = new Decimal(text(record, "positionQty") || "0");
    const side = sideOf(record, () => (qty.isNegative() ? "SHORT" : "LONG"));
    if (!qty.isZero()) heldPositions.set(`${text(record, "sym")}|${side}`, qty.abs().toFixed());
  }
  return heldPositions;
}

/** Stops and targets that stand, each with the position that it protects. */
export function standingAlgos(
  at: AtVenue,
): readonly { readonly algoOrderId: string; readonly leg: string; readonly ours: boolean }[] {
  const algos = at.exchange.openAlgos(accountOf(at), {}, at.nowMs);
  return (algos.ok ? algos.value : [])
    .filter((algo) => ALGO_LIVE.has(text(algo, "orderState") || "NEW"))
    .map((algo) => {
      const side = sideOf(algo, () => (text(algo, "side") === "BUY" ? "SHORT" : "LONG"));
      const ours = text(algo, "clientOrderId").startsWith("p-");
      return { algoOrderId: text(algo, "algoOrderId"), leg: `${text(algo, "sym")}|${side}`, ours };
    });
}

/** Client ids of orders that rest. */
export function restingOrders(at: AtVenue): readonly string[] {
  const orders = at.exchange.openOrders(accountOf(at), {}, at.nowMs);
  return (orders.ok ? listOf(orders.value) : []).map((order) => text(order, "clientOrderId"));
}

/** Takes a position row of the journal into account. */
export function countPosition(
  positions: Map<string, string>,
  { leg, qty }: { readonly leg?: unknown; readonly qty?: unknown },
) {
  if (typeof leg !== "string") return;
  const held = new Decimal(String(qty ?? "0"));
  if (held.isZero()) positions.delete(leg);
  else positions.set(leg, held.toFixed());
}

/** Positions on which journal and venue differ, in words. */
export const unlikePositions = (ours: PositionQuantities, theirs: PositionQuantities): readonly string[] =>
  [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((positionKey) => {
    const [mine = "0", real = "0"] = [ours.get(positionKey), theirs.get(positionKey)];
    return mine === real ? [] : [`${positionKey} is ${mine} in the journal and ${real} at the venue`];
  });
