/** The closes of one position that have no reply yet: whose reply it is that comes, and which order may carry them out. */
import { describe, expect, test } from "vitest";
import { createOwnCloses, type ExternalOrder } from "../../src/agent/books/own-closes.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import { BTC } from "../support/agent-world.ts";

const KEY = positionKeyOf(BTC, "LONG");
const at = (seconds: number): number => 1_700_000_000_000 + seconds * 1_000;

/** A market order that was filled at that second, and that nothing names. */
const seller = (orderId: string, filledAt: number): ExternalOrder => ({
  ...{ orderId, clientOrderId: orderId, symbol: BTC, side: "SELL", positionSide: "LONG", limitPrice: null },
  made: { venueMs: at(filledAt), oursMs: at(filledAt) },
});

/** The first has not finished after 9 s: it is requested again. */
const askedTwice = () => {
  const closes = createOwnCloses();
  for (const second of [0, 9]) closes.asked(KEY, at(second), at(second));
  return closes;
};

describe("a close whose reply was lost", () => {
  const lost = () => {
    const closes = createOwnCloses();
    closes.asked(KEY, at(0), at(0));
    closes.answered(KEY, null);
    return closes;
  };

  test("is carried out by what was filled soon after it, however late that is heard of", () => {
    expect(lost().whose(seller("301", 2), at(600))).toBe("ours");
    expect(lost().whose(seller("301", 70), at(600))).toBe("theirs");
  });

  test("may be so also where another close was requested after it, for a minute", () => {
    const whose = (second: number, filledAt: number) => {
      const closes = lost();
      closes.asked(KEY, at(second), at(second));
      return closes.whose(seller("301", filledAt), at(600));
    };
    expect(whose(15, 2)).toBe("ours");
    expect(whose(70, 2)).toBe("theirs");
  });

  test("is so by the venue's clock also where ours was set since", () => {
    const filled = (venueAt: number) => ({ ...seller("301", 0), made: { venueMs: at(venueAt), oursMs: at(3_600) } });
    expect(lost().whose(filled(2), at(3_600))).toBe("ours");
    expect(lost().whose(filled(70), at(3_600))).toBe("theirs");
  });

  test("is not carried out by an order without a time of its own that is heard of too late", () => {
    const { made: _, ...undated } = seller("301", 2);
    expect([59, 61].map((second) => lost().whose(undated, at(second)))).toEqual(["ours", "theirs"]);
  });
});

describe("a close that is requested again before the reply to the first", () => {
  test("leaves each reply to its own request, in their sequence", () => {
    const closes = askedTwice();
    expect(closes.askedMs(KEY)).toBe(at(0));
    closes.answered(KEY, "301");
    expect(closes.askedMs(KEY)).toBe(at(9));
    closes.answered(KEY, "302");
    expect([closes.carriesOutMs("301"), closes.carriesOutMs("302")]).toEqual([at(0), at(9)]);
    expect(closes.askedMs(KEY)).toBeNull();
  });

  test("still waits for the reply to the second where the first had no effect", () => {
    const closes = askedTwice();
    closes.failed(KEY);
    expect(closes.askedMs(KEY)).toBe(at(9));
    expect(closes.whose(seller("302", 10), at(10))).toBe("waits");
  });

  test("may be carried out by what was filled before it was", () => {
    const closes = askedTwice();
    expect(closes.whose(seller("301", 8), at(10))).toBe("waits");
    closes.answered(KEY, "301");
    expect(closes.whose(seller("303", 8), at(10))).toBe("theirs");
  });

  test("is carried out by any order that fits the first, once the reply to that is lost", () => {
    const closes = askedTwice();
    closes.answered(KEY, null);
    expect(closes.whose(seller("301", 8), at(10))).toBe("ours");
    expect(closes.carriesOutMs("301")).toBe(at(0));
    closes.answered(KEY, "302");
    expect(closes.carriesOutMs("302")).toBe(at(9));
  });
});
