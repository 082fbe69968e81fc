/** The position mode of an account: what is known of it until its reading comes. */
import { expect, test } from "vitest";
import { restore } from "../../src/restore/restore.ts";
import { story } from "../support/agent-story.ts";
import { BTC, position, rulesOf, world } from "../support/agent-world.ts";
import { readerOf } from "../support/reader-of.ts";

test.each([
  ["one-way mode", ", one-way", "NONE"],
  ["hedge mode", "", "LONG"],
])("an account in %s is in it after a restart too, while it cannot be read", (_, mode, positionSide) => {
  const before = story(`
    list nothing${mode}
    wants BTC LONG 0.5
    until place
  `);
  const atMs = before.nowMs + 60_000;
  const w = world({ before, restored: restore(readerOf(before), atMs), atMs, runId: "t2" });
  w.feed({ kind: "rules", rules: [rulesOf(BTC)] });
  const positions = [position(BTC, "0.004", "60000")];
  w.account({ account: null, positions });
  w.tick();
  expect(w.last("protect").order.positionSide).toBe(positionSide);
  w.price(BTC, 50_000);
  w.tick();
  expect(w.last("close").hedgeMode).toBe(positionSide === "LONG");
});
