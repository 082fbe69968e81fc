/** Counts of the limits, and the watch over entries that are blocked for too long. */
import { describe, expect, test } from "vitest";
import { createEntryWatch } from "../../src/risk/entry-watch.ts";
import { createLimitBook } from "../../src/risk/limit-book.ts";
import { draft, view, settings, text } from "./support.ts";

describe("the limit book", () => {
  test("hands the same limits out while the settings are the same, and keeps completing drafts", () => {
    const book = createLimitBook(settings);
    expect(book.under(settings)).toBe(book.under(settings));
    expect(book.under({ ...settings })).not.toBe(book.under(settings));
    const protects = book.under(settings).find(({ name }) => name === "protection");
    expect(text(protects?.complete?.(draft({}, { stop: null }), view()).stopPrice)).toBe("58200");
  });

  test("begins at nothing, counts every opening, and says what was said last", () => {
    const book = createLimitBook(settings);
    expect(book.counts()[0]).toEqual({ limit: "universe", evaluated: 0, fired: 0, lastFiredMs: null, lastSaid: null });
    const crowded = book.under(settings).find(({ name }) => name === "per-order-notional");
    crowded?.judge(draft(), view());
    crowded?.judge(draft({ qty: "0.007" }), view({ nowMs: 5 }));
    crowded?.judge(draft({ qty: "0.008" }), view({ nowMs: 7 }));
    const counts = book.counts().find(({ limit }) => limit === "per-order-notional");
    expect(counts).toEqual({
      limit: "per-order-notional",
      evaluated: 3,
      fired: 2,
      lastFiredMs: 7,
      lastSaid: "Value of one order against the session's cap and a share of equity. Found 480.9608016, allowed 400.",
    });
    // What was handed out does not change behind the reader's back.
    crowded?.judge(draft(), view());
    expect(counts?.evaluated).toBe(3);
  });
});

describe("the watch over entries", () => {
  test("a door that was shut again counts from its last shutting", () => {
    const watch = createEntryWatch();
    watch.looked("a", 0);
    watch.looked(null, 10);
    watch.looked("b", 20);
    expect(watch.blockedFor(20, 39)).toBeNull();
    expect(watch.blockedFor(20, 40)).toEqual({ sinceMs: 20, reason: "b" });
  });

  test("a shut door is reported before refused drafts; refusals count again after an approval", () => {
    const watch = createEntryWatch();
    watch.looked("shut", 0);
    for (const at of [0, 1, 2]) watch.tried("pace", at);
    expect(watch.blockedFor(10, 10)?.reason).toBe("shut");
    watch.looked(null, 11);
    expect(watch.blockedFor(10, 11)).toEqual({ sinceMs: 0, reason: "3 drafts refused, last by pace" });
    watch.tried(null, 12);
    watch.tried("pace", 13);
    watch.tried("cushion", 14);
    expect(watch.blockedFor(10, 30)).toBeNull();
    watch.tried("cushion", 15);
    expect(watch.blockedFor(10, 23)?.reason).toBe("3 drafts refused, last by cushion");
    expect(watch.blockedFor(10, 22)).toBeNull();
  });
});
