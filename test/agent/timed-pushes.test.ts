/** A venue whose position pushes bear its own time: older ones say nothing new, newer ones are believed at once. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { BTC, position, ready, START_MS, type World } from "../support/agent-world.ts";

const push = (w: World, qty: string, atMs?: number) =>
  w.feed({
    kind: "position",
    update: {
      symbol: BTC,
      positionSide: "LONG",
      qty: dec(qty),
      avgPrice: dec("60000"),
      leverage: null,
      ...(atMs === undefined ? {} : { atMs }),
    },
  });

const held = (w: World): string | null => {
  const [found] = w.agent.status(w.nowMs).positions;
  return found ? found.qty : null;
};

test("of two pushes the one with the later time counts, in whichever order they come", () => {
  const w = ready();
  push(w, "0.004", START_MS + 20);
  push(w, "0.002", START_MS + 10);
  expect(held(w)).toBe("0.004");
  push(w, "0.003", START_MS + 30);
  expect(held(w)).toBe("0.003");
});

test("a late push does not bring back a position that a later one said is flat", () => {
  const w = ready();
  push(w, "0.004", START_MS + 10);
  push(w, "0", START_MS + 30);
  push(w, "0.004", START_MS + 20);
  expect(held(w)).toBeNull();
});

test("a position that began again a moment after it was flat is held without a doubt", () => {
  const w = ready();
  push(w, "0.004", START_MS + 10);
  push(w, "0", START_MS + 20);
  push(w, "0.005", START_MS + 30);
  expect(held(w)).toBe("0.005");
  // Its end is believed as well, where a push without a time would wait for a list.
  push(w, "0", START_MS + 40);
  expect(held(w)).toBeNull();
});

test("a push older than the list that shows the position changes nothing", () => {
  const w = ready({}, { positions: [{ ...position(BTC, "0.004", "60000"), updatedAtMs: START_MS + 50 }] });
  push(w, "0", START_MS + 40);
  expect(held(w)).toBe("0.004");
  push(w, "0", START_MS + 60);
  expect(held(w)).toBeNull();
});

test("pushes without a time are taken as they come", () => {
  const w = ready();
  push(w, "0.004");
  push(w, "0.002");
  expect(held(w)).toBe("0.002");
});
