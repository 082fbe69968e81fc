/** A book so naive that one sees it is right: one array of orders in order of arrival, searched for every match. */

export interface NaiveOrder {
  readonly ref: number;
  readonly owner: number;
  readonly buy: boolean;
  ticks: number;
  lots: number;
}

export interface NaiveBook {
  orders: NaiveOrder[];
}

const betterFor = (takerBuys: boolean, a: NaiveOrder, b: NaiveOrder): boolean =>
  takerBuys ? a.ticks < b.ticks : a.ticks > b.ticks;

/** The earliest among the best priced orders that a taker may meet. */
function firstInReach(book: NaiveBook, buy: boolean, limit: number): NaiveOrder | null {
  let best: NaiveOrder | null = null;
  for (const order of book.orders) {
    if (order.buy === buy) continue;
    if (buy ? order.ticks > limit : order.ticks < limit) continue;
    if (best === null || betterFor(buy, order, best)) best = order;
  }
  return best;
}

export function naiveTake(
  book: NaiveBook,
  taker: { buy: boolean; limitTicks: number; lots: number; owner: number },
  onMatch: (ref: number, ticks: number, lots: number) => void,
): number {
  let left = taker.lots;
  while (left > 0) {
    const maker = firstInReach(book, taker.buy, taker.limitTicks);
    if (maker === null) break;
    if (taker.owner !== 0 && maker.owner === taker.owner) break;
    const lots = Math.min(left, maker.lots);
    left -= lots;
    maker.lots -= lots;
    if (maker.lots === 0) book.orders = book.orders.filter((order) => order !== maker);
    if (taker.owner !== 0 || maker.owner !== 0) onMatch(maker.ref, maker.ticks, lots);
  }
  return left;
}

export function naiveTakeable(
  book: NaiveBook,
  taker: { buy: boolean; limitTicks: number; lots: number; owner: number },
): number {
  const copy = { orders: book.orders.map((order) => ({ ...order })) };
  return taker.lots - naiveTake(copy, taker, () => undefined);
}

/** Generated liquidity at one price: less is taken from the last arrival, more goes to the end of the queue. */
function setAt(book: NaiveBook, buy: boolean, ticks: number, lots: number): void {
  const mine = book.orders.filter((order) => order.owner === 0 && order.buy === buy && order.ticks === ticks);
  let change = lots - mine.reduce((sum, order) => sum + order.lots, 0);
  const last = book.orders.filter((order) => order.buy === buy && order.ticks === ticks).at(-1);
  // Liquidity that grows at the end of a queue is one order with what already stands there.
  if (change > 0 && last?.owner === 0) last.lots += change;
  else if (change > 0) book.orders.push({ ref: 0, owner: 0, buy, ticks, lots: change });
  for (const order of mine.reverse()) {
    const removed = Math.min(order.lots, Math.max(0, -change));
    order.lots -= removed;
    change += removed;
  }
  book.orders = book.orders.filter((order) => order.lots > 0);
}

export function naiveSetOutside(
  book: NaiveBook,
  buy: boolean,
  levels: readonly (readonly [number, number])[],
  onMatch: (ref: number, ticks: number, lots: number) => void,
): void {
  const best = levels.find(([, lots]) => lots > 0)?.[0];
  if (best !== undefined) {
    book.orders = book.orders.filter(
      (order) => order.owner !== 0 || order.buy === buy || (buy ? order.ticks > best : order.ticks < best),
    );
  }
  for (const [ticks, lots] of levels) {
    const left = naiveTake(book, { buy, limitTicks: ticks, lots, owner: 0 }, onMatch);
    setAt(book, buy, ticks, left);
  }
  const named = new Set(levels.map(([ticks]) => ticks));
  book.orders = book.orders.filter((order) => order.owner !== 0 || order.buy !== buy || named.has(order.ticks));
}

/** Levels that hold less than before first, then the others; one with a participant before it is not shown. */
export function naiveChangeOutside(
  book: NaiveBook,
  changes: readonly { bid: boolean; ticks: number; lots: number; arriving: number }[],
  onMatch: (ref: number, ticks: number, lots: number) => void,
): void {
  const outside = (bid: boolean, ticks: number): number =>
    book.orders
      .filter((order) => order.owner === 0 && order.buy === bid && order.ticks === ticks)
      .reduce((sum, order) => sum + order.lots, 0);
  const less = changes.filter(({ bid, ticks, lots }) => lots <= outside(bid, ticks));
  for (const { bid, ticks, lots } of less) setAt(book, bid, ticks, lots);
  for (const change of changes) {
    if (less.includes(change)) continue;
    const { bid, ticks, lots, arriving } = change;
    const left = naiveTake(book, { buy: bid, limitTicks: ticks, lots: arriving, owner: 0 }, onMatch);
    if (firstInReach(book, bid, ticks) === null) setAt(book, bid, ticks, lots - arriving + left);
  }
}

export function naiveView(book: NaiveBook): { bids: [number, number][]; asks: [number, number][] } {
  const side = (buy: boolean): [number, number][] => {
    const totals = new Map<number, number>();
    for (const order of book.orders) {
      if (order.buy === buy) totals.set(order.ticks, (totals.get(order.ticks) ?? 0) + order.lots);
    }
    return [...totals].sort(([a], [b]) => (buy ? b - a : a - b));
  };
  return { bids: side(true), asks: side(false) };
}
