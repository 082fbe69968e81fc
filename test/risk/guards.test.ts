/** What is known of the guards themselves: how often each was asked and fired, and whether anything passes at all. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { createEntryWatch } from "../../src/risk/entry-watch.ts";
import { headroom } from "../../src/risk/headroom.ts";
import { createLimitBook } from "../../src/risk/limit-book.ts";
import { review } from "../../src/risk/review.ts";
import { RISK as settings } from "../support/risk.ts";
import { draft, NOW_MS, openings, view } from "./support.ts";

describe("the limit book", () => {
  test("counts each limit that judged, and what it said when it fired", () => {
    const book = createLimitBook(settings);
    const limits = book.under(settings);
    expect(review(draft(), view(), limits).kind).toBe("approved");
    const denied = review(draft(), view({ ...openings(settings.ordersPerHour) }), limits);
    expect(denied.kind).toBe("denied");
    const counts = book.counts();
    expect(counts.map((count) => count.limit)).toEqual(allLimits(settings).map((limit) => limit.name));
    expect(counts.every((count) => count.evaluated === 2)).toBe(true);
    expect(counts.filter((count) => count.fired > 0)).toEqual([
      {
        limit: "pace",
        evaluated: 2,
        fired: 1,
        lastFiredMs: NOW_MS,
        lastSaid: expect.stringContaining("allowed under 60"),
      },
    ]);
  });

  test("does not count orders that take risk away, and keeps its counts when the settings change", () => {
    const book = createLimitBook(settings);
    review(draft({ side: "SELL" }), view(), book.under(settings));
    expect(book.counts().every((count) => count.evaluated === 0)).toBe(true);
    review(draft(), view(), book.under(settings));
    review(draft(), view(), book.under({ ...settings, ordersPerHour: 1 }));
    expect(book.counts().find((count) => count.limit === "pace")).toMatchObject({ evaluated: 2, fired: 0 });
  });

  test("judges exactly as the limits do without it", () => {
    const scenes = [view(), view({ equityUsdt: dec("830") }), view({ session: null }), view({ holds: ["x"] })];
    for (const scene of scenes)
      expect(review(draft(), scene, createLimitBook(settings).under(settings))).toEqual(
        review(draft(), scene, allLimits(settings)),
      );
  });
});

describe("a hold", () => {
  test("denies what opens, says why, and lets what reduces pass", () => {
    const held = view({ holds: ["the disk is 93 % full"] });
    const opening = review(draft(), held, allLimits(settings));
    expect(opening.kind).toBe("denied");
    expect(opening.verdicts.find((verdict) => verdict.kind === "deny")?.reason).toContain("the disk is 93 % full");
    expect(review(draft({ side: "SELL" }, { stop: null }), held, allLimits(settings)).kind).toBe("approved");
    expect(headroom(held, settings)).toMatchObject({ mayOpen: false, reason: expect.stringContaining("93 % full") });
  });
});

describe("the watch over entries", () => {
  const MINUTE = 60_000;
  test("alarms once nothing could be opened for the whole span, and not a moment before", () => {
    const watch = createEntryWatch();
    watch.looked(null, 0);
    for (let at = MINUTE; at <= 16 * MINUTE; at += MINUTE) watch.looked(`reason at ${at / MINUTE}`, at);
    expect(watch.blockedFor(15 * MINUTE, 16 * MINUTE - 1)).toBeNull();
    expect(watch.blockedFor(15 * MINUTE, 16 * MINUTE)).toEqual({ sinceMs: MINUTE, reason: "reason at 16" });
    watch.looked(null, 17 * MINUTE);
    expect(watch.blockedFor(15 * MINUTE, 60 * MINUTE)).toBeNull();
  });

  test("alarms when every draft is refused though the door looks open", () => {
    const watch = createEntryWatch();
    for (const at of [0, 5, 10]) watch.tried("crowding", at * MINUTE);
    watch.looked(null, 14 * MINUTE);
    expect(watch.blockedFor(15 * MINUTE, 14 * MINUTE)).toBeNull();
    expect(watch.blockedFor(15 * MINUTE, 15 * MINUTE)).toMatchObject({
      sinceMs: 0,
      reason: "3 drafts refused, last by crowding",
    });
    watch.tried(null, 16 * MINUTE);
    expect(watch.blockedFor(15 * MINUTE, 90 * MINUTE)).toBeNull();
  });

  test("two refusals in an hour are no pattern", () => {
    const watch = createEntryWatch();
    watch.tried("crowding", 0);
    watch.tried("crowding", MINUTE);
    expect(watch.blockedFor(15 * MINUTE, 60 * MINUTE)).toBeNull();
  });
});
