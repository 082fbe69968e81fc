/** Upper bound of a MARKET order's cost: walks the book to its quantity and applies the worst level to all of it. */
import type { BookLevel } from "../../../domain/market.ts";
import { Decimal, dec } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { blocked, type Failure, readFailure } from "../../contract/statuses.ts";
import type { Call } from "../../contract/capability.ts";
import type { Service } from "../../contract/client.ts";

/** The book moves between preview and fill; this much is added to the worst level for a BUY. */
const SLIPPAGE = dec("0.001");

/** The worst level that the quantity reaches; null when the book is too thin. */
export function worstPrice(levels: readonly BookLevel[], quantity: Decimal): Decimal | null {
  let left = quantity;
  for (const { price, qty } of levels) {
    left = left.sub(new Decimal(qty));
    if (left.lte(0)) return new Decimal(price);
  }
  return null;
}

/** An upper bound of the price at which the order would fill. */
export async function marketPriceOf(
  call: Call,
  service: Service,
  order: { readonly symbol: string; readonly side: string; readonly quantity: Decimal },
): Promise<Result<Decimal, Failure>> {
  const book = await service.market.book(order.symbol, call.signal);
  if (book.kind !== "done") return err(readFailure(book));
  call.seen.real = true;
  const buys = order.side === "BUY";
  const worst = worstPrice(buys ? book.value.asks : book.value.bids, order.quantity);
  if (!worst)
    return err(blocked("24008", "BOOK_TOO_THIN: the book is too thin for the quantity, so its value is not known"));
  // A SELL into falling bids is worth less than the best bid: that bid bounds it.
  const best = book.value.bids[0];
  return ok(buys ? worst.mul(dec(1).add(SLIPPAGE)) : best ? new Decimal(best.price) : worst);
}
