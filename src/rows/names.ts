/** The ids by which a row can be found: those of orders, stops and executions. */
import { readCost } from "./cost.ts";
import { readFill } from "./fill.ts";
import { readIntent } from "./intent.ts";
import { readOrder } from "./order.ts";
import { readPreview } from "./preview.ts";
import { readProtection } from "./protection.ts";
import { readReconcile } from "./reconcile.ts";
import type { WrittenRow } from "./row.ts";
import { readVerdict } from "./verdict.ts";
import { readWireIn } from "./wire-in.ts";
import { readWireOut } from "./wire-out.ts";

/** The names of ids that rows and parameters of writes use. */
export const ID_NAMES = ["transactionId", "orderId", "clientOrderId", "algoOrderId"] as const;
export type IdName = (typeof ID_NAMES)[number];
/** An id is absent if the row has none. */
export type RowNames = { readonly [N in IdName]?: string | null };

/** Picks only members that are ids; `in` would not work on a union of shapes. */
const picked = (row: object): RowNames => {
  const found = new Map<string, unknown>(Object.entries(row));
  const idOf = (name: IdName): string | null => {
    const id = found.get(name);
    return typeof id === "string" ? id : null;
  };
  return Object.fromEntries(ID_NAMES.map((name) => [name, idOf(name)]));
};

/** Ids of the row itself; the parameters of a write are not searched. Throws RowError if the row does not fit. */
export function namesIn(row: WrittenRow): RowNames {
  switch (row.kind) {
    case "fill":
      return picked(readFill(row));
    case "order":
      return picked(readOrder(row));
    case "intent":
      return picked(readIntent(row));
    case "protection":
      return picked(readProtection(row));
    case "wire-out":
      return picked(readWireOut(row));
    case "wire-in":
      return picked(readWireIn(row));
    case "verdict":
      return picked(readVerdict(row));
    case "preview":
      return picked(readPreview(row));
    case "cost":
      return picked(readCost(row));
    case "reconcile":
      return picked(readReconcile(row));
    default:
      return {};
  }
}
