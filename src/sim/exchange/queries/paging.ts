/** Pages, time windows and the filters that order-like lists share. Spec: records §1.3, §1.4, §5.6. */
import { ok } from "../../../core/result.ts";
import { pageFrom } from "../../../protocol/page.ts";
import type { VenueResult, WirePage, WireRecord } from "../contract/api.ts";
import { badField, isAbsent, readTime, readWhole } from "../orders/read-request.ts";
import type { RequestOf } from "../contract/requests.ts";
import { refuse } from "../contract/refuse.ts";
import type { Instrument } from "../state/state.ts";

const SIZE_MAX = 1000;

/** Cuts the requested page and creates records only of its items. `items` are newest first. */
export function page<Item>(
  items: readonly Item[],
  request: RequestOf<"marginLeverage">,
  how: { readonly defaultSize: number; readonly record: (item: Item) => WireRecord },
): VenueResult<WirePage> {
  const number = isAbsent(request.page) ? ok(1) : readWhole("page", request.page);
  if (!number.ok) return number;
  const size = isAbsent(request.pageSize) ? ok(how.defaultSize) : readWhole("pageSize", request.pageSize);
  if (!size.ok) return size;
  if (size.value > SIZE_MAX) return badField("pageSize", request.pageSize, `at most ${SIZE_MAX}`);
  const cut = pageFrom(items, number.value, size.value);
  return ok({ ...cut, list: cut.list.map(how.record) });
}

/** Epoch ms, both ends inclusive; an open end is -Infinity or Infinity. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Both ends inclusive; a missing end is open. A window that ends before it begins returns 400001. */
export function readWindow(
  begin: unknown,
  end: unknown,
  names: readonly [string, string] = ["begin", "end"],
): VenueResult<Window> {
  const from = readTime(names[0], begin);
  if (!from.ok) return from;
  const to = readTime(names[1], end);
  if (!to.ok) return to;
  const window = { fromMs: from.value ?? -Infinity, toMs: to.value ?? Infinity };
  return window.fromMs <= window.toMs ? ok(window) : refuse(400001, `${names[0]} must not be after ${names[1]}`);
}

/** Both ends belong to the window. */
export const within = (window: Window, atMs: number): boolean => atMs >= window.fromMs && atMs <= window.toMs;

/** Whether an instrument passes the symbol, exchange and business type of a list request. */
export function matches(
  instrument: Instrument,
  filter: Pick<RequestOf<"openOrders">, "sym" | "exchange" | "businessType">,
): boolean {
  const { symbol, parts } = instrument;
  return (
    (isAbsent(filter.sym) || filter.sym === symbol) &&
    (isAbsent(filter.exchange) || filter.exchange === parts.exchange) &&
    (isAbsent(filter.businessType) || filter.businessType === parts.type)
  );
}

/** The items that pass, newest first. `items` are in order of creation. */
export function newestFirst<Item>(items: readonly Item[], passes: (item: Item) => boolean): Item[] {
  const found: Item[] = [];
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item !== undefined && passes(item)) found.push(item);
  }
  return found;
}
