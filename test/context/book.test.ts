import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Book } from "../../src/context/book.ts";

type Change = readonly [bid: boolean, price: number, qty: number];

function send(book: Book, changes: readonly Change[], at: { snapshot?: boolean; seq: number; ms?: number }): void {
  book.begin(at.snapshot ?? false, at.seq, at.ms ?? 1_000, at.ms ?? 1_000);
  for (const [bid, price, qty] of changes) book.side(bid, Float64Array.of(price, qty), 1);
  book.end();
}

const seeded = (): Book => {
  const book = new Book();
  send(
    book,
    [
      [true, 99, 3],
      [true, 98, 1],
      [false, 101, 1],
      [false, 102, 1],
    ],
    { snapshot: true, seq: 10 },
  );
  return book;
};

describe("book", () => {
  test("agrees with a plain map under any changes", () => {
    const change = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 30 }), (messages) => {
        const book = new Book();
        const maps = { true: new Map<number, number>(), false: new Map<number, number>() };
        messages.forEach((changes, seq) => {
          send(book, changes, { snapshot: seq === 0, seq });
          for (const [bid, price, qty] of changes) {
            const side = maps[`${bid}`];
            if (qty > 0) side.set(price, qty);
            else side.delete(price);
          }
        });
        for (const bid of [true, false]) {
          const sorted = [...maps[`${bid}`]].sort(([a], [b]) => (bid ? b - a : a - b));
          expect(book.top(bid, 100)).toEqual(sorted.map(([price, qty]) => ({ price, qty })));
        }
      }),
    );
  });

  test("imbalance and depth are those of the best levels", () => {
    const book = seeded();
    expect(book.imbalance()).toBeCloseTo((4 - 2) / 6);
    expect(book.depthWithin(150)).toBeCloseTo(99 * 3 + 101);
  });

  test("an old number changes nothing, and is counted", () => {
    const book = seeded();
    send(book, [[true, 100, 9]], { seq: 10 });
    expect(book.bid).toBe(99);
    expect(book.dropped).toBe(1);
  });

  test("a hole in numbers that ran without one makes the book unusable until a snapshot", () => {
    const book = seeded();
    for (const seq of [11, 12, 13]) send(book, [[true, 97, seq]], { seq });
    send(book, [[true, 97, 1]], { seq: 15 });
    expect(book.defect(1_000)).toBe("gap");
    send(
      book,
      [
        [true, 99, 1],
        [false, 101, 1],
      ],
      { snapshot: true, seq: 20 },
    );
    expect(book.defect(1_000)).toBeNull();
  });

  test("a venue whose numbers have holes from the start is believed", () => {
    const book = seeded();
    for (const seq of [20, 30, 40, 50]) send(book, [[true, 97, seq]], { seq });
    expect(book.defect(1_000)).toBeNull();
  });

  test("crossed for longer than a second is a defect", () => {
    const book = seeded();
    send(book, [[true, 101.5, 1]], { seq: 11, ms: 2_000 });
    expect(book.defect(2_500)).toBeNull();
    expect(book.defect(3_100)).toBe("crossed");
    send(book, [[true, 101.5, 0]], { seq: 12, ms: 3_200 });
    expect(book.defect(3_300)).toBeNull();
  });

  test("the same content again and again is frozen", () => {
    const book = seeded();
    for (let seq = 11; seq < 80; seq++) send(book, [[true, 99, 3]], { seq });
    expect(book.defect(1_000)).toBe("frozen");
    send(book, [[true, 99, 4]], { seq: 80 });
    expect(book.defect(1_000)).toBeNull();
  });
});
