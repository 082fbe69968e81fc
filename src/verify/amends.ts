/** Amendments of resting orders, from intent to end. */
import { eq, type Num } from "./decimal.ts";
import { decimal, type Rec, text } from "./fields.ts";
import { gather, type Row } from "./rows.ts";

/** An intent to amend a resting order. */
export interface AmendView {
  readonly intentId: string;
  readonly clientOrderId: string;
  readonly orderId: string;
  readonly price: Num | null;
  readonly qty: Num | null;
  readonly row: Row;
  readonly ends: readonly Row[];
}

/** In the order of their rows, which are those of intents. */
export function amendsOf(rows: readonly Row[]): readonly AmendView[] {
  const ends = new Map<string, Row[]>();
  for (const row of rows) if (row.body["event"] === "amend-end") gather(ends, text(row.body, "intentId") ?? "", row);
  return rows
    .filter(({ body }) => body["event"] === "amend")
    .map((row) => {
      const intentId = text(row.body, "intentId") ?? "";
      return {
        intentId,
        clientOrderId: text(row.body, "clientOrderId") ?? "",
        orderId: text(row.body, "orderId") ?? "",
        price: decimal(row.body, "price"),
        qty: decimal(row.body, "qty"),
        row,
        ends: ends.get(intentId) ?? [],
      };
    });
}

/** The last amendment intent before a row that concerns the same order, price and size. */
export function amendBehind({ seq }: Row, params: Rec, amends: readonly AmendView[]): AmendView | null {
  const [orderId, price, qty] = [text(params, "orderId"), decimal(params, "price"), decimal(params, "quantity")];
  const fits = (amend: AmendView): boolean =>
    amend.row.seq < seq &&
    amend.orderId === orderId &&
    price !== null &&
    qty !== null &&
    amend.price !== null &&
    amend.qty !== null &&
    eq(amend.price, price) &&
    eq(amend.qty, qty);
  return amends.findLast(fits) ?? null;
}
