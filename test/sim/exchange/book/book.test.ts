import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import * as engine from "../../../../src/sim/exchange/book/book.ts";
import { type BookOrder, newBookOrder } from "../../../../src/sim/exchange/book/book-level.ts";
import * as naive from "./reference-book.ts";

type Event = readonly [kind: string, ...figures: number[]];

/** As `expect(...).toEqual`, which is too slow to be asked a hundred thousand times. */
function same(found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found).toEqual(wanted);
}

/** Drives both books with the same commands drawn from one seed. */
function differentialRun(seed: number, commands: number): void {
  const chance = seededEntropy(seed);
  const int = (min: number, max: number): number => chance.int("command", min, max);
  const fast = engine.newBook();
  const slow: naive.NaiveBook = { orders: [] };
  const resting = new Map<number, BookOrder>();
  let ref = 0;

  const place = (events: [Event[], Event[]]): void => {
    const buy = int(0, 2) === 0;
    const market = int(0, 10) === 0;
    const ticks = 100 + int(-12, 13);
    const taker = {
      buy,
      limitTicks: market ? engine.anyPrice(buy) : ticks,
      lots: int(1, 30),
      owner: int(1, 5),
    };
    events[0].push(["takeable", engine.takeable(fast, taker)]);
    events[1].push(["takeable", naive.naiveTakeable(slow, taker)]);
    const left = engine.take(fast, taker, (maker, at, lots) => {
      events[0].push(["match", maker.ref, at, lots]);
      if (maker.lots === 0) resting.delete(maker.ref);
    });
    const leftSlow = naive.naiveTake(slow, taker, (maker, at, lots) => events[1].push(["match", maker, at, lots]));
    events[0].push(["left", left]);
    events[1].push(["left", leftSlow]);
    if (market || left === 0 || engine.crosses(fast, buy, ticks)) return;
    ref += 1;
    const order = newBookOrder({ buy, owner: taker.owner, ref, ticks, lots: left });
    engine.rest(fast, order);
    resting.set(ref, order);
    slow.orders.push({ ref, owner: taker.owner, buy, ticks, lots: left });
  };

  const pick = (): BookOrder | undefined => [...resting.values()][int(0, Math.max(1, resting.size))];

  const cancel = (): void => {
    const order = pick();
    if (order === undefined) return;
    engine.withdraw(fast, order);
    resting.delete(order.ref);
    slow.orders = slow.orders.filter((other) => other.ref !== order.ref);
  };

  const shrink = (): void => {
    const order = pick();
    if (order === undefined || order.lots < 2) return;
    const lots = int(1, order.lots);
    engine.shrink(order, lots);
    for (const other of slow.orders) if (other.ref === order.ref) other.lots = lots;
  };

  const liquidity = (events: [Event[], Event[]]): void => {
    const buy = int(0, 2) === 0;
    const top = 100 + int(-4, 5);
    const levels = Array.from({ length: int(0, 5) }, (_, i) => [buy ? top - i : top + i, int(0, 20)] as const);
    engine.setOutside(fast, buy, levels, (maker, at, lots) => {
      events[0].push(["match", maker.ref, at, lots]);
      if (maker.lots === 0) resting.delete(maker.ref);
    });
    naive.naiveSetOutside(slow, buy, levels, (maker, at, lots) => events[1].push(["match", maker, at, lots]));
  };

  const change = (events: [Event[], Event[]]): void => {
    const drawn = Array.from({ length: int(1, 6) }, () => {
      const bid = int(0, 2) === 0;
      const lots = int(0, 20);
      return { bid, ticks: 100 + int(-5, 6), lots, arriving: int(0, lots + 1) };
    });
    const changes = drawn.filter(
      ({ bid, ticks }, i) => drawn.findIndex((d) => d.bid === bid && d.ticks === ticks) === i,
    );
    engine.changeOutside(fast, changes, (maker, at, lots) => {
      events[0].push(["match", maker.ref, at, lots]);
      if (maker.lots === 0) resting.delete(maker.ref);
    });
    naive.naiveChangeOutside(slow, changes, (maker, at, lots) => events[1].push(["match", maker, at, lots]));
  };

  for (let i = 0; i < commands; i++) {
    const events: [Event[], Event[]] = [[], []];
    const dice = int(0, 100);
    if (dice < 50) place(events);
    else if (dice < 80) cancel();
    else if (dice < 88) shrink();
    else if (dice < 94) liquidity(events);
    else change(events);
    same(events[0], events[1]);
    same(engine.viewBook(fast), naive.naiveView(slow));
  }
}

describe("the book against the naive one", () => {
  test("agrees on every match and every view over 100,000 random commands", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => differentialRun(seed, 2_000)),
      { numRuns: 50 },
    );
  }, 30_000);
});

describe("generated liquidity in the queue", () => {
  const rest = (book: engine.Book, ticks: number, lots: number, ref: number): void =>
    engine.rest(book, newBookOrder({ buy: true, owner: 1, ref, ticks, lots }));
  const sell = (book: engine.Book, lots: number): Event[] => {
    const events: Event[] = [];
    engine.take(book, { buy: false, limitTicks: 0, lots, owner: 0 }, (maker, ticks, got) => {
      events.push(["match", maker.ref, ticks, got]);
    });
    return events;
  };
  const none = (): void => undefined;

  test("a participant waits for what stood before it, and is ahead of what came later", () => {
    const book = engine.newBook();
    engine.setOutside(book, true, [[100, 5]], none);
    rest(book, 100, 3, 7);
    engine.setOutside(book, true, [[100, 9]], none);
    expect(sell(book, 5)).toEqual([]);
    expect(sell(book, 4)).toEqual([["match", 7, 100, 3]]);
    expect(engine.viewBook(book).bids).toEqual([[100, 3]]);
  });

  test("a level that shrinks keeps its place ahead of the participant", () => {
    const book = engine.newBook();
    engine.setOutside(book, true, [[100, 5]], none);
    rest(book, 100, 3, 7);
    engine.setOutside(book, true, [[100, 2]], none);
    expect(sell(book, 2)).toEqual([]);
    expect(sell(book, 1)).toEqual([["match", 7, 100, 1]]);
  });

  test("what arrives behind a participant's order fills it once and is not shown meanwhile", () => {
    const book = engine.newBook();
    rest(book, 100, 5, 7);
    const filled: Event[] = [];
    const note = (maker: BookOrder, ticks: number, lots: number): void =>
      void filled.push(["match", maker.ref, ticks, lots]);
    const ask = (lots: number, arriving: number) => [{ bid: false, ticks: 99, lots, arriving }];
    engine.changeOutside(book, ask(3, 3), note);
    engine.changeOutside(book, ask(3, 0), note);
    expect(filled).toEqual([["match", 7, 100, 3]]);
    expect(engine.viewBook(book)).toEqual({ bids: [[100, 2]], asks: [] });
    engine.changeOutside(book, ask(7, 4), note);
    expect(filled.slice(1)).toEqual([["match", 7, 100, 2]]);
    expect(engine.viewBook(book)).toEqual({ bids: [], asks: [[99, 5]] });
  });

  test("a level that is no longer named is withdrawn, participants stay", () => {
    const book = engine.newBook();
    engine.setOutside(
      book,
      true,
      [
        [100, 5],
        [99, 4],
      ],
      none,
    );
    rest(book, 99, 1, 7);
    engine.setOutside(book, true, [[98, 2]], none);
    expect(engine.viewBook(book).bids).toEqual([
      [99, 1],
      [98, 2],
    ]);
  });

  test("liquidity through a participant's price fills it there and drives out the stale other side", () => {
    const book = engine.newBook();
    engine.setOutside(book, true, [[100, 5]], none);
    rest(book, 101, 3, 7);
    const events: Event[] = [];
    engine.setOutside(book, false, [[99, 10]], (maker, ticks, lots) => events.push(["match", maker.ref, ticks, lots]));
    expect(events).toEqual([["match", 7, 101, 3]]);
    expect(engine.viewBook(book)).toEqual({ bids: [], asks: [[99, 7]] });
  });
});
