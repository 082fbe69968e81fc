/** What asks for a decision, and how many new positions decisions may begin in an hour. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/time.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import type { TargetPosition } from "../../src/strategy/strategy.ts";
import {
  BTC,
  ETH,
  holding,
  ready,
  scripted,
  settingsOf,
  START_MS,
  target,
  update,
  type World,
} from "../support/agent-world.ts";

function wanting(openingsPerHour: number, entriesMs: readonly number[] = []) {
  const seen: Snapshot[] = [];
  const targets: readonly TargetPosition[] = [target({ urgency: "take" }), target({ symbol: ETH })];
  const chosen = scripted("wanting", () => ({ kind: "targets", targets, note: "" }));
  const watched = {
    ...chosen,
    strategy: {
      ...chosen.strategy,
      decide: (snapshot: Snapshot) => {
        seen.push(snapshot);
        return { kind: "targets" as const, targets, note: "" };
      },
    },
  };
  const settings = settingsOf({ cadence: { ...settingsOf().cadence, onFill: false, openingsPerHour } });
  const w = ready({ strategies: { chosen: watched, fallback: holding() }, settings, restored: { entriesMs } });
  w.tick(2_000);
  return { w, seen };
}
const skipped = (w: World): string =>
  w
    .of("record")
    .flatMap(({ row, body }) => (row === "verdict" && typeof body["skipped"] === "string" ? [body["skipped"]] : []))
    .join();

test("new positions per hour are limited by the setting, and the next decision knows it", () => {
  const { w, seen } = wanting(1);
  expect(w.of("place").map(({ intent }) => intent.draft.order.symbol)).toEqual([BTC]);
  expect(skipped(w)).toContain("1 new positions have begun within the hour");
  w.tick(60_000);
  expect(seen.at(-1)?.headroom).toMatchObject({ mayOpen: false });
  expect(
    seen
      .at(-1)
      ?.headroom.limits.find(({ limit }) => limit === "new positions this hour")
      ?.left.toNumber(),
  ).toBe(0);
});

test("positions that were begun before a restart count, until their hour is over", () => {
  expect(wanting(1, [START_MS - HOUR_MS / 2]).w.of("place")).toEqual([]);
  expect(wanting(1, [START_MS - HOUR_MS]).w.of("place")).toHaveLength(1);
});

test("a fill of our own is no reason to decide again", () => {
  const { w } = wanting(9);
  const before = w.logs("decision.triggered").length;
  const placed = w.last("place");
  w.feed({
    kind: "order",
    update: update(placed, { state: "FILLED", executedQty: placed.intent.draft.order.qty }),
  });
  w.tick(15_000);
  expect(w.logs("order.filled")).toHaveLength(1);
  expect(w.logs("decision.triggered")).toHaveLength(before);
});
