/** What asks for a decision, and how many new positions decisions may begin in an hour. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/time.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { holding, ready, scripted, settingsOf, START_MS, target, type World, ETH } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const pacing = (openingsPerHour: number) =>
  settingsOf({ cadence: { ...settingsOf().cadence, onFill: false, openingsPerHour } });

test("new positions per hour are limited by the setting, and the next decision knows it", () => {
  const seen: Snapshot[] = [];
  const targets = [target(), target({ symbol: ETH })];
  const chosen = scripted("wanting", (snapshot) => {
    seen.push(snapshot);
    return { kind: "targets", targets, note: "" };
  });
  const w = story(
    `
    2 s                          -> places BTC once, logs review.verdict saying 1 new positions have begun within the hour
    `,
    ready({ strategies: { chosen, fallback: holding() }, settings: pacing(1) }),
  );
  const skipped = w.of("record").flatMap(({ row, body }) => (row === "verdict" ? [String(body["skipped"])] : []));
  expect(skipped.join()).toContain("1 new positions have begun within the hour");
  story("60 s", w);
  const { mayOpen, limits } = seen.at(-1)?.headroom ?? {};
  expect(mayOpen).toBe(false);
  expect(limits?.find(({ limit }) => limit === "new positions this hour")?.left.toNumber()).toBe(0);
});

test.each([
  ["count until their hour is over", HOUR_MS / 2, "nothing"],
  ["no longer count once their hour is over", HOUR_MS, "places BTC once"],
])("positions that were begun before a restart %s", (_what, agoMs, then) => {
  story(
    `
    wants BTC LONG 0.5, ETH LONG 0.5
    2 s                          -> ${then}
    `,
    ready({ settings: pacing(1), restored: { entriesMs: [START_MS - agoMs] } }),
  );
});

test("what only adds to a position counts as a new one neither before a restart nor after it", () => {
  const sizeOf = (w: World): string => w.last("place").intent.draft.order.qty.toFixed();
  const w = story(
    `
    wants BTC LONG 0.2
    2 s                          -> places BTC once
    order FILLED
    `,
    ready({ settings: pacing(2) }),
  );
  const qty = sizeOf(w);
  story(
    `
    stop S1 for ${qty}
    wants BTC LONG 0.5
    62 s with list BTC LONG ${qty}, S1 for ${qty}
    `,
    w,
  );
  const begins = w.of("record").flatMap(({ row, body }) => (row === "intent" ? [body["begins"]] : []));
  expect(begins.filter((known) => known !== undefined)).toEqual([true, false]);
});

test("a fill of our own is no reason to decide again", () => {
  const decisions = (w: World) => w.logs("decision.triggered").length;
  const w = story("wants BTC LONG 0.5\n2 s -> places BTC once", ready({ settings: pacing(9) }));
  const before = decisions(w);
  story(
    `
    order FILLED                 -> logs order.filled once
    15 s                         -> logs decision.triggered never
    `,
    w,
  );
  expect(decisions(w)).toBe(before);
});
